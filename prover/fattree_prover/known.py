"""Everything proved about a sound system, found once and kept in a file."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_prover.btor import System
from fattree_prover.carried import Carried, carried
from fattree_prover.hints import Hints
from fattree_prover.holders import Holders, held
from fattree_prover.lemmas import Finder, Lemma

Known = Lemma | Carried | Holders


def find(sound: System, seconds: float, hints: Hints) -> list[Known]:
    """Lemmas of all kinds, found within `seconds` of CPU time."""
    finder = Finder(sound, seconds)
    found = finder.find()
    return [*found, *carried(finder, found, hints), *held(finder, found)]


def write(path: Path, known: list[Known]) -> None:
    """Write lemmas as JSON."""
    path.write_text(json.dumps([asdict(each) for each in known]))


def read(path: Path) -> list[Known]:
    """Read what `write` wrote."""
    return [_made(each) for each in json.loads(path.read_text())]


def _made(given: dict[str, Any]) -> Known:
    """A lemma from JSON, which has lists for tuples."""
    made = {name: _tuples(value) for name, value in given.items()}
    kinds: dict[str, type[Known]] = {"patterns": Carried, "holders": Holders, "values": Lemma}
    return next(kind for name, kind in kinds.items() if name in made)(**made)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
