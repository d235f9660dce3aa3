"""An asynchronous FIFO in real time: bits of pointers that fly, flip-flops that sample them."""

import heapq


class Pointer:
    """A register of one clock, whose bits reach the other clock's flip-flops each in its time."""

    def __init__(self, code, delays):
        self.code, self.delays, self.count = code, delays, 0
        self.bits = {bit: [(-1, code[0] >> bit & 1)] for bit in range(max(code).bit_length() or 1)}

    def move(self, now):
        self.count = (self.count + 1) % len(self.code)
        for bit, events in self.bits.items():
            value = self.code[self.count] >> bit & 1
            if value != events[-1][1]:
                events.append((now + self.delays(), value))

    def at(self, now):
        """The code word that a flip-flop gets: bits that arrive at this instant are still old."""
        return sum(
            [value for when, value in events if when < now][-1] << bit
            for bit, events in self.bits.items()
        )


def play(depth, stages, code, clocks, delays, asks):
    """Run; return what each edge did, in the order of edges, and the first fault or None.

    clocks : (write edges, read edges), increasing times
    delays : (function, function), the flight time of a bit of the write, of the read pointer
    asks : (set, set) of edge numbers at which a word is offered, is wanted
    """
    writer, reader = (Pointer(code, each) for each in delays)
    to_reader, to_writer = [code[0]] * stages, [code[0]] * stages
    written = taken = 0
    done = []
    both = [(t, side, n) for side, times in enumerate(clocks) for n, t in enumerate(times)]
    heapq.heapify(both)
    while both:
        now = both[0][0]
        here = []
        while both and both[0][0] == now:
            here.append(heapq.heappop(both)[1:])
        samples = writer.at(now), reader.at(now)
        inside, moved = written - taken, []
        acts = {}
        for side, number in here:
            if side == 0:
                full = to_writer[-1] == code[(writer.count - depth) % (2 * depth)]
                if number in asks[0] and not full:
                    if inside == depth:
                        return done, "overflow"
                    moved.append(writer)
                acts["write"] = (number in asks[0] and not full, full)
                to_writer = [samples[1], *to_writer[:-1]]
            else:
                empty = to_reader[-1] == code[reader.count]
                if number in asks[1] and not empty:
                    if inside == 0:
                        return done, "underflow"
                    moved.append(reader)
                acts["read"] = (taken if number in asks[1] and not empty else -1, empty)
                to_reader = [samples[0], *to_reader[:-1]]
        for pointer in moved:
            pointer.move(now)
            written += pointer is writer
            taken += pointer is reader
        done.append(acts)
    return done, None
