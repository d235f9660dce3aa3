"""Ways over taps, the user's routes, deadlocks as cycles, predict(): each is seen to speak."""

from pathlib import Path

import pytest

from fattree_bench import Design, ScenarioFailed, UserError, run, run_scenario
from fattree_bench.bench import faults as kind
from fattree_bench.bench.result import Test

DESIGNS = Path(__file__).resolve().parent / "designs"
pytestmark = pytest.mark.usefixtures("icarus")


def ring(folder: Path, fault: int = 0, python: tuple[str, str] = ("", "")) -> Design:
    """The ring in a folder of its own, with a fault in it, or in what is said of it."""
    for name in ("loop.v", "loop.toml", "loop_of_mine.py"):
        text = (DESIGNS / name).read_text()
        text = text.replace('"{width}" }', f'"{{width}}", FAULT = {fault} }}')
        (folder / name).write_text(text.replace(*python) if name.endswith(".py") else text)
    return Design.read(folder / "loop.toml")


def found(design: Design, name: str) -> Test:
    return run_scenario(design, name, sim="icarus", check=False)


def test_a_sound_ring_passes_on_all_levels(tmp_path: Path) -> None:
    design = ring(tmp_path)
    assert "opposite" in design.scenarios()
    tests = run(design, ["each_pair", "opposite"], SIM="icarus")
    assert [test.passed for test in tests] == [True, True], tests[0].details
    result = tests[0].result
    assert result is not None and result.level == "L3 exact"
    assert result.figure("followed") == 16 and result.figure("taps_used") == 4
    # Each way of 1, 2 and 3 links of all four leaves, a word each.
    assert [row["words"] for row in result.rows("links")] == [6, 6, 6, 6]
    assert [row["came"] for row in result.rows("leaves")] == [4, 4, 4, 4]
    assert (tmp_path / "build" / "sim").is_dir()


def test_another_way_than_the_users_is_told(tmp_path: Path) -> None:
    test = found(ring(tmp_path, 1), "each_pair")
    assert test.result is not None and set(test.result.faults) == {kind.ROUTE}
    assert "went over ring2, ring3, ring0, ring1 instead of over no link" in str(test.details)


def test_a_way_that_is_none_is_told(tmp_path: Path) -> None:
    without = ("def route", "def other")
    test = found(ring(tmp_path, 2, without), "each_pair")
    assert test.result is not None and set(test.result.faults) == {kind.ROUTE}
    assert "from r1 no link leads to leaf 3" in str(test.details)


@pytest.mark.parametrize("python", [("", ""), ("def route", "def other")])
def test_a_deadlock_is_a_cycle_of_links(python: tuple[str, str], tmp_path: Path) -> None:
    """By the user's routes, or by the graph."""
    test = found(ring(tmp_path, 3, python), "opposite")
    assert test.result is not None and kind.DEADLOCK in test.result.faults
    assert "a cycle of 4 waits" in str(test.details)
    waits = [line for line in test.details if " waits for ring" in line]
    assert len(waits) == 5 and "is at r0 and waits for ring0" in str(waits)


def test_predict_is_held_against_the_design_and_told(tmp_path: Path) -> None:
    wrong = ('np.ones(len(sent["source"]), bool)', 'sent["destination"] != 3')
    test = found(ring(tmp_path, python=wrong), "each_pair")
    assert test.result is not None and test.result.faults == {kind.UNPREDICTED: 4}
    (tmp_path / "late").mkdir()
    late = (
        '"arrives": np.ones(len(sent["source"]), bool)',
        '"clock": sent["clock"] + 1 + (sent["destination"] - sent["source"]) % LEAVES',
    )
    assert found(ring(tmp_path / "late", python=late), "each_pair").passed
    (tmp_path / "more").mkdir()
    more = (late[0], late[1].replace("+ 1 +", "+ 2 +"))
    test = found(ring(tmp_path / "more", python=more), "each_pair")
    assert test.result is not None and test.result.faults == {kind.EARLY: 16}
    assert "arrived in clock" in test.message and "predicted was" in test.message


def test_a_failure_shows_faults_and_the_replay_line(tmp_path: Path) -> None:
    with pytest.raises(ScenarioFailed) as failure:
        run_scenario(ring(tmp_path, 1), "each_pair", sim="icarus", seed=7)
    output = str(failure.value).splitlines()
    assert output[0] == "each_pair failed on icarus, seed 7"
    assert output[1].startswith("  route (")
    assert f"DESIGN={tmp_path / 'loop.toml'}" in str(failure.value)
    assert "TEST=each_pair SIM=icarus SEED=7" in str(failure.value)


@pytest.mark.parametrize(
    ("python", "message"),
    [
        (("def graph", "def other"), "loop_of_mine.py: graph(): is missing; taps need it"),
        (('f"ring{i}")]', "None)]"), "graph(): tap ring0 is on no link"),
        (('f"ring{i}")]', 'f"link{i}")]'), "no such tap; there is ring0, ring1"),
        (("LEAVES = 4", "LEAVES = 5"), "leaves are 0 … 3"),
        (("LEAVES = 4", "LEAVES = four"), "line 9: NameError: name 'four' is not defined"),
    ],
)
def test_mistakes_in_the_users_python(
    python: tuple[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as error:
        ring(tmp_path, python=python).scenarios()
    assert message in str(error.value) and "\n" not in str(error.value)
