// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// The yardstick of `make bench`: drives a Verilated network as fast as a loop can, checks nothing.
// Arguments: stimulus file, steps to run.  Prints steps, what was sent, what was received, CPU
// seconds, peak memory in KiB and what the outputs were, folded.
//
// loop.h, which bare.py makes from the interface of the network, says which ports a step drives,
// how long it lasts and what is counted.  The file holds images of ports: of a count of clocks in
// reset, then of sets of steps; each set begins with a reset.  What a set counts, a first run
// finds, which is not timed.

#include "bare.h"

#define MEMBER(port) std::remove_reference_t<decltype(Vtop::port)> port;
#define READ(port) read_port(file, image.port);
#define DRIVE(port) top.port = image.port;
#define CLEAR(port) std::memset(&top.port, 0, sizeof top.port);

namespace {

struct Setup {
    SETUP(MEMBER)
};

struct Image {
    DRIVEN(MEMBER)
};

using Sets = std::vector<std::vector<Image>>;

template <class Seen, class Ended>
void play(Vtop& top, const Sets& sets, Seen seen, Ended ended) {
    for (const auto& set : sets) {
        DRIVEN(CLEAR)
        top.rst = 1;
        clock(top);
        top.rst = 0;
        top.eval();  // a step may end by what an output shows before its first clock
        for (const Image& image : set) {
            DRIVEN(DRIVE)
            STEP
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::FILE* const file = std::fopen(argv[1], "rb");
    if (!file) return 2;
    const auto model = std::make_unique<Vtop>();
    Vtop& top = *model;
    INPUTS(CLEAR)
    top.rst = 1;
    top.eval();  // the very first clock edge is one only if clk was low before
    for (uint32_t count = read_count(file); count > 0; --count) {
        [[maybe_unused]] Setup image;
        SETUP(READ)
        SETUP(DRIVE)
        clock(top);
    }
    Sets sets(read_count(file));
    long steps = 0;
    for (auto& set : sets) {
        set.resize(read_count(file));
        steps += static_cast<long>(set.size());
        for (Image& image : set) {
            DRIVEN(READ)
        }
    }
    std::fclose(file);

    uint64_t sent = 0, received = 0, seen = 0;
    play(top, sets, [] {}, [&] {
        sent += SENT;
        received += RECEIVED;
    });

    const long wanted = std::atol(argv[2]);
    uint64_t times = 0;
    const std::clock_t start = std::clock();
    for (; static_cast<long>(times) * steps < wanted; ++times)
        play(top, sets, [&] { seen += look(top); }, [] {});
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %lu %lu %.6f %ld %lu\n", static_cast<long>(times) * steps, times * sent,
                times * received, seconds, peak_kib(), seen);
    return 0;
}
