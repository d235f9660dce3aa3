"""Slurm's topology.conf: names in lists, trees, and what is wrong with a file, with the line."""

from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.topology.command import fabric_of, read
from fattree_bench.topology.slurm import names
from fattree_models.topology.fabric import MAX_LINKS
from tests.cli import Cli, succeeds

LEAVES = [
    f"SwitchName=s{k} Nodes=tux[{4 * k}-{4 * k + 3}] LinkSpeed=100  # a leaf" for k in range(4)
]
SPINES = "switchname=spine[0-1] \\\n  Switches=s[0-1],s[2-3] LinkSpeed=100"
TREE = "\n".join(["# Two levels, 2:1", *LEAVES, "", SPINES, ""])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a", ["a"]),
        ("a,b", ["a", "b"]),
        ("n[0-2,7]", ["n0", "n1", "n2", "n7"]),
        ("n[08-11]x", ["n08x", "n09x", "n10x", "n11x"]),
        ("r[0-1]n[1-2],lx", ["r0n1", "r0n2", "r1n1", "r1n2", "lx"]),
        ("", []),
    ],
)
def test_lists_of_names(text: str, found: list[str]) -> None:
    assert names(1, text) == found


def test_a_tree(tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "topology.conf"
    path.write_text(TREE)
    output = succeeds(tb_cli("topology", str(path)))
    assert "16 hosts, 6 switches, 24 links" in output
    assert "this is XGFT(2; 4,4; 1,2)" in output and "SOUND" in output
    path.write_text(TREE.replace("tux[12-15] LinkSpeed=100", "tux[12-15] LinkSpeed=50"))
    found = read(str(path))
    assert sorted(set(fabric_of("x", found).ratio.tolist())) == [1, 2]
    assert (
        "tux12 – s3 runs at 50 Gb/s, 12 of its 15 peers at 100"
        in tb_cli("topology", str(path)).stdout
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Nodes=a", ":2: 'Nodes=a' belongs to no topology.conf"),
        ("SwitchName=s Nodes=a stray", ":2: 'SwitchName=s Nodes=a stray' belongs to no"),
        ("SwitchName=s Hosts=a", ":2: 'hosts' is unknown; known: SwitchName, Nodes, Switches"),
        ("SwitchName=s Nodes=a[1", ":2: 'a[1' is not a list of names"),
        ("SwitchName=s Nodes=a[3-1]", ":2: '3-1' is not a range of at most"),
        ("SwitchName=s Nodes=a[x]", ":2: 'x' is not a range"),
        (f"SwitchName=s Nodes=a[1-{2 * MAX_LINKS}]", " is not a range of at most"),
        ("SwitchName=s Nodes=a[0-999]b[0-999]", ":2: 'a[0-999]b[0-999]' are more than"),
        ("SwitchName=s Nodes=s0", ":2: 's0' is a host and a switch"),
        ("SwitchName=s LinkSpeed=fast", ":2: 'fast' is not a speed"),
        ("SwitchName=s Nodes=a \\", ":2: is continued, and the file ends"),
    ],
)
def test_mistakes(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "topology.conf"
    path.write_text(f"SwitchName=s0 Nodes=b[0-1]\n{text}\n")
    with pytest.raises(UserError) as refused:
        read(str(path))
    assert message in str(refused.value) and "\n" not in str(refused.value)
