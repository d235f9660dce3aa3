"""Reads and checks testplans: configurations, testpoints, claims."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

from fattree_bench import user_toml
from fattree_bench.bench import claims
from fattree_bench.bench.claims import CORRECTED, DECIDED, HOLDS, Measure
from fattree_bench.bench.expressions import KEYS, Comparison
from fattree_bench.bench.network import Network
from fattree_bench.errors import UserError
from fattree_bench.families import (
    cover_groups,
    family,
    find,
    offered,
    part,
    parts,
    plan_names,
    planned_as,
    scenarios,
)
from fattree_bench.papers import registry
from fattree_bench.paths import PACKAGE, ROOT, clone
from fattree_bench.report.regression import AT_NIGHT, KINDS, TIERS
from fattree_bench.sim.variables import SEEDS, SIMS, resolved

PLAN = Path(__file__).with_name("testplan.toml")
MEASURES: dict[str, Measure] = {  # by which claims may be judged without a figure
    name: measure
    for module in (claims, *parts("claims"))
    for name, measure in claims.measures(module).items()
}
Constants = Mapping[str, float]  # of claims, by name
CORRECTION = {"says": str, "figure": str, "holds": list}
Kinds = Mapping[str, type | tuple[type, ...]]  # of the keys of an entry
_KIND_NAMES: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
    (str, dict): "a text or a table",
    (dict, list): "a table or a list of tables",
    (int, float): "a number",
}


@dataclass(frozen=True)
class Effort:
    """How a tier runs a configuration: on which simulators, with how many seeds from `first` on."""

    sims: tuple[str, ...]
    seeds: int = 1
    first: int = 1


@dataclass(frozen=True)
class Configuration:
    """A network with chosen parameters.

    Attributes
    ----------
    variables : as on the command line.
    code : takes part in code coverage.
    planted : the RTL's faults, as (file in rtl/, words, words in their place); with any it serves
        controls alone, and may fail.
    """

    name: str
    network: str
    variables: dict[str, str]
    tiers: dict[str, Effort]
    code: bool = True
    planted: tuple[tuple[str, str, str], ...] = ()

    @cached_property
    def built(self) -> Network:
        """The network itself: some take long to check."""
        return find(self.network).from_variables(self.variables)

    def fits(self, glob: str, network: str) -> bool:
        """Whether a glob of a testpoint of such networks means it."""
        own = fnmatchcase(self.name, glob.replace("{network}", self.network))
        return own and network in plan_names(self.network)

    def rtl(self, rtl: str, build: str) -> str:
        """The folder of the RTL; with planted faults, a copy in the folder of builds."""
        if not self.planted:
            return rtl
        copy = resolved(build) / "planted" / self.name
        rmtree(copy, ignore_errors=True)
        copytree(resolved(rtl), copy)
        for file, old, new in self.planted:
            text = (copy / file).read_text(encoding="utf-8")
            if text.count(old) != 1:
                raise UserError(f"{self.name}: {file}: does not hold {old!r} just once")
            (copy / file).write_text(text.replace(old, new), encoding="utf-8")
        return str(copy)

    @cached_property
    def groups(self) -> frozenset[str]:
        """Names of its cover groups."""
        return frozenset(group.name for group in cover_groups(self.built))


@dataclass(frozen=True)
class ClaimEntry:
    """What a paper says, which figure of the results decides, and what we hold it to be.

    Attributes
    ----------
    says : of a claim of the wider literature, which decides no item.
    measure : the name of what `figures` computes.
    items : numbers of what it decides; only one if its verdict is not HOLDS.
    corrected : the sentence as we correct it, if it holds as corrected.
    controls : by name, what must come out otherwise.
    """

    says: str
    measure: str
    figures: Measure
    verdict: str = HOLDS
    items: tuple[str, ...] = ()
    corrected: str = ""
    controls: Mapping[str, "ControlEntry"] = field(default_factory=dict)


@dataclass(frozen=True)
class ControlEntry:
    """What a claim's measure must not say it holds of (or, if the claim fails, must).

    Attributes
    ----------
    point : the testpoint, with what the control runs in place of what the claim runs.
    instead : names of recorded numbers, and of those that take their place.
    """

    point: "TestpointEntry"
    instead: Mapping[str, str]


@dataclass(frozen=True)
class TestpointEntry:
    """What is to be proved, and by what.

    Attributes
    ----------
    source, goal : of a claim, by default where its first item stands, and what that says.
    network : a family, or what networks of several families share; usually the file's folder.
    tests : scenarios of the network.
    tiers : all, or, of a claim or checks, the later two.
    checks : pytest files that prove what no scenario can show.
    parts : jobs that each of these files is cut into, for long ones.
    coverage : cover groups that it must close.
    configurations : globs, in which {network} stands for that of a configuration; of those that
        run its tests.  Usually those whose names begin with their network's.
    seeded : its scenarios draw random numbers, so more seeds show more.
    control : it is one, of configurations of its own; others never run a planted fault.
    """

    name: str
    network: str
    source: str
    goal: str
    stimulus: str
    check: str
    tests: tuple[str, ...]
    tiers: tuple[str, ...]
    checks: tuple[str, ...] = ()
    parts: int = 1
    coverage: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ("*",)
    seeded: bool = True
    claims: tuple[ClaimEntry, ...] = ()
    control: bool = False

    def decides(self, item: str) -> bool:
        """Whether a claim is about an item, or a check proves it; "": any."""
        check = registry.items()[item].check if item else ""
        files = {one.partition("::")[0] for one in self.checks}
        claimed = any(item in claim.items for claim in self.claims)
        return not item or claimed or check == self.name or check.partition("::")[0] in files


@dataclass(frozen=True)
class Testplan:
    """All of it; `exclusions`, `evidence`: files of what coverage need not reach, of commands."""

    exclusions: tuple[Path, ...] = ()
    evidence: tuple[Path, ...] = ()
    configurations: dict[str, Configuration] = field(default_factory=dict)
    testpoints: dict[str, TestpointEntry] = field(default_factory=dict)
    goals: dict[str, dict[str, float]] = field(default_factory=dict)  # tier, kind: per cent

    def of(self, point: TestpointEntry) -> list[Configuration]:
        """The configurations that run a testpoint."""
        return [
            c
            for c in self.configurations.values()
            if (point.control or not c.planted)
            and any(c.fits(glob, point.network) for glob in point.configurations)
        ]

    def expected(self) -> Iterator[tuple[TestpointEntry, ClaimEntry, str]]:
        """Testpoints with their claims and the items that these decide; "" if it is none."""
        for point in self.testpoints.values():
            for claim in point.claims:
                yield from ((point, claim, item) for item in claim.items or ("",))


def read(path: Path = PLAN) -> Testplan:
    """Read the testplan; UserError names the first entry that is wrong, and why."""
    if path == PLAN:
        clone("the testplan of our own networks")
    data = user_toml.read(path, _told(path), str(path))
    tables = {"goals": dict, "constants": dict, "configurations": dict, "testpoint": dict}
    lists = dict.fromkeys(("include", "exclusions", "evidence"), list)
    _take(data, path.name, {**lists, **tables})
    exclusions, evidence = (tuple(_named(data, k, path)) for k in ("exclusions", "evidence"))
    plan = Testplan(exclusions, evidence, goals=_goals(data.get("goals", {}), path))
    parts = [(path, data)]
    for file in _named(data, "include", path):
        parts.append((file, _take(user_toml.read(file, _told(file)), _told(file), tables)))
    return _checked(plan, parts)


def described(network: Network) -> Testplan:
    """The testplan that a network's family makes of what the network promises."""
    data = part(family(network.name), "planned").testplan(network)
    return _checked(Testplan(), [(Path("the plan of its promises"), data)])


def _checked(plan: Testplan, parts: list[tuple[Path, dict[str, Any]]]) -> Testplan:
    """The plan with the configurations and testpoints of all files."""
    for file, data in parts:
        for name, entry in data.get("configurations", {}).items():
            _new(name, plan.configurations, f"{_told(file)}: configuration")
            plan.configurations[name] = _configuration(name, entry, file)
    given = dict(offered("claims", "CONSTANTS"))
    for file, data in parts:
        stated = data.get("constants", {})
        _take(stated, f"{_told(file)}: constants", dict.fromkeys(stated, (int, float)))
        constants = {**given.get(file.parent.name, {}), **stated}
        for name, entry in data.get("testpoint", {}).items():
            _new(name, plan.testpoints, f"{_told(file)}: testpoint")
            plan.testpoints[name] = _testpoint(name, entry, plan, file, constants)
    verdicts: dict[str, str] = {}
    for point, claim, item in plan.expected():
        if item and verdicts.setdefault(item, claim.verdict) != claim.verdict:
            raise UserError(f"testpoint {point.name}: claim: {item}: has two verdicts")
    return plan


def _told(path: Path) -> str:
    """What a user calls a file: those of families all have the same name."""
    return str(path.relative_to(PACKAGE)) if path.is_relative_to(PACKAGE) else path.name


def _named(data: dict[str, Any], key: str, path: Path) -> list[Path]:
    """Files that the plan names, by globs from its own folder."""
    found: list[Path] = []
    for glob in _words(data.get(key, []), f"{_told(path)}: {key}"):
        try:
            if ".." in Path(glob).parts:
                raise ValueError
            files = sorted(path.parent.glob(glob))
        except (NotImplementedError, ValueError):  # of pathlib
            told = "must be a pattern of files from the plan's own folder"
            raise UserError(f"{_told(path)}: {key}: {glob!r}: {told}") from None
        if not files:
            raise UserError(f"{_told(path)}: {key}: {glob!r}: no such file")
        found += files
    return found


def _goals(data: dict[str, Any], path: Path) -> dict[str, dict[str, float]]:
    """Per cent of coverage that a tier must reach, by kind."""
    where = f"{_told(path)}: goals"
    kinds = dict.fromkeys(("functional", *KINDS), (int, float))
    for tier, goals in _take(data, where, dict.fromkeys(TIERS, dict)).items():
        for kind, goal in _take(goals, f"{where}: {tier}", kinds).items():
            if not 0 < goal <= 100:
                raise UserError(f"{where}: {tier}: {kind} = {goal}: must be per cent, above 0")
    return data


def _new(name: str, seen: Mapping[str, Any], where: str) -> None:
    """UserError for an empty name, and for one that was there before."""
    if not name:
        raise UserError(f"{where}: name is missing")
    if not name.isprintable() or "/" in name:
        raise UserError(f"{where} {name!r}: must be a name, without / and on one line")
    if name in seen:
        raise UserError(f"{where} {name}: name: there are two of them")


def _take(entry: dict[str, Any], where: str, known: Kinds) -> dict[str, Any]:
    """The entry, if it has no keys but those known, of the right type."""
    for key, value in entry.items():
        if key not in known:
            raise UserError(f"{where}: {key}: no such key; there is {', '.join(known)}")
        kind = known[key]
        if kind is dict and isinstance(value, list):  # [[key]], as older testplans have it
            raise UserError(f'{where}: {key} is a list; write [{key}."its name"] in place of name')
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise UserError(f"{where}: {key} = {value!r}: must be {_KIND_NAMES[kind]}")
    return entry


def _words(value: list[Any], where: str) -> tuple[str, ...]:
    """The list, if it holds nothing but words."""
    if not all(isinstance(word, str) for word in value):
        raise UserError(f"{where} = {value!r}: must be a list of words")
    return tuple(value)


def _tiers(names: Iterable[str], where: str) -> tuple[str, ...]:
    for name in names:
        if name not in TIERS:
            raise UserError(f"{where}: {name}: no such tier; there is {', '.join(TIERS)}")
    return tuple(names)


def _configuration(name: str, entry: object, path: Path) -> Configuration:
    where = f"{_told(path)}: configuration {name}"
    if not isinstance(entry, dict):
        raise UserError(f"{where} = {entry!r}: must be a table")
    tiers = dict.fromkeys(TIERS, dict)
    kinds: Kinds = {"network": str, "variables": (str, dict), "code": bool, "planted": list}
    value = _take(entry, where, {**kinds, **tiers})
    given = value.get("variables", "")
    words = [f"{k}={x}" for k, x in given.items()] if isinstance(given, dict) else given.split()
    variables = dict(word.split("=", 1) for word in words if "=" in word)
    efforts = {}
    for tier in (key for key in value if key in TIERS):
        told = f"{where}: {tier}"
        effort = _take(value[tier], told, {"sims": list, "seeds": int, "first": int})
        sims = _words(effort.get("sims", list(SIMS)), f"{told}: sims")
        seeds, first = effort.get("seeds", 1), effort.get("first", 1)
        if not sims or set(sims) - set(SIMS) or not 1 <= first < first + seeds <= SEEDS:
            allowed = f"seeds and first 1 or more, the last seed below {SEEDS}"
            raise UserError(f"{told}: sims are {' or '.join(SIMS)}, {allowed}")
        efforts[tier] = Effort(sims, seeds, first)
    faults = _faults(value.get("planted", []), f"{where}: planted")
    network, code = value.get("network", ""), value.get("code", True) and not faults
    try:
        known = {p.name: p for p in find(network).parameters}
        if len(variables) < len(words) or set(variables) - set(known):
            raise UserError(
                f"variables = {value['variables']!r}: must be NAME=value of the network"
            )
        stated = {k: p.default for k, p in known.items() if p.stated and k not in variables}
        made = Configuration(name, network, variables | stated, efforts, code, faults)
        _ = made.built  # all values are good
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    return made


def _faults(entries: list[Any], where: str) -> tuple[tuple[str, str, str], ...]:
    """Lists of a file in rtl/, words that stand in it once, and others; checked where planted."""
    for entry in entries:
        if not isinstance(entry, list) or len(_words(entry, where)) != 3:
            raise UserError(f"{where} = {entry!r}: must be a list of [file, words, other words]")
        path = ROOT / "rtl" / entry[0]
        if not path.is_file() or path.read_text(encoding="utf-8").count(entry[1]) != 1:
            raise UserError(f"{where}: rtl/{entry[0]}: does not hold {entry[1]!r} just once")
    return tuple((file, old, new) for file, old, new in entries)


def _testpoint(
    name: str, entry: object, plan: Testplan, path: Path, constants: Constants
) -> TestpointEntry:
    where = f"{_told(path)}: testpoint {name}"
    if not isinstance(entry, dict):
        raise UserError(f"{where} = {entry!r}: must be a table")
    texts = ("network", "source", "goal", "stimulus", "check")
    lists = ("tests", "checks", "coverage", "configurations", "tiers")
    kinds = {
        **dict.fromkeys(texts, str),
        **dict.fromkeys(lists, list),
        "seeded": bool,
        "parts": int,
    }
    value = dict(_take(entry, where, {**kinds, "claim": (dict, list)}))
    stated = value.pop("claim", [])
    entries = [stated] if isinstance(stated, dict) else stated
    of_claim = f"{where}: claim"
    claims = [claim_entry(one, of_claim, constants) for one in entries]
    if claims:
        items = claims[0].items
        value.setdefault("goal", registry.items()[items[0]].says if items else claims[0].says)
        if items:
            value.setdefault("source", registry.cited(items[0]))
    if planned_as(path.parent.name):
        value.setdefault("network", path.parent.name)
        if value.get("tests"):
            value.setdefault("configurations", ["{network}-*"])
    for key in texts:
        if not value.get(key):
            raise UserError(f"{where}: {key} is missing")
    for key in lists:
        if key in value:
            value[key] = _words(value[key], f"{where}: {key}")
    usual = AT_NIGHT if claims or "checks" in value else TIERS
    value["tiers"] = _tiers(value.get("tiers", usual), f"{where}: tiers")
    value.setdefault("tests", ())
    point = _known(TestpointEntry(name, **value), plan, where)
    made = []
    for claim, one in zip(claims, entries, strict=True):
        controls = {
            key: _control(key, control, point, plan, f"{of_claim}: control {key}")
            for key, control in one.get("control", {}).items()
        }
        made.append(replace(claim, controls=controls))
    return replace(point, claims=tuple(made))


def _control(
    name: str, entry: object, point: TestpointEntry, plan: Testplan, where: str
) -> ControlEntry:
    """A control of a testpoint's claim; UserError says where and why there is none."""
    if not isinstance(entry, dict):
        raise UserError(f"{where} = {entry!r}: must be a table")
    lists = ("tests", "checks", "configurations")
    value = _take(entry, where, {**dict.fromkeys(lists, list), "instead": dict})
    if not value:
        raise UserError(f"{where}: is empty; there is {', '.join((*lists, 'instead'))}")
    instead = value.get("instead", {})
    _words([*instead.values()], f"{where}: instead")
    own: dict[str, Any] = {k: _words(value[k], f"{where}: {k}") for k in lists if k in value}
    if "checks" in own:
        own.setdefault("tests", ())
    elif own:
        own["checks"] = ()
    own |= {"name": f"{point.name}: {name}", "coverage": (), "control": "configurations" in own}
    made = _known(replace(point, **own), plan, where)
    for tier in made.tiers if made.tests else ():
        if not any(tier in c.tiers for c in plan.of(made)):
            raise UserError(f"{where}: none of its configurations runs in tier {tier}")
    return ControlEntry(made, instead)


def _known(point: TestpointEntry, plan: Testplan, where: str) -> TestpointEntry:
    """The testpoint, if all that it names is there."""
    networks = planned_as(point.network)
    if not networks:
        raise UserError(f"{where}: network: {point.network}: no such network")
    if not point.tests and not point.checks:
        raise UserError(f"{where}: tests: none, and no checks")
    for test in point.tests:
        if not any(test in scenarios(network) for network in networks):
            raise UserError(f"{where}: tests: {test}: no such test of {point.network}")
    for check in point.checks:
        if not (ROOT / check.partition("::")[0]).is_file():
            raise UserError(f"{where}: checks: {check}: no such file")
    for glob in point.configurations:
        if not any(c.fits(glob, point.network) for c in plan.configurations.values()):
            raise UserError(
                f"{where}: configurations: {glob}: no such configuration of {point.network}"
            )
    if point.tests and not point.configurations:
        raise UserError(f"{where}: configurations: none, and so its tests run nowhere")
    for group in point.coverage:
        if not any(group in configuration.groups for configuration in plan.of(point)):
            raise UserError(f"{where}: coverage: {group}: no such cover group of {point.network}")
    return point


def claim_entry(entry: object, where: str, constants: Constants) -> ClaimEntry:
    """A claim of a testpoint, without its controls; UserError says where and why there is none."""
    if not isinstance(entry, dict):
        raise UserError(f"{where} = {entry!r}: must be a table")
    texts = ("says", "measure", "verdict")
    kinds: Kinds = {**dict.fromkeys(texts, str), "items": list, **dict.fromkeys(KEYS, object)}
    value = {"verdict": HOLDS, **_take(entry, where, {**kinds, "control": dict})}
    items = _words(value.get("items", []), f"{where}: items")
    for item in items:
        if item not in registry.items() or items.count(item) > 1:
            raise UserError(f"{where}: items: {item}: no such item, or it is there twice")
    name, verdict = value.get("measure"), value["verdict"]
    if bool(items) == bool(value.get("says")):
        raise UserError(f"{where}: needs either items, which say it, or says")
    if not name:
        raise UserError(f"{where}: measure is missing")
    if verdict not in DECIDED:
        raise UserError(f"{where}: verdict = {verdict!r}: there is {', '.join(DECIDED)}")
    if verdict != HOLDS and len(items) > 1:
        raise UserError(f"{where}: items: an item that does not hold has a claim of its own")
    corrected = dict(_take(value.get("corrected", {}), f"{where}: corrected", CORRECTION))
    sentence = corrected.pop("says", "")
    if bool(sentence) != (verdict == CORRECTED):
        raise UserError(f"{where}: corrected.says: the sentence of what holds as corrected alone")
    stated = {key: value[key] for key in KEYS if key in value and key != "corrected"}
    if corrected:
        stated["corrected"] = corrected
    if not stated and name not in MEASURES:
        raise UserError(f"{where}: measure = {name!r}: there is {', '.join(MEASURES)}")
    if stated and name in MEASURES:
        raise UserError(f"{where}: measure = {name!r}: is there, and needs no {next(iter(stated))}")
    figures = Comparison(stated, where, constants) if stated else MEASURES[name]
    return ClaimEntry(value.get("says", ""), name, figures, verdict, items, sentence)
