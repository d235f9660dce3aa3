"""How modified fat-trees are made faulty: edits of each file."""

from tests.tb.faults.faulty import Edit


def router(old: str, new: str, times: int = 1) -> Edit:
    return Edit("mft/mft_router.v", old, new, times)


def climb(old: str, new: str, times: int = 1) -> Edit:
    return Edit("mft/mft_climb.v", old, new, times)


def lanes(old: str, new: str, times: int = 1) -> Edit:
    return Edit("mft/mft_lanes.v", old, new, times)


def fifo(old: str, new: str, times: int = 1) -> Edit:
    return Edit("mft/mft_fifo.v", old, new, times)


def client(old: str, new: str, times: int = 1) -> Edit:
    return Edit("mft/mft_client.v", old, new, times)


def network(old: str, new: str, times: int = 1) -> Edit:
    return Edit("mft/mft_network.v", old, new, times)


def fabric(old: str, new: str, times: int = 1) -> Edit:
    return Edit("mft/mft_fabric.v", old, new, times)
