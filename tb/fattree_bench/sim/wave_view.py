"""Views of waves for gtkwave and surfer: node by node, lane by lane, a marker at the first fault.

A node is what stands in a generate loop of the design: gen_level[2].gen_node[5].u_node is "level 2
node 5".  Where a port has a valid bit a lane, its other vectors are also shown lane by lane.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fattree_bench.bench.sentences import VIEWS

LOOP = re.compile(r"gen_(\w+)[\[(](\d+)[\])]$")
PORT = re.compile(r"_[io]$")
HIDDEN = ("clk", "rst", "clk_i", "rst_i")
ROWS = 4000  # of a view; more cannot be looked at
LANES = 64  # of a port that are shown one by one
WIDEST = 256  # bits of a lane that are shown in one row
HEX, BITS, RULE = "@22", "@28", "@200"  # how gtkwave shows what follows


@dataclass(frozen=True)
class Signal:
    """A signal of a file of waves: scopes from the top, name, bits."""

    scopes: tuple[str, ...]
    name: str
    width: int

    @property
    def path(self) -> str:
        """As surfer writes it."""
        return ".".join((*self.scopes, self.name))

    @property
    def ranged(self) -> str:
        """As gtkwave writes it."""
        # pywellen does not say the range of a vector: the RTL of this project counts down to 0.
        return f"{self.path}[{self.width - 1}:0]" if self.width > 1 else self.path


def signals(waves: Path) -> list[Signal]:
    """All signals of a VCD or FST file; ValueError if it is damaged or holds none."""
    import pywellen

    try:
        found = pywellen.Waveform(str(waves)).all_vars()
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"{waves}: holds no waves that can be read ({reason})") from None
    if not found:
        raise ValueError(f"{waves}: holds no signals")
    names = [(*var.full_name.split("."), var.bitwidth or 0) for var in found]
    return [Signal(tuple(scopes), name, width) for *scopes, name, width in names]


@dataclass
class Row:
    """A signal, or bits of it (the topmost is 0) under a name of its own."""

    signal: Signal
    name: str = ""
    bits: range | None = None


@dataclass
class Group:
    """Signals under a title."""

    title: str
    rows: list[Row] = field(default_factory=list)


def write_views(waves: Path, step: int | None) -> list[Path]:
    """Write both next to a file of waves; `step`: time of the first fault, if any.

    ValueError if the file is damaged.
    """
    found = list(groups(signals(waves)))
    made = [waves.with_suffix(suffix) for suffix in VIEWS]
    for path, text in zip(
        made, (surfer(found, step), gtkwave(waves.name, found, step)), strict=True
    ):
        path.write_text(text)
    return made


def groups(found: list[Signal]) -> Iterator[Group]:
    """The bench's own signals, then those of nodes, level by level."""
    # Verilator tells of the bench's ports twice, and of parameters.
    found = [s for s in found if not s.scopes[0].startswith("$") and not s.name.isupper()]
    top = min((len(signal.scopes) for signal in found), default=0)
    bench: list[Signal] = []
    nodes: dict[tuple[str, ...], tuple[tuple[tuple[str, int], ...], list[Signal]]] = {}
    for signal in found:
        if len(signal.scopes) == top:
            bench.append(signal)
        elif PORT.search(signal.name) and signal.name not in HIDDEN and place(signal.scopes):
            where = place(signal.scopes)
            nodes.setdefault(signal.scopes, (where, []))[1].append(signal)
    yield Group("bench", list(_rows(bench)))
    count = len(bench)
    level = ""
    for where, ports in sorted(nodes.values(), key=lambda node: node[0]):
        title = " ".join(f"{kind} {number}" for kind, number in where)
        if len(where) > 1 and (here := f"{where[0][0]} {where[0][1]}") != level:
            level = here
            yield Group(f"==== {level} ====")
        rows = list(_rows(ports))
        count += len(rows)
        if count > ROWS:
            yield Group(f"more nodes: cut after {ROWS} signals")
            return
        yield Group(title, rows)


def place(scopes: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Where a node is, as in (("level", 2), ("node", 5)); empty: it is none, or inside of one."""
    loops = [LOOP.match(scope) for scope in scopes]
    known = [at for at, loop in enumerate(loops) if loop]
    if not known:
        return ()
    below = scopes[known[0] + 1 :]
    if not scopes[-1].startswith("u_") or sum(scope.startswith("u_") for scope in below) != 1:
        return ()
    return tuple((loop[1], int(loop[2])) for loop in loops if loop)


def _rows(ports: list[Signal]) -> Iterator[Row]:
    """Ports of a node; what has a part a lane is listed lane by lane behind its whole."""
    lanes = {port.name.replace("valid", "{}"): port.width for port in ports if "valid" in port.name}
    for port in ports:
        yield Row(port)
        count = next(
            (
                number
                for form, number in lanes.items()
                for word in ("data", "header", "dst")
                if port.name == form.format(word)
            ),
            1,
        )
        wide = port.width // max(1, count)
        if 1 < count <= LANES and port.width == count * wide and 1 < wide <= WIDEST:
            for lane in range(count):
                end = port.width - lane * wide
                yield Row(port, f"{port.name} lane {lane}", range(end - wide, end))


def gtkwave(waves: str, found: list[Group], step: int | None) -> str:
    """A save file."""
    time = -1 if step is None else step
    lines = [f'[dumpfile] "{waves}"', f"[timestart] {max(0, time - 20)}"]
    lines += [f"*-3.000000 {time} {time}{' -1' * 25}"]  # cursor, then marker A
    for group in found:
        lines += [RULE, f"-{group.title}"]
        for row in group.rows:
            name = row.signal.ranged
            if row.bits is None:
                lines += [BITS if row.signal.width == 1 else HEX, name]
            else:
                bits = " ".join(f"({bit}){name}" for bit in row.bits)
                lines += [HEX, f"#{{{row.name}}} {bits}"]
    return "\n".join(lines) + "\n"


def surfer(found: list[Group], step: int | None) -> str:
    """A file of commands; surfer has no lanes of a vector."""
    lines = []
    for group in found:
        lines.append(f"divider_add {group.title}")
        lines += [f"variable_add {row.signal.path}" for row in group.rows if row.bits is None]
    if step is not None:
        lines += [f"cursor_set {step}", "marker_set fault", "goto_cursor"]
    else:
        lines.append("zoom_fit")
    return "\n".join(lines) + "\n"
