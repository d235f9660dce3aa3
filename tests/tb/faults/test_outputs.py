"""No output of a network is without a check: each is stuck at 0, then at 1, and `make sim` fails.

Networks are those of the registry, one of each top module, as small as for mutants.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.families import NETWORKS
from fattree_bench.families.family import Network
from tests.tb.faults.stuck import wrap

pytestmark = pytest.mark.nightly

Cli = Callable[..., subprocess.CompletedProcess[str]]

# Why nobody sees that an output is stuck: by its name, or by it and its module.
UNSEEN: dict[str, str] = {
    "ready_o at 1": "with one clock it is 1: no network waits for a reset; ASYNC sees it",
    "holds_o at 0": "open: mft's scoreboard wants it 0 at the end, nobody says when it must be 1",
    "ready_o at 0": "with one clock nobody looks at it; with ASYNC the player waits for ever",
}


def tops() -> dict[str, Network]:
    """A network of each top module, the one for mutants or one that is linted."""
    found: dict[str, Network] = {}
    for kind in NETWORKS.values():
        for variables in (kind.small, *kind.corners):
            network = kind.from_variables(variables)
            found.setdefault(network.synthesis()[0], network)
    return found


@pytest.mark.parametrize("top", sorted(tops()))
def test_every_output_is_seen(tb_cli: Cli, rtl_copy: Path, tmp_path: Path, top: str) -> None:
    network = tops()[top]
    selector = tmp_path / "stuck"
    faults = wrap(rtl_copy, top, selector)
    assert len(faults) >= 4
    given = [f"NETWORK={network.name}"]
    given += [f"{name}={value}" for name, value in network.variables().items()]

    def passes(number: int, test: str) -> bool:
        selector.write_text(f"{number}\n")
        done = tb_cli("sim", f"RTL={rtl_copy}", "SIM=verilator", f"TEST={test}", *given)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.returncode == 0

    assert passes(0, "*"), "the sound network"
    # What the network's own test lets pass, the others must see.
    unseen = [
        str(f) for f in faults if passes(f.number, network.default_test) and passes(f.number, "*")
    ]
    told = [each for each in unseen if each not in UNSEEN]
    assert not told, f"{top}: nobody sees {', '.join(told)}"
