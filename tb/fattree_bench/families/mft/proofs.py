"""Proofs of modified fat-trees (rtl/mft): all message sets, a router, a client."""

from fattree_bench.families.proof import proofs

# Row, lanes from above, bits of an address: the top, the row below it, and one more.
ROUTERS = ((1, 1, 2), (0, 2, 2), (1, 2, 3))

PROOFS = (
    *proofs(
        *("mft", "mft_paths_proof", "mft-paths-{MODE}-{N}", "N={N}, {MODE}"),
        ("N_LOG", "MODE"),
        [(n, mode) for mode, sizes in (("IMFT", (1, 2, 3, 4)), ("MFT", (2, 3))) for n in sizes],
        rules=lambda row: () if row["MODE"] == "IMFT" else ("P1", "P4"),
        small=lambda row: row["N_LOG"] == 2,
        seconds=lambda row: (1, 2, 10, 60)[row["N_LOG"] - 1],
    ),
    *proofs(
        *("mft", "mft_router_proof", "mft-router-{ROW}-{ADDR_W}-{MODE}-{LANES}"),
        "row {ROW} of {ADDR_W}, {MODE}, {LANES}",
        ("ROW", "ABOVE", "COUNT", "ADDR_W", "MODE", "LANES"),
        [
            (row, above, 1 if above == 1 else above + (lanes == "EXACT"), bits, mode, lanes)
            for row, above, bits in ROUTERS
            for mode in ("IMFT", "MFT")
            for lanes in ("EXACT", "DOUBLING")
        ],
        engine="pdr",
        rules=lambda row: tuple(f"M{i}" for i in range(1, 8 + (row["LANES"] == "DOUBLING"))),
        seconds=3,
    ),
    *proofs(
        *("mft", "mft_client_proof", "mft-client-{COUNT}-{FIFO}-{ROOM}"),
        "lanes={COUNT} FIFO={FIFO} ROOM={ROOM}",
        ("COUNT", "FIFO", "ROOM"),
        ((1, 2, 2), (2, 3, 2), (3, 2, 1), (2, 4, 3)),
        engine="pdr",
        seconds=10,
    ),
)
