"""What the pages of the report share: templates, words as filters, links."""

import os
import re
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fattree_bench import words
from fattree_bench.paths import ROOT
from fattree_bench.report.xml_file import clean

HERE = Path(__file__).resolve().parent

_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#)|@import", re.IGNORECASE)


def environment(*folders: Path) -> Environment:
    """Templates of folders and of this one; all that they print is escaped, control codes too."""
    made = Environment(
        loader=FileSystemLoader([*folders, HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: clean(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["shows"] = words.shows
    for word in (words.number, words.percent, words.plural, words.duration, words.moment):
        made.filters[word.__name__] = word
        made.globals[word.__name__] = word
    made.filters["inline_svg"] = inline_svg
    return made


def inline_svg(svg: str, title: str) -> Markup:
    """A picture for a page, if it neither runs nor fetches anything.

    ValueError names a picture that is not SVG, or one that asks for something outside itself.
    """
    name = f"picture {title!r}"
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise ValueError(f"{name}: is not SVG ({error})") from None
    if _local(root.tag) != "svg":
        raise ValueError(f"{name}: is not SVG but {_local(root.tag)}")
    for element in root.iter():
        links = [v for k, v in element.items() if _local(k) in ("href", "src")]
        outside = any(not v.startswith("#") for v in links)
        texts = [element.text or "", *element.attrib.values()]
        runs = _local(element.tag) == "script" or any(k.startswith("on") for k in element.attrib)
        if outside or runs or any(map(_OUTSIDE.search, texts)):
            raise ValueError(f"{name}: asks for more than itself in <{_local(element.tag)}>")
    return Markup(svg[svg.index("<svg") :])


def _local(tag: object) -> str:
    """A tag or an attribute without its namespace."""
    return str(tag).rpartition("}")[2]


def link(path: str, folder: Path) -> str:
    """A link from a page in `folder` to a file of the project; empty if there is none."""
    target = ROOT / path
    if not path or not target.exists():
        return ""
    return quote(os.path.relpath(target, folder.resolve()))
