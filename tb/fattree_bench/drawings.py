"""docs/drawings.md and its pictures: the papers' figures, drawn from the models of all families."""

import textwrap
from collections.abc import Iterable
from pathlib import Path

from fattree_bench.families import offered
from fattree_bench.families.drawing import Drawing
from fattree_bench.papers.registry import Paper, papers
from fattree_bench.report.markdown import plain

ABOUT = """\
# The papers' figures, drawn from the models

`make docs` writes this page and draws its pictures, and `make docs-site` draws them for the site;
git keeps only those that a network's page shows. Every box, link and number in them comes from the
models, as `tb/fattree_bench/families/FAMILY/drawings.py` asks them. The text of the papers that we
have lacks its figures: these show what the captions and the text say.
"""


def drawings() -> list[Drawing]:
    """Those of all families, by name: figures of one paper may belong to several."""
    found = [drawing for _, own in offered("drawings", "DRAWINGS") for drawing in own]
    return sorted(found, key=lambda drawing: drawing.name)


def renew(docs: Path) -> list[Path]:
    """Write the page and its pictures, and remove pictures that are on it no more."""
    changed = []
    wanted = files(drawings())
    for name, text in wanted.items():
        path = docs / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    for path in (docs / "drawings").glob("*.svg"):
        if f"drawings/{path.name}" not in wanted:
            path.unlink()
            changed.append(path)
    return changed


def files(drawn: Iterable[Drawing]) -> dict[str, str]:
    """Every file by its name under docs."""
    made = {f"drawings/{drawing.name}.svg": drawing.draw() for drawing in drawn}
    return {"drawings.md": page(drawn), **made}


def page(drawn: Iterable[Drawing]) -> str:
    """docs/drawings.md."""
    lines = ABOUT.splitlines()
    for paper in papers():
        own = [drawing for drawing in drawn if drawing.paper == letter(paper)]
        if own:
            lines += ["", f"## {plain(paper.authors)}: {plain(paper.title)}"]
        for drawing in own:
            words = f"**{drawing.figure}**: {drawing.says}"
            lines += ["", *textwrap.wrap(words, 100, break_on_hyphens=False)]
            lines += ["", f"![{drawing.figure}](drawings/{drawing.name}.svg)"]
    return "\n".join(lines) + "\n"


def letter(paper: Paper) -> str:
    """With which the numbers of a paper's items begin."""
    return paper.items[0].number[0]
