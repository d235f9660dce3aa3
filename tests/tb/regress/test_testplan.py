"""The testplan: what it must hold, and what its reader says of every kind of mistake."""

import itertools
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS, cover_groups, family, plan_names, planned_as, scenarios
from fattree_bench.jobs import job as jobs
from fattree_bench.paths import ROOT
from fattree_bench.regress.expand import Choice, expand
from fattree_bench.testplan import AT_NIGHT, TIERS, Effort, read

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

TESTPOINT = """
[testpoint."frames"]
network = "lbbvn"
source = "Lemma 5"
goal = "Frames arrive."
stimulus = "The paper's frame."
check = "Scoreboard."
tests = ["frame"]
configurations = ["tr*"]
"""

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
    assert tree.variables == {"N": "4", "CONTROL": "SCHEDULED"}
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


# What is changed in the sound entries above, and what the reader says of it.
TREE, POINT = "plan.toml: configuration tree: ", "plan.toml: testpoint frames: "
MISTAKES = {
    "no such table": (
        ("[testpoint.", "[testpiont."),
        "plan.toml: testpiont: no such key; there is include, exclusions, goals, constants, "
        "configurations, testpoint",
    ),
    "a list of tables": (
        ('[testpoint."frames"]', "[[testpoint]]"),
        'plan.toml: testpoint is a list; write [testpoint."its name"] in place of name',
    ),
    "no TOML": (('[testpoint."frames"]', '[testpoint."frames"'), "plan.toml: "),
    "no name": (('[testpoint."frames"]', "[testpoint]"), "plan.toml: testpoint network = 'lbbvn'"),
    "empty name": (('"frames"', '""'), "plan.toml: testpoint: name is missing"),
    "configuration without a name": (
        ("[configurations.tree]", '[configurations.""]'),
        "plan.toml: configuration: name is missing",
    ),
    "two testpoints": ((TESTPOINT, TESTPOINT * 2), "plan.toml: is not TOML: Cannot declare "),
    # configurations
    "unknown key of a configuration": (
        ("variables =", "variable ="),
        TREE
        + "variable: no such key; there is network, variables, code, planted, smoke, nightly, full",
    ),
    "wrong type": (("smoke =", "code = 1\nsmoke ="), TREE + "code = 1: must be true or false"),
    "configuration no table": (
        (CONFIGURATION, 'configurations.tree = "lbbvn"\n'),
        "plan.toml: configuration tree = 'lbbvn': must be a table",
    ),
    "no network": (
        ('network = "lbbvn"\nvariables', "variables"),
        TREE + f"NETWORK=: no such network; there is {', '.join(NETWORKS)}",
    ),
    "unknown network of a configuration": (
        ('"lbbvn"\nvariables', '"ring"\nvariables'),
        TREE + f"NETWORK=ring: no such network; there is {', '.join(NETWORKS)}",
    ),
    "no variable": (
        ("N=4 CON", "N CON"),
        TREE + "variables = 'N CONTROL=SCHEDULED': must be NAME=value of the network",
    ),
    "variable twice": (
        ("N=4 CON", "N=4 N=8 CON"),
        TREE + "variables = 'N=4 N=8 CONTROL=SCHEDULED': must be NAME=value of the network",
    ),
    "unknown variable": (
        ("N=4 CON", "N=4 W=2 CON"),
        TREE + "variables = 'N=4 W=2 CONTROL=SCHEDULED': must be NAME=value of the network",
    ),
    "bad value": (("N=4", "N=5"), TREE + "N=5: must be a power of two, 2 … 1024"),
    "unknown tier of a configuration": (
        ("smoke =", "smoking ="),
        TREE
        + "smoking: no such key; there is network, variables, code, planted, smoke, nightly, full",
    ),
    "tier no table": (("{ seeds = 3 }", "3"), TREE + "nightly = 3: must be a table"),
    "unknown key of a tier": (
        ("seeds", "seed"),
        TREE + "nightly: seed: no such key; there is sims, seeds",
    ),
    "no seeds": (
        ("seeds = 3", "seeds = 0"),
        TREE + "nightly: sims are verilator or icarus, seeds and first 1 or more",
    ),
    "seeds true": (
        ("seeds = 3", "seeds = true"),
        TREE + "nightly: seeds = True: must be a whole number",
    ),
    "no simulator": (
        ('["icarus"]', "[]"),
        TREE + "smoke: sims are verilator or icarus, seeds and first 1 or more",
    ),
    "unknown simulator": (
        ('["icarus"]', '["questa"]'),
        TREE + "smoke: sims are verilator or icarus, seeds and first 1 or more",
    ),
    "simulators no words": (
        ('["icarus"]', "[[]]"),
        TREE + "smoke: sims = [[]]: must be a list of words",
    ),
    # testpoints
    "unknown key of a testpoint": (
        ("goal =", "gaol ="),
        POINT + "gaol: no such key; there is network, source, goal, stimulus, check, tests, ",
    ),
    "text missing": (('check = "Scoreboard."', ""), POINT + "check is missing"),
    "text empty": (('"Scoreboard."', '""'), POINT + "check is missing"),
    "tests no list": (('["frame"]', '"frame"'), POINT + "tests = 'frame': must be a list"),
    "tests no words": (('["frame"]', "[1]"), POINT + "tests = [1]: must be a list of words"),
    "globs no words": (('["tr*"]', "[1]"), POINT + "configurations = [1]: must be a list of words"),
    "no tests": (('["frame"]', "[]"), POINT + "tests: none, and no checks"),
    "unknown test": (('["frame"]', '["frme"]'), POINT + "tests: frme: no such test of lbbvn"),
    "another network's test": (
        ('["frame"]', '["one_cycle"]'),
        POINT + "tests: one_cycle: no such test of lbbvn",
    ),
    "unknown tier of a testpoint": (
        ("tests =", 'tiers = ["weekly"]\ntests ='),
        POINT + "tiers: weekly: no such tier; there is smoke, nightly, full",
    ),
    "unknown network of a testpoint": (
        ('"lbbvn"\nsource', '"ring"\nsource'),
        POINT + "network: ring: no such network",
    ),
    "no such file": (
        ("tests =", 'checks = ["tests/no.py::test_it"]\ntests ='),
        POINT + "checks: tests/no.py::test_it: no such file",
    ),
    "glob without match": (
        ('"tr*"', '"tr*", "bush"'),
        POINT + "configurations: bush: no such configuration of lbbvn",
    ),
    "no configuration": (
        ('["tr*"]', "[]"),
        POINT + "configurations: none, and so its tests run nowhere",
    ),
    "unknown group": (
        ("tests =", 'coverage = ["everything"]\ntests ='),
        POINT + "coverage: everything: no such cover group of lbbvn",
    ),
    # settings leave nothing to ask for: a SCHEDULED tree has no requests
    "group that its configurations have not": (
        (
            "tests =",
            'coverage = ["requests at a concentrator: level x direction x requests"]\ntests =',
        ),
        POINT + "coverage: requests at a concentrator: level x direction x requests: "
        "no such cover group of lbbvn",
    ),
    # claims
    "claim no table": ((CLAIM, "claim = 1\n"), POINT + "claim = 1: must be a table or a list of"),
    "unknown key of a claim": (
        ("items =", "item ="),
        POINT + "claim: item: no such key; there is says, measure, verdict, items, figure, "
        "holds, corrected, readings, rows, if, where, order",
    ),
    "claim says nothing": (
        (', items = ["B33", "B5"]', ""),
        POINT + "claim: needs either items, which say it, or says",
    ),
    "claim says what its items do": (
        ("items =", 'says = "fits", items ='),
        POINT + "claim: needs either items, which say it, or says",
    ),
    "several items that do not hold": (
        ('"holds"', '"fails"'),
        POINT + "claim: items: an item that does not hold has a claim of its own",
    ),
    "correction without a sentence": (
        ('verdict = "holds", items = ["B33", "B5"]', 'verdict = "as corrected", items = ["B5"]'),
        POINT + "claim: corrected.says: the sentence of what holds as corrected alone",
    ),
    "sentence without a correction": (
        ("items =", 'corrected = { says = "It fits." }, items ='),
        POINT + "claim: corrected.says: the sentence of what holds as corrected alone",
    ),
    "two verdicts on an item": (
        (CLAIM, CORRECTION.replace('"B5"', '"B33"')),
        "testpoint frames: claim: B33: has two verdicts",
    ),
    "empty control": (
        (CLAIM, CORRECTION.replace('{ instead = { a = "b" } }', "{}")),
        POINT + "claim: control twice: is empty; there is tests, checks, configurations, instead",
    ),
    "control no table": (
        (CLAIM, CORRECTION.replace('{ instead = { a = "b" } }', "1")),
        POINT + "claim: control twice = 1: must be a table",
    ),
    "control of an unknown test": (
        (CLAIM, CORRECTION.replace('"rotators"', '"rotator"')),
        POINT + "claim: control a lane less: tests: rotator: no such test of lbbvn",
    ),
    "fault no list": (
        ("smoke =", 'planted = ["lbbvn"]\nsmoke ='),
        TREE + "planted = 'lbbvn': must be a list of [file, words, other words]",
    ),
    "fault in no file": (
        ("smoke =", 'planted = [["lbbvn/no.v", "a", "b"]]\nsmoke ='),
        TREE + "planted: rtl/lbbvn/no.v: does not hold 'a' just once",
    ),
    "claim without measure": (
        ('measure = "nothing_lost", ', ""),
        POINT + "claim: measure is missing",
    ),
    "unknown measure": (
        ('"nothing_lost"', '"luck"'),
        POINT + "claim: measure = 'luck': there is nothing_lost, proofs, ",
    ),
    "figure of a measure that is there": (
        ('measure = "', 'figure = "a", measure = "'),
        POINT + "claim: measure = 'nothing_lost': is there, and needs no figure",
    ),
    "figure without a condition": (
        ('measure = "nothing_lost"', 'figure = "a", measure = "own"'),
        POINT + "claim: holds is missing",
    ),
    "constant no number": (
        ("[testpoint.", '[constants]\nMOST = "2"\n[testpoint.'),
        "plan.toml: constants: MOST = '2': must be a number",
    ),
    "unknown verdict": (
        ('"holds"', '"perhaps"'),
        POINT
        + "claim: verdict = 'perhaps': there is holds, as corrected, fails, depends on the reading",
    ),
    "items no list": (('["B33", "B5"]', '"B33"'), POINT + "claim: items = 'B33': must be a list"),
    "items no words": (('"B5"', "5"), POINT + "claim: items = ['B33', 5]: must be a list of words"),
    "no number of an item": (
        ('"B5"', '"B44"'),
        POINT + "claim: items: B44: no such item, or it is there twice",
    ),
    "an item twice": (
        ('"B5"', '"B33"'),
        POINT + "claim: items: B33: no such item, or it is there twice",
    ),
    # goals
    "unknown tier of a goal": (
        (CONFIGURATION, CONFIGURATION + "[goals.weekly]\nline = 100\n"),
        "plan.toml: goals: weekly: no such key; there is smoke, nightly, full",
    ),
    "goal no table": (
        (CONFIGURATION, CONFIGURATION + "[goals]\nnightly = 100\n"),
        "plan.toml: goals: nightly = 100: must be a table",
    ),
    "unknown kind of a goal": (
        (CONFIGURATION, CONFIGURATION + "[goals.nightly]\nlines = 100\n"),
        "plan.toml: goals: nightly: lines: no such key; there is functional, line, branch, ",
    ),
    "goal no number": (
        (CONFIGURATION, CONFIGURATION + '[goals.nightly]\nline = "all"\n'),
        "plan.toml: goals: nightly: line = 'all': must be a number",
    ),
    "goal beyond all": (
        (CONFIGURATION, CONFIGURATION + "[goals.nightly]\nline = 101\n"),
        "plan.toml: goals: nightly: line = 101: must be per cent, above 0",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_get_one_line(mistake: str, tmp_path: Path) -> None:
    (old, new), output = MISTAKES[mistake]
    sound = CONFIGURATION + TESTPOINT + CLAIM
    assert old in sound
    with pytest.raises(UserError) as error:
        read_text(tmp_path, sound.replace(old, new, 1))
    message = str(error.value)
    assert message.startswith(output)
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
