"""The testplan: what it must hold, and what its reader says of every kind of mistake."""

import itertools
import re
import tomllib
from dataclasses import asdict
from pathlib import Path
from string import Template

import pytest

from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS, cover_groups, family, plan_names, planned_as, scenarios
from fattree_bench.jobs import job as jobs
from fattree_bench.paths import ROOT
from fattree_bench.regress.expand import Choice, expand
from fattree_bench.testplan import AT_NIGHT, TIERS, Effort, read
from tests.cli import FRAMES

FAMILIES = sorted({family(name) for name in NETWORKS})

GENERAL = tuple(f"{network}-" for network in NETWORKS)  # names of configurations that run all


@pytest.fixture(scope="module")
def plan():
    return read()


# ---- the plan itself ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["corollary 6", "reduction in the upper half"])
def test_reduced_degrees_are_judged_on_reduced_trees(plan, name):
    """A nonblocking tree is their control: no glob may take one along."""
    own = plan.of(plan.testpoints[name])
    wide = {c.name for c in own if c.variables.get("CAPACITY") == "NONBLOCKING"}
    (control,) = plan.testpoints[name].claims[0].controls
    assert own and not wide and "nonblocking" in str(control)


def relatives(network: str) -> tuple[set[str], list[str]]:
    """What testplans call the networks that share tests with one, and these networks."""
    networks = planned_as(plan_names(network)[-1])
    return {name for each in networks for name in plan_names(each)}, networks


@pytest.mark.parametrize("network", FAMILIES)
def test_every_scenario_proves_something(plan, network: str) -> None:
    """That a testpoint names only scenarios that exist is the reader's business."""
    names, networks = relatives(network)
    used = {t for p in plan.testpoints.values() if p.network in names for t in p.tests}
    assert used == {t for each in networks for t in scenarios(each)}


@pytest.mark.parametrize("network", FAMILIES)
def test_every_scenario_runs_somewhere_every_night(plan, network: str) -> None:
    """Nor is a testpoint in a tier where no configuration is fit for one of its tests."""
    names, networks = relatives(network)
    points = [p for p in plan.testpoints.values() if p.network in names]
    for point in (p for p in points if p.network in plan_names(network)):
        for tier in point.tiers:
            own = [(scenarios(c.network), c.built) for c in plan.of(point) if tier in c.tiers]
            for test in point.tests:
                fit = [known[test].unfit(c) is None for known, c in own if test in known]
                assert any(fit), (point.name, tier, test)
    nightly = {t for p in points if "nightly" in p.tiers for t in p.tests}
    assert nightly == {t for each in networks for t in scenarios(each)}


@pytest.mark.parametrize("network", NETWORKS)
def test_every_cover_group_is_a_testpoint_s_to_close(plan, network: str) -> None:
    """On each configuration that runs all tests; the others run what their claim needs."""
    for configuration in plan.configurations.values():
        if configuration.network == network and configuration.name.startswith(GENERAL):
            points = [p for p in plan.testpoints.values() if configuration in plan.of(p)]
            groups = {g.name for g in cover_groups(configuration.built)}
            assert groups <= {g for p in points for g in p.coverage}, configuration.name


def test_configurations_are_named_for_what_they_are(plan) -> None:
    """Each is there for a testpoint, or, with planted faults, for a control."""
    controls = [x.point for _, claim, _ in plan.expected() for x in claim.controls.values()]
    for configuration in plan.configurations.values():
        name, network = configuration.name, configuration.built
        if name.startswith(GENERAL):
            assert name.startswith(f"{configuration.network}-{network.leaves}"), name
        assert configuration.tiers, name
        points = controls if configuration.planted else plan.testpoints.values()
        assert any(configuration in plan.of(p) for p in points), name


def test_tiers_grow(plan) -> None:
    """What a smaller tier runs, a larger one also runs."""
    for configuration in plan.configurations.values():
        efforts = [configuration.tiers[tier] for tier in TIERS if tier in configuration.tiers]
        assert list(configuration.tiers) == list(TIERS)[-len(efforts) :], configuration.name
        for less, more in itertools.pairwise(efforts):
            assert set(less.sims) <= set(more.sims), configuration.name
            assert less.seeds <= more.seeds, configuration.name
    for point in plan.testpoints.values():
        assert point.tiers == TIERS[-len(point.tiers) :], point.name


def test_small_designs_that_run_everything_count_code(plan) -> None:
    """What is there for one claim leaves most of its design idle: its toggles say nothing."""
    for configuration in plan.configurations.values():
        small = configuration.built.leaves <= 16
        general = configuration.name.startswith(f"{configuration.network}-")
        assert configuration.code == (small and general), configuration.name
        assert configuration.built.leaves < 1024, "a million bins a run"


def test_exclusions_are_those_that_the_plan_names(plan, tmp_path) -> None:
    package = ROOT / "tb" / "fattree_bench"
    assert set(plan.exclusions) == set(package.rglob("exclusions.toml"))
    path = tmp_path / "plan.toml"
    path.write_text('exclusions = ["none.toml"]')
    with pytest.raises(UserError, match=r"plan\.toml: exclusions: 'none.toml': no such file"):
        read(path)
    path.write_text("")
    assert read(path).exclusions == ()


def test_checks_name_tests_that_exist(plan) -> None:
    for point in plan.testpoints.values():
        for check in point.checks:
            file, _, name = check.partition("::")
            text = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"^def {name or 'test_'}", text, re.M), check


# ---- what the reader makes of an entry -----------------------------------------------------------

CONFIGURATION = """
[configurations.tree]
network = "lbbvn"
variables = "N=4 CONTROL=SCHEDULED"
smoke = { sims = ["icarus"] }
nightly = { seeds = 3 }
"""

TESTPOINT = FRAMES.replace("requirement", "Lemma 5")
TESTPOINT += 'tests = ["frame"]\nconfigurations = ["tr*"]\n'

CLAIM = """\
claim = { measure = "nothing_lost", verdict = "holds", items = ["B33", "B5"] }
"""


def read_text(folder: Path, text: str | bytes):
    path = folder / "plan.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path)


def test_entries_become_what_they_say(tmp_path: Path) -> None:
    goals = "[goals.nightly]\nfunctional = 100\nline = 99.5\n"
    plan = read_text(tmp_path, goals + CONFIGURATION + TESTPOINT + CLAIM)
    assert plan.goals == {"nightly": {"functional": 100, "line": 99.5}}
    tree = plan.configurations["tree"]
    assert tree.variables == {"N": "4", "CONTROL": "SCHEDULED", "FORM": "FAST"}
    assert tree.tiers == {
        "smoke": Effort(("icarus",), 1),
        "nightly": Effort(("verilator", "icarus"), 3),
    }
    assert tree.code
    assert (tree.built.leaves, tree.built.control) == (4, "SCHEDULED")
    point = plan.testpoints["frames"]
    assert (point.tests, point.checks, point.tiers) == (("frame",), (), AT_NIGHT)
    (claim,) = point.claims
    assert point.seeded and claim.measure == "nothing_lost"
    assert claim.items == ("B33", "B5")
    own = CLAIM.replace('items = ["B33", "B5"]', 'says = "it fits"')
    plan = read_text(tmp_path, CONFIGURATION + TESTPOINT + own)
    assert plan.testpoints["frames"].claims[0].items == ()
    plan = read_text(
        tmp_path, (CONFIGURATION + TESTPOINT + CLAIM).replace('verdict = "holds", ', "")
    )
    assert plan.testpoints["frames"].claims[0].verdict == "holds"
    assert plan.of(point) == [tree]
    plan = read_text(tmp_path, CONFIGURATION + TESTPOINT)
    assert plan.testpoints["frames"].tiers == TIERS
    family = tmp_path / "lbbvn"
    family.mkdir()
    plan = read_text(family, CONFIGURATION + TESTPOINT.replace('network = "lbbvn"\n', ""))
    assert plan.testpoints["frames"].network == "lbbvn"


def test_a_claim_of_an_item_says_what_the_item_does(tmp_path: Path) -> None:
    short = TESTPOINT.replace('source = "Lemma 5"\ngoal = "Frames arrive."\n', "")
    point = read_text(tmp_path, CONFIGURATION + short + CLAIM).testpoints["frames"]
    assert point.source == "Chueh et al. 2013, section III, Lemma 5"
    assert point.goal.startswith("Any permutation that maps uniformly")


CORRECTION = """\
tiers = ["nightly"]
[[testpoint."frames".claim]]
items = ["B33"]
measure = "nothing_lost"
[[testpoint."frames".claim]]
items = ["B5"]
measure = "proofs"
verdict = "as corrected"
corrected.says = "It does not."
control."a lane less" = { configurations = ["tr*"], tests = ["rotators"] }
control.twice = { instead = { a = "b" } }
"""


def test_a_testpoint_has_a_claim_for_each_verdict(tmp_path: Path) -> None:
    plan = read_text(tmp_path, CONFIGURATION + TESTPOINT + CORRECTION)
    first, second = plan.testpoints["frames"].claims
    assert (first.items, first.verdict, first.corrected) == (("B33",), "holds", "")
    assert (second.items, second.corrected) == (("B5",), "It does not.")
    lane, twice = second.controls.values()
    assert (lane.point.name, lane.point.tests) == ("frames: a lane less", ("rotators",))
    assert (twice.point.tests, twice.instead) == (("frame",), {"a": "b"})


PLANTED = """
[configurations.wide]
network = "lbbvn"
variables = "N=4"
nightly = { sims = ["icarus"], seeds = 5, first = 101 }
full = {}
planted = [["lbbvn/lbbvn_sizes.vh", "2 * j <= N_LOG", "0"]]
"""


def test_planted_faults_serve_controls_alone(tmp_path: Path) -> None:
    """They run for a control alone, on a faulty copy of the RTL, and count as passed."""
    control = 'claim.control.wide = { configurations = ["wide"] }\n'
    claim = 'claim.measure = "nothing_lost"\nclaim.items = ["B5"]\n'
    point = TESTPOINT.replace('["tr*"]', '["tr*", "wi*"]')
    text = CONFIGURATION + PLANTED + point + claim + control
    plan = read_text(tmp_path, text)
    assert not plan.configurations["wide"].code
    assert [c.name for c in plan.of(plan.testpoints["frames"])] == ["tree"]
    made = expand(plan, Choice("nightly", build=str(tmp_path)))
    planted = [task for task in made.runs if task.payload["planted"]]
    assert [task.payload["values"]["SEED"] for task in planted] == [*map(str, range(101, 106))]
    assert [point.name for point in made.points] == ["frames"]
    copy = tmp_path / "planted" / "wide" / "lbbvn" / "lbbvn_sizes.vh"
    assert 'LOWER_BOUND" && 0)' in copy.read_text(encoding="utf-8")
    (test,) = jobs.tests_of(planted[0], {})
    assert not test.passed  # it left nothing
    failed = {"tests": [asdict(test)]}
    assert jobs.tests_of(planted[0], failed)[0].passed
    with pytest.raises(UserError, match="none of its configurations runs in tier full"):
        read_text(tmp_path, text.replace("full = {}\n", ""))


def test_another_network_s_configurations_are_not_meant(tmp_path: Path) -> None:
    other = '[configurations]\n"tree of Leiserson" = { network = "leiserson" }\n'
    plan = read_text(tmp_path, CONFIGURATION + other + TESTPOINT)
    assert [c.name for c in plan.of(plan.testpoints["frames"])] == ["tree"]


# Of mistakes.toml: what is changed in a sound entry, and what the reader says of it.
TEXTS = {
    "NETWORKS": ", ".join(NETWORKS),
    "TREE": "plan.toml: configuration tree",
    "POINT": "plan.toml: testpoint frames",
    **{"CONFIGURATION": CONFIGURATION, "TESTPOINT": TESTPOINT, "CLAIM": CLAIM},
}
SOUND = {"sound": CLAIM, "corrected": CORRECTION}
MISTAKES = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("entry", "mistake"), [(e, x) for e in SOUND for x in MISTAKES[e]])
def test_mistakes_get_one_line(entry: str, mistake: str, tmp_path: Path) -> None:
    old, new, told = (Template(x).substitute(TEXTS) for x in MISTAKES[entry][mistake])
    sound = CONFIGURATION + TESTPOINT + SOUND[entry]
    assert old in sound
    with pytest.raises(UserError) as error:
        read_text(tmp_path, sound.replace(old, new, 1))
    message = str(error.value)
    assert message.startswith(told)
    assert "\n" not in message


def test_no_name_twice_in_files_of_one_plan(tmp_path: Path) -> None:
    for name, text in (("a.toml", CONFIGURATION + TESTPOINT), ("b.toml", CONFIGURATION)):
        (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=r"^b\.toml: configuration tree: name: there are two"):
        read_text(tmp_path, 'include = ["[ab].toml"]')
    with pytest.raises(UserError, match=r"^plan\.toml: is not TOML: Cannot declare .* twice"):
        read_text(tmp_path, CONFIGURATION * 2)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^plan\.toml: .*is not text in UTF-8"):
        read_text(tmp_path, b"\xff")
    with pytest.raises(UserError, match=r"none\.toml: No such file"):
        read(tmp_path / "none.toml")
