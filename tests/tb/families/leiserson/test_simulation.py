"""The bit-serial fat-tree: delivery cycles, schedules, files of messages."""

import re
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.settings import SCHEDULERS
from fattree_models import leiserson as lei
from tests.cli import Cli, icarus, passes
from tests.night import some


def sim(tb_cli: Cli, variables: str) -> str:
    return passes(tb_cli, "NETWORK=leiserson", variables)


@icarus
def test_all_to_one_takes_n_minus_1_cycles(tb_cli: Cli) -> None:
    """One wire into the target, one message through it a cycle: no more, no less."""
    text = sim(tb_cli, "N=8 TEST=all_to_one SIM=icarus")
    assert "sets of 7 messages, load factor 7.00: 7 delivery cycles (at least 7;" in text


@icarus
@pytest.mark.parametrize("scheduler", some(SCHEDULERS, 1))
def test_schedules_run_without_a_loss(tb_cli: Cli, scheduler: str) -> None:
    capacity = "6,6,6,6" if scheduler == "COROLLARY2" else "NONBLOCKING"
    text = sim(
        tb_cli, f"N=8 CAPACITY={capacity} TEST=offline SCHEDULER={scheduler.lower()} SIM=icarus"
    )
    assert f"8-relation, off-line {scheduler}: 64 messages" in text
    assert "72 sent, 72 delivered, 0 lost, 0 corrupted" in text


def test_schedulers_on_the_command_line_are_those_of_the_library() -> None:
    assert set(SCHEDULERS) == set(lei.SCHEDULERS)


@icarus
def test_message_files_are_delivered(tb_cli: Cli, tmp_path: Path) -> None:
    """Once off-line, once on-line; what stays at home is counted apart, and no TEST is needed."""
    csv, npz, mtx = (tmp_path / f"set.{suffix}" for suffix in ("csv", "npz", "mtx"))
    csv.write_text("source,destination,payload\n0,3,0xdead\n3,3,1\n7,external,5\nexternal,7,6\n")
    np.savez(npz, source=np.array([0, 1, 2]), destination=np.array([4, 4, 4]))
    mtx.write_text("%%MatrixMarket matrix coordinate pattern general\n8 8 2\n1 8\n3 2\n")
    for path, sent in ((csv, 3), (npz, 3), (mtx, 2)):
        text = sim(tb_cli, f"N=8 SIM=icarus MESSAGES={path}")
        assert f"{2 * sent} sent, {2 * sent} delivered, 0 lost" in text
        assert f"{path.name}, off-line BALANCED: {sent} messages" in text
        assert f"{path.name}, on-line RETRY: 1 set of {sent} messages" in text
        assert ("1 messages stay within their processors" in text) == (path is csv)


@icarus
def test_a_late_comer_finds_its_way(tb_cli: Cli, tmp_path: Path) -> None:
    """A message that turns higher up reaches the way down later, and gets the wire left over."""
    late = tmp_path / "late.csv"
    late.write_text("source,destination\n1,2\n7,3\n5,6\n")
    text = sim(tb_cli, f"N=8 W=8 SIM=icarus VERBOSE=1 MESSAGES={late}")
    assert "3 messages, load factor 1.00: 1 delivery cycles" in text
    assert re.search(r"^ +2 of +2  late comers at a channel downwards$", text, re.M)


@icarus
def test_a_delivery_cycle_is_as_long_as_the_model_says(tb_cli: Cli) -> None:
    """By hand, n = 16, B = 8: 23 ticks there and 7 for the acknowledge, plus 2."""
    network = Leiserson.from_variables({"N": "16", "WIDTH": "10"})
    assert network.layout.ticks == 1 + (2 * 4 - 1) * 2 + 10 + 1 + (2 * 4 - 1) + 1
    text = sim(tb_cli, "N=16 WIDTH=10 TEST=idle SIM=icarus")
    assert f"delivery cycle of {network.layout.ticks} clocks" in text


@icarus
def test_randomised_retry_repeats_less(tb_cli: Cli) -> None:
    """Waiting instead of colliding is what the discipline is for: fewer attempts a message."""
    repeated = []
    for discipline in ("RETRY", "RANDOMISED"):
        text = sim(tb_cli, f"N=8 TEST=all_to_one DISCIPLINE={discipline} SIM=icarus SEED=3")
        repeated.append(int(re.search(r"(\d+) of them repetitions", text)[1]))
    assert repeated[0] > repeated[1]
