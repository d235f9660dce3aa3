"""What mkdocs asks while it builds the site of the documents: pages that the sources make.

The start page is README.md, `rtl.md` is rtl/README.md with those of its folders; variables, tests
and faults are written from their declarations.  Links from the documents into the repository, where
the site has no page, are shown as paths.
"""

import ast
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from fattree_bench.bench import faults
from fattree_bench.cli import groups
from fattree_bench.drawings import drawings
from fattree_bench.drawings import files as drawn
from fattree_bench.families import FAMILIES, NETWORKS, scenarios
from fattree_bench.families import family as family_of
from fattree_bench.paths import MODELS, ROOT
from fattree_bench.tables import table

CODE = re.compile(r"<pre>(?:<span></span>)?<code>(.*?)</code></pre>", re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
HOMES = {"index.md": ROOT, "rtl.md": ROOT / "rtl"}  # where a page that is made stood
MADE = {ROOT / "README.md": "index.md", ROOT / "rtl" / "README.md": "rtl.md"}


def on_config(config: Any) -> Any:
    """The search works from files by a script of ours; the theme would fetch one.

    Under "Networks" come the pages of families, then what else is listed there.
    """
    config.extra["polyfills"] = ["search.js"]
    docs = Path(config["docs_dir"])
    for entry in config.nav:
        if listed := entry.get("Networks"):
            own = (f"{family}.md" for family in FAMILIES if (docs / f"{family}.md").exists())
            entry["Networks"] = [*own, *listed]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made, and the pictures that git does not keep."""
    pages = {page: path.read_text(encoding="utf-8") for path, page in MADE.items()}
    pages["rtl.md"] += "".join(blocks(family) for family in FAMILIES)
    pages |= {
        "reference/variables.md": variables(),
        "reference/tests.md": tests(),
        "reference/faults.md": kinds(),
        "reference/models.md": models(),
    }
    kept = {file.src_uri for file in files}
    pages |= {name: text for name, text in drawn(drawings()).items() if name not in kept}
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links into links of the site."""
    name = page.file.src_uri
    docs = Path(config["docs_dir"])
    home = HOMES.get(name, (docs / name).parent)

    def link(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found[0]
        path, hash_mark, anchor = target.partition("#")
        place = (home / path).resolve()
        if place in MADE:
            inside = MADE[place]
        elif place.is_relative_to(docs):
            inside = str(place.relative_to(docs))
        else:
            return f"{words} (`{place.relative_to(ROOT)}`)" if place.exists() else found[0]
        up = "../" * name.count("/")
        return f"{mark}[{words}]({up}{inside}{hash_mark}{anchor})"

    return LINK.sub(link, markdown)


def on_page_content(html: str, page: Any, config: Any, files: Files) -> str:
    """Say of each block of code how many columns it has: site.css fits its font to them."""

    def counted(found: re.Match[str]) -> str:
        lines = unescape(re.sub("<[^>]+>", "", found[1])).splitlines()
        columns = max(map(len, lines), default=0)
        return f'<pre style="--columns: {columns}"><code>{found[1]}</code></pre>'

    return CODE.sub(counted, html)


def blocks(family: str) -> str:
    """The blocks of a family, as a section of the page of blocks."""
    page = ROOT / "rtl" / family / "README.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return text.replace("# ", "\n## ", 1).replace("](../README.md)", "](#blocks)")


def variables() -> str:
    """All variables, by what they belong to."""
    parts = ["# Variables", "As `make help` prints them. Words may be in lower case."]
    for name, group in groups().items():
        parts += [f"## {name}", table({name: group})]
    return "\n\n".join(parts) + "\n"


def tests() -> str:
    """All tests; networks of a family share theirs."""
    parts = ["# Tests", "As `make list` prints them: `make sim NETWORK=… TEST=…`."]
    for family in FAMILIES:
        names = [name for name in NETWORKS if family_of(name) == family]
        rows = [f"| `{s.name}` | {_cell(s.summary)} |" for s in scenarios(family).values()]
        parts += [f"## {', '.join(names)}", "\n".join(["| test | does |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def kinds() -> str:
    """All kinds of faults that a check may name."""
    rows = [f"| `{word}` | {_cell(meaning)} |" for word, meaning in told_faults()]
    head = "# Faults\n\nWhat a result may say is wrong. A kind is named only if it was seen."
    return "\n".join([head, "", "| fault | means |", "|---|---|", *rows, ""])


def told_faults() -> Iterator[tuple[str, str]]:
    """(word, what stands behind it in the source) of every kind of fault."""
    source = Path(faults.__file__).read_text(encoding="utf-8")
    lines = source.splitlines()
    for node in ast.parse(source).body:
        value = getattr(node, "value", None)
        if isinstance(node, ast.Assign) and isinstance(value, ast.Constant):
            words = lines[node.lineno - 1].partition("  # ")[2]
            if isinstance(value.value, str) and words:
                yield value.value, words


def models() -> str:
    """The functions of the reference models, by package; their examples are run as doctests."""
    parts = ["# Models: functions", "Every example here runs with the test suite."]
    for path in sorted(MODELS.glob("*/__init__.py")):
        parts.append(f"::: fattree_models.{path.parent.name}")
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
