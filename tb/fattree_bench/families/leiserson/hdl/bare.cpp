// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// The yardstick of `make bench`: drives a Verilated leiserson_tree as fast as a loop can, checks
// nothing.  Arguments: stimulus file, delivery cycles to run.  Prints delivery cycles, messages
// sent, messages received, CPU seconds, peak memory in KiB and what the outputs were, folded.
//
// The file holds images of the ports as the model stores them: a count of delivery cycles, for
// each the valid bits and the messages.

#include "bare.h"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::FILE* const file = std::fopen(argv[1], "rb");
    if (!file) return 2;
    auto top = std::make_unique<Vtop>();
    const uint32_t rows = read_count(file);
    std::vector<std::remove_reference_t<decltype(top->offer_valid_i)>> valid(rows);
    std::vector<std::remove_reference_t<decltype(top->offer_i)>> message(rows);
    for (uint32_t r = 0; r < rows; ++r) {
        read_port(file, valid[r]);
        read_port(file, message[r]);
    }
    std::fclose(file);
    top->once_i = 1;
    top->restart_i = 0;
    top->seed_i = 0;
    std::memset(&top->waiting_i, 0, sizeof top->waiting_i);
    top->rst = 1;
    clock(*top);
    top->rst = 0;
    top->eval();

    const long cycles = std::atol(argv[2]);
    uint32_t sent = 0, received = 0;
    uint64_t seen = 0;
    const std::clock_t start = std::clock();
    for (long c = 0; c < cycles; ++c) {
        top->offer_valid_i = valid[c % rows];
        top->offer_i = message[c % rows];
        while (!top->last_o) {
            clock(*top);
            seen += look(*top);
        }
        sent += ones(top->sent_o);
        received += ones(top->arrived_o);
        clock(*top);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %u %u %.6f %ld %lu\n", cycles, sent, received, seconds, peak_kib(), seen);
    return 0;
}
