// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// The yardstick of `make bench`: drives a Verilated xgft_network as fast as a loop can, checks
// nothing.  Arguments: stimulus file, clocks to run.  Prints clocks, flit-hops, flits received, CPU
// seconds, peak memory in KiB and what the outputs were, folded.
//
// The file holds widths and sets of packets, a list a node.  Who sends what when depends on
// credits: so a first run, which is not timed, works that out and keeps images of the ports clock
// by clock, until all has arrived; these are played again and again, after a reset before each set.

#include "bare.h"

namespace {

constexpr uint32_t MOST = 1000000;  // clocks that a set may take

template <class Port>
void put(Port& port, size_t at, unsigned bits, uint64_t value) {
    unsigned char* const bytes = reinterpret_cast<unsigned char*>(&port);
    for (unsigned i = 0; i < bits; ++i, ++at) {
        const unsigned char bit = static_cast<unsigned char>(1u << (at & 7));
        if (value >> i & 1)
            bytes[at >> 3] |= bit;
        else
            bytes[at >> 3] &= static_cast<unsigned char>(~bit);
    }
}

template <class Port>
bool get(const Port& port, size_t at) {
    return reinterpret_cast<const unsigned char*>(&port)[at >> 3] >> (at & 7) & 1;
}

struct Packet {
    uint32_t release, destination, flits;
};

struct Node {
    std::vector<Packet> list;
    std::vector<uint32_t> credits;
    size_t next = 0;
    uint32_t left = 0, vc = 0;
};

struct Image {
    std::remove_reference_t<decltype(Vtop::valid_i)> valid;
    std::remove_reference_t<decltype(Vtop::flit_i)> flit;
    std::remove_reference_t<decltype(Vtop::credit_i)> credit;
};

void reset(Vtop& top) {
    std::memset(&top.valid_i, 0, sizeof top.valid_i);
    std::memset(&top.credit_i, 0, sizeof top.credit_i);
    top.rst = 1;
    top.eval();  // the very first clock edge is one only if clk was low before
    clock(top);
    top.rst = 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::FILE* const file = std::fopen(argv[1], "rb");
    if (!file) return 2;
    const uint32_t leaves = read_count(file), vcs = read_count(file), depth = read_count(file);
    const uint32_t width = read_count(file), flit_bits = read_count(file);
    const uint32_t address_bits = read_count(file), node_bits = read_count(file);
    std::vector<std::vector<Node>> sets(read_count(file), std::vector<Node>(leaves));
    for (auto& nodes : sets)
        for (Node& node : nodes) {
            node.list.resize(read_count(file));
            const size_t count = node.list.size();
            if (std::fread(node.list.data(), sizeof(Packet), count, file) != count) return 2;
            node.credits.assign(vcs, depth);
        }
    std::fclose(file);

    auto top = std::make_unique<Vtop>();
    top->seed_i = 1;
    top->write_i = 0;

    std::vector<std::vector<Image>> images;
    uint64_t hops = 0, received = 0;
    long steps = 0;
    for (auto& nodes : sets) {
        reset(*top);
        uint64_t missing = 0;
        for (const Node& node : nodes)
            for (const Packet& packet : node.list) missing += packet.flits;
        images.emplace_back();
        for (uint32_t now = 0; missing; ++now) {
            if (now == MOST) return 3;
            std::memset(&top->valid_i, 0, sizeof top->valid_i);
            for (uint32_t n = 0; n < leaves; ++n) {
                Node& node = nodes[n];
                for (uint32_t v = 0; v < vcs; ++v)
                    node.credits[v] += get(top->credit_o, n * vcs + v);
                const bool due =
                    node.next < node.list.size() && node.list[node.next].release <= now;
                bool head = false;
                if (!node.left && due) {
                    for (uint32_t v = 0; v < vcs; ++v)
                        if (node.credits[v] > node.credits[node.vc]) node.vc = v;
                    head = node.credits[node.vc] != 0;
                    if (head) node.left = node.list[node.next++].flits;
                }
                if (!node.left || !node.credits[node.vc]) continue;
                --node.left;
                --node.credits[node.vc];
                const uint64_t destination = node.list[node.next - 1].destination;
                const size_t at = static_cast<size_t>(n) * flit_bits;
                put(top->valid_i, n * vcs + node.vc, 1, 1);
                put(top->flit_i, at, address_bits, destination);
                put(top->flit_i, at + address_bits, node_bits, n);
                put(top->flit_i, at + width, 1, node.left == 0);
                put(top->flit_i, at + width + 1, 1, head);
            }
            std::memcpy(&top->credit_i, &top->valid_o, sizeof top->credit_i);
            images.back().push_back({top->valid_i, top->flit_i, top->credit_i});
            clock(*top);
            hops += ones(top->link_valid_o);
            received += ones(top->valid_o);
            missing -= ones(top->valid_o);
        }
        steps += static_cast<long>(images.back().size());
    }

    const long clocks = std::atol(argv[2]);
    uint64_t times = 0, seen = 0;
    const std::clock_t start = std::clock();
    while (static_cast<long>(times) * steps < clocks) {
        for (const auto& set : images) {
            reset(*top);
            for (const Image& image : set) {
                top->valid_i = image.valid;
                top->flit_i = image.flit;
                top->credit_i = image.credit;
                clock(*top);
                seen += look(*top);
            }
        }
        ++times;
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %lu %lu %.6f %ld %lu\n", static_cast<long>(times) * steps, times * hops,
                times * received, seconds, peak_kib(), seen);
    return 0;
}
