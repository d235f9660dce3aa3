"""XML that every reader accepts, whatever a message holds."""

import re
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fattree_bench.report.files import write_text

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """The text with the characters that XML cannot hold (terminal colours, NUL) marked as lost."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def attributes(values: dict[str, object]) -> dict[str, str]:
    """Values as attributes: true and false as XML writes them, None left out."""
    told = {name: value for name, value in values.items() if value is not None}
    return {
        name: str(value).lower() if isinstance(value, bool) else clean(str(value))
        for name, value in told.items()
    }


def add(parent: Element, tag: str, text: str = "", **values: object) -> Element:
    """Add a child with a text and attributes."""
    child = SubElement(parent, tag, attributes(values))
    child.text = clean(text) or None
    return child


def write_xml(root: Element, path: Path) -> None:
    indent(root, " ")
    text = tostring(root, encoding="unicode")
    write_text(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')
