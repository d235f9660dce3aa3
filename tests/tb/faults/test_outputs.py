"""No output of a network is without a check: each is stuck at 0, then at 1, and `make sim` fails.

Networks are those of the registry, of each top module the smallest first; what it lets pass must be
seen in one of the others, say in that with the scheme that counts such events.
"""

from pathlib import Path

import pytest

from fattree_bench.bench.network import Network
from fattree_bench.families import DESCRIBED, NETWORKS
from tests.cli import Cli
from tests.tb.faults.stuck import wrap

pytestmark = pytest.mark.nightly

# Why no check sees that an output is stuck: by its name, or by it and its module.
UNSEEN: dict[str, str] = {
    "ready_o at 1": "with one clock it is 1: no network waits for a reset; ASYNC sees it",
    "lbbvn_switch: conflicts_o at 0": "a sound fabric loses none: see docs/monitors.md",
    "ready_o at 0": "with one clock it is not used; with ASYNC the player waits for ever",
}


def tops() -> dict[str, list[Network]]:
    """Networks of each top module, first the one for mutants, then those that are linted.

    A user's design may have outputs that the bench does not read.
    """
    found: dict[str, list[Network]] = {}
    for kind in (network for name, network in NETWORKS.items() if name != DESCRIBED):
        for variables in (kind.about.small, *kind.about.corners):
            network = kind.from_variables(variables)
            found.setdefault(network.synthesis()[0], []).append(network)
    return found


@pytest.mark.parametrize("top", sorted(tops()))
def test_every_output_is_seen(tb_cli: Cli, rtl_copy: Path, tmp_path: Path, top: str) -> None:
    selector = tmp_path / "stuck"
    faults = wrap(rtl_copy, top, selector)
    assert len(faults) >= 4

    def passes(network: Network, number: int, test: str) -> bool:
        selector.write_text(f"{number}\n")
        given = [f"{name}={value}" for name, value in network.variables().items()]
        of = f"NETWORK={network.name}"
        done = tb_cli("sim", f"RTL={rtl_copy}", "SIM=verilator", f"TEST={test}", of, *given)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.returncode == 0

    # What the network's own test lets pass, the others must see.
    left = [f for f in faults if not {str(f), f"{top}: {f}"} & UNSEEN.keys()]
    for network in tops()[top]:
        if left:
            assert passes(network, 0, "*"), "the sound network"
            for test in (network.default_test, "*"):
                left = [fault for fault in left if passes(network, fault.number, test)]
    assert not left, f"{top}: no check sees {', '.join(map(str, left))}"
