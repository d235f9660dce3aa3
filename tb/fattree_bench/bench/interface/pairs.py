"""Which leaf may send to which: traffic.self, and traffic.pairs as a list or as a rule.

A rule is an expression of `source` and `destination`, the numbers of leaves; letters of leaves are
numbers in it.  The names in RULES stand for what a router of a mesh needs.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.interface.description import TrafficTable, Wrong
from fattree_models.common.checks import BoolArray, Int64Array

OTHERS = "source != destination"
RULES = {  # first along X, then along Y, never back; and the same with X and Y exchanged
    "others": OTHERS,
    "xy": f"{OTHERS} and not (source in (N, S) and destination in (E, W))",
    "yx": f"{OTHERS} and not (source in (E, W) and destination in (N, S))",
}
LONGEST = 1000  # letters of a rule
MOST = 1 << 40  # a number in a rule
BINARY: Mapping[type[ast.AST], np.ufunc] = {
    **{ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Mod: np.remainder},
    **{ast.FloorDiv: np.floor_divide, ast.BitXor: np.bitwise_xor, ast.BitAnd: np.bitwise_and},
    **{ast.Eq: np.equal, ast.NotEq: np.not_equal, ast.Lt: np.less, ast.LtE: np.less_equal},
    **{ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.And: np.logical_and},
    **{ast.Or: np.logical_or},
}


def legal(
    wrong: Wrong, said: TrafficTable, sides: tuple[int, int], letters: Sequence[str]
) -> BoolArray:
    """Which input may send to which output, bool [inputs, outputs]; UserError for a bad rule."""
    source, destination = np.indices(sides)
    found = np.full(sides, True) if said.self else source != destination
    if isinstance(said.pairs, str):
        if rule := said.pairs:
            key, rule = f"traffic.pairs = {rule!r}", RULES.get(rule, rule)
            must = f"pairs, {', '.join(RULES)}, or a rule, as source != destination"
            found &= ruled(wrong, key, rule, must, letters, sides) != 0
    else:
        found &= _listed(wrong, said.pairs, sides, letters)
    if not found.any():
        raise wrong("traffic.pairs: no pair is legal")
    return found


def _listed(
    wrong: Wrong, listed: Sequence[list[int | str]], sides: tuple[int, int], letters: Sequence[str]
) -> BoolArray:
    found = np.full(sides, False)
    for pair in listed:
        known = (letters.index(x) if isinstance(x, str) and x in letters else x for x in pair)
        numbers = [x if type(x) is int else -1 for x in known]
        right = len(pair) == 2 and all(
            0 <= x < most for x, most in zip(numbers, sides, strict=True)
        )
        if not right:
            most = f"0 … {sides[0] - 1}, and a destination, 0 … {sides[1] - 1}"
            raise wrong(f"traffic.pairs: {pair!r} in the list: must be a source, {most}")
        found[*numbers] = True
    return found


def ruled(
    wrong: Wrong, key: str, rule: str, must: str, letters: Sequence[str], sides: tuple[int, int]
) -> Int64Array:
    """The value of an expression of source and destination, int64 [inputs, outputs]."""
    source, destination = np.indices(sides)
    known = {letter[0].upper(): i for i, letter in enumerate(letters)}
    known |= {letter: i for i, letter in enumerate(letters)}
    try:
        if len(rule) > LONGEST:
            raise ValueError
        with np.errstate(all="raise"):
            tree = ast.parse(rule.strip(), mode="eval").body
            found = _worked(tree, {**known, "source": source, "destination": destination})
        return np.broadcast_to(found, sides)
    except KeyError as error:
        name = str(error.args[0])
        missing = "is unknown" if repr(rule) in key else "names no leaf: see design.letters"
        raise wrong(f"{key}: {name} {missing}") from None
    except (ArithmeticError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError):
        raise wrong(f"{key}: must be {must}") from None


def _worked(node: ast.expr, known: Mapping[str, int | Int64Array]) -> Int64Array:
    """The value of an expression for all pairs at once."""

    def of(one: ast.expr) -> Int64Array:
        return _worked(one, known)

    match node:
        case ast.Constant(value=int(number)) if abs(number) < MOST:
            return _whole(number)
        case ast.Name(id=name):
            return _whole(known[name])
        case ast.UnaryOp(op=ast.Not(), operand=one):
            return _whole(np.logical_not(of(one)))
        case ast.BoolOp(op=op, values=values):
            return _whole(reduce(BINARY[type(op)], map(of, values)))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _whole(BINARY[type(op)](of(left), of(right)))
        case ast.Compare(left=left, ops=ops, comparators=rest):
            ends = zip(ops, (left, *rest), rest, strict=False)
            return _whole(reduce(np.logical_and, (_compared(op, a, b, of) for op, a, b in ends)))
    raise ValueError


def _compared(
    op: ast.cmpop, left: ast.expr, right: ast.expr, of: Callable[[ast.expr], Int64Array]
) -> Int64Array:
    if isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List):
        inside = np.isin(of(left), [of(one) for one in right.elts])
        return _whole(inside if isinstance(op, ast.In) else ~inside)
    if type(op) not in BINARY:
        raise ValueError
    return _whole(BINARY[type(op)](of(left), of(right)))


def _whole(value: npt.ArrayLike) -> Int64Array:
    return np.asarray(value, np.int64)
