"""A mailbox that forgets that its last place may leave too early."""

from pathlib import Path

import pytest

from fattree_bench.bench import faults as kind
from tests.cli import Cli
from tests.tb.faults.faulty import Edit
from tests.tb.formal.proving import broken_rules

FORGETS = Edit("lbbvn_switch/lbbvn_mailbox.v", "& found & ~never;", "& found;")
# A cell in every slot: only XOR has middles that meet an output earlier than the one before.
RUN = "NETWORK=lbbvn_switch N=4 SCHEME=MAILBOX SCHEDULE=XOR INGRESS=16 MIDDLE=2 TRIES=2 SIM=icarus"


@pytest.fixture
def cells(tmp_path: Path) -> str:
    path = tmp_path / "cells.csv"
    rows = "".join(f"0,3,{slot}\n" for slot in range(8))
    path.write_text(f"source,destination,release\n{rows}")
    return f"MESSAGES={path}"


@pytest.mark.usefixtures("icarus")
def test_a_flow_alone_finds_it(cells: str, rtl_copy: Path, tb_cli: Cli) -> None:
    FORGETS.apply(rtl_copy)
    done = tb_cli("sim", *RUN.split(), cells, f"RTL={rtl_copy}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"  {kind.EARLY}: " in done.stdout, done.stdout


@pytest.mark.usefixtures("icarus")
def test_the_sound_one_refuses_what_the_model_refuses(cells: str, tb_cli: Cli) -> None:
    done = tb_cli("sim", *RUN.split(), cells)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 offers refused" in done.stdout, done.stdout


@pytest.mark.nightly
def test_its_proof_fails(rtl_copy: Path, tmp_path: Path) -> None:
    FORGETS.apply(rtl_copy)
    assert "B1" in broken_rules("lbbvn-mailbox-2-2-1-bitrev", rtl_copy, tmp_path, "B1")
