"""Proofs of blocks shared by networks (rtl/common)."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from fattree_bench.families.proof import PRIORITIES, Proof, proofs

blocks = partial(proofs, "common")


def _concentrators() -> Iterator[Proof]:
    """All sizes from 2 to 32 inputs onto half as many outputs, and 16 inputs onto others."""
    return blocks(
        *("concentrator_proof", "concentrator-{R}-{S}", "{R} → {S}", ("R", "S")),
        [(r, (r + 1) // 2) for r in range(2, 33)] + [(16, s) for s in (1, 4, 12, 15, 16, 20)],
        engine="bdd",
        small=lambda at: (at["R"], at["S"]) in ((2, 1), (5, 3), (8, 4)),
        seconds=lambda at: 2 + at["R"] ** 2 / 50,
    )


def _packet_forms() -> Iterator[Proof]:
    """Both forms of packet concentrators, with free words where the diagrams stay small."""
    pairs = [(1, 1), (2, 1), (5, 3), (4, 6), (6, 4), (16, 8), (24, 16), (32, 16)]
    return blocks(
        *("packet_forms_proof", "packet-forms-{R}-{S}", "{R} → {S}{watched}"),
        ("R", "S", "WHOLE", "watched"),
        [(r, s, int(r <= 8), ", one bit watched" * (r > 8)) for r, s in pairs],
        engine="bdd",
        small=lambda at: at["R"] == 1,
        seconds=lambda at: 2 + at["R"] ** 2 / 30,
    )


def arbiter_rules(kind: str, r: int) -> tuple[str, ...]:
    """Rules proved for an arbiter; (): all.  ABC gives no answer for vacuous rules.

    For matrix arbiters, counting (A7) has too many cases from 6 requests on; A5 bounds the number
    by arithmetic.  A3 needs an acyclic order: up to 8.
    """
    if r == 1:
        return ("A2", "A3", "A7")  # the others are about two requests
    if kind == "ROUND_ROBIN" or r <= 5:
        return ()
    return ("A1", "A2", "A4", "A5", "A6", *["A3"][: r <= 8])


def _arbiters() -> Iterator[Proof]:
    return blocks(
        *("arbiter_proof", "arbiter-{KIND}-{R}", "{KIND}, R={R}", ("R", "KIND")),
        [(r, kind) for kind in ("ROUND_ROBIN", "MATRIX") for r in (*range(1, 9), 16)],
        engine="pdr",
        rules=lambda at: arbiter_rules(at["KIND"], at["R"]),
        small=lambda at: at["R"] == 3 and at["KIND"] == "ROUND_ROBIN",
        seconds=lambda at: 15 if at["KIND"] == "ROUND_ROBIN" or at["R"] < 6 else 100,
    )


def _switches(
    top: str, name: str, more: str, sizes: Iterable[tuple[int, int]], **options: Any
) -> Iterator[Proof]:
    """Concentrator switches of each priority, with registers and without."""
    kinds = [(priority, pipeline) for priority in PRIORITIES for pipeline in (0, 1)]
    return blocks(
        *(
            top,
            name + "-{R}-{S}-{PRIORITY}-{PIPELINE}",
            "{R} → {S}, {kind}, PIPELINE={PIPELINE}" + more,
        ),
        ("R", "S", "PRIORITY", "PIPELINE", "kind"),
        # No rule of larger rotating ones within minutes.
        [
            (*size, *kind, kind[0].lower())
            for size in sizes
            for kind in kinds
            if size[0] <= 12 or kind[0] == "FIXED"
        ],
        clocks=1,
        bound=6,
        small=lambda at: (at["R"], at["S"], at["kind"], at["PIPELINE"]) == (3, 2, "rotating", 1),
        **options,
    )


def _stages() -> Iterator[Proof]:
    """Single stages of partial concentrators; larger ones without the slowest rules."""
    return blocks(
        *("partial_stage_proof", "partial-stage-{R}-{S}", "{R} → {S}{fixed}"),
        ("R", "S", "CHOICE_W", "FLAT", "ROTATING", "fixed"),
        ((3, 2, 3, 0, 1, ""), (4, 3, 6, 0, 1, ""), (8, 6, 6, 1, 0, ", fixed")),
        clocks=1,
        bound=6,
        rules=lambda at: ("P2", "P3", "P4", "P5", "P6", "I1", "I2", "I3") if at["FLAT"] else (),
        small=lambda at: at["R"] == 3,
    )


def _crossings() -> Iterator[Proof]:
    """Clock domain crossings, without the sampler, which the wrappers replace."""
    for sync in (2, 3):
        yield from blocks(
            *("synchroniser_proof", "synchroniser-{SYNC}", "SYNC={SYNC}", ("SYNC",), ((sync,),)),
            clocks=4,
            small=sync == 2,
            seconds=20,
        )
        yield from _crossing("async_reset", ("SYNC",), ((sync,),), 60)
    yield from _crossing("async_fifo", ("DEPTH", "SYNC"), ((2, 2), (4, 2), (2, 3)), 70)
    yield from _crossing("async_link", ("VCS", "DEPTH", "SYNC"), ((1, 1, 2), (1, 2, 2)), 100)


def _crossing(
    block: str, columns: tuple[str, ...], rows: tuple[tuple[int, ...], ...], seconds: int
) -> Iterator[Proof]:
    name = "-".join([block.replace("_", "-"), *(f"{{{column}}}" for column in columns)])
    size = " ".join(f"{column}={{{column}}}" for column in columns)
    options = {"engine": "pdr", "ticks": True, "seconds": seconds}
    return blocks(f"{block}_proof", name, size, columns, rows, **options)


BLOCKS = (
    *_concentrators(),
    *_packet_forms(),
    *_arbiters(),
    *_switches(
        *("concentrator_switch_proof", "switch", ""),
        ((2, 1), (3, 2), (4, 2), (4, 4), (8, 4), (12, 8), (16, 8)),
        long=lambda at: at["R"] > 8 and at["kind"] == "rotating",
        seconds=lambda at: 3 + at["R"] ** 3 / 100,
    ),
    *_switches(
        *("concentrator_forms_proof", "switch-forms", ", both forms"),
        ((1, 1), (2, 1), (3, 2), (4, 4), (3, 5), (8, 4), (12, 8), (16, 8)),
        long=lambda at: at["R"] > 12,
        seconds=lambda at: 3 + at["R"] ** 3 / 50,
    ),
    *_stages(),
    *_crossings(),
)
