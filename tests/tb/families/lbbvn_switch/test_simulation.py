"""The whole load-balanced switch: every scheme, schedule and fabric in small corners."""

import re
from pathlib import Path

import pytest

from fattree_models.lbbvn_switch import SCHEDULES, SCHEMES
from tests.cli import Cli, icarus, passes
from tests.tb.families.test_corners import TABLES, corners
from tests.tb.faults.faulty import named

SWITCH = "NETWORK=lbbvn_switch"
SHORT = "PERIOD=20"  # slots


def sim(tb_cli: Cli, variables: str) -> str:
    return passes(tb_cli, SWITCH, variables)


def deliveries(text: str) -> list[str]:
    """What came of the traffic: all figures, and nothing of time or place."""
    lines = text.splitlines()
    return [line for line in lines if line.startswith("  ") and "=" not in line]


def test_the_corners_reach_every_choice() -> None:
    """Each scheme, schedule and fabric; all of some kind of each scheme every time."""
    tried = corners("lbbvn_switch", "icarus")
    words = {word for corner in tried for word in corner.split()}
    wanted = {"SCHEME": SCHEMES, "FABRIC": ("CROSSBAR",), "N": ("4", "8", "16")}
    # BITREV, a tree and SELF are what a switch has when nothing is said.
    wanted["SCHEDULE"] = tuple(name for name in SCHEDULES if name != "BITREV")
    wanted |= {"CAPACITY": ("NONBLOCKING",), "CONTROL": ("SCHEDULED",), "PIPELINE": ("0",)}
    wanted |= {"UPPER_HALF": ("STATIC",), "WIDTH": ("22",)}
    assert words >= {f"{name}={value}" for name, values in wanted.items() for value in values}
    often = {
        word
        for corner in tried[: TABLES["lbbvn_switch"]["icarus"]["daily"]]
        for word in corner.split()
    }
    assert often >= {f"SCHEME={scheme}" for scheme in SCHEMES}
    in_full = [corner for corner in tried if "TEST=*" in corner]
    assert all(any(f"SCHEME={s} " in corner for corner in in_full) for s in SCHEMES)


# ---- queues that overflow ------------------------------------------------------------------------


def losses(text: str) -> dict[str, int]:
    """Cells lost as predicted, by place."""
    return {
        place: int(count)
        for count, place in re.findall(r"(\d+) (at full inputs|in full \w+), as predicted", text)
    }


@icarus
@pytest.mark.parametrize(
    ("variables", "places"),
    [
        (
            "SCHEME=FOFF INGRESS=8 MIDDLE=4 RESEQUENCER=2 TEST=full_load",
            ("at full inputs", "in full middles", "in full resequencers"),
        ),
        *(
            pytest.param(variables, places, marks=pytest.mark.nightly)
            for variables, places in (
                ("SCHEME=BASIC MIDDLE=2 TEST=full_load", ("in full middles",)),
                (
                    "SCHEME=UFS INGRESS=8 MIDDLE=2 TEST=bursts",
                    ("at full inputs", "in full middles"),
                ),
                (
                    "SCHEME=PADDED INGRESS=8 MIDDLE=2 TEST=overload",
                    ("at full inputs", "in full middles"),
                ),
                ("SCHEME=MAILBOX INGRESS=2 MIDDLE=2 TEST=uniform", ("at full inputs",)),
            )
        ),
    ],
)
def test_every_queue_overflows_as_predicted(
    variables: str, places: tuple[str, ...], tb_cli: Cli
) -> None:
    """The model says which cell; queues that are deep enough lose none of the same traffic."""
    text = sim(tb_cli, f"N=4 SIM=icarus {variables}")
    assert tuple(losses(text)) == places, text


# ---- whatever else users see ---------------------------------------------------------------------


@icarus
@pytest.mark.nightly
def test_both_simulators_tell_the_same(tb_cli: Cli) -> None:
    """Of traffic that is as long on both; and Verilator passes what is not."""
    variables = f"N=4 SCHEME=FOFF TEST=traffic,phase_locked {SHORT}"
    both = [deliveries(sim(tb_cli, f"{variables} SIM={name}")) for name in ("icarus", "verilator")]
    assert both[0] == both[1]
    assert sum("ideal output-queued switch" in line for line in both[0]) == 2
    sim(tb_cli, f"N=4 SCHEME=FOFF TEST=overload,reset {SHORT}")


@icarus
def test_cells_of_a_file_by_hand(tb_cli: Cli, tmp_path: Path) -> None:
    """Measured nothing, lost nothing; one file, any order, also to oneself."""
    path = tmp_path / "cells.csv"
    path.write_text("source,destination,release\n3,1,70\n0,1,0\n1,1,0\n2,2,9\n")
    text = sim(tb_cli, f"N=4 SIM=icarus MESSAGES={path} TEST=file VERBOSE=1")
    assert "cells: 4 sent, 4 delivered, 0 lost" in text
    assert re.search(r"^ +4 of +16  source x destination$", text, re.M)


@icarus
@pytest.mark.nightly
def test_replay_line_repeats_the_failure(rtl_copy: Path, tb_cli: Cli) -> None:
    """With all that was chosen, and the seed, which decides everything."""
    named("bit 3 of the payload is lost on the way out").apply(rtl_copy)
    chosen = "SCHEME=MAILBOX SCHEDULE=XOR MIDDLE=4 TRIES=3 LOAD=0.4 TRAFFIC=diagonal"
    given = f"{SWITCH} N=4 {chosen} TEST=traffic PERIOD=20 SIM=icarus SEED=7 RTL={rtl_copy}"
    first = tb_cli("sim", *given.split())
    assert first.returncode == 1, first.stdout + first.stderr
    replay = re.search(r"replay: make (.*)", first.stdout)
    assert replay, first.stdout
    assert set(given.split()) <= set(replay[1].split())
    again = tb_cli(*replay[1].split())
    assert again.returncode == 1
    assert deliveries(again.stdout) == deliveries(first.stdout)
    assert re.search(r"^  corrupted: \d+$", again.stdout, re.M), again.stdout
    other = tb_cli("sim", *given.replace("SEED=7", "SEED=8").split())
    assert deliveries(other.stdout) != deliveries(first.stdout)
