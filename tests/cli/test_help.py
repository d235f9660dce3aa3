"""`make` alone tells of every variable that any target knows."""

import pytest

from tb.networks import NETWORKS
from tb.run import explore, farm, regress
from tb.run import variables as v
from tb.run.cli import main


def test_help_has_every_variable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    told = {tuple(line.split()) for line in capsys.readouterr().out.splitlines()}
    own = [p for network in NETWORKS.values() for p in network.parameters]
    for p in (*v.COMMON, *own, *regress.PARAMETERS, *farm.PARAMETERS, *explore.PARAMETERS):
        assert (p.name, *p.default.split(), *p.help.split()) in told
