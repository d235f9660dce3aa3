"""Throughput as the survey defines it: the most data that a network delivers per unit of time."""

import json
from pathlib import Path

import pytest

from tests.cli import Cli

pytestmark = pytest.mark.usefixtures("icarus")
NEAR = 0.05  # of a rate: windows have two ends
LOADS = [0.1, 0.3, 0.5, 0.7, 0.9]


def delivered(cli: Cli, folder: Path, parents: str) -> tuple[dict[float, float], float]:
    """Flits per leaf and clock that arrive, by load offered; and what is measured at full load."""
    ran = cli(
        *("sim", "NETWORK=xgft", "M=2,2", f"W={parents}", "TEST=sweep,saturation", "SIM=icarus"),
        *("FLITS=4", "WARMUP=1", "PERIODS=4", "PERIOD=150"),
        *(f"LOADS={','.join(map(str, LOADS))}", f"BUILD={folder}"),
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (file,) = folder.rglob("results.jsonl")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    runs = {line["scenario"]: line["measurements"] for line in lines}
    (most,) = (run["accepted"] for run in runs["saturation"] if run["pattern"] == "uniform")
    return {run["load"]: run["accepted"] for run in runs["sweep"]}, most


def test_throughput_is_the_most_that_is_delivered(tb_cli: Cli, tmp_path: Path) -> None:
    """Below it all that is offered arrives, and no load brings more; one parent brings less.

    With one parent a switch two leaves share a link, over which two of three packets go.
    """
    found = {p: delivered(tb_cli, tmp_path / p, p) for p in ("1,2", "1,1")}
    for rates, most in found.values():
        assert all(rate <= most * (1 + NEAR) for rate in rates.values())
        for load, rate in rates.items():
            if load < most * (1 - 2 * NEAR):
                assert rate == pytest.approx(load, rel=2 * NEAR)
        assert max(rates.values()) >= most * (1 - NEAR)
        assert min(rates.values()) < most / 2  # at one load it may be any part of it
    assert found["1,1"][1] < min(found["1,2"][1], 3 / 4)
