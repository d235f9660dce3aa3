"""What the pages of the report share: templates, words as filters, links."""

import os
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tb.report import words
from tb.report.xml_file import clean

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def environment() -> Environment:
    """Templates of this folder; everything that they print is escaped, control codes too."""
    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: clean(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for word in (words.number, words.percent, words.plural, words.duration, words.moment):
        made.filters[word.__name__] = word
        made.globals[word.__name__] = word
    return made


def link(path: str, folder: Path) -> str:
    """A link from a page in `folder` to a file of the project; empty if there is none."""
    target = ROOT / path
    if not path or not target.exists():
        return ""
    return quote(os.path.relpath(target, folder.resolve()))
