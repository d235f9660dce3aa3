"""Measures of claims as data: figures and verdicts are expressions over recorded numbers.

A claim of a testplan states its measure:

    claim.figure = "{number(sum(pairs_halved))} of {number(sum(pairs))} pairs halved"
    claim.holds = ["sum(pairs_halved) == sum(pairs)"]

A name is a column: that number of every check that recorded all names of the measure, or of
simulations.  Operators work element by element, as in numpy; `[constants]` are numbers for all
claims of a file.

Keys
----
figure : what is said, as an f-string without its quotes.
holds : expressions that are all true if the claim is right.
corrected : a table with `figure` and `holds` of the claim as we correct it.
readings : a list of such tables, of the claim under other readings of its words.
of : results of simulations that other names are of: "runs", or a table of theirs, as "levels", or
    "deliveries", "measurements", "permutations" (`busiest`).  A run has its figures, what `COUNTED`
    names, `faults` and `configuration`; these stand in every row of its table, and `last`, whether
    the row is.
rows : lists of names that different checks recorded; by default one list of them all, or none
    with `of`.
if : whether there is anything to say.
where : which rows count.
order : what rows are sorted by.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.claims import NOTHING, Figure, Measured, recorded, sizes
from fattree_bench.bench.result import Record, Test
from fattree_bench.errors import UserError
from fattree_bench.words import number, plural

FUNCTIONS: dict[str, Callable[..., object]] = {
    **{f.__name__: f for f in (abs, all, any, int, len, max, min, sum)},
    "each": lambda form, *columns: ", ".join(map(form.format, *columns)),
    "different": np.unique,
    "first": lambda values: np.isin(np.arange(len(values)), np.unique(values, True)[1]),
    "growing": lambda values: bool((np.diff(values) > 0).all()),
    "larger": np.maximum,
    "log2": np.log2,
    "lower": lambda values: values[: len(values) // 2],
    "most": lambda values, by: [max(values[by == one]) for one in np.unique(by)],
    "number": lambda value: number(int(value)),
    "plural": lambda count, noun: plural(int(count), noun),
    "rising": lambda values: bool((np.diff(values) >= 0).all()),
    "same": lambda right: f"{sum(right)} of {len(right)}",
    "sizes": lambda leaves: sizes(map(int, leaves)),
    "upper": lambda values: values[len(values) // 2 :],
}
# No attributes and no other calls; nor `and`, `not` and chains, which take a column for a number.
PARTS = (
    *(ast.Constant, ast.Name, ast.Load, ast.Call, ast.BinOp, ast.UnaryOp, ast.operator),
    *(ast.USub, ast.Invert, ast.Compare, ast.cmpop, ast.IfExp, ast.Subscript, ast.Slice),
    *(ast.JoinedStr, ast.FormattedValue),
)
KEYS = ("figure", "holds", "corrected", "readings", "of", "rows", "if", "where", "order")
COUNTED = ("scenario", "steps", "sent", "delivered", "lost", "overtaken", "ordered")
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
        every_name = sorted(set().union(*every) - set(constants))
        self.of = table.get("of", "")
        self.rows = table.get("rows", [] if self.of else [every_name])
        self.names = {name for group in self.rows for name in group}  # recorded
        self.ran = [name for name in every_name if self.of and name not in self.names]
        if sorted([*self.ran, *(name for group in self.rows for name in group)]) != every_name:
            told = ", ".join(every_name)
            raise UserError(f"{where}: rows = {self.rows}: must hold once each of {told}")
        if self.rows[1:] and set(self.choice) - {"if"}:
            raise UserError(f"{where}: where and order need one list of rows")

    def columns(self, tests: Sequence[Test]) -> Names | None:
        """Numbers by name, and constants; None: some are missing, or there is nothing to say."""
        names: dict[str, npt.NDArray[np.float64]] = {}
        seen = [row for row in _ran(tests, self.of) if row.keys() >= set(self.ran)]
        ran = [tuple(row[name] for name in self.ran) for row in seen]
        parts = [(group, recorded(tests, *group)) for group in self.rows]
        for group, rows in (*parts, *([(self.ran, ran)] if self.of else [])):
            if not rows:
                return None
            names |= zip(group, map(_column, zip(*rows, strict=True)), strict=True)
        for key in ("where", "order"):
            if key in self.choice:
                chosen = np.asarray(self.choice[key].value({**names, **self.constants}))
                place = chosen if key == "where" else np.argsort(chosen, kind="stable")
                own = self.ran if self.of else names
                names |= {name: names[name][place] for name in own}
        if not all(map(len, names.values())):
            return None
        given: Names = {**names, **self.constants}
        return None if "if" in self.choice and not self.choice["if"].truth(given) else given

    def __call__(self, tests: Sequence[Test]) -> Measured:
        names = self.columns(tests)
        if names is None:
            return NOTHING
        first, *more = (s.figure(names) for s in self.statements)
        if self.others:
            return Measured(first, others=tuple(more))
        return Measured(first, more[0] if more else None)


def _column(values: Sequence[object]) -> npt.NDArray[np.float64]:
    """Numbers, NaN where there is none; or texts, which can be compared."""
    return np.array(values, None if isinstance(values[0], str) else np.float64)


def _ran(tests: Sequence[Test], of: str) -> Iterator[Record]:
    """What simulations left: a row for each, or one for each row of a table of theirs."""
    for test in tests if of else ():
        if (result := test.result) is None or "leaves" not in result.figures:
            continue
        own = {name: getattr(result, name) for name in COUNTED}
        own |= {name: figure.value for name, figure in result.figures.items()}
        own |= {"faults": sum(result.faults.values()), "configuration": test.configuration}
        lists: Mapping[str, Sequence[Record]] = {
            "runs": [{}],
            "deliveries": result.deliveries,
            "measurements": result.measurements,
            "permutations": [{"busiest": most} for _, most in result.permutations],
        }
        rows = lists.get(of, result.rows(of))
        for place, row in enumerate(rows, 1):
            yield {**own, **row, "last": place == len(rows)}


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
