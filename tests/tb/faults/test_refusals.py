"""Each rule of parameters refuses: it is broken alone, and is seen to say so."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.tb.faults.refusals import Rule, refused, rules, taken

pytestmark = pytest.mark.usefixtures("icarus")

RULES = rules()
TB = Path(__file__).parents[1]
TABLES = [
    tomllib.loads((TB / "faults" / "refusals.toml").read_text()),
    *(
        tomllib.loads(f.read_text())["modules"]
        for f in sorted(TB.glob("families/*/mistakes*.toml"))
    ),
]
CASES: dict[str, dict[str, str]] = {module: of for table in TABLES for module, of in table.items()}
SMALL = "small"
ALIKE = Counter((rule.module, rule.name) for rule in RULES)


def key(rule: Rule) -> str:
    """What a rule is called among those of its module."""
    several = ALIKE[rule.module, rule.name] > 1
    return f"{rule.name}: {rule.allowed}" if several else rule.name


def small(module: str) -> str:
    """Parameters of a small one, which are quick to read."""
    return CASES[module].get(SMALL, "")


def test_every_rule_has_a_case() -> None:
    """And there are no others: sources and table agree."""
    found = {(rule.module, key(rule)) for rule in RULES}
    assert len(found) == len(RULES) > 100
    assert {(module, name) for module, of in CASES.items() for name in of if name != SMALL} == found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.module}-{key(rule)}")
def test_it_refuses(rule: Rule, tmp_path: Path) -> None:
    parameters = f"{small(rule.module)} {CASES[rule.module][key(rule)]}"
    assert refused(rule, parameters, tmp_path) == ""


@pytest.mark.parametrize("module", sorted(CASES))
def test_nothing_else_is_refused(module: str) -> None:
    """So it is the parameters of the table that are refused."""
    assert taken(module, small(module)) == ""


@pytest.mark.parametrize("rule", [r for r in RULES if r.module == "arbiter"], ids=key)
def test_a_rule_that_is_kept_refuses_nothing(rule: Rule, tmp_path: Path) -> None:
    """So this way of asking can fail: with no parameters, and with those of another rule."""
    others = [r for r in RULES if r.module == rule.module and r != rule]
    for parameters in ("", *(CASES[rule.module][key(r)] for r in others)):
        assert refused(rule, parameters, tmp_path) != ""
