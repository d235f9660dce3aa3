"""Reads the registry of what the papers say.

A file has a table for each section of its paper, and in it the items by number: what each says, or
keys of `Item`.  An item is decided by one of these:

* a claim of the testplan, or of an engine, that has the item's number among its `items`;
* `check`: a testpoint, or a pytest file or test, that would fail if a definition or construction
  were not as the item says;
* `undecided`: why nothing that is measured here decides it.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
LETTERS = "LBSOF"  # with which numbers begin, paper by paper


@dataclass(frozen=True)
class Item:
    """One thing that a paper says: where, in words of our own, and what decides it if no claim."""

    number: str
    section: str
    says: str
    check: str = ""
    undecided: str = ""


@dataclass(frozen=True)
class Paper:
    """A paper and its items, by number."""

    title: str
    authors: str
    items: list[Item]


@cache
def papers() -> tuple[Paper, ...]:
    """All of them."""
    made = []
    for path in FOLDER.glob("*.toml"):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        items = [
            Item(number, section, **(entry if isinstance(entry, dict) else {"says": entry}))
            for section, entries in data["sections"].items()
            for number, entry in entries.items()
        ]
        items.sort(key=lambda item: int(item.number[1:]))
        made.append(Paper(data["title"], data["authors"], items))
    return tuple(sorted(made, key=lambda paper: LETTERS.index(paper.items[0].number[0])))


def items() -> dict[str, Item]:
    """Every item by its number."""
    return {item.number: item for paper in papers() for item in paper.items}


def cited(number: str) -> str:
    """Where an item stands, as in "Leiserson 1985, section IV, Theorem 4"."""
    (paper,) = (paper for paper in papers() if paper.items[0].number[0] == number[0])
    return f"{paper.authors}, section {items()[number].section}"
