// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// The yardstick of `make bench`: drives a Verilated mft_network as fast as a loop can, checks
// nothing.  Arguments: stimulus file, clocks to run.  Prints clocks, flit-hops, flits received, CPU
// seconds, peak memory in KiB and what the outputs were, folded.
//
// The file holds sets of images of the ports, clock by clock; each begins with a reset.  What a set
// counts, a first run finds, which is not timed.

#include "bare.h"

namespace {

struct Image {
    std::remove_reference_t<decltype(Vtop::valid_i)> valid;
    std::remove_reference_t<decltype(Vtop::flit_i)> flit;
};

template <class Seen>
void play(Vtop& top, const std::vector<std::vector<Image>>& sets, Seen seen) {
    for (const auto& set : sets) {
        std::memset(&top.valid_i, 0, sizeof top.valid_i);
        top.rst = 1;
        clock(top);
        top.rst = 0;
        for (const Image& image : set) {
            top.valid_i = image.valid;
            top.flit_i = image.flit;
            clock(top);
            seen();
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::FILE* const file = std::fopen(argv[1], "rb");
    if (!file) return 2;
    std::vector<std::vector<Image>> sets(read_count(file));
    long steps = 0;
    for (auto& set : sets) {
        set.resize(read_count(file));
        steps += static_cast<long>(set.size());
        for (Image& image : set) {
            read_port(file, image.valid);
            read_port(file, image.flit);
        }
    }
    std::fclose(file);

    auto top = std::make_unique<Vtop>();
    top->rst = 1;
    top->eval();  // the very first clock edge is one only if clk was low before
    uint64_t hops = 0, received = 0, seen = 0;
    play(*top, sets, [&] {
        hops += ones(top->up_valid_o) + ones(top->down_valid_o);
        received += ones(top->valid_o);
    });

    const long clocks = std::atol(argv[2]);
    uint64_t times = 0;
    const std::clock_t start = std::clock();
    for (; static_cast<long>(times) * steps < clocks; ++times)
        play(*top, sets, [&] { seen += look(*top); });
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %lu %lu %.6f %ld %lu\n", static_cast<long>(times) * steps, times * hops,
                times * received, seconds, peak_kib(), seen);
    return 0;
}
