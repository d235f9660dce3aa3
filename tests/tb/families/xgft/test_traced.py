"""The survey's 2-ary 3-tree in RTL, hop by hop: routes, loads and latencies of all pairs, alone."""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from statistics import fmean

import pytest

from tests.cli import Cli

pytestmark = pytest.mark.usefixtures("icarus")
Link = tuple[int, int, int]  # level, switch, output port
LEAVES, DOWN = 8, 2  # ports 0 and 1 lead down, 2 and 3 up
# Fig. 3: leaves that a port leads to, by level, up and down.
FIGURE_3 = {(1, "up"): 3, (2, "up"): 1, (1, "down"): 1, (2, "down"): 1, (3, "down"): 1}


class Traced:
    """Links and head latencies of all pairs, from a run's trace."""

    def __init__(self, cli: Cli, folder: Path, *variables: str) -> None:
        ran = cli(
            *("sim", "NETWORK=kary", "K=2", "LEVELS=3", "TEST=single_packets", "SIM=icarus"),
            *("TRACE=1", f"BUILD={folder}", *variables),
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        (trace,) = folder.rglob("trace.csv")
        self.ways: dict[tuple[int, int], list[Link]] = defaultdict(list)
        self.clocks: dict[tuple[int, int], int] = {}
        with trace.open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                of = {name: int(value) for name, value in row.items() if value}
                pair = of["source"], of["destination"]
                if pair[0] == pair[1]:
                    continue
                self.ways[pair].append((of["level"], of["switch"], of["output_port"]))
                self.clocks[pair] = of["arrived"] - of["injected"] - (of["flits"] - 1)
        assert set(self.ways) == {(s, d) for s, d in product(range(LEAVES), repeat=2) if s != d}

    def served(self) -> dict[tuple[int, str], list[tuple[int, int]]]:
        """By level and way: leaves that each link leads to, and packets on it."""
        ends: dict[Link, Counter[int]] = defaultdict(Counter)
        for (_, goal), way in self.ways.items():
            for link in way:
                ends[link][goal] += 1
        found: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
        for (level, _, port), goals in ends.items():
            way = "down" if port < DOWN else "up"
            found[level, way].append((len(goals), goals.total()))
        return found

    def as_drawn(self) -> int:
        """Links that lead to as many leaves as in Fig. 3."""
        return sum(
            goals == FIGURE_3[key] for key, links in self.served().items() for goals, _ in links
        )

    def even(self) -> int:
        """Levels and ways between switches whose links carry as many packets each."""
        loads = {key: {n for _, n in links} for key, links in self.served().items()}
        return sum(
            len(own) == 1 for (level, way), own in loads.items() if (level, way) != (1, "down")
        )

    def to_seven(self) -> int:
        """Leaves from which the way to 7 is the one drawn: up by digits of 7, down likewise."""
        return sum(self.ways[source, 7] == drawn(source, 7) for source in range(7))

    def neighbours_that_climb(self) -> int:
        return sum(len(way) > 1 for (s, d), way in self.ways.items() if s // 2 == d // 2)

    @property
    def mean(self) -> float:
        return fmean(self.clocks.values())

    @property
    def spread(self) -> int:
        return max(self.clocks.values()) - min(self.clocks.values())


def drawn(source: int, goal: int) -> list[Link]:
    """A way by hand: a switch of level l + 1 is the leaf's number without its digit l.

    Going up by port q from there sets digit l of the leaf's number to q, which is digit l of the
    goal; going down sets digit l to the digit of the goal.
    """
    at, top = source, next(level for level in (1, 2, 3) if source >> level == goal >> level)
    way: list[Link] = []
    for level in range(1, top):
        digit = goal >> (level - 1) & 1
        way.append((level, without(at, level - 1), DOWN + digit))
        at = at & ~(1 << (level - 1)) | digit << (level - 1)
    for level in range(top, 0, -1):
        digit = goal >> (level - 1) & 1
        way.append((level, without(at, level - 1), digit))
        at = at & ~(1 << (level - 1)) | digit << (level - 1)
    return way


def without(number: int, place: int) -> int:
    """A number without the bit at a place."""
    return number >> (place + 1) << place | number & ((1 << place) - 1)


def busiest(cli: Cli, folder: Path) -> list[int]:
    """Most packets in a slot on a channel of the tree with one root, by level from the root."""
    size = ("N=16", "CAPACITY=NONBLOCKING", "TEST=rotators", "SIM=icarus")
    assert cli("sim", "NETWORK=lbbvn", *size, f"BUILD={folder}").returncode == 0
    (results,) = folder.rglob("results.jsonl")
    levels = json.loads(results.read_text(encoding="utf-8"))["tables"]["levels"]
    return [most for most in levels["busiest_up"]["values"] if most is not None]


def test_what_switches_do_with_all_pairs(
    tb_cli: Cli, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    nearest = Traced(tb_cli, tmp_path / "nearest")
    top = Traced(tb_cli, tmp_path / "top", "CLIMB=TOP")
    chance = Traced(tb_cli, tmp_path / "chance", "ROUTING=RANDOM")
    links = sum(map(len, nearest.served().values()))
    numbers = {
        **{"links_seen": links, "links_as_drawn": nearest.as_drawn()},
        **{"links_drawn_by_top": top.as_drawn(), "ways_to_seven": nearest.to_seven()},
        **{"ways_to_seven_by_top": top.to_seven(), "levels_even": nearest.even()},
        **{"levels_even_by_chance": chance.even(), "mean_nearest": nearest.mean},
        **{"mean_top": top.mean, "spread_nearest": nearest.spread, "spread_top": top.spread},
        "climbs_nearest": nearest.neighbours_that_climb(),
        "climbs_top": top.neighbours_that_climb(),
    }
    rates = busiest(tb_cli, tmp_path / "one_root")
    growth = [above / below for above, below in pairwise(rates)]
    numbers |= {"rate_growth_least": min(growth), "rate_growth_most": max(growth)}
    loads = [max(n for _, n in top.served()[level, "up"]) for level in (2, 1)]
    numbers |= {"rate_at_root": rates[0], "rate_growth_kary": loads[0] / loads[1]}
    for name, number in numbers.items():
        record_property(name, number)
    assert links == nearest.as_drawn() == 4 * 2 * 5
    assert nearest.to_seven() == 7
