"""Reads a network of a user's, and its forwarding tables."""

from collections.abc import Callable
from typing import TypeVar

from fattree_bench.errors import UserError
from fattree_bench.topology import forwarding
from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, read_text
from fattree_bench.topology.formats import reader_of
from fattree_models import topology

LOOPED = 3  # cables that are named
Made = TypeVar("Made")


def read(name: str, form: str = "") -> Cabling:
    """The contents of a file; UserError names the faulty line."""
    text = read_text(name)
    reader = reader_of(name, text, form)
    found = _located(name, lambda: reader(text))
    if found.looped:
        few = f"{', '.join(found.looped[:LOOPED])}{' …' if len(found.looped) > LOOPED else ''}"
        found.notes.append(f"left out, from a node to itself: {few}")
    return found


def fabric_of(name: str, cabling: Cabling) -> topology.Fabric:
    """The network described by a file; UserError if it is invalid or too large."""
    try:
        fabric = topology.build(cabling.nodes, cabling.links)
        return fabric.of_speeds(topology.ratios(cabling.speeds, len(cabling.links)))
    except ValueError as error:
        raise UserError(f"{name}: {error}") from None


def entries_of(name: str, cabling: Cabling, fabric: topology.Fabric) -> list[forwarding.Entry]:
    """The entries of forwarding tables; UserError names the faulty line."""
    text = read_text(name)
    found = _located(name, lambda: forwarding.read(text, cabling, fabric))
    if not found:
        raise UserError(f"{name}: has no entry for a host of the topology")
    return found


def _located(name: str, make: Callable[[], Made]) -> Made:
    try:
        return make()
    except Wrong as wrong:
        raise UserError(f"{name}:{wrong.line}: {wrong}") from None
