"""Proofs of the schedules and middles of the load-balanced switch (rtl/lbbvn_switch)."""

from collections.abc import Iterator

from fattree_bench.families.proof import Proof


def _schedules() -> Iterator[Proof]:
    for schedule in ("BITREV", "ROTATOR", "TDM", "XOR", "SAME"):
        for n in range(1, 11):
            yield Proof(
                name=f"lbbvn-schedule-{schedule.lower()}-{1 << n}",
                network="lbbvn_switch",
                size=f"{schedule}, N={1 << n}",
                top="lbbvn_schedule_proof",
                parameters={"N_LOG": n, "SCHEDULE": f'"{schedule}"'},
                seconds=3,
            )


def _middles() -> Iterator[Proof]:
    for n, depth, gate in ((1, 2, 1), (1, 4, 3), (2, 2, 2), (2, 4, 3), (3, 4, 2)):
        yield Proof(
            name=f"lbbvn-middle-{1 << n}-{depth}",
            network="lbbvn_switch",
            size=f"N={1 << n} DEPTH={depth} GATE={gate}",
            top="lbbvn_middle_proof",
            parameters={"N_LOG": n, "DEPTH": depth, "GATE": gate},
            engine="pdr",
            seconds=20,
        )


def _resequencers() -> Iterator[Proof]:
    """FIFOs that can and cannot hold what tells of a loss, N + 2 cells."""
    for n, depth, schedule in ((1, 2, "BITREV"), (1, 2, "TDM"), (1, 4, "BITREV")):
        yield Proof(
            name=f"lbbvn-resequencer-{1 << n}-{depth}-{schedule.lower()}",
            network="lbbvn_switch",
            size=f"N={1 << n} DEPTH={depth} {schedule}",
            top="lbbvn_resequencer_proof",
            parameters={"N_LOG": n, "DEPTH": depth, "SCHEDULE": f'"{schedule}"'},
            engine="pdr",
            rules=("R5",) if depth > 1 << n else (),
            seconds=20,
        )


def _mailboxes() -> Iterator[Proof]:
    sizes = ((1, 2, 1, "BITREV"), (1, 4, 2, "TDM"), (1, 4, 4, "XOR"), (2, 2, 2, "BITREV"))
    for n, depth, tries, schedule in sizes:
        yield Proof(
            name=f"lbbvn-mailbox-{1 << n}-{depth}-{tries}-{schedule.lower()}",
            network="lbbvn_switch",
            size=f"N={1 << n} DEPTH={depth} TRIES={tries} {schedule}",
            top="lbbvn_mailbox_proof",
            parameters={
                "N_LOG": n,
                "DEPTH": depth,
                "TRIES": tries,
                "SCHEDULE": f'"{schedule}"',
            },
            engine="pdr",
            seconds=20,
        )


def _mailbox_ingresses() -> Iterator[Proof]:
    for n, depth, wait in ((1, 2, 2), (1, 4, 2), (2, 2, 3)):
        yield Proof(
            name=f"lbbvn-mailbox-ingress-{1 << n}-{depth}-{wait}",
            network="lbbvn_switch",
            size=f"N={1 << n} DEPTH={depth} WAIT_W={wait}",
            top="lbbvn_mailbox_ingress_proof",
            parameters={"N_LOG": n, "DEPTH": depth, "WAIT_W": wait},
            engine="pdr",
            # Stamps (G4) of larger ones take minutes.
            rules=() if (n, depth, wait) == (1, 2, 2) else ("G1", "G2", "G3"),
            seconds=20,
        )


PROOFS = (*_schedules(), *_middles(), *_resequencers(), *_mailboxes(), *_mailbox_ingresses())
