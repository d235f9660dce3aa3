"""A figure of a paper, drawn from the models.

A family's drawings.py offers DRAWINGS; `make docs` writes them into docs/drawings and onto a page.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Drawing:
    """One picture.

    Attributes
    ----------
    name : of its file.
    paper : the letter with which the paper's items begin.
    figure : which one it is.
    says : what is drawn, and what its colours are, in a sentence.
    draw : makes the SVG.
    """

    name: str
    paper: str
    figure: str
    says: str
    draw: Callable[[], str]
