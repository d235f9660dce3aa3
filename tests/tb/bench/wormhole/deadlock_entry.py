"""What cocotb loads for test_xgft.py: a test that must fail, and so is none of the project's."""

from collections.abc import Iterator

from fattree_bench.bench.links.flit.packets import Answers, PacketSet
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.wormhole.scenarios import scenario
from fattree_bench.bench.wormhole.traffic import spread
from fattree_models.traffic import Packets


@scenario()
def request_reply_one_class(s: Stimulus) -> Iterator[PacketSet]:
    """Requests and replies share their virtual channels, and one reply may wait at a node."""
    packets = spread(s.rng, s.network, "uniform", "4", 1.0, s.rows)
    requests = Packets.of(packets.source, packets.destination, packets.release, packets.flits)
    yield PacketSet(requests, "requests and replies in one class", answers=Answers(8, 1))


# Only now, for it looks the tests of the plan up: those of the plan become tests of this module.
from fattree_bench.sim import entry  # noqa: E402

globals().update({name: test for name, test in vars(entry).items() if name.startswith("test_")})
