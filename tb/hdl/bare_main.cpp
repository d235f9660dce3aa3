// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// The yardstick of `make bench`: drives a Verilated lbbvn_tree as fast as a loop can, checks
// nothing.  Arguments: stimulus file, clocks to run.  Prints clocks, packets in, packets out, CPU
// seconds and peak memory in KiB.
//
// The file holds images of the ports as the model stores them: a count of rows of settings, for
// each its level, slot and bits; a count of slots, for each valid, destinations and payloads.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <type_traits>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

namespace {

template <class Port>
void read_port(std::FILE* file, Port& port) {
    uint32_t bytes = 0;
    if (std::fread(&bytes, 4, 1, file) != 1 || bytes > sizeof port) std::abort();
    std::memset(&port, 0, sizeof port);
    if (std::fread(&port, 1, bytes, file) != bytes) std::abort();
}

uint32_t read_count(std::FILE* file) {
    uint32_t count = 0;
    if (std::fread(&count, 4, 1, file) != 1) std::abort();
    return count;
}

// getrusage would tell of the parent process, too.
long peak_kib() {
    std::FILE* const status = std::fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (status && std::fgets(line, sizeof line, status)) std::sscanf(line, "VmHWM: %ld", &kib);
    if (status) std::fclose(status);
    return kib;
}

void clock(Vtop& top) {
    top.clk = 1;
    top.eval();
    top.clk = 0;
    top.eval();
}

}  // namespace

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
    const uint32_t slots = read_count(file);
    top->last_slot_i = slots - 1;
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
    const std::clock_t start = std::clock();
    for (long c = 0; c < clocks; ++c) {
        const uint32_t s = c % slots;
        top->valid_i = valid[s];
        top->dst_i = dst[s];
        top->data_i = data[s];
        clock(*top);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %u %u %.6f %ld\n", clocks, top->injected_o, top->delivered_o, seconds,
                peak_kib());
    return 0;
}
