"""Every simulation pays for what it imports: its network's family, and no other."""

import subprocess
import sys
from pathlib import Path

import pytest

from fattree_bench.families import FAMILIES, NETWORKS, family

TOLD = (
    "import sys; from fattree_bench.families import find, part; find('{network}'); "
    "[part('{family}', x) for x in ('scenarios', 'environment', 'cover')]; "
    "print(*sys.modules, sep='\\n')"
)


@pytest.mark.parametrize("network", ["lbbvn", "xgft", "kary", "foreign"])
def test_a_network_imports_its_family_alone(network: str) -> None:
    own = family(network)
    program = TOLD.format(network=network, family=own)
    modules = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    loaded = {m.split(".")[2] for m in modules if m.startswith("fattree_bench.families.")}
    assert loaded & set(FAMILIES) == {own}
    assert "networkx" not in modules


def test_all_names_are_known() -> None:
    """A name that stands in no file of its family's is also found."""
    assert set(NETWORKS) == {network for network in NETWORKS if NETWORKS[network].name == network}
    assert "no_such" not in NETWORKS
    assert len(NETWORKS) == len(list(NETWORKS))


def test_what_is_known_is_looked_up_in_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A testplan asks a hundred thousand times; once each answer read seven files."""
    names = list(NETWORKS)
    monkeypatch.setattr(Path, "read_text", lambda *_: pytest.fail("a file is read"))
    assert [NETWORKS[name].name for name in names] == names
    assert all(name in NETWORKS for name in names) and "no_such" not in NETWORKS
