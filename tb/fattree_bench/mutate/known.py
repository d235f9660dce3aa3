"""All that is known of a sound network: found once, kept beside its netlist."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_bench.mutate.btor import Netlist
from fattree_bench.mutate.carried import Carried, carried
from fattree_bench.mutate.holders import Holders, held
from fattree_bench.mutate.lemmas import Finder, Lemma

Known = Lemma | Carried | Holders
FILE = "lemmas.json"


def find(sound: Netlist, seconds: float, recorded: tuple[int, int]) -> list[Known]:
    """What is always true, in so much CPU time; `recorded`: see carried."""
    finder = Finder(sound, seconds)
    found = finder.find()
    return [*found, *carried(finder, found, recorded), *held(finder, found)]


def write(folder: Path, known: list[Known]) -> None:
    """Keep it beside the netlist."""
    (folder / FILE).write_text(json.dumps([asdict(each) for each in known]))


def read(folder: Path) -> list[Known]:
    """What `write` kept."""
    return [_made(each) for each in json.loads((folder / FILE).read_text())]


def _made(given: dict[str, Any]) -> Known:
    """As json gives it back: lists are no tuples."""
    made = {name: _tuples(value) for name, value in given.items()}
    kinds: dict[str, type[Known]] = {"patterns": Carried, "holders": Holders, "values": Lemma}
    return next(kind for name, kind in kinds.items() if name in made)(**made)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
