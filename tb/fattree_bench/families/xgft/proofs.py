"""Proofs of the wormhole switch (rtl/wormhole) with its parts."""

from collections.abc import Iterator

from fattree_bench.families.proof import Proof, proofs

KINDS = ("ROUND_ROBIN", "MATRIX")


def _input_units() -> Iterator[Proof]:
    stages = (1, 2, 3)
    sizes = [(1, depth, s, 1, 0) for depth in (1, 2, 3, 4) for s in stages]
    sizes += [(2, depth, s, 1, 0) for depth in (1, 2) for s in (1, 3)]
    sizes += [(1, 2, s, 0, 0) for s in stages]
    sizes += [(1, depth, s, hold, 1) for depth in (2, 3) for s in stages for hold in (0, 1)]
    rows: list[tuple[int | str, ...]] = []
    for row in sizes:
        words = [word for word, on in (("adaptive", not row[3]), ("ahead", row[4])) if on]
        rows.append((*row, *("".join(f"{mark}{x}" for x in words) for mark in ("-", ", "))))
    return proofs(
        *("xgft", "xgft_input_unit_proof", "xgft-input-{VCS}-{DEPTH}-{STAGES}{options}"),
        "VCS={VCS} DEPTH={DEPTH} STAGES={STAGES}{said}",
        ("VCS", "DEPTH", "STAGES", "HOLD", "AHEAD", "options", "said"),
        rows,
        engine="pdr",
        seconds=30,
    )


def _output_units() -> Iterator[Proof]:
    return proofs(
        *("xgft", "xgft_output_unit_proof", "xgft-output-{VCS}-{DEPTH}", "VCS={VCS} DEPTH={DEPTH}"),
        ("VCS", "DEPTH"),
        ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (4, 2)),
        engine="pdr",
        seconds=15,
    )


# (ports, VCs, classes, mode) of VC allocators; ports: inputs x outputs where they differ
ALLOCATORS: tuple[tuple[int | str, int, int, str], ...] = (
    (2, 1, 1, "ANY"),
    (2, 2, 1, "ANY"),
    (3, 1, 1, "ANY"),
    (2, 2, 1, "KEEP"),
    (2, 2, 2, "ANY"),
    ("3x2", 1, 1, "ANY"),
    ("2x3", 2, 1, "ANY"),
)


def _sides(ports: int | str) -> tuple[int, int]:
    """Numbers of inputs and outputs."""
    ins, _, outs = str(ports).partition("x")
    return int(ins), int(outs or ins)


def _vc_allocators() -> Iterator[Proof]:
    return proofs(
        *("xgft", "xgft_vc_allocator_proof", "xgft-vc-{ARBITER}-{ports}-{VCS}-{MODE}-{CLASSES}"),
        "{ARBITER}, ports={ports} VCS={VCS} CLASSES={CLASSES} {MODE}",
        ("ports", "INS", "OUTS", "VCS", "CLASSES", "MODE", "ARBITER"),
        [(row[0], *_sides(row[0]), *row[1:], kind) for kind in KINDS for row in ALLOCATORS],
        engine="pdr",
        seconds=30,
    )


# (ports, VCs, ways) of switch allocators
CROSSINGS: tuple[tuple[int | str, int, int], ...] = (
    *((2, 1, 1), (2, 2, 1), (2, 2, 2), (3, 1, 1), (3, 2, 1)),
    *(("3x2", 1, 1), ("2x3", 2, 1)),
)


def _switch_allocators() -> Iterator[Proof]:
    return proofs(
        *("xgft", "xgft_switch_allocator_proof"),
        "xgft-switch-allocator-{ARBITER}-{ports}-{VCS}{ways}{steady}",
        "{ARBITER}, ports={ports} VCS={VCS} WAYS={WAYS}",
        ("ports", "INS", "OUTS", "VCS", "WAYS", "ways", "STEADY", "steady", "ARBITER"),
        [
            (ports, *_sides(ports), vcs, ways, "-2-ways" * (ways - 1), on, "-steady" * on, kind)
            for kind in KINDS
            for ports, vcs, ways in CROSSINGS
            for on in (0, 1)
        ],
        engine="pdr",
        rules=lambda row: (
            ("W6",)
            if row["STEADY"]
            else ("W1", "W2", "W3", "W4", *["W5"][: row["VCS"] // row["WAYS"] - 1])
        ),
        seconds=30,
    )


# (VCs, DEPTH, STAGES)
WHOLE = [(v, depth, stages) for v in (1, 2) for depth in (1, 2) for stages in (1, 2, 3)]


def _switches() -> Iterator[Proof]:
    """All rules of a size lean on each other: induction over the clocks that N7 needs."""
    return proofs(
        *("xgft", "xgft_switch_proof", "xgft-switch-{VCS}-{DEPTH}-{STAGES}"),
        "2 x 2 ports, VCS={VCS} DEPTH={DEPTH} STAGES={STAGES}",
        ("VCS", "DEPTH", "STAGES"),
        WHOLE,
        clocks=lambda row: row["STAGES"] + 1,
        bound=10,
        seconds=20,
    )


def _forms() -> Iterator[Proof]:
    """Both forms of a switch: one step from states that are alike."""
    return proofs(
        *("xgft", "xgft_forms_proof", "xgft-forms-{VCS}-{DEPTH}-{STAGES}"),
        "2 x 2 ports, VCS={VCS} DEPTH={DEPTH} STAGES={STAGES}, both forms",
        ("VCS", "DEPTH", "STAGES"),
        WHOLE,
        clocks=1,
        bound=6,
        small=lambda row: (row["VCS"], row["DEPTH"], row["STAGES"]) == (1, 1, 1),
        seconds=60,
    )


# (levels' children, parents) of trees; the first is a 2-ary 3-tree
TREES = (
    ((2, 2, 2), (1, 2, 2)),
    ((2, 3, 2), (1, 2, 3)),
    ((4, 4, 3), (1, 2, 2)),
    ((2, 2, 3), (2, 2, 1)),
)
PLACES = ("M1", "M2", "M3", "W1", "W2", "W3")
ROUTING_RULES = {
    "DMODK": ("R1", "R2", "R3"),
    "SMODK": ("R1", "R2", "R3"),
    "RANDOM": ("R1", "R2"),
    "TWO": ("R1", "R2"),
    "ADAPTIVE": ("R1", "R2", "R4"),
    "ECMP": ("R1", "R2"),
}
SPREAD_RULES = {
    "RR": ("S1", "S2", "S3"),
    "FLOWLET": ("S1", "S2", "S4", "S5"),
    "DRILL": ("S1", "S2", "S6"),
}


def _routes() -> Iterator[Proof]:
    chosen = [(tree, "DMODK", "NCA") for tree in TREES]
    chosen += [(TREES[1], routing, "NCA") for routing in ROUTING_RULES if routing != "DMODK"]
    chosen += [(TREES[1], "DMODK", "TOP")]
    rows = []
    for radix, routing, climb in chosen:
        short = "-".join("x".join(map(str, part)) for part in radix)
        tree = ";".join(",".join(map(str, part)) for part in radix)
        said = (short, tree, ", TOP" * (climb == "TOP"))
        rows += [(level, *radix[0], *radix[1], routing, climb, *said) for level in (1, 2, 3)]
    return proofs(
        *("xgft", "xgft_route_proof", "xgft-route-{short}-{ROUTING}-{CLIMB}-{LEVEL}"),
        "XGFT(3;{tree}) level {LEVEL}, {ROUTING}{top}",
        ("LEVEL", *PLACES, "ROUTING", "CLIMB", "short", "tree", "top"),
        rows,
        rules=lambda row: ROUTING_RULES[row["ROUTING"]] if row["LEVEL"] < 3 else ("R1",),
        small=lambda row: row["tree"].startswith("2,2,2;") and row["LEVEL"] == 2,
        seconds=10,
    )


def _spread() -> Iterator[Proof]:
    sizes = [(2, 2, 1, 1), (2, 2, 2, 1), (2, 3, 1, 2), (1, 4, 1, 1)]
    return proofs(
        *("xgft", "xgft_spread_proof", "xgft-spread-{ROUTING}-{DOWN}-{UP}-{VCS}-{DEPTH}"),
        "{DOWN} children, {UP} parents, VCS={VCS} DEPTH={DEPTH}, {ROUTING}",
        ("DOWN", "UP", "VCS", "DEPTH", "ROUTING"),
        [(*size, routing) for routing in SPREAD_RULES for size in sizes],
        engine="pdr",
        rules=lambda row: (
            *SPREAD_RULES[row["ROUTING"]],
            *("S7",) * (row["VCS"] > 1 and row["ROUTING"] != "FLOWLET"),
        ),
        seconds=10,
    )


def _tables() -> Iterator[Proof]:
    return proofs(
        *("xgft", "xgft_table_proof", "xgft-table-{ADDRESSES}-{READS}"),
        "{ADDRESSES} addresses, {READS} look-ups",
        ("ADDRESSES", "READS"),
        ((2, 1), (4, 2), (6, 4), (8, 2)),
        engine="pdr",
        seconds=3,
    )


PROOFS = (
    *_input_units(),
    *_output_units(),
    *_vc_allocators(),
    *_switch_allocators(),
    *_switches(),
    *_forms(),
    *_routes(),
    *_spread(),
    *_tables(),
)
