// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// The yardstick of `make bench`: drives a Verilated lbbvn_switch as fast as a loop can, checks
// nothing.  Arguments: stimulus file, slots to run.  Prints slots, cells in, cells out, CPU
// seconds, peak memory in KiB and what the outputs were, folded.
//
// The file holds a count of slots, for each the cells in it, and valid, destinations and payloads
// as images of the ports.  A slot is two clocks.

#include "bare.h"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::FILE* const file = std::fopen(argv[1], "rb");
    if (!file) return 2;
    auto top = std::make_unique<Vtop>();
    top->row_write_i = 0;
    top->rst = 1;
    clock(*top);
    const uint32_t slots = read_count(file);
    std::vector<uint32_t> cells(slots);
    std::vector<std::remove_reference_t<decltype(top->valid_i)>> valid(slots);
    std::vector<std::remove_reference_t<decltype(top->dst_i)>> dst(slots);
    std::vector<std::remove_reference_t<decltype(top->data_i)>> data(slots);
    for (uint32_t s = 0; s < slots; ++s) {
        cells[s] = read_count(file);
        read_port(file, valid[s]);
        read_port(file, dst[s]);
        read_port(file, data[s]);
    }
    std::fclose(file);
    clock(*top);
    top->rst = 0;

    const long wanted = std::atol(argv[2]);
    uint64_t in = 0, out = 0, seen = 0;
    const std::clock_t start = std::clock();
    for (long t = 0; t < wanted; ++t) {
        const uint32_t s = t % slots;
        top->valid_i = valid[s];
        top->dst_i = dst[s];
        top->data_i = data[s];
        clock(*top);
        clock(*top);
        in += cells[s];
        out += __builtin_popcountll(top->valid_o);
        seen += look(*top);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %lu %lu %.6f %ld %lu\n", wanted, in, out, seconds, peak_kib(), seen);
    return 0;
}
