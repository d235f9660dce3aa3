"""Proofs of blocks shared by networks (rtl/common)."""

from collections.abc import Iterator

from fattree_bench.families.proof import Proof, proofs, serial_variants


def _concentrators() -> Iterator[Proof]:
    """All sizes from 2 to 32 inputs onto half as many outputs, and 16 inputs onto others."""
    pairs = [(r, (r + 1) // 2) for r in range(2, 33)] + [(16, s) for s in (1, 4, 12, 15, 16, 20)]
    return proofs(
        *("common", "concentrator_proof", "concentrator-{R}-{S}", "{R} → {S}", ("R", "S"), pairs),
        engine="bdd",
        small=lambda row: tuple(row.values()) in ((2, 1), (5, 3), (8, 4)),
        seconds=lambda row: 2 + row["R"] ** 2 / 50,
    )


def _packet_forms() -> Iterator[Proof]:
    """Both forms of packet concentrators, with free words where the diagrams stay small."""
    pairs = [(1, 1), (2, 1), (5, 3), (4, 6), (6, 4), (16, 8), (24, 16), (32, 16)]
    for r, s in pairs:
        yield Proof(
            name=f"packet-forms-{r}-{s}",
            network="common",
            size=f"{r} → {s}" + ", one bit watched" * (r > 8),
            top="packet_forms_proof",
            parameters={"R": r, "S": s, "WHOLE": int(r <= 8)},
            engine="bdd",
            small=r == 1,
            seconds=2 + r * r / 30,
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
    return proofs(
        *("common", "arbiter_proof", "arbiter-{KIND}-{R}", "{KIND}, R={R}", ("R", "KIND")),
        [(r, kind) for kind in ("ROUND_ROBIN", "MATRIX") for r in (*range(1, 9), 16)],
        engine="pdr",
        rules=lambda row: arbiter_rules(row["KIND"], row["R"]),
        small=lambda row: tuple(row.values()) == (3, "ROUND_ROBIN"),
        seconds=lambda row: 15 if row["KIND"] == "ROUND_ROBIN" or row["R"] < 6 else 100,
    )


def _switches() -> Iterator[Proof]:
    """Concentrator switches, by inputs, outputs."""
    for r, s in ((2, 1), (3, 2), (4, 2), (4, 4), (8, 4), (12, 8), (16, 8)):
        for name, size, parameters in serial_variants(r, s):
            if r > 12 and "rotating" in name:
                continue  # no proof within minutes per rule
            yield Proof(
                name=f"switch-{name}",
                network="common",
                size=f"{r} → {s}, {size}",
                top="concentrator_switch_proof",
                parameters={"R": r, "S": s, **parameters},
                clocks=1,
                bound=6,
                small=name == "3-2-rotating-1",
                long=r > 8 and "rotating" in name,
                seconds=3 + r**3 / 100,
            )


def _forms() -> Iterator[Proof]:
    """Both forms of concentrator switches."""
    for r, s in ((1, 1), (2, 1), (3, 2), (4, 4), (3, 5), (8, 4), (12, 8), (16, 8)):
        for name, size, parameters in serial_variants(r, s):
            if r > 12 and "rotating" in name:
                continue  # no rule within a CPU minute
            yield Proof(
                name=f"switch-forms-{name}",
                network="common",
                size=f"{r} → {s}, {size}, both forms",
                top="concentrator_forms_proof",
                parameters={"R": r, "S": s, **parameters},
                clocks=1,
                bound=6,
                small=name == "3-2-rotating-1",
                long=r > 12,
                seconds=3 + r**3 / 50,
            )


def _stages() -> Iterator[Proof]:
    """Single stages of partial concentrators; larger ones without the slowest rules."""
    for r, s, bits in ((3, 2, 3), (4, 3, 6), (8, 6, 6)):
        flat = r > 4
        yield Proof(
            name=f"partial-stage-{r}-{s}",
            network="common",
            size=f"{r} → {s}" + ", fixed" * flat,
            top="partial_stage_proof",
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


def _crossings() -> Iterator[Proof]:
    """Clock domain crossings, without the sampler, which the wrappers replace."""

    def proof(block: str, sizes: dict[str, int], seconds: int) -> Proof:
        alone = block == "synchroniser"
        return Proof(
            name="-".join([block.replace("_", "-"), *map(str, sizes.values())]),
            network="common",
            size=" ".join(f"{name}={size}" for name, size in sizes.items()),
            top=f"{block}_proof",
            parameters=sizes,
            engine="smt" if alone else "pdr",
            clocks=4 * alone,
            ticks=not alone,
            small=alone and sizes["SYNC"] == 2,
            seconds=seconds,
        )

    for sync in (2, 3):
        yield proof("synchroniser", {"SYNC": sync}, 20)
        yield proof("async_reset", {"SYNC": sync}, 60)
    for depth, sync in ((2, 2), (4, 2), (2, 3)):
        yield proof("async_fifo", {"DEPTH": depth, "SYNC": sync}, 70)
    for vcs, depth, sync in ((1, 1, 2), (1, 2, 2)):
        sizes = {"VCS": vcs, "DEPTH": depth, "SYNC": sync}
        yield proof("async_link", sizes, 100)


BLOCKS = (
    *_concentrators(),
    *_packet_forms(),
    *_arbiters(),
    *_switches(),
    *_forms(),
    *_stages(),
    *_crossings(),
)
