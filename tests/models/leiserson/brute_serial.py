"""The bit-serial fat-tree, tick by tick: bits on wires, and nodes that see nothing else.

Written from the rules alone.  Nothing is shared with the models but the stages and graphs of the
partial concentrators, which are data.  A wire is named (v, w): wire w of the channel above v; there
is one of that name up and one down.  Slow, and meant to be obviously right.
"""

from dataclasses import dataclass, field

from fattree_models.leiserson.partial import adjacency, stages

IDLE, ADDRESS, DECISIONS, CONNECTED, LOST = "idle", "address", "decisions", "connected", "lost"


@dataclass(frozen=True)
class Rules:
    """The parameters of a machine, with the names of the contract."""

    cap: tuple
    concentrator: str
    priority: str
    pipeline: int
    data_bits: int

    @property
    def h(self):
        return len(self.cap) - 1

    @property
    def n(self):
        return 2**self.h

    def plan(self, r, s):
        return list(stages(r, s)) if self.concentrator == "PARTIAL" else []


class Listener:
    """What a node does with one input wire: wait for M, read the address, then connect or not."""

    def __init__(self, wire):
        self.wire = wire
        self.state = IDLE
        self.address = None
        self.decisions = []
        self.expected = 0
        self.output = None

    def hear(self, bit, ports_by_address):
        """Take the bit of this tick; return the port that it makes a request to, if it does."""
        if self.state == IDLE:
            if bit:
                self.state = ADDRESS
            return None
        if self.state == ADDRESS:
            self.address = bit
            self.expected = 3 * len(ports_by_address[bit].plan)
            self.state = DECISIONS
        elif self.state == DECISIONS:
            self.decisions.append(bit)
        else:
            return None
        return ports_by_address[self.address] if len(self.decisions) == self.expected else None

    def decision(self, stage):
        """Return the number that was said to a stage."""
        first, second, third = self.decisions[3 * stage : 3 * stage + 3]
        return 4 * first + 2 * second + third


class Port:
    """An output port: its inputs in order, its output wires, and who holds which."""

    def __init__(self, rules, name, listeners, outputs, cycle_number):
        self.rules = rules
        self.name = name  # +v: up towards channel v, -v: down
        self.listeners = listeners
        self.outputs = outputs
        self.plan = rules.plan(len(listeners), outputs)
        self.graphs = [adjacency(r, s).tolist() for r, s in self.plan]
        self.taken = [set() for _ in self.plan]
        self.holder = {}  # output wire -> listener
        self.lost = []  # listeners that found no wire
        self.first_input = 0
        if rules.priority == "ROTATING":
            self.first_input = cycle_number % len(listeners)
        self.register = [0] * outputs
        self.reverse_register = {}

    def resolve(self, requests):
        """Give wires to the requests of one tick."""
        r = len(self.listeners)
        order = [(self.first_input + i) % r for i in range(r)]
        asking = [(i, self.listeners[i]) for i in order if self.listeners[i] in requests]
        assert len(asking) == len(requests)
        if self.rules.concentrator == "IDEAL":
            for _, listener in asking:
                self.give(listener, len(self.holder) if len(self.holder) < self.outputs else None)
            return
        for stage, graph in enumerate(self.graphs):
            through = []
            for i, listener in asking:
                output = self.choose(graph[i], listener.decision(stage), self.taken[stage])
                if output is None:
                    self.give(listener, None)
                else:
                    self.taken[stage].add(output)
                    through.append((output, listener))
            asking = sorted(through, key=lambda pair: pair[0])
        for wire, listener in asking:
            self.give(listener, wire)

    def choose(self, edges, decision, taken):
        """Return the output of a stage that a decision leads to, or None."""
        if decision < 6:
            if decision >= len(edges) or edges[decision] in taken:
                return None
            return edges[decision]
        for output in edges:
            if output not in taken:
                return output
        return None

    def give(self, listener, wire):
        """Connect a listener to an output wire, or lose its message."""
        if wire is None:
            listener.state = LOST
            self.lost.append(listener)
        else:
            assert wire not in self.holder and 0 <= wire < self.outputs
            listener.state = CONNECTED
            listener.output = wire
            self.holder[wire] = listener


class Node:
    """Node v: three bundles of input wires, three output ports."""

    def __init__(self, rules, v, cycle_number):
        level = v.bit_length() - 1
        own, child = rules.cap[level], rules.cap[level + 1]
        self.v = v
        self.left = [Listener((2 * v, w)) for w in range(child)]
        self.right = [Listener((2 * v + 1, w)) for w in range(child)]
        self.above = [Listener((v, w)) for w in range(own)]
        self.up = Port(rules, v, self.left + self.right, own, cycle_number)
        self.to_left = Port(rules, -2 * v, self.right + self.above, child, cycle_number)
        self.to_right = Port(rules, -(2 * v + 1), self.left + self.above, child, cycle_number)
        self.waiting = []  # requests of this tick from below to the down ports


@dataclass
class Result:
    """What a cycle came to."""

    arrived: dict = field(default_factory=dict)  # sink -> (tick of M, word)
    ack: dict = field(default_factory=dict)  # source -> tick
    lost: dict = field(default_factory=dict)  # source -> name of the port
    used_up: dict = field(default_factory=dict)  # channel -> wires
    used_down: dict = field(default_factory=dict)
    source_of: dict = field(default_factory=dict)  # sink -> source, by following held wires back


class Cycle:
    """One delivery cycle of the whole machine."""

    def __init__(self, rules, cycle_number=0):
        self.rules = rules
        self.nodes = {v: Node(rules, v, cycle_number) for v in range(1, rules.n)}
        self.up = {}  # wire -> bit of this tick
        self.down = {}
        self.back_up = {}  # reverse wire of an up wire: flows down
        self.back_down = {}
        self.received = {}  # sink wire -> [tick of M, bits behind it]

    def source_wire(self, source):
        """Return ("up" or "down", wire) of a source."""
        ports = self.rules.cap[-1]
        if source < self.rules.n * ports:
            return "up", (self.rules.n + source // ports, source % ports)
        return "down", (1, source - self.rules.n * ports)

    def sink_wire(self, sink):
        """Return ("up" or "down", wire) of a sink: the other direction of the same wires."""
        side, wire = self.source_wire(sink)
        return ("down" if side == "up" else "up"), wire

    def run(self, frames, ticks):
        """Send the frames, {source: bits}; return the Result after that many ticks."""
        result = Result()
        sources = self.rules.n * self.rules.cap[-1] + self.rules.cap[0]
        for tick in range(ticks):
            for source in range(sources):
                bits = frames.get(source, [])
                bit = bits[tick - 1] if 1 <= tick <= len(bits) else 0
                side, wire = self.source_wire(source)
                (self.up if side == "up" else self.down)[wire] = bit
            self.step_forward()
            for sink in range(sources):
                self.step_sink(sink, tick)
            self.step_back()
            for source in range(sources):
                side, wire = self.source_wire(source)
                if (self.back_up if side == "up" else self.back_down).get(wire):
                    assert source not in result.ack
                    result.ack[source] = tick
        self.collect(result, sources)
        return result

    def step_forward(self):
        """Let the bits of a tick run up the tree and down again."""
        for v in range(self.rules.n - 1, 0, -1):
            node = self.nodes[v]
            node.waiting = []
            asking = []
            for listeners, sideways in ((node.left, node.to_right), (node.right, node.to_left)):
                for listener in listeners:
                    choice = {1: node.up, 0: sideways}
                    port = listener.hear(self.up[listener.wire], choice)
                    if port is node.up:
                        asking.append(listener)
                    elif port is not None:
                        node.waiting.append((port, listener))
            node.up.resolve(asking)
            for w, bit in enumerate(self.port_output(node.up, asking)):
                self.up[v, w] = bit
        for v in range(1, self.rules.n):
            node = self.nodes[v]
            for listener in node.above:
                choice = {0: node.to_left, 1: node.to_right}
                port = listener.hear(self.down[listener.wire], choice)
                if port is not None:
                    node.waiting.append((port, listener))
            for port, child in ((node.to_left, 2 * v), (node.to_right, 2 * v + 1)):
                asking = [listener for wanted, listener in node.waiting if wanted is port]
                port.resolve(asking)
                for w, bit in enumerate(self.port_output(port, asking)):
                    self.down[child, w] = bit

    def port_output(self, port, fresh):
        """Return the bits that a port puts on its wires in this tick."""
        now = [0] * port.outputs
        for w, listener in port.holder.items():
            # The M bit was consumed on the way in: the port makes a new one.
            now[w] = 1 if listener in fresh else self.input_bit(port, listener)
        if not self.rules.pipeline:
            return now
        before, port.register = port.register, now
        return before

    def input_bit(self, port, listener):
        """Return the bit on a listener's wire in this tick."""
        from_above = port.name < 0 and listener in self.nodes[-port.name // 2].above
        return (self.down if from_above else self.up)[listener.wire]

    def step_sink(self, sink, tick):
        """Receive a bit; the tick after the last one, acknowledge."""
        side, wire = self.sink_wire(sink)
        bit = (self.up if side == "up" else self.down)[wire]
        if wire not in self.received and bit:
            self.received[wire] = [tick, []]
            acknowledge = 0
        elif wire in self.received:
            bits = self.received[wire][1]
            acknowledge = len(bits) == self.rules.data_bits
            bits.append(bit)
        else:
            acknowledge = 0
        (self.back_up if side == "up" else self.back_down)[wire] = int(acknowledge)

    def step_back(self):
        """Let the acknowledges of a tick run back: up along the down wires, then down again."""
        for v in range(self.rules.n - 1, 0, -1):
            node = self.nodes[v]
            # All ports of a node lead to wires of their own, so each has at most one acknowledge.
            for listener in node.above:
                self.back_down[listener.wire] = 0
            for port, child in ((node.to_left, 2 * v), (node.to_right, 2 * v + 1)):
                for w, listener in port.holder.items():
                    bit = self.through(port, w, self.back_down[child, w])
                    if listener in node.above:
                        self.back_down[listener.wire] = bit
                    else:
                        self.back_up[listener.wire] = bit
        for v in range(1, self.rules.n):
            port = self.nodes[v].up
            for w, listener in port.holder.items():
                self.back_up[listener.wire] = self.through(port, w, self.back_up.get((v, w), 0))

    def through(self, port, w, bit):
        """Pass a bit back through a port."""
        if not self.rules.pipeline:
            return bit
        before = port.reverse_register.get(w, 0)
        port.reverse_register[w] = bit
        return before

    def collect(self, result, sources):
        """Look at what the wires hold in the end."""
        n = self.rules.n
        by_wire = {self.source_wire(q): q for q in range(sources)}
        for v in range(n, 2 * n):
            listeners = [
                x
                for x in self.nodes[v // 2].left + self.nodes[v // 2].right
                if x.wire[0] == v and x.state != IDLE
            ]
            result.used_up[v] = len(listeners)
        result.used_down[1] = sum(x.state != IDLE for x in self.nodes[1].above)
        for node in self.nodes.values():
            result.used_up[node.v] = len(node.up.holder)
            result.used_down[2 * node.v] = len(node.to_left.holder)
            result.used_down[2 * node.v + 1] = len(node.to_right.holder)
            for port in (node.up, node.to_left, node.to_right):
                for listener in port.lost:
                    from_above = listener in node.above
                    source = by_wire[self.trace("down" if from_above else "up", listener.wire)]
                    assert source not in result.lost
                    result.lost[source] = port.name
        for sink in range(sources):
            side, wire = self.sink_wire(sink)
            if wire in self.received:
                tick, bits = self.received[wire]
                word = int("".join(map(str, bits[: self.rules.data_bits])), 2)
                assert not any(bits[self.rules.data_bits :])
                assert len(bits) > self.rules.data_bits
                result.arrived[sink] = (tick, word)
                result.source_of[sink] = by_wire[self.trace(side, wire)]

    def trace(self, side, wire):
        """Follow a wire back to the source that holds it."""
        v, w = wire
        if side == "up":
            if v >= self.rules.n:
                return side, wire
            return self.trace("up", self.nodes[v].up.holder[w].wire)
        if v == 1:
            return side, wire
        node = self.nodes[v // 2]
        listener = (node.to_left if v % 2 == 0 else node.to_right).holder[w]
        return self.trace("down" if listener in node.above else "up", listener.wire)


def below(rules, v):
    """Return the leaves below a node, by recursion."""
    if v >= rules.n:
        return {v - rules.n}
    return below(rules, 2 * v) | below(rules, 2 * v + 1)


def frame(rules, source, destination, word, edges):
    """Return the bits of a message, found by walking the tree; `edges`: decisions in order."""
    ports = rules.cap[-1]
    edges = list(edges)
    bits = [1]

    def say(address, r, s):
        bits.append(address)
        for _ in rules.plan(r, s):
            bits.extend(int(digit) for digit in format(edges.pop(0), "03b"))

    v = 1 if source >= rules.n * ports else rules.n + source // ports
    if v != 1:
        while v > 1:
            v //= 2
            level = v.bit_length() - 1
            own, child = rules.cap[level], rules.cap[level + 1]
            if destination in below(rules, v):
                say(0, child + own, child)
                v = 2 * v if destination in below(rules, 2 * v) else 2 * v + 1
                break
            say(1, 2 * child, own)
    if destination != rules.n:
        while v < rules.n:
            level = v.bit_length() - 1
            own, child = rules.cap[level], rules.cap[level + 1]
            right = destination in below(rules, 2 * v + 1)
            say(int(right), child + own, child)
            v = 2 * v + right
    return bits + [int(digit) for digit in format(word, f"0{rules.data_bits}b")]
