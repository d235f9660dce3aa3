"""The help of the command line tells of every variable that any target knows."""

import pytest

from fattree_bench.cli import CAMPAIGNS, campaign, main
from fattree_bench.families import NETWORKS
from fattree_bench.jobs import farm
from fattree_bench.sim import variables as v


def test_help_has_every_variable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    told = {tuple(line.split()) for line in capsys.readouterr().out.splitlines()}
    own = [p for network in NETWORKS.values() for p in network.parameters]
    own += [p for name in CAMPAIGNS for p in campaign(name).variables.parameters]
    for p in (*v.COMMON, *own, *farm.PARAMETERS):
        assert (p.name, *p.default.split(), *p.help.split()) in told
