"""Layouts from files: those of the networks, written and read again; and every mistake, by line."""

from pathlib import Path

import numpy as np
import pytest

from fattree_models.universality.layout_files import read_layout
from fattree_models.universality.networks import NETWORKS
from fattree_models.universality.simulation import simulate

ROOT = Path(__file__).parents[3]
HEAD = "x,y,z,kind\n"
PAIR = f"{HEAD}0,0,0,processor\n2,0,0,processor\n"  # lines 2, 3
WIRED = f"{PAIR}0,0,0,wire\n2,0,0,to\n"  # lines 4, 5


def written(layout, shift=(0, 0, 0)):
    """A layout as a file, moved."""
    lines = [(*voxel, "processor") for voxel in layout.home.tolist()]
    for kind, paths in (("wire", layout.wires), ("bus", layout.buses)):
        for begin, end in zip(paths.starts, paths.starts[1:], strict=False):
            corners = paths.corners[begin:end]
            moved = np.r_[True, (corners[1:] != corners[:-1]).any(axis=1)]
            first, *rest = corners[moved].tolist()
            if rest:  # a bus of no wire has no length
                lines += [(*first, kind), *((*corner, "to") for corner in rest)]
    place = [tuple(a + s for a, s in zip(v, shift, strict=True)) for *v, _ in lines]
    rows = [f"{x},{y},{z},{kind}" for (x, y, z), (*_, kind) in zip(place, lines, strict=True)]
    return HEAD + "\n".join(rows) + "\n"


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "layout.csv"
        path.write_text(text)
        return read_layout(path)

    return read


@pytest.mark.parametrize("name", NETWORKS)
def test_the_networks_are_read_as_they_are(name, read):
    """Wires, buses, folds; wherever they lie, their volume is what they occupy."""
    layout = NETWORKS[name](64)
    found = read(written(layout, (3, 0, 7)))
    found.check_ends()
    assert found.occupied() == layout.occupied()
    assert simulate(found, 64) == simulate(layout, 64)


def test_the_example():
    layout = read_layout(ROOT / "examples" / "cube-8.csv")
    assert (layout.processors, layout.side, layout.occupied(), layout.degree) == (8, 2, 8, 3)


@pytest.mark.parametrize("n", [4, 16, 64])
def test_processors_that_are_not_there_are_idle(n, read):
    found = simulate(read(WIRED), n)
    assert (found.processors, found.side, found.wires) == (2, 3, 1)
    assert found.load <= 1 and found.theorem_8 <= 1


def test_lines_in_any_order(read):
    _, *lines = WIRED.splitlines()
    layout = read("\n".join([HEAD, *lines[2:], "", *lines[:2]]))
    assert layout.edges.tolist() == [[0, 1]]


BUSES = f"{HEAD}0,0,0,processor\n3,0,0,processor\n0,0,0,bus\n0,0,3,to\n3,0,0,bus\n3,0,3,to\n"


def test_wires_on_a_bus_take_turns(read):
    layout = read(f"{BUSES}0,0,1,wire\n3,0,1,to\n0,0,2,wire\n3,0,2,to\n")
    layout.check_ends()
    assert layout.occupied() == 12 and layout.time == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: is ''; allowed are x,y,z,kind"),
        ("x,y,kind\n", "line 1: is 'x,y,kind'; allowed are x,y,z,kind"),
        (HEAD, "has no wire"),
        (PAIR, "has no wire"),
        (f"{HEAD}0,0,processor\n", "line 2: has 3 fields; allowed are 4"),
        (f"{HEAD}0,0,256,processor\n", "line 2: z is '256'; allowed are 0 … 255"),
        (f"{HEAD}\n-1,0,0,processor\n", "line 3: x is '-1'; allowed are 0 … 255"),
        (f"{HEAD}0,0,0,leaf\n", "line 2: kind is 'leaf'; allowed are processor, wire, bus, to"),
        (f"{PAIR}2,0,0,processor\n", "line 4: processor 1 is there already"),
        (f"{PAIR}2,0,0,to\n", "line 4: to follows no wire and no bus"),
        (f"{PAIR}0,0,0,wire\n2,1,0,to\n", "line 5: is not straight on from 0,0,0"),
        (f"{PAIR}0,0,0,wire\n0,0,0,to\n", "line 5: is not straight on from 0,0,0"),
        (f"{PAIR}0,0,0,wire\n", "line 4: the wire goes nowhere: no to follows"),
        (f"{WIRED}0,0,0,bus\n", "line 6: the bus goes nowhere: no to follows"),
        (f"{PAIR}1,0,0,wire\n2,0,0,to\n", "line 4: the wire begins at no processor and no bus"),
        (f"{PAIR}0,0,0,wire\n1,0,0,to\n", "line 5: the wire ends at no processor and no bus"),
        (
            f"{PAIR}0,0,0,wire\n0,1,0,to\n1,1,0,to\n1,0,0,to\n0,0,0,to\n",
            "line 8: the wire joins processor 0 to itself",
        ),
        (f"{WIRED}0,0,0,wire\n2,0,0,to\n", "line 7: the wire meets what is in use at 1,0,0"),
        # Through its own end, and through the other processor.
        (
            f"{PAIR}0,0,0,wire\n3,0,0,to\n3,1,0,to\n2,1,0,to\n2,0,0,to\n",
            "line 5: the wire meets what is in use at 2,0,0",
        ),
        (
            f"{PAIR}4,0,0,processor\n0,0,0,wire\n4,0,0,to\n",
            "line 6: the wire meets what is in use at 2,0,0",
        ),
        # Two wires through the face of neighbours.
        (
            f"{HEAD}0,0,0,processor\n1,0,0,processor\n" + 2 * "0,0,0,wire\n1,0,0,to\n",
            "line 7: the wire meets what is in use at 1,0,0",
        ),
        (f"{WIRED}1,1,0,bus\n1,2,0,to\n", "line 6: the bus begins at no processor"),
        (
            f"{WIRED}0,0,0,bus\n0,2,0,to\n0,0,0,bus\n0,0,2,to\n",
            "line 8: the bus is the second of processor 0",
        ),
        (f"{WIRED}0,0,0,bus\n1,0,0,to\n", "line 5: the wire meets what is in use at 1,0,0"),
        (f"{WIRED}2,0,0,bus\n0,0,0,to\n", "line 7: the bus meets what is in use at 0,0,0"),
    ],
)
def test_mistakes(text, message, read):
    with pytest.raises(ValueError, match=r"layout\.csv: ") as caught:
        read(text)
    assert str(caught.value).partition("layout.csv: ")[2] == message


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"none\.csv: No such file or directory$"):
        read_layout(tmp_path / "none.csv")
