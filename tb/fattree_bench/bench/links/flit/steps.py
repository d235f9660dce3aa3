"""The test that steps the pins of leaves clock by clock, of any network on the flit link."""

from functools import partial

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.sequences import Uniform
from fattree_bench.bench.network import Network
from fattree_bench.bench.sequence import Sequence


def several_clocks(network: Network) -> str | None:
    """Why `classic` cannot run, or None."""
    clocks = getattr(network, "clocks", None)
    return None if clocks is None or clocks.one else "it steps one clock"


async def classic(s: Sequence[Network, PacketSet]) -> None:
    """Flit by flit, for single-stepping: more than the network carries, stalls, a reset."""
    full = partial(Uniform, load=0.9, clocks=40)
    await s.do(full("full load"))
    if s.stimulus.senders.waits:
        await s.do(full("stalls", stall=np.full(s.network.leaves, 0.4)))
    await s.do(full("reset under load", reset=30))
