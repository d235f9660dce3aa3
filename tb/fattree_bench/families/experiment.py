"""A measured theorem: networks of growing size, figures of each, what must not grow.

A family's universality.py offers EXPERIMENT.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Experiment:
    """What `make universality` runs.

    Attributes
    ----------
    networks : their names.
    problems : title, columns and note of a table of its own, by what runs in a network's place.
    sizes : least and greatest number of processors.
    own : size at which the layout of a file is run; ValueError if it is none.
    run : figures of a network of a size.
    columns : title and format of each figure in the table, by its name.
    grown : titles of the figures whose growth is printed and drawn, by their names.
    slope : exponent of growth of values over sizes, and half its 95 % confidence interval.
    seconds : that a network of a size takes, roughly.
    note : what the figures are, in a sentence.
    """

    networks: tuple[str, ...]
    problems: Mapping[str, tuple[str, Mapping[str, tuple[str, str]], str]]
    sizes: tuple[int, int]
    own: Callable[[str], int]
    run: Callable[[str, int], dict[str, float]]
    columns: Mapping[str, tuple[str, str]]
    grown: Mapping[str, str]
    slope: Callable[[list[float], list[float]], tuple[float, float]]
    seconds: Callable[[int], float]
    note: str
