"""Packet sets of modified fat-trees do what their names say, by the model."""

import numpy as np
import pytest

from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.scenarios import reset
from fattree_bench.families.mft.traffic import in_step
from fattree_models.mft import run, turn_row


@pytest.mark.parametrize("mode", ["IMFT", "MFT"])
@pytest.mark.parametrize("pipeline", [1, 2])
@pytest.mark.parametrize("clients", [4, 8, 16])
def test_in_step_each_side_below_the_top_loses_a_packet_at_once(
    clients: int, pipeline: int, mode: str
) -> None:
    variables = {"N": clients, "MODE": mode, "LANES": "DOUBLING", "PIPELINE": pipeline}
    network = MftNetwork.from_variables({k: str(v) for k, v in variables.items()})
    packets = in_step(np.random.default_rng(1), network, 512)
    outcome = run(network.model, packets)
    below = network.n - 2
    lost = outcome.lost_row == below
    hops = 2 * turn_row(network.n, packets.source, packets.destination) - below
    clock = outcome.start + hops * pipeline
    assert np.bincount(clock[lost]).max() == clients


@pytest.mark.parametrize("clients", [4, 8])
def test_each_client_is_in_a_packet_in_one_of_the_resets(clients: int) -> None:
    network = MftNetwork.from_variables({"N": str(clients)})
    inside = np.zeros(clients, np.bool_)
    for item in reset(Stimulus(network, np.random.default_rng(1), 200)):
        out = run(network.model, item.packets)
        inside[item.packets.destination[(out.head < item.reset) & (item.reset <= out.tail)]] = True
    assert inside.all()
