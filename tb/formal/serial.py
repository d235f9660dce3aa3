"""Proofs of bit-serial blocks: concentrator switches (rtl/common) and nodes (rtl/leiserson)."""

from collections.abc import Iterator

from models.leiserson.partial import guarantee
from tb.formal.proof import Proof

SWITCH = ("common/concentrator_switch.v", "common/delay_line.v")
NODE = (*SWITCH, "leiserson/leiserson_port.v", "leiserson/leiserson_node.v")
PRIORITIES = ("FIXED", "ROTATING")


def _variants(many: str, r: int, s: int) -> Iterator[tuple[str, str, dict[str, object]]]:
    """(name, size, parameters) of each priority, with registers and without."""
    for priority in PRIORITIES:
        for pipeline in (0, 1):
            yield (
                f"{many}{r}-{s}-{priority.lower()}-{pipeline}",
                f"{priority.lower()}, PIPELINE={pipeline}",
                {"PRIORITY": f'"{priority}"', "PIPELINE": pipeline},
            )


def _switches() -> Iterator[Proof]:
    """Concentrator switches, by copies side by side, inputs, outputs."""
    sizes = (
        (1, 2, 1),
        (1, 3, 2),
        (2, 3, 2),
        (1, 4, 2),
        (1, 4, 4),
        (1, 8, 4),
        (1, 12, 8),
        (1, 16, 8),
    )
    for copies, r, s in sizes:
        many = f"{copies}x" if copies > 1 else ""
        for name, size, parameters in _variants(many, r, s):
            if r > 12 and "rotating" in name:
                continue  # no proof within minutes a rule
            yield Proof(
                name=f"switch-{name}",
                network="common",
                size=f"{many}{r} → {s}, {size}",
                top="concentrator_switch_proof",
                sources=SWITCH,
                parameters={"COPIES": copies, "R": r, "S": s, **parameters},
                clocks=1,
                bound=6,
                small=name == "2x3-2-rotating-1",
                long=r > 8 and "rotating" in name,
                seconds=3 + r**3 / 100,
            )


def _nodes() -> Iterator[Proof]:
    """Nodes, by nodes side by side, wires up, wires down: those of universal trees, and others."""
    sizes = (
        *((1, 1, 1), (2, 2, 1), (1, 2, 2), (1, 3, 3)),
        *((1, 7, 5), (1, 5, 3), (1, 3, 2), (1, 2, 1)),  # 16 leaves, ROOT=7
        (1, 4, 2),  # 16 leaves, ROOT=16: every channel twice as wide as the two below
    )
    for nodes, up, down in sizes:
        many = f"{nodes}x" if nodes > 1 else ""
        for name, size, parameters in _variants(many, up, down):
            if up > 5 and "rotating" in name:
                continue  # no proof within minutes a rule
            yield Proof(
                name=f"node-{name}",
                network="leiserson",
                size=f"{many}{up} wires up, {down} down, {size}",
                top="leiserson_node_proof",
                sources=NODE,
                parameters={"NODES": nodes, "C_UP": up, "C_DOWN": down, **parameters},
                clocks=1,
                bound=6,
                small=name == "2-1-rotating-0",
                seconds=3 + nodes * up * down,
            )


def _graphs() -> Iterator[Proof]:
    """Graphs of the stages of partial concentrators: every set of inputs."""
    for r, s in (
        (9, 6),
        (9, 8),
        (12, 8),
        (12, 9),
        (16, 11),
        (16, 12),
        (18, 12),
        (20, 14),
        (24, 16),
    ):
        yield Proof(
            name=f"partial-graph-{r}-{s}",
            network="common",
            size=f"{r} → {s}, any {guarantee(r, s)}",
            top="partial_graph_proof",
            sources=(),
            parameters={"R": r, "S": s, "K": guarantee(r, s)},
            engine="bdd",
            small=r == 12 and s == 8,
        )


def _stages() -> Iterator[Proof]:
    """Single stages of partial concentrators; the larger ones without what takes longest."""
    for r, s, bits in ((3, 2, 3), (4, 3, 6), (8, 6, 6)):
        flat = r > 4
        yield Proof(
            name=f"partial-stage-{r}-{s}",
            network="common",
            size=f"{r} → {s}" + ", fixed" * flat,
            top="partial_stage_proof",
            sources=("common/partial_stage.v",),
            parameters={
                "R": r,
                "S": s,
                "CHOICE_W": bits,
                "FLAT": int(flat),
                "ROTATING": int(not flat),
            },
            clocks=1,
            bound=6,
            rules=("P2", "P3", "P4", "P5", "P6", "I1", "I2", "I3") if flat else (),
            small=r == 3,
        )


TREE_CAPS = {  # by level, the channel above the root first
    4: ((3, 2, 1), (4, 2, 1), (1, 1, 1)),
    8: ((1, 1, 1, 1),),
}


def _trees() -> Iterator[Proof]:
    """Whole trees, one delivery cycle; one from reset, whose traces can be played."""
    for leaves, profiles in TREE_CAPS.items():
        levels = leaves.bit_length() - 1
        for caps in profiles:
            for any_state in (0, 1) if leaves == 4 else (1,):
                yield Proof(
                    name=f"serial-tree-{leaves}-{'-'.join(map(str, caps))}-{any_state}",
                    network="leiserson",
                    size=f"N={leaves}, wires {', '.join(map(str, caps))}"
                    + ", after reset" * (not any_state),
                    top="leiserson_tree_proof",
                    sources=(*SWITCH, "leiserson"),
                    parameters={
                        "N_LOG": levels,
                        "CAPS": f"352'd{sum(c << (32 * k) for k, c in enumerate(caps))}",
                        "ANY_STATE": any_state,
                    },
                    clocks=2 * levels + 4,  # of a delivery cycle
                    seconds=30,
                )


SERIAL = (*_switches(), *_nodes(), *_graphs(), *_stages(), *_trees())
