"""Traffic patterns by name, as a user writes them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from fattree_models.common.checks import Int32Array, check_integer
from fattree_models.traffic import permutations
from fattree_models.traffic.choice import Choice
from fattree_models.traffic.patterns import (
    Hotspot,
    Offsets,
    Pattern,
    RoundRobin,
    permutation,
    uniform,
)
from fattree_models.traffic.permutations import Radix
from fattree_models.traffic.words import check_nodes, check_text, integer, real


def pattern(text: str, nodes: int, radix: Radix = None, seed: int = 0) -> Pattern:
    """Return the traffic pattern that a user names.

    Parameters
    ----------
    text : str
        One of these; s and d are source and destination, N the nodes, b = ceil(log2 N):

        uniform, uniform:self
            All other nodes; with `:self`, as in BookSim, also s itself.
        bitcomp
            d = N-1-s.
        bitrev, shuffle, rotation
            Bits reversed, rotated left, rotated right by one; no traffic where that is >= N.
        transpose, transpose:ROWS
            Of the matrix of the nodes, by rows; else the one nearest to a square.
        tornado, neighbor, tornado:RADIX, neighbor:RADIX
            Each digit moved on by ceil(k/2)-1, or by 1; the radix k written here goes before that
            of the call.
        randperm, randperm:SEED
            A fixed random permutation, of `seed` if none is given.
        shift:PLACES
            d = s + PLACES mod N.
        hotspot:NODES, hotspot:NODES:SHARE
            All packets, or that share of them, go to some nodes, the others are uniform.  NODES are
            separated by commas and may have weights, `0=3,5`: node 0 is three times as hot as 5.
        round_robin
            All other nodes in turn.
        asymmetric
            d = s mod N/2, or N/2 more, equally likely; N is even.
        diagonal
            d = s + 1 for a third of the packets, else s.
        logdiagonal
            d = s + j with a share in proportion to 2^-j, j = 0 … N-1.
        unbalanced:SHARE
            d = s for that share, the others uniform with s among them.
        background:NODES
            All other nodes without those listed, which only send.
        permutation:NODES
            d of each s, -1 for no traffic.
    nodes : int
        N, 2 … 2^20.
    radix : int, sequence of int, or None
        Of the digits of node numbers, for tornado and neighbor; a sequence has the radix of each
        digit, least significant first.  None: the whole number is one digit.
    seed : int
        For randperm.

    Notes
    -----
    As defined in BookSim's manual and traffic.cpp; what is undefined there for numbers of nodes
    that are no power of two is ours.  A node that a permutation maps to itself does send to itself,
    as in BookSim.  logdiagonal and unbalanced: from the literature on input-queued switches.

    Examples
    --------
    >>> pattern("bitrev", 8).fixed
    array([0, 4, 2, 6, 1, 5, 3, 7], dtype=int32)
    >>> pattern("hotspot:1:0.5", 3).matrix()
    array([[0.  , 0.75, 0.25],
           [0.25, 0.5 , 0.25],
           [0.25, 0.75, 0.  ]])
    """
    nodes, seed = check_nodes(nodes), check_integer("seed", seed, 0)
    name, colon, argument = check_text("pattern", text).strip().partition(":")
    if name not in _KNOWN:
        raise ValueError(f"unknown pattern {name!r}; allowed are {', '.join(PATTERN_FORMS)}")
    form, make = _KNOWN[name]
    needed, possible = form.startswith(f"{name}:"), form.startswith((f"{name}:", f"{name}[:"))
    if not (possible if argument else not needed and not colon):
        raise ValueError(f"{text.strip()!r} is not a pattern; allowed is {form}")
    return replace(make(_Wish(argument, nodes, radix, seed)), name=text.strip())


@dataclass(frozen=True)
class _Wish:
    """What stands after the colon, and of what a pattern is asked for."""

    argument: str
    nodes: int
    radix: Radix
    seed: int

    def number(self, name: str, low: int, high: int) -> int | None:
        """The argument as a number; None if there is none."""
        return integer(name, self.argument.strip(), low, high) if self.argument else None

    def share(self) -> float:
        """The argument as a share."""
        return real("share", self.argument.strip(), 1.0)

    def list_of_nodes(self, low: int = 0) -> list[int]:
        """The argument as a list of nodes."""
        words = self.argument.split(",")
        return [integer("node", word.strip(), low, self.nodes - 1) for word in words]


def _permutation(of: Callable[[int], Int32Array]) -> Callable[[_Wish], Pattern]:
    return lambda wish: permutation(of(wish.nodes))


def _uniform(wish: _Wish) -> Pattern:
    if wish.argument not in ("", "self"):
        raise ValueError(f"uniform: has {wish.argument!r}; allowed is self")
    return uniform(wish.nodes, itself=bool(wish.argument))


def _transpose(wish: _Wish) -> Pattern:
    rows = wish.number("rows", 1, wish.nodes)
    return permutation(permutations.transpose(wish.nodes, rows))


def _digits(of: Callable[[int, Radix], Int32Array]) -> Callable[[_Wish], Pattern]:
    def make(wish: _Wish) -> Pattern:
        radix = wish.number("radix", 2, wish.nodes)
        return permutation(of(wish.nodes, wish.radix if radix is None else radix))

    return make


def _random(wish: _Wish) -> Pattern:
    seed = wish.number("seed", 0, 2**32 - 1)
    return permutation(
        permutations.random_permutation(wish.nodes, wish.seed if seed is None else seed)
    )


def _shift(wish: _Wish) -> Pattern:
    places = integer("places", wish.argument.strip(), -(2**31), 2**31)
    return permutation(permutations.shift(wish.nodes, places % wish.nodes))


def _hotspot(wish: _Wish) -> Pattern:
    spots, colon, share = wish.argument.partition(":")
    nodes, weights = [], []
    for word in spots.split(","):
        node, equals, weight = word.partition("=")
        nodes.append(integer("node", node.strip(), 0, wish.nodes - 1))
        weights.append(real("weight", weight.strip(), 1e6) if equals else 1.0)
    part = real("share", share.strip(), 1.0) if colon else 1.0
    if part == 0.0:
        raise ValueError("share: is 0; allowed are numbers above 0, at most 1")
    return Hotspot("hotspot", wish.nodes, Choice.of(nodes, weights), part)


def _asymmetric(wish: _Wish) -> Pattern:
    if wish.nodes % 2:
        raise ValueError(f"asymmetric: there are {wish.nodes} nodes; allowed are even numbers")
    # Half the nodes away, or not: s mod N/2 and N/2 more are s and the node opposite.
    return Offsets("asymmetric", wish.nodes, Choice.of([0, wish.nodes // 2], [1, 1]))


def _diagonal(wish: _Wish) -> Pattern:
    return Offsets("diagonal", wish.nodes, Choice.of([0, 1], [2, 1]))


def _log_diagonal(wish: _Wish) -> Pattern:
    j = np.arange(min(wish.nodes, 1000))  # smaller shares than 2^-999 are 0
    return Offsets("logdiagonal", wish.nodes, Choice.of(j, 0.5**j))


def _unbalanced(wish: _Wish) -> Pattern:
    share = wish.share()
    weights = np.full(wish.nodes, (1.0 - share) / wish.nodes)
    weights[0] += share
    return Offsets("unbalanced", wish.nodes, Choice.of(np.arange(wish.nodes), weights))


def _background(wish: _Wish) -> Pattern:
    return uniform(wish.nodes, without=wish.list_of_nodes())


def _given(wish: _Wish) -> Pattern:
    to = wish.list_of_nodes(low=-1)
    if len(to) != wish.nodes:
        raise ValueError(f"permutation: lists {len(to)} nodes; allowed are {wish.nodes}")
    return permutation(to)


_KNOWN: dict[str, tuple[str, Callable[[_Wish], Pattern]]] = {
    "uniform": ("uniform[:self]", _uniform),
    "bitcomp": ("bitcomp", _permutation(permutations.complement)),
    "bitrev": ("bitrev", _permutation(permutations.bit_reversal)),
    "shuffle": ("shuffle", _permutation(permutations.shuffle)),
    "rotation": ("rotation", _permutation(permutations.rotation)),
    "transpose": ("transpose[:ROWS]", _transpose),
    "tornado": ("tornado[:RADIX]", _digits(permutations.tornado)),
    "neighbor": ("neighbor[:RADIX]", _digits(permutations.neighbor)),
    "randperm": ("randperm[:SEED]", _random),
    "shift": ("shift:PLACES", _shift),
    "hotspot": ("hotspot:NODE[=WEIGHT],…[:SHARE]", _hotspot),
    "round_robin": ("round_robin", lambda wish: RoundRobin("round_robin", wish.nodes)),
    "asymmetric": ("asymmetric", _asymmetric),
    "diagonal": ("diagonal", _diagonal),
    "logdiagonal": ("logdiagonal", _log_diagonal),
    "unbalanced": ("unbalanced:SHARE", _unbalanced),
    "background": ("background:NODE,…", _background),
    "permutation": ("permutation:NODE,…", _given),
}

PATTERN_FORMS = tuple(form for form, _ in _KNOWN.values())
"""What a user may write, a form a pattern."""
