"""Random packets, and a run of the model next to one of the plain routers."""

from fattree_models import mft
from fattree_models.traffic import Packets
from tests.models.mft import brute_mft as brute


def rows_of(packets):
    columns = (packets.source, packets.destination, packets.release, packets.flits)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def compare(net, packets):
    """Run both; return what the model says and who was seen where."""
    outcome = mft.run(net, packets)
    expected, seen = brute.simulate(
        net.n, rows_of(packets), net.mode, net.lanes, net.fifo, net.pipeline, net.room
    )
    for name, values in expected.items():
        assert getattr(outcome, name).tolist() == values, (name, net, rows_of(packets))
    return outcome, seen


def random_packets(rng, clients, count, most_flits, span):
    src = rng.integers(0, clients, count)
    dst = (src + rng.integers(1, clients, count)) % clients
    return Packets.of(
        src, dst, rng.integers(0, span, count), rng.integers(1, most_flits + 1, count)
    )
