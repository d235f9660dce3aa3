// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// The yardstick of `make bench`: drives a Verilated lbbvn_tree as fast as a loop can, checks
// nothing.  Arguments: stimulus file, clocks to run.  Prints clocks, packets in, packets out, CPU
// seconds, peak memory in KiB and what the outputs were, folded.
//
// The file holds images of the ports as the model stores them: a count of rows of settings, for
// each its level, slot and bits; how many slots the settings are for; a count of slots, for each
// valid, destinations and payloads.

#include "bare.h"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::FILE* const file = std::fopen(argv[1], "rb");
    if (!file) return 2;
    auto top = std::make_unique<Vtop>();
    top->rst = 1;
    clock(*top);
    for (uint32_t rows = read_count(file); rows > 0; --rows) {
        top->row_write_i = 1;
        top->row_level_i = read_count(file);
        top->row_slot_i = read_count(file);
        read_port(file, top->row_i);
        clock(*top);
    }
    top->row_write_i = 0;
    top->last_slot_i = read_count(file) - 1;
    const uint32_t slots = read_count(file);
    std::vector<std::remove_reference_t<decltype(top->valid_i)>> valid(slots);
    std::vector<std::remove_reference_t<decltype(top->dst_i)>> dst(slots);
    std::vector<std::remove_reference_t<decltype(top->data_i)>> data(slots);
    for (uint32_t s = 0; s < slots; ++s) {
        read_port(file, valid[s]);
        read_port(file, dst[s]);
        read_port(file, data[s]);
    }
    std::fclose(file);
    clock(*top);
    top->rst = 0;

    const long clocks = std::atol(argv[2]);
    uint64_t seen = 0;
    const std::clock_t start = std::clock();
    for (long c = 0; c < clocks; ++c) {
        const uint32_t s = c % slots;
        top->valid_i = valid[s];
        top->dst_i = dst[s];
        top->data_i = data[s];
        clock(*top);
        seen += look(*top);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %u %u %.6f %ld %lu\n", clocks, top->injected_o, top->delivered_o, seconds,
                peak_kib(), seen);
    return 0;
}
