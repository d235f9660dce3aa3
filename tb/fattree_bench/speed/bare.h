// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// What the yardsticks of `make bench` share: images of ports from a file, the clock, a look at all
// outputs, memory.

#ifndef BARE_H
#define BARE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <type_traits>
#include <vector>

#include "Vtop.h"
#include "loop.h"  // OUTPUTS(top): all of them; made by bare.py
#include "verilated.h"

template <class Port>
void read_port(std::FILE* file, Port& port) {
    uint32_t bytes = 0;
    if (std::fread(&bytes, 4, 1, file) != 1 || bytes > sizeof port) std::abort();
    std::memset(&port, 0, sizeof port);
    if (std::fread(&port, 1, bytes, file) != bytes) std::abort();
}

inline uint32_t read_count(std::FILE* file) {
    uint32_t count = 0;
    if (std::fread(&count, 4, 1, file) != 1) std::abort();
    return count;
}

// getrusage would tell of the parent process, too.
inline long peak_kib() {
    std::FILE* const status = std::fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (status && std::fgets(line, sizeof line, status)) std::sscanf(line, "VmHWM: %ld", &kib);
    if (status) std::fclose(status);
    return kib;
}

template <class Port>
uint64_t ones(const Port& port) {
    const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(&port);
    uint64_t count = 0;
    for (size_t i = 0; i < sizeof port; ++i) count += __builtin_popcount(bytes[i]);
    return count;
}

template <class Port>
uint64_t word(const Port& port) {
    uint64_t sum = 0;
    for (size_t at = 0; at < sizeof port; at += sizeof sum) {
        uint64_t part = 0;
        const size_t left = sizeof port - at;
        std::memcpy(&part, reinterpret_cast<const char*>(&port) + at,
                    left < sizeof part ? left : sizeof part);
        sum ^= part;
    }
    return sum;
}

template <class... Ports>
uint64_t folded(const Ports&... ports) {
    return (word(ports) ^ ... ^ 0);
}

// Whoever uses a network reads its outputs in every step: so does each yardstick.
inline uint64_t look(Vtop& top) { return folded(OUTPUTS(top)); }

inline void clock(Vtop& top) {
    top.clk = 1;
    top.eval();
    top.clk = 0;
    top.eval();
}

#endif
