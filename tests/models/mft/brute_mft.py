"""MFT and IMFT in plain Python: routers, wires and FIFOs, a flit and a clock at a time."""

from collections import deque
from dataclasses import dataclass, field


@dataclass
class Flit:
    """A flit: its packet's number and destination, and which of its flits it is."""

    packet: int
    dst: int
    number: int
    of: int

    @property
    def last(self):
        return self.number == self.of - 1


@dataclass
class Router:
    """A router (r, c) that knows the intervals of its sides."""

    row: int
    sides: list  # two sets of clients
    lanes: int
    above: int  # lanes a direction of the row above, 0 at the top
    adaptive: bool
    exact: bool
    route: dict = field(default_factory=dict)  # input -> output that its packet holds
    dropping: set = field(default_factory=set)  # inputs whose packet is lost

    def clock(self, inputs, lost):
        """Take what is on the inputs, ("up", q) or ("down", p, j); return what is on the outputs.

        Outputs are ("up", q) or ("down", side, lane).
        """
        out = {}
        held = set(self.route.values())

        def heads(kind):
            return [(k, f) for k, f in sorted(inputs.items()) if f.number == 0 and k[0] == kind]

        for key, flit in heads("down"):
            side = 0 if flit.dst in self.sides[0] else 1
            assert flit.dst in self.sides[side]
            self._try(key, flit, ("down", side, key[1] * self.above + key[2]), held, lost)
        for key, flit in heads("up"):
            side = next((s for s in (0, 1) if flit.dst in self.sides[s]), None)
            if side is None:
                links = [("up", 0), ("up", 1)] if self.adaptive else [("up", key[1])]
                want = next(link for link in links if link not in held)
            elif self.exact:
                want = ("down", side, 2 * self.above)
            else:
                lanes = [("down", side, lane) for lane in range(self.lanes)]
                want = next((lane for lane in lanes if lane not in held), None)
            self._try(key, flit, want, held, lost)
        for key, flit in inputs.items():
            if key not in self.dropping:
                out[self.route[key]] = flit
            if flit.last:
                self.dropping.discard(key)
                self.route.pop(key, None)
        return out

    def _try(self, key, flit, want, held, lost):
        if want is None or want in held:
            lost[flit.packet] = self.row
            self.dropping.add(key)
        else:
            held.add(want)
            self.route[key] = want


class Client:
    """FIFOs of pairs (flit, clock) and round robin over their lanes."""

    def __init__(self, lanes, depth, room):
        self.fifos = [deque() for _ in range(lanes)]
        self.depth, self.room = depth, room
        self.refusing = set()
        self.pointer, self.serving = 0, None

    def clock(self, now, incoming, head, tail):
        """Decide by what was there after the clock before, then read and write."""
        content = [len(fifo) for fifo in self.fifos]
        if self.serving is None:
            for step in range(len(self.fifos)):
                lane = (self.pointer + step) % len(self.fifos)
                if content[lane]:
                    self.serving = lane
                    break
        if self.serving is not None:
            assert content[self.serving], "a packet has a gap"
            flit = self.fifos[self.serving].popleft()
            if flit.number == 0:
                head[flit.packet] = now
            if flit.last:
                tail[flit.packet] = now
                self.pointer, self.serving = (self.serving + 1) % len(self.fifos), None
        for lane, flit in incoming.items():
            if flit.number == 0 and self.depth is not None:
                needed = flit.of if self.room is None else self.room
                if content[lane] + needed > self.depth:
                    self.refusing.add(lane)
            if lane not in self.refusing:
                self.fifos[lane].append(flit)
            if flit.last:
                self.refusing.discard(lane)


class Network:
    """Routers, wires, registers and clients of a network, and what was seen of packets."""

    def __init__(self, n, packets, mode, lanes, fifo, pipeline, room):
        self.n, self.columns, self.pipeline, self.packets = n, 2 ** (n - 1), pipeline, packets
        many = [2 ** (n - r) - 1 if lanes == "EXACT" else 2 ** (n - 1 - r) for r in range(n)]
        self.wiring = {}
        self.routers = {
            (r, c): Router(r, sides, many[r], [*many, 0][r + 1], mode == "MFT", lanes == "EXACT")
            for (r, c), sides in self.reach().items()
        }
        self.down_wire = {
            (r, c, q): (low, col, p) for (low, col, p), (r, c, q) in self.wiring.items()
        }
        self.clients = [Client(many[0], fifo, room) for _ in range(2 * self.columns)]
        self.queues = [deque() for _ in self.clients]
        for number, (src, dst, release, flits) in enumerate(packets):
            for k in range(flits):
                self.queues[src].append((release, Flit(number, dst, k, flits)))
        names = ("start", "lost_row", "arrived", "lane", "head", "tail")
        self.found = {name: [-1] * len(packets) for name in names}
        self.seen_up, self.seen_lane = {}, {}  # who used an up link, a client's lane
        self.delays = {}

    def reach(self):
        """Wire the up links; return the two sets of clients that each router reaches."""
        found = {(0, c): ({2 * c}, {2 * c + 1}) for c in range(self.columns)}
        for r in range(1, self.n):
            sides = {c: [None, None] for c in range(self.columns)}
            for below in range(self.columns):
                for link, above in enumerate((below, neighbour(below, r - 1))):
                    side = below // 2 ** (r - 1) % 2
                    sides[above][side] = found[r - 1, below][0] | found[r - 1, below][1]
                    self.wiring[r - 1, below, link] = (r, above, side)
            found |= {(r, c): tuple(both) for c, both in sides.items()}
        return found

    def clock(self, now):
        """One clock; return whether anything was on its way."""
        wires = {}
        for s, queue in enumerate(self.queues):
            if queue and (queue[0][0] <= now or queue[0][1].number):
                flit = queue.popleft()[1]
                if flit.number == 0:
                    self.found["start"][flit.packet] = now
                wires[0, s // 2, ("up", s % 2)] = flit
        put = {} if self.pipeline else wires
        if self.pipeline:
            wires |= {place: line[0] for place, line in self.delays.items() if line[0] is not None}
            for r, c in self.routers:
                self.play(r, c, wires, put, lambda flit: True)
            for place in {*self.delays, *put}:
                line = self.delays.setdefault(place, deque([None] * self.pipeline))
                line.popleft()
                line.append(put.get(place))
        else:
            self.play_at_once(wires)
        self.receive(wires, now)
        waiting = any(self.queues) or any(any(client.fifos) for client in self.clients)
        return bool(wires or put or waiting)

    def play(self, r, c, wires, put, chosen):
        """Give a router those of its flits that are chosen, and put what it sends on the wires."""
        places = {place[2]: flit for place, flit in wires.items() if place[:2] == (r, c)}
        inputs = {key: flit for key, flit in places.items() if key[0] == "down" or chosen(flit)}
        for out, flit in self.routers[r, c].clock(inputs, self.found["lost_row"]).items():
            if out[0] == "up":
                self.seen_up.setdefault((r, c, out[1]), set()).add(self.packets[flit.packet][0])
                row, column, q = self.wiring[r, c, out[1]]
                put[row, column, ("up", q)] = flit
            elif r:
                low, column, p = self.down_wire[r, c, out[1]]
                put[low, column, ("down", p, out[2])] = flit
            else:
                put["client", 2 * c + out[1], out[2]] = flit

    def play_at_once(self, wires):
        """Without registers: what turns waits until all has come that descends in its row."""
        rows = list(range(self.n))
        for climbs, r in [(True, r) for r in rows] + [(False, r) for r in reversed(rows)]:
            for c in range(self.columns):
                reached = set().union(*self.routers[r, c].sides)
                self.play(r, c, wires, wires, lambda f, s=reached, up=climbs: (f.dst in s) != up)

    def receive(self, wires, now):
        """Give the clients what has come to them, and let each take a flit."""
        came = {d: {} for d in range(len(self.clients))}
        for place, flit in wires.items():
            if place[0] == "client":
                _, d, lane = place
                came[d][lane] = flit
                self.seen_lane.setdefault((d, lane), set()).add(self.packets[flit.packet][0])
                if flit.number == 0:
                    self.found["arrived"][flit.packet] = now
                    self.found["lane"][flit.packet] = lane
        for d, client in enumerate(self.clients):
            client.clock(now, came[d], self.found["head"], self.found["tail"])


def simulate(n, packets, *shape):
    """Return what became of packets, (source, destination, release, flits), and who was seen."""
    network, now, quiet = Network(n, packets, *shape), 0, 0
    while quiet < network.pipeline * 2 * n + 2:
        quiet = 0 if network.clock(now) else quiet + 1
        now += 1
    return network.found, {"up": network.seen_up, "lane": network.seen_lane}


def neighbour(c, r):
    """The survey's other column above: c - 2^r if floor(c / 2^r) is odd, c + 2^r if it is even."""
    return c - 2**r if c // 2**r % 2 else c + 2**r
