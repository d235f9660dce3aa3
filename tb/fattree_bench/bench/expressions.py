"""Measures of claims as data: figures and verdicts are expressions over recorded numbers.

A claim of a testplan states its measure:

    claim.figure = "{number(sum(pairs_halved))} of {number(sum(pairs))} pairs halved"
    claim.holds = ["sum(pairs_halved) == sum(pairs)"]

A name is a column: that number of every check that recorded all names of the measure.  Operators
work element by element, as in numpy; `[constants]` are numbers for all claims of a file.

Keys
----
figure : what is said, as an f-string without its quotes.
holds : expressions that are all true if the claim is right.
corrected : a table with `figure` and `holds` of the claim as we correct it.
readings : a list of such tables, of the claim under other readings of its words.
rows : lists of names that different checks recorded; by default one list of them all.
if : whether there is anything to say.
where : which rows count.
order : what rows are sorted by.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from types import CodeType

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.claims import NOTHING, Figure, Measured, recorded
from fattree_bench.bench.result import Record, Test
from fattree_bench.errors import UserError
from fattree_bench.words import number, plural

FUNCTIONS: dict[str, Callable[..., object]] = {
    **{f.__name__: f for f in (abs, all, any, int, len, max, min, sum)},
    "each": lambda form, *columns: ", ".join(map(form.format, *columns)),
    "larger": np.maximum,
    "lower": lambda values: values[: len(values) // 2],
    "number": lambda value: number(int(value)),
    "plural": lambda count, noun: plural(int(count), noun),
    "rising": lambda values: bool((np.diff(values) >= 0).all()),
    "same": lambda right: f"{sum(right)} of {len(right)}",
    "upper": lambda values: values[len(values) // 2 :],
}
# No attributes and no other calls; nor `and`, `not` and chains, which take a column for a number.
PARTS = (
    *(ast.Constant, ast.Name, ast.Load, ast.Call, ast.BinOp, ast.UnaryOp, ast.operator),
    *(ast.USub, ast.Invert, ast.Compare, ast.cmpop, ast.IfExp, ast.Subscript, ast.Slice),
    *(ast.JoinedStr, ast.FormattedValue),
)
KEYS = ("figure", "holds", "corrected", "readings", "rows", "if", "where", "order")
Names = Mapping[str, npt.NDArray[np.float64] | float]


class Expression:
    """A compiled expression; UserError if it is none, or has a part that is not allowed."""

    def __init__(self, source: object, where: str, text: bool = False) -> None:
        self.where = f"{where} = {source!r}"
        if not isinstance(source, str):
            raise UserError(f"{self.where}: must be a text")
        try:
            tree = ast.parse(f'f"""{source}"""' if text else source, mode="eval")
        except (SyntaxError, ValueError) as error:
            raise UserError(f"{self.where}: {error}") from None
        nodes = list(ast.walk(tree.body))
        for node in nodes:
            if not isinstance(node, PARTS) or (isinstance(node, ast.Compare) and node.ops[1:]):
                raise UserError(f"{self.where}: {ast.unparse(node) or node}: is not allowed")
            if isinstance(node, ast.Call) and ast.unparse(node.func) not in FUNCTIONS:
                raise UserError(f"{self.where}: {ast.unparse(node.func)}: no such function")
        self.names = {node.id for node in nodes if isinstance(node, ast.Name)} - set(FUNCTIONS)
        self._code: CodeType = compile(tree, "<expression>", "eval")

    def value(self, names: Names) -> object:
        """The value with these columns; UserError if it has none."""
        try:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                return eval(self._code, {"__builtins__": {}, **FUNCTIONS, **names})
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise UserError(f"{self.where}: {error}") from None

    def truth(self, names: Names) -> bool:
        """The value, which must be a single yes or no."""
        value = self.value(names)
        if not isinstance(value, bool | np.bool_):
            raise UserError(f"{self.where}: is {value}; must be a single yes or no")
        return bool(value)


class Statement:
    """A figure in words, and what must be true of it."""

    def __init__(self, given: object, where: str) -> None:
        table = _checked(given, where, ("figure", "holds"))
        if not isinstance(table["holds"], list) or not table["holds"]:
            raise UserError(f"{where}: holds = {table['holds']!r}: must be a list of expressions")
        self.text = Expression(table["figure"], f"{where}: figure", text=True)
        self.holds = [Expression(one, f"{where}: holds") for one in table["holds"]]
        self.names = set().union(self.text.names, *(one.names for one in self.holds))

    def figure(self, names: Names) -> Figure:
        return Figure(str(self.text.value(names)), all([one.truth(names) for one in self.holds]))


class Comparison:
    """A measure that a table describes."""

    def __init__(self, given: object, where: str, constants: Mapping[str, float]) -> None:
        table = _checked(given, where, ("figure", "holds"), KEYS)
        self.constants = constants
        own = {key: table[key] for key in ("figure", "holds")}
        self.statements = [Statement(own, where)]
        if "corrected" in table and "readings" in table:
            raise UserError(f"{where}: has a correction, or other readings, but not both")
        if "corrected" in table:
            self.statements.append(Statement(table["corrected"], f"{where}: corrected"))
        self.others = table.get("readings", [])
        if not isinstance(self.others, list):
            raise UserError(f"{where}: readings = {self.others!r}: must be a list of tables")
        self.statements += [Statement(one, f"{where}: readings") for one in self.others]
        self.choice = {
            key: Expression(table[key], f"{where}: {key}")
            for key in ("if", "where", "order")
            if key in table
        }
        every: list[set[str]] = [one.names for one in self.choice.values()]
        every += [one.names for one in self.statements]
        self.names: set[str] = set().union(*every) - set(constants)
        self.rows = table.get("rows", [sorted(self.names)])
        if sorted(name for group in self.rows for name in group) != sorted(self.names):
            told = ", ".join(sorted(self.names))
            raise UserError(f"{where}: rows = {self.rows}: must hold once each of {told}")
        if self.rows[1:] and set(self.choice) - {"if"}:
            raise UserError(f"{where}: where and order need one list of rows")

    def columns(self, tests: Sequence[Test]) -> Names | None:
        """Numbers by name, and constants; None: some are missing, or there is nothing to say."""
        names: dict[str, npt.NDArray[np.float64]] = {}
        for group in self.rows:
            rows = recorded(tests, *group)
            if not rows:
                return None
            names |= zip(group, np.array(rows, np.float64).T, strict=True)
        if "if" in self.choice and not self.choice["if"].truth({**names, **self.constants}):
            return None
        for key in ("where", "order"):
            if key in self.choice:
                chosen = np.asarray(self.choice[key].value({**names, **self.constants}))
                place = chosen if key == "where" else np.argsort(chosen, kind="stable")
                names = {name: column[place] for name, column in names.items()}
        return {**names, **self.constants} if all(map(len, names.values())) else None

    def __call__(self, tests: Sequence[Test]) -> Measured:
        names = self.columns(tests)
        if names is None:
            return NOTHING
        first, *more = (s.figure(names) for s in self.statements)
        if self.others:
            return Measured(first, others=tuple(more))
        return Measured(first, more[0] if more else None)


def _checked(table: object, where: str, needed: Sequence[str], known: Sequence[str] = ()) -> Record:
    """A table, which has the keys that it needs, and no unknown ones."""
    if not isinstance(table, dict):
        raise UserError(f"{where} = {table!r}: must be a table")
    for key in set(needed) - set(table):
        raise UserError(f"{where}: {key} is missing")
    for key in table:
        if key not in (known or needed):
            raise UserError(f"{where}: {key}: unknown key; known: {', '.join(known or needed)}")
    return table
