"""Tables of variables, networks and models in the documents, written from their declarations.

Variables stand between `<!-- variables of NAME -->` and `<!-- /variables -->`; NAME is a network,
several with commas between, or a command such as `make sim`.  Networks stand between
`<!-- networks -->` and `<!-- /networks -->`, packages of models between `<!-- models -->` likewise.
"""

import ast
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fattree_bench.errors import UserError
from fattree_bench.settings import Variable, listed

Groups = Mapping[str, Sequence[Variable[Any]]]  # variables by what they belong to
COLUMNS = 160  # of a row, at most
BLOCK = re.compile(
    r"(<!-- (variables of .+?|networks|models) -->\n).*?(<!-- /(?:variables|networks|models) -->)",
    re.DOTALL,
)


def of_networks(docs: Path, rows: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    """A table in Markdown of families: what each is, and its networks.

    A family has a page of its name, or shares the page that has its networks' variables.
    """
    lines = ["| family | what it is | `NETWORK=` |", "|---|---|---|"]
    blocks = {path: BLOCK.findall(path.read_text()) for path in sorted(docs.glob("*.md"))}
    for family, (about, names) in rows.items():
        shared = (path.stem for path, found in blocks.items() for x in found if names[0] in x[1])
        page = family if (docs / f"{family}.md").exists() else next(shared)
        quoted = ", ".join(f"`{name}`" for name in names)
        lines.append(f"| [{family}](docs/{page}.md) | {about} | {quoted} |")
    return "\n".join(lines) + "\n"


def of_models(folder: Path) -> str:
    """A table in Markdown of a package's parts: the first line of each one's docstring."""
    lines = ["| module | what it models |", "|---|---|"]
    for path in sorted(folder.glob("*/__init__.py")):
        told = (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]
        lines.append(f"| `{folder.name}.{path.parent.name}` | {told.removesuffix('.')} |")
    return "\n".join(lines) + "\n"


def renew(
    paths: Iterable[Path], groups: Groups, whole: Mapping[str, str] = MappingProxyType({})
) -> list[Path]:
    """Write the tables in these files; those that were not as they should be."""
    changed = []
    for path in paths:
        text = path.read_text()
        new = renewed(text, groups, whole)
        if new != text:
            path.write_text(new)
            changed.append(path)
    return changed


def renewed(text: str, groups: Groups, whole: Mapping[str, str] = MappingProxyType({})) -> str:
    """The same text with tables as variables are declared now; `whole`: other tables by name."""

    def block(found: re.Match[str]) -> str:
        if found[2] in whole:
            return f"{found[1]}{whole[found[2]]}{found[3]}"
        names = found[2].removeprefix("variables of ").split(", ")
        if missing := [name for name in names if name not in groups]:
            raise UserError(f"variables of {missing[0]}: there is {', '.join(groups)}")
        return f"{found[1]}{table({name: groups[name] for name in names})}{found[3]}"

    return BLOCK.sub(block, text)


def table(groups: Groups) -> str:
    """A table in Markdown; of several groups, those variables first that are not in all of them.

    Words that a row has no room for follow the table.
    """
    rows: dict[tuple[str, str], dict[str, Variable[Any]]] = {}
    for group, variables in groups.items():
        for variable in variables:
            rows.setdefault((variable.name, variable.help), {})[group] = variable
    lines, below = ["| variable | default | means |", "|---|---|---|"], []
    for by_group in sorted(rows.values(), key=len):
        variable = next(iter(by_group.values()))
        others = [group for group in groups if group not in by_group]
        few = ", ".join(by_group) if len(by_group) <= len(others) else f"not {', '.join(others)}"
        where = f" ({few})" if others else ""
        row = f"| `{variable.name}`{where} | {_defaults(by_group)} | %s |"
        words = variable.words
        line = row % _marked(variable.help, words)
        if len(line) > COLUMNS and words:
            line = row % variable.help.replace(listed(words), "see below")
            below.append(_paragraph(f"`{variable.name}`: {_marked(listed(words), words)}."))
        lines.append(line)
    return "\n".join([*lines, *below]) + "\n"


def _marked(text: str, words: Sequence[str]) -> str:
    """The text, its words as code."""
    if not words:
        return text
    longest_first = sorted(words, key=len, reverse=True)
    return re.sub(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)", r"`\1`", text)


def _paragraph(text: str) -> str:
    return "\n" + textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def _defaults(by_group: Mapping[str, Variable[Any]]) -> str:
    """One default, or several with the groups that have them."""
    found: dict[str, list[str]] = {}
    for group, variable in by_group.items():
        found.setdefault(f"`{variable.default}`" if variable.default else "", []).append(group)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{default} ({', '.join(of)})" for default, of in found.items())
