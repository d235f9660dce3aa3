"""The whole switch in plain Python, one cell at a time, word by word after its contract."""

import math
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache


def connected(schedule, n, t):
    """Return the lists p_t and q_t."""
    return connected_in_phase(schedule, n, t % 2**n)


@lru_cache(maxsize=2000)
def connected_in_phase(schedule, n, t):
    """The same for a slot 0 ... N-1."""
    size = 2**n
    rev = [int(format(x, f"0{n}b")[::-1], 2) for x in range(size)]
    p = {
        "BITREV": [(rev[x] + t) % size for x in range(size)],
        "SAME": [(rev[x] + t) % size for x in range(size)],
        "ROTATOR": [(x + t) % size for x in range(size)],
        "TDM": [(t - x) % size for x in range(size)],
        "XOR": [rev[x] ^ t for x in range(size)],
    }[schedule]
    return p, p if schedule == "SAME" else [p.index(m) for m in range(size)]


@dataclass
class Cell:
    """A cell; a fake one has arrived never."""

    source: int
    destination: int
    arrival: int = -1


@dataclass
class Frame:
    """The frame that an input sends."""

    output: int
    cells: int


@dataclass
class Input:
    """What line card x holds for phase 1."""

    fifo: deque = field(default_factory=deque)
    voq: dict = field(default_factory=dict)
    frame: Frame | None = None
    rr_full: int = 0
    rr_part: int = 0
    ptr: dict = field(default_factory=dict)
    last: dict = field(default_factory=dict)
    gate_bits: list = field(default_factory=list)  # (slot, output, closed)


class BruteSwitch:
    """The switch; `shape` has the fields of SwitchShape."""

    def __init__(self, shape):
        self.shape = shape
        self.size = size = 2**shape.n
        self.t = 0
        self.inputs = [Input(voq={o: deque() for o in range(size)}) for _ in range(size)]
        if shape.scheme == "MAILBOX":
            self.middle = [[[None] * shape.middle for _ in range(size)] for _ in range(size)]
        else:
            self.middle = [[deque() for _ in range(size)] for _ in range(size)]
        self.resequencer = [[deque() for _ in range(size)] for _ in range(size)]
        self.expected = [[0] * size for _ in range(size)]
        self.dropped = {place: [0] * size for place in ("ingress", "middle", "resequencer")}
        self.refused = [0] * size
        self.fakes = [0] * size
        self.skipped = [0] * size
        self.last_event = [0] * size  # FOFF: slot of the last cell kept or given, by output
        self.largest_ingress = [0] * size
        self.largest_middle = [0] * size
        self.largest_fifo = [0] * size
        self.largest_resequencer = [0] * size
        self.drops = []

    def drop(self, place, card, cell):
        """Count a cell that is lost."""
        self.dropped[place][card] += 1
        self.drops.append((self.t, place, card, cell.source, cell.destination, cell.arrival))

    def slot(self, dst):
        """Run one slot; return the cell that leaves each output, or None."""
        p, q = connected(self.shape.schedule, self.shape.n, self.t)
        for x, o in enumerate(dst):
            if o >= 0:
                self.arrive(x, Cell(x, o, self.t))
        for x in range(self.size):
            if self.shape.scheme == "MAILBOX":
                self.offer(x, p[x])
                continue
            cell = self.sent(x, p[x])
            if cell is not None:
                self.into_middle(p[x], cell)
        from_middle = [None] * self.size
        for m in range(self.size):
            from_middle[q[m]] = self.out_of_middle(m, q[m])
        for m in range(self.size):
            queue = self.middle[m][m]
            if self.shape.scheme == "PADDED":
                self.inputs[q[m]].gate_bits.append((self.t, m, len(queue) >= self.shape.gate))
        leaving = [self.output(q[m], m, from_middle[q[m]]) for m in range(self.size)]
        self.t += 1
        return [leaving[q.index(y)] for y in range(self.size)]

    def arrive(self, x, cell):
        """Step 1."""
        source = self.inputs[x]
        frames = self.shape.scheme in ("UFS", "FOFF", "PADDED")
        queue = source.voq[cell.destination] if frames else source.fifo
        if len(queue) == self.shape.ingress:
            self.drop("ingress", x, cell)
        else:
            queue.append(cell)
            self.largest_ingress[x] = max(self.largest_ingress[x], len(queue))

    def sent(self, x, m):
        """Step 2, not MAILBOX: the cell that input x sends to middle m, or None."""
        source = self.inputs[x]
        if self.shape.scheme == "BASIC":
            return source.fifo.popleft() if source.fifo else None
        if m == 0:
            source.frame = self.choice(source)
        if source.frame is None:
            return None
        o, k = source.frame.output, source.frame.cells
        queue, ptr = source.voq[o], source.ptr.get(o, 0)
        j = (m - ptr) % self.size if self.shape.scheme == "FOFF" else m
        cell = queue[j] if j < k else None
        if cell is None and self.shape.scheme == "PADDED":
            cell = Cell(x, o)
            self.fakes[x] += 1
        if m == self.size - 1:
            for _ in range(k):
                queue.popleft()
            source.ptr[o] = (ptr + k) % self.size
            source.frame = None
        return cell

    def choice(self, source):
        """The frame that an input begins, or None."""
        full = [o for o in source.voq if len(source.voq[o]) >= self.size]
        if full:
            o = min(full, key=lambda o: (o - source.rr_full) % self.size)
            source.rr_full = (o + 1) % self.size
            return Frame(o, self.size)
        some = [o for o in source.voq if source.voq[o]]
        if self.shape.scheme == "FOFF" and some:
            o = min(some, key=lambda o: (o - source.rr_part) % self.size)
            source.rr_part = (o + 1) % self.size
            return Frame(o, len(source.voq[o]))
        if self.shape.scheme == "PADDED":
            seen = [bit for bit in source.gate_bits if bit[0] + self.shape.feedback <= self.t]
            closed = {o: is_closed for _, o, is_closed in seen}  # the newest is written last
            open_ones = [o for o in source.voq if not closed.get(o, False)]
            if open_ones:
                o = max(open_ones, key=lambda o: (len(source.voq[o]), -o))
                if len(source.voq[o]) >= self.shape.threshold:
                    return Frame(o, len(source.voq[o]))
        return None

    def into_middle(self, m, cell):
        """Put a cell into a VOQ."""
        queue = self.middle[m][cell.destination]
        if len(queue) == self.shape.middle:
            self.drop("middle", m, cell)
        else:
            queue.append(cell)
            self.largest_middle[m] = max(self.largest_middle[m], len(queue))

    def offer(self, x, m):
        """Step 2 of MAILBOX."""
        source = self.inputs[x]
        if not source.fifo:
            return
        cell = source.fifo[0]
        o = cell.destination
        v = max(0, source.last[o] + 1 - self.t) if o in source.last else 0
        d0 = next(
            d
            for d in range(self.size)
            if connected(self.shape.schedule, self.shape.n, self.t + d)[1][m] == o
        )
        i_min = 0 if v <= d0 else math.ceil((v - d0) / self.size)
        row = self.middle[m][o]
        for i in range(i_min, min(i_min + self.shape.tries - 1, self.shape.middle - 1) + 1):
            if row[i] is None:
                row[i] = source.fifo.popleft()
                source.last[o] = self.t + d0 + i * self.size
                self.largest_middle[m] = max(self.largest_middle[m], i + 1)
                return
        self.refused[m] += 1

    def out_of_middle(self, m, y):
        """Step 3."""
        row = self.middle[m][y]
        if self.shape.scheme == "MAILBOX":
            row.append(None)
            return row.pop(0)
        return row.popleft() if row else None

    def output(self, y, m, cell):
        """Step 4: the cell that leaves, or None."""
        if self.shape.scheme != "FOFF":
            return None if cell is None or cell.arrival < 0 else cell
        fifos = self.resequencer[y]
        if cell is not None:
            if len(fifos[m]) == self.shape.resequencer:
                self.drop("resequencer", y, cell)
            else:
                fifos[m].append(cell)
                self.last_event[y] = self.t
                self.largest_fifo[y] = max(self.largest_fifo[y], len(fifos[m]))
        result = None
        order = [(m + i) % self.size for i in range(1, self.size + 1)]
        some = [k for k in order if fifos[k]]
        ready = [k for k in some if self.expected[y][fifos[k][0].source] == k]
        if not ready:
            # A cell must be missing if a FIFO is too long, or nothing happens for long.
            ready = [k for k in some if len(fifos[k]) > self.size + 1]
            if not ready and self.t - self.last_event[y] >= 2 * self.size:
                ready = some
            self.skipped[y] += bool(ready)
        if ready:
            result = fifos[ready[0]].popleft()
            self.expected[y][result.source] = (ready[0] + 1) % self.size
            self.last_event[y] = self.t + 1
        held = sum(len(fifo) for fifo in fifos)
        self.largest_resequencer[y] = max(self.largest_resequencer[y], held)
        return result

    def inside(self):
        """Count the real cells that wait anywhere."""
        waiting = [cell for source in self.inputs for cell in source.fifo]
        waiting += [
            cell for source in self.inputs for queue in source.voq.values() for cell in queue
        ]
        waiting += [cell for row in self.middle for queue in row for cell in queue if cell]
        waiting += [cell for fifos in self.resequencer for fifo in fifos for cell in fifo]
        return sum(cell.arrival >= 0 for cell in waiting) - self.sent_early()

    def sent_early(self):
        """Count the cells of unfinished frames that have left the ingress, but not its count."""
        p, _ = connected(self.shape.schedule, self.shape.n, self.t)
        total = 0
        for x, source in enumerate(self.inputs):
            if source.frame is None:
                continue
            ptr = source.ptr.get(source.frame.output, 0) if self.shape.scheme == "FOFF" else 0
            numbers = [(m - ptr) % self.size for m in range(p[x])]
            total += sum(j < source.frame.cells for j in numbers)
        return total
