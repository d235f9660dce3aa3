"""The families of networks: a folder each.  They are found by looking; nothing lists them.

What a folder offers, each in a file (or a package) of a fixed name.  Every family has

__init__.py : its docstring is its row of the table of networks in the README.
network.py : NETWORKS, classes of its networks (bench.network.Network); one has the family's name.
    Networks that share tests with those of other families have the same in `kin`.
scenarios.py : SCENARIOS, its tests (bench.scenario.Registry); a network may have an attribute
    `brought`, scenarios that came with it.
cover.py : groups(network), its functional coverage (bench.groups.Group).
environment.py : ENVIRONMENT, what checks it (bench.environment.BenchEnv).

and may have

SHARED : in __init__.py: the folder of the parts that it does not have itself.
testplan*.toml, exclusions.toml : what is verified, and what coverage need not reach.
planned.py : testplan(network), the same as tables, made of what the network promises.
scaffold.py : LINKS, scaffold(name, link, shim): files that begin a description of a network.
claims.py, claims_*.py, claims/ : measures of what papers claim of it: functions of tests.
words.py : told(result), what its figures mean for a person, in sentences.
proofs.py : PROOFS of its blocks (proof.Proof).
area.py : KINDS of designs to be synthesized, ROUTED networks, judge(), compared() (design);
    designed(network), any of its networks as such a design.
universality.py : EXPERIMENT, networks that it simulates (experiment.Experiment).
optimise.py : OPTIMISER, what finds its cheapest networks (optimiser.Optimiser).
modelled.py : MODELLING, a clock-exact model in the place of the RTL (modelling.Modelling).
speed.py : SPEED, what `make bench` plays (speed.Speed).
topology.py : PLAYER, what plays a user's fat-tree in its RTL (player.Player).
show.py : SHOW, a run as a page plays it (showing.Show); a network of flits that has a structure
    needs none (flit_show).
drawings.py : DRAWINGS, figures of papers for docs/drawings.md (drawing.Drawing).
hdl/ : checks next to the network in its bench top, area_*.v, wrappers of its proofs.
"""

import ast
import importlib
import importlib.util
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from fattree_bench.bench.brought import Known, tests_of
from fattree_bench.bench.groups import Group
from fattree_bench.bench.network import Network
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Registry, Scenario
from fattree_bench.errors import UserError, meant

FOLDER = Path(__file__).resolve().parent
DEFAULT = "lbbvn"  # the network without NETWORK=
DESCRIBED = "foreign"  # the network of a DESIGN, a file of the user's
DEFAULT_SWEPT = "xgft"  # the same for those whose load is swept
FAMILIES = tuple(  # ours first
    sorted(
        (path.parent.name for path in FOLDER.glob("*/network.py")),
        key=lambda x: (x == DESCRIBED, x),
    )
)


@cache
def _home(family: str, name: str) -> str:
    """The folder of a family's module, or package, of that name; "" if there is none."""
    homes = [family, getattr(importlib.import_module(f"{__name__}.{family}"), "SHARED", family)]
    files = f"{name}.py", f"{name}/__init__.py"
    there = (home for home in homes if any((FOLDER / home / file).exists() for file in files))
    return next(there, "")


def part(family: str, name: str) -> ModuleType:
    """A module of a family; ImportError if it has none of that name."""
    return importlib.import_module(f"{__name__}.{_home(family, name) or family}.{name}")


def has(family: str, name: str) -> bool:
    """Whether a family has a module, or a package, of that name."""
    return bool(_home(family, name))


def about(family: str) -> str:
    """What a family is, in a line."""
    text = (FOLDER / family / "__init__.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").removesuffix(".")


def offered(name: str, value: str) -> Iterator[tuple[str, Any]]:
    """(family, value of its module) of every family whose module has it."""
    for family in FAMILIES:
        if has(family, name) and hasattr(module := part(family, name), value):
            yield family, getattr(module, value)


def parts(name: str) -> Iterator[ModuleType]:
    """The modules of all families that are called so, NAME_*.py and NAME/*.py among them."""
    for path in sorted([*FOLDER.glob(f"*/{name}*.py"), *FOLDER.glob(f"*/{name}/*.py")]):
        if path.name != "__init__.py":
            words = path.relative_to(FOLDER).with_suffix("").parts
            yield importlib.import_module(".".join([__name__, *words]))


def planned(network: str) -> bool:
    """Whether its family makes testplans of what such a network promises."""
    return network in NETWORKS and has(family(network), "planned")


def files(pattern: str) -> list[Path]:
    """Files in the folders of all families."""
    return [path for family in FAMILIES for path in sorted((FOLDER / family).glob(pattern))]


class Networks(Mapping[str, type[Network]]):
    """All networks by name; a family is imported when somebody asks for one that it may have.

    Every simulation imports this, and needs one family.
    """

    def __init__(self) -> None:
        self._known: dict[str, type[Network]] = {}
        self._unread = list(FAMILIES)

    def _read(self, family: str) -> None:
        networks = part(family, "network").NETWORKS
        self._unread.remove(family)
        self._known |= {network.name: network for network in networks}

    def __getitem__(self, name: str) -> type[Network]:
        def unlikely(family: str) -> bool:
            text = (FOLDER / family / "network.py").read_text()
            return family != name and f'name = "{name}"' not in text

        while name not in self._known and self._unread:
            self._read(min(self._unread, key=unlikely))
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        for unread in list(self._unread):
            self._read(unread)
        return iter(sorted(self._known, key=lambda name: FAMILIES.index(family(name))))

    def __len__(self) -> int:
        return sum(1 for _ in self)


NETWORKS = Networks()


def find(name: str) -> type[Network]:
    """The network of that name; UserError otherwise."""
    if name not in NETWORKS:
        near = meant(name, NETWORKS) or ";"
        raise UserError(f"NETWORK={name}: no such network{near} there is {', '.join(NETWORKS)}")
    return NETWORKS[name]


def family(name: str) -> str:
    """The family of a network: its networks share tests and testpoints."""
    return find(name).__module__.split(".")[-2]


def plan_names(network: str) -> tuple[str, ...]:
    """What testplans call a network: its family, and those that it shares tests with."""
    return (family(network), *find(network).about.kin)


def planned_as(name: str) -> list[str]:
    """The networks that testplans call so."""
    return [network for network in NETWORKS if name in plan_names(network)]


def scenarios(network: str | Network) -> Registry:
    """The tests of a network by name; of a network itself, with those that came with it."""
    name = network if isinstance(network, str) else network.name
    found: Registry = part(family(name), "scenarios").SCENARIOS
    brought = {} if isinstance(network, str) else getattr(network, "brought", {})
    return Known({**found, **brought})


def played(network: Network) -> Any:
    """A run of a network as a page plays it (showing.Show); None if it cannot."""
    if has(family(network.name), "show"):
        return part(family(network.name), "show").SHOW
    if network.structure is None or not hasattr(network, "layout"):
        return None
    return importlib.import_module(f"{__name__}.flit_show").show(network)


def told(network: str, result: ScenarioResult) -> list[str]:
    """What figures of a result say beyond what all networks have, a sentence each."""
    return list(_said(network, told.__name__, result))


def foretold(network: Network) -> Iterator[Any]:
    """What the model says of traffic of a user's own before it is played: sentences, tables."""
    yield from _said(network.name, foretold.__name__, network)


def _said(network: str, function: str, about: Any) -> Iterator[Any]:
    """What a function of a family's words yields, if it has it."""
    words = part(name, "words") if has(name := family(network), "words") else None
    yield from getattr(words, function, lambda _: ())(about)


def cover_groups(network: Network) -> list[Group]:
    """The functional coverage of a network: what must be tried, nothing hit yet."""
    found: list[Group] = part(family(network.name), "cover").groups(network)
    return found


def select(network: str | Network, pattern: str) -> list[Scenario]:
    """Scenarios of a network by name or glob, comma-separated; UserError if none match.

    Those of a user's file are my_tests.py::NAME, or my_tests.py: all of them.
    """
    own = scenarios(network)
    chosen: list[Scenario] = []
    for word in pattern.split(","):
        file, _, name = word.partition("::")
        known: dict[str, Scenario] = tests_of(file) if file.endswith(".py") else own
        glob = f"{file}::{name or '*'}" if file.endswith(".py") else word
        found = [s for s in known.values() if fnmatchcase(s.name, glob)]
        if not found:
            name = network if isinstance(network, str) else network.name
            there = f"{meant(word, known) or ';'} there is {', '.join(known)}"
            raise UserError(f"TEST={word}: no such test of {name}{there}")
        chosen += [s for s in found if s not in chosen]
    return chosen
