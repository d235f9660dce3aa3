"""Each rule of parameters refuses: it is broken alone, and is seen to say so (refusals.toml)."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.tb.faults.refusals import Rule, refused, rules

pytestmark = pytest.mark.usefixtures("icarus")

RULES = rules()
CASES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("refusals.toml").read_text()
)
ALIKE = Counter((rule.module, rule.name) for rule in RULES)


def key(rule: Rule) -> str:
    """What a rule is called among those of its module."""
    several = ALIKE[rule.module, rule.name] > 1
    return f"{rule.name}: {rule.allowed}" if several else rule.name


def test_every_rule_has_a_case() -> None:
    """And there are no others: sources and table agree."""
    found = {(rule.module, key(rule)) for rule in RULES}
    assert len(found) == len(RULES) > 100
    assert {(module, name) for module, of in CASES.items() for name in of} == found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.module}-{key(rule)}")
def test_it_refuses(rule: Rule, tmp_path: Path) -> None:
    assert refused(rule, CASES[rule.module][key(rule)], tmp_path) == ""


@pytest.mark.parametrize("module", sorted(CASES))
def test_nothing_is_refused_by_default(module: str, tmp_path: Path) -> None:
    """So it is the parameters of the table that are refused."""
    for rule in RULES:
        if rule.module == module:
            assert refused(rule, "", tmp_path) != "", rule
