"""Proofs of the schedules and middles of the load-balanced switch (rtl/lbbvn_switch)."""

from functools import partial

from fattree_bench.families.proof import proofs

SCHEDULES = ("BITREV", "ROTATOR", "TDM", "XOR", "SAME")
_proofs = partial(proofs, "lbbvn_switch", engine="pdr", seconds=20)

PROOFS = (
    *proofs(
        *("lbbvn_switch", "lbbvn_schedule_proof"),
        *("lbbvn-schedule-{SCHEDULE}-{N}", "{SCHEDULE}, N={N}"),
        ("N_LOG", "SCHEDULE"),
        [(n, schedule) for schedule in SCHEDULES for n in range(1, 11)],
        seconds=3,
    ),
    *_proofs(
        "lbbvn_middle_proof",
        *("lbbvn-middle-{N}-{DEPTH}", "N={N} DEPTH={DEPTH} GATE={GATE}"),
        ("N_LOG", "DEPTH", "GATE"),
        ((1, 2, 1), (1, 4, 3), (2, 2, 2), (2, 4, 3), (3, 4, 2)),
    ),
    *_proofs(
        "lbbvn_resequencer_proof",
        *("lbbvn-resequencer-{N}-{DEPTH}-{SCHEDULE}", "N={N} DEPTH={DEPTH} {SCHEDULE}"),
        ("N_LOG", "DEPTH", "SCHEDULE"),
        # FIFOs that can and cannot hold what tells of a loss, N + 2 cells.
        ((1, 2, "BITREV"), (1, 2, "TDM"), (1, 4, "BITREV")),
        rules=lambda row: ("R5",) if row["DEPTH"] > 1 << row["N_LOG"] else (),
    ),
    *_proofs(
        "lbbvn_mailbox_proof",
        "lbbvn-mailbox-{N}-{DEPTH}-{TRIES}-{SCHEDULE}",
        "N={N} DEPTH={DEPTH} TRIES={TRIES} {SCHEDULE}",
        ("N_LOG", "DEPTH", "TRIES", "SCHEDULE"),
        ((1, 2, 1, "BITREV"), (1, 4, 2, "TDM"), (1, 4, 4, "XOR"), (2, 2, 2, "BITREV")),
    ),
    *_proofs(
        "lbbvn_mailbox_ingress_proof",
        *("lbbvn-mailbox-ingress-{N}-{DEPTH}-{WAIT_W}", "N={N} DEPTH={DEPTH} WAIT_W={WAIT_W}"),
        ("N_LOG", "DEPTH", "WAIT_W"),
        ((1, 2, 2), (1, 4, 2), (2, 2, 3)),
        # Stamps (G4) of larger ones take minutes.
        rules=lambda row: () if tuple(row.values()) == (1, 2, 2) else ("G1", "G2", "G3"),
    ),
)
