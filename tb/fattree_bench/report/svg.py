"""What pictures drawn by hand share: colours, names, keys, and how a template becomes a picture."""

import textwrap
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from fattree_bench.report.html import environment

PAD = 16.0  # between the frame and what it holds
GLYPH = 0.6  # em; no common sans-serif sets our texts wider on the average
TITLE = 1.36  # size of a title, in those of other texts

# After cividis (Nunez, Anderton, Renslow 2018): lightness grows evenly, for colour-blind readers
# too.  Either scheme runs from near its background (idle) to far from it (every lane used).
_CIVIDIS = ("#00224e", "#414d6b", "#7c7b78", "#bcaf6f", "#fee838")
ENDS = {"light": (0.75, 0.0), "dark": (0.3, 1.0)}


class Key(NamedTuple):
    """A sample of a colour below a picture, and what it stands for.

    `width` is in sizes of the font; 0 is words without a sample.
    """

    name: str
    words: str
    width: float = 2.2


class Placed(NamedTuple):
    """A key where it stands; the sample is `width` wide."""

    name: str
    words: str
    x: float
    y: float
    width: float


def ramp(share: float, ends: tuple[float, float]) -> str:
    """Return the colour of `share` (0 ... 1) on the part of the ramp between `ends`."""
    place = (ends[0] + share * (ends[1] - ends[0])) * (len(_CIVIDIS) - 1)
    first = min(int(place), len(_CIVIDIS) - 2)
    low, high = (bytes.fromhex(colour[1:]) for colour in _CIVIDIS[first : first + 2])
    mixed = (round(a + (place - first) * (b - a)) for a, b in zip(low, high, strict=True))
    return "#" + bytes(mixed).hex()


def printable(title: str) -> str:
    """Return `title` on one line, without the characters XML cannot hold."""
    return "".join(char for char in " ".join(title.split()) if char.isprintable())


def title_lines(title: str, width: float, font: float) -> list[str]:
    """Return a title in lines that a picture of that width has room for."""
    return textwrap.wrap(title, int((width - 2 * PAD) / (TITLE * font * GLYPH)))


def scope(*drawn: Any) -> str:
    """Return the name of a picture: several in one page keep their colours apart."""
    return f"fat-tree-{zlib.crc32(repr(drawn).encode()):08x}"


def placed(keys: Sequence[Key], y: float, width: float, font: float) -> list[Placed]:
    """Return keys in lines from `y` down, as many to a line as fit."""
    x, found = PAD, []
    for name, words, size in keys:
        key = size * font
        wide = key + font * (0.5 + 0.52 * len(words) + 1)
        if x > PAD and x + wide - font > width:
            x, y = PAD, y + 1.6 * font
        found.append(Placed(name, words, x, y, key))
        x += wide
    return found


def rendered(picture: Any, **given: Any) -> str:
    """Return the picture as SVG."""
    templates = environment()
    templates.filters["tenths"] = lambda number: f"{round(number, 1):g}"
    template = templates.get_template("diagram.svg.j2")
    return template.render(picture=picture, ends=ENDS, ramp=ramp, pad=PAD, **given) + "\n"
