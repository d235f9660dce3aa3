"""Shapes of fat-trees: how each family says which XGFT it is."""

from __future__ import annotations

from functools import cached_property

from fattree_bench.errors import UserError
from fattree_bench.settings import Settings, Variable, number, parsed, plain
from fattree_models.common import fat_tree
from fattree_models.common.fat_tree import Xgft

MAX_LEAVES = 4096
MAX_LEVELS = 8
NUMBER = "a number, {low} … {high}"


class Shape(Settings):
    """The variables that a tree is made of."""

    @cached_property
    def tree(self) -> Xgft:
        """UserError names what is wrong."""
        told = " ".join(f"{name}={text}" for name, text in self.variables().items() if text)
        try:
            tree = self.make()
        except ValueError as error:
            raise UserError(f"{told}: {error}") from None
        if tree.height > MAX_LEVELS:
            raise UserError(f"{told}: {tree.height} levels; must be 1 … {MAX_LEVELS}")
        if not 2 <= tree.leaves <= MAX_LEAVES:
            raise UserError(f"{told}: {tree.leaves} leaves; must be 2 … {MAX_LEAVES}")
        return tree

    def make(self) -> Xgft:
        """ValueError if no such tree exists."""
        raise NotImplementedError


def by_level(name: str, default: str, help: str) -> Variable[tuple[int, ...]]:
    """Numbers, one per level."""

    def read(text: str) -> tuple[int, ...]:
        try:
            return tuple(plain(word.strip()) for word in text.split(","))
        except ValueError:
            raise ValueError("must be one number a level, as 4,4,3") from None

    return parsed(name, default, help, read, lambda digits: ",".join(map(str, digits))).but(
        labelled=True
    )


def level_count(name: str, default: int) -> Variable[int]:
    return number(name, default, 1, MAX_LEVELS, "levels of switches")


class XgftShape(Shape):
    m = by_level("M", "4,4,3", "children of the switches of each level, the lowest first")
    w = by_level("W", "1,2,2", "parents of the nodes of each level, the leaves first")

    def make(self) -> Xgft:
        return Xgft(self.m, self.w)


class KaryShape(Shape):
    k = number("K", 4, 2, 1024, "children of a switch, and parents: {allowed}", allowed=NUMBER)
    levels = level_count("LEVELS", 3)

    def make(self) -> Xgft:
        return fat_tree.kary(self.k, self.levels)


class GftShape(Shape):
    levels = level_count("H", 2)
    m = number("M", 4, 1, 1024, "children of a switch: {allowed}", allowed=NUMBER)
    w = number("W", 2, 1, 64, "parents of a node, leaves included: {allowed}", allowed=NUMBER)

    def make(self) -> Xgft:
        return fat_tree.gft(self.levels, self.m, self.w)


class PortShape(Shape):
    """All switches have as many ports: FT(m, n)."""

    ports = number(
        "PORTS", 4, 2, 64, "ports of a switch: {allowed}", allowed="an even number, {low} … {high}"
    )
    levels = level_count("LEVELS", 3)

    def make(self) -> Xgft:
        return fat_tree.ftree_mn(self.ports, self.levels)
