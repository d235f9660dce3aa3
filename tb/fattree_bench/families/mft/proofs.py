"""Proofs of modified fat-trees (rtl/mft): all message sets, a router, a client."""

from collections.abc import Iterator

from fattree_bench.families.proof import Proof


def _paths() -> Iterator[Proof]:
    for mode, sizes in (("IMFT", (1, 2, 3, 4)), ("MFT", (2, 3))):
        for n in sizes:
            yield Proof(
                name=f"mft-paths-{mode.lower()}-{1 << n}",
                network="mft",
                size=f"N={1 << n}, {mode}",
                top="mft_paths_proof",
                parameters={"N_LOG": n, "MODE": f'"{mode}"'},
                rules=() if mode == "IMFT" else ("P1", "P4"),
                small=n == 2,
                seconds=(1, 2, 10, 60)[n - 1],
            )


def _routers() -> Iterator[Proof]:
    # Row, lanes from above, bits of an address: the top, the row below it, and one more.
    for row, above, bits in ((1, 1, 2), (0, 2, 2), (1, 2, 3)):
        for mode in ("IMFT", "MFT"):
            for lanes in ("EXACT", "DOUBLING"):
                top = above == 1
                count = 1 if top else above + (lanes == "EXACT")
                yield Proof(
                    name=f"mft-router-{row}-{bits}-{mode.lower()}-{lanes.lower()}",
                    network="mft",
                    size=f"row {row} of {bits}, {mode}, {lanes}",
                    top="mft_router_proof",
                    parameters={
                        "ROW": row,
                        "ABOVE": above,
                        "COUNT": count,
                        "ADDR_W": bits,
                        "MODE": f'"{mode}"',
                        "LANES": f'"{lanes}"',
                    },
                    engine="pdr",
                    rules=tuple(f"M{i}" for i in range(1, 9 if lanes == "DOUBLING" else 8)),
                    seconds=3,
                )


def _clients() -> Iterator[Proof]:
    for count, fifo, room in ((1, 2, 2), (2, 3, 2), (3, 2, 1), (2, 4, 3)):
        yield Proof(
            name=f"mft-client-{count}-{fifo}-{room}",
            network="mft",
            size=f"lanes={count} FIFO={fifo} ROOM={room}",
            top="mft_client_proof",
            parameters={"COUNT": count, "FIFO": fifo, "ROOM": room},
            engine="pdr",
            seconds=10,
        )


PROOFS = (*_paths(), *_routers(), *_clients())
