"""Proofs of the header-routed fat-tree (rtl/lbbvn), whole."""

from collections.abc import Callable, Iterable, Iterator

from fattree_bench.families.lbbvn.leaf_proofs import LEAVES
from fattree_bench.families.proof import Proof, proofs
from fattree_models.lbbvn import lower_bound, nonblocking

# Name: parameters, and lanes that the tree is measured by, not its own word for them.
Lanes = Callable[[int], Iterable[int]]
PROFILES: dict[str, tuple[dict[str, str], Lanes]] = {
    "lower bound": ({"CAPACITY": '"LOWER_BOUND"'}, lower_bound),
    "nonblocking": ({"CAPACITY": '"NONBLOCKING"'}, nonblocking),
    "static upper half": ({"CAPACITY": '"LOWER_BOUND"', "UPPER_HALF": '"STATIC"'}, lower_bound),
    "one lane": ({"CAPACITY": '"GIVEN"'}, lambda n: [0] + [1] * n),
}
# What can be proved flat at 16 leaves in minutes.
FLAT = {name: ("T1", "T2", "T3") for name in PROFILES} | {
    name: ("T1", "T2", "T3", "T4") for name in ("lower bound", "one lane")
}


def _whole() -> Iterator[Proof]:
    for n in (1, 2, 3, 4):
        for name, (profile, lanes) in PROFILES.items():
            vector = sum(int(c) << (32 * j) for j, c in enumerate(lanes(n)))
            yield Proof(
                name=f"tree-{1 << n}-{name.replace(' ', '-')}",
                network="lbbvn",
                size=f"N={1 << n}, {name}",
                top="lbbvn_tree_proof",
                parameters={"N_LOG": n, **profile, "LANES": f"352'd{vector}"},
                clocks=1,
                bound=2,
                rules=FLAT[name] if n == 4 else (),
                small=n == 2,
                seconds=3 if n < 3 else 30 if n == 3 else 250,
            )


def _nodes() -> Iterator[Proof]:
    """Every node of the trees of 4 to 64 leaves, each different one once."""
    seen: dict[tuple[int, ...], str] = {}
    for n in (2, 3, 4, 5, 6):
        for name in ("lower bound", "nonblocking", "static upper half"):
            lanes = (nonblocking if name == "nonblocking" else lower_bound)(n)
            static = name == "static upper half"
            for level in range(n // 2 if static else 0, n):
                groups = (1 << level) - 1 if static and level == n // 2 else 1
                seen.setdefault((n, level, *map(int, lanes[level : level + 2]), groups), name)
    for (n, level, up, down, groups), name in seen.items():
        parts = f" in {groups} parts" if groups > 1 else ""
        yield Proof(
            name=f"node-{1 << n}-level-{level}-{name.replace(' ', '-')}",
            network="lbbvn",
            size=f"N={1 << n} level {level}: {up} up{parts}, 2 x {down} down",
            top="lbbvn_node_proof",
            parameters={"N_LOG": n, "LEVEL": level, "C_UP": up, "C_DOWN": down}
            | {"GROUPS": groups, "WHOLE": int(n < 5)},
            engine="bdd",
            small=n == 2 and level == 1,
            long=n == 6,
            seconds=5.0 * (1 << n) / 4,
        )


def _played() -> Iterator[Proof]:
    """Scheduled trees: (n, registers, rows, last slot, profile)."""
    for n, pipeline, depth, last, name in (
        (1, 1, 2, 1, "lower bound"),
        (1, 0, 3, 2, "lower bound"),
        (2, 0, 2, 1, "lower bound"),
        (2, 1, 2, 0, "lower bound"),
        (2, 1, 2, 1, "lower bound"),
        (2, 1, 3, 2, "one lane"),
        (2, 1, 2, 1, "nonblocking"),
    ):
        profile, lanes = PROFILES[name]
        vector = sum(int(c) << (32 * j) for j, c in enumerate(lanes(n)))
        yield Proof(
            name=f"lbbvn-played-{1 << n}-{name.replace(' ', '-')}-{pipeline}-{last + 1}-{depth}",
            network="lbbvn",
            size=f"N={1 << n}, {name}, PIPELINE={pipeline}, {last + 1} of {depth} slots",
            top="lbbvn_played_proof",
            parameters={"N_LOG": n, "PIPELINE": pipeline, "DEPTH": depth, "LAST": last}
            | profile
            | {"LANES": f"352'd{vector}"},
            engine="pdr",
            seconds=10,
        )


PROOFS = (
    *_whole(),
    *_nodes(),
    # Numbers of slots; each number of rows, stages one clock apart or none.
    *proofs(
        *("lbbvn", "lbbvn_slots_proof", "lbbvn-slots-{STAGES}-{DEPTH}-{PIPELINE}"),
        *("{STAGES} stages, DEPTH={DEPTH}, PIPELINE={PIPELINE}", ("PIPELINE", "STAGES", "DEPTH")),
        ((1, 2, 2), (1, 3, 3), (1, 4, 4), (1, 4, 5), (0, 4, 5)),
        # Without registers S3 is about wires alone, which is nothing for pdr.
        rules=lambda row: ("S1", "S2", *["S3"][: row["PIPELINE"]], "S4"),
        engine="pdr",
        seconds=5,
    ),
    *_played(),
    *LEAVES,
)
