"""Files of cables that break: what they say, and one line for each mistake."""

from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.wormhole.outages import Faults
from fattree_bench.errors import UserError
from fattree_models.common.fat_tree import kary
from fattree_models.wormhole.outages import NEVER, Cables, Outages

HEAD = "clock,kind,node,port\n"
TREE = kary(2, 3)

MISTAKES = {
    "": "line 1: must be clock,kind,node,port[,node,port]",
    "clock,kind\n": "line 1: must be clock,kind,node,port[,node,port]",
    f"{HEAD}x,dead,1.0,2\n": "line 2: clock is 'x'; allowed are 0 … 1000000",
    f"{HEAD}1000001,dead,1.0,2\n": "line 2: clock is '1000001'; allowed are 0 … 1000000",
    f"{HEAD}5,slow,1.0,2\n": "line 2: kind is 'slow'; allowed are dead, back",
    f"{HEAD}5,dead,4.0,2\n": "line 2: no node '4.0': they are LEVEL.NUMBER",
    f"{HEAD}5,dead,1.4,2\n": "line 2: no node '1.4'",
    f"{HEAD}5,dead,leaf,2\n": "line 2: no node 'leaf'",
    f"{HEAD}5,dead,0.8,0\n": "line 2: no node '0.8'",
    f"{HEAD}5,dead,1.0,4\n": "line 2: no port '4' of 1.0; allowed are 0 … 3",
    f"{HEAD}5,dead,1.0,x\n": "line 2: no port 'x' of 1.0",
    f"{HEAD}5,dead,0.0,1\n": "line 2: no port '1' of 0.0; allowed are 0 … 0",
    f"{HEAD}5,dead,1.0,2,2.1,0\n": "line 2: no cable joins 1.0 port 2 and 2.1 port 0",
    f"{HEAD}5,dead,1.0,2,2.0,0,7\n": "line 2: has 7 fields",
    f"{HEAD}5,back,1.0,2\n": "line 2: back of what is not dead",
    f"{HEAD}5,dead,1.0,2\n\n9,dead,2.0,0\n": "line 4: dead twice",
    f"{HEAD}5,dead,1.0,2\n9,back,1.0,2\n": "line 3: back in clock 9; allowed from 10",
    f"{HEAD}5,dead,1.0,2\n10,back,1.0,2\n11,back,1.0,2\n": "line 4: back of what is not dead",
}


def read(text: str, folder: Path, **more: str) -> Outages:
    path = folder / "faults.csv"
    path.write_text(text)
    return Faults.from_variables({"FAULTS": str(path), **more}).outages(TREE, 1)


@pytest.mark.parametrize(("text", "said"), MISTAKES.items())
def test_mistakes_of_files(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        read(text, tmp_path)
    assert str(refused.value).startswith(f"FAULTS={tmp_path / 'faults.csv'}: {said}")
    assert "\n" not in str(refused.value)


def test_what_a_file_says(tmp_path: Path) -> None:
    """Lines in any order; either end of a cable; all cables of a switch."""
    text = "\ufeffclock, kind, node, port, node, port\n"
    text += "30,back,2.0,0\n5,dead,1.0,2,2.0,0\n7,dead,0.3,\n8,dead,3.1\n"
    found, cables = read(text, tmp_path, DETECT="2", RECOVER="LOCAL"), Cables(TREE)
    one = cables.both([int(cables.first[1][0]) + 2])
    assert found.dead[one].tolist() == [5, 5] and found.back[one].tolist() == [30, 30]
    (leaf,) = np.flatnonzero(cables.end == -4)
    top = cables.both(cables.of_switch(int(cables.of[cables.first[3][1]])))
    assert found.dead[leaf] == 7 and (found.dead[top] == 8).all() and top.size == 4
    assert (found.dead != NEVER).sum() == 2 + 1 + 4
    assert found.local and found.detect == 2
    assert found.cut_in(4).sum() == 0 and found.cut_in(5).sum() == 2
    assert found.known_in(6).sum() == 0 and found.known_in(7).sum() == 2
    assert found.known_in(31)[one].all() and not found.known_in(32)[one].any()


def test_what_is_drawn_is_of_the_seed() -> None:
    links = Faults.from_variables({"FAULTS": "links:3@20"})
    first, again, other = (links.outages(TREE, seed).dead for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()
    assert np.count_nonzero(first == 20) == 6 and set(first.tolist()) == {20, NEVER}
