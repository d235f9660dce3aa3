"""`make bench` of Leiserson's fat-trees: random permutations, and off-line schedulers."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle

import numpy as np
from rich.table import Table

from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.leiserson import schedule_speed
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.traffic import permutations
from fattree_bench.families.speed import Case, Image, Loop, Speed
from fattree_models.leiserson.measure import mean_ratios


def _case(sim: str, processors: int, root: int) -> Case:
    return Case(sim, "leiserson", {"N": str(processors), "W": str(root)})


class LeisersonSpeed(Speed):
    """Message sets, one permutation a delivery cycle."""

    cases = (
        *(_case("verilator", n, w) for n, w in ((16, 16), (64, 16), (64, 64), (256, 64))),
        _case("icarus", 16, 16),
    )
    counted = "messages"
    sizes = (("leaves", "N"), ("W", "W"))
    note = "random permutations, each sent once, all losses predicted"
    every_leaf = True
    loop = Loop(
        driven=("offer_valid_i", "offer_i"),
        sent=("sent_o",),
        received=("arrived_o",),
        setup=("once_i",),
        until="last_o",
    )

    def repeated(self, s: Stimulus) -> Iterator[MessageSet]:
        """The same permutations again and again."""
        yield from cycle([permutations(s.network, np.random.default_rng(1), s.rows)])

    def fresh(self, s: Stimulus) -> Iterator[MessageSet]:
        """New permutations in every item."""
        while True:
            yield permutations(s.network, s.rng, s.rows)

    def image(self, network: Leiserson, items: list[MessageSet]) -> bytes:
        """One permutation a delivery cycle."""
        image = Image()
        image.word(1)
        image.number(1)
        image.word(1)
        image.word(sum(item.slots for item in items))
        for item in items:
            item.sequence = 0
            messages = network.layout.images(item.dst, network.layout.words(item), None)
            bits = np.unpackbits(messages, axis=2, count=network.tree.frame_bits, bitorder="little")
            for dst, row in zip(item.dst, bits, strict=True):
                image.port(dst >= 0)
                image.port(row.ravel())
        return image.bytes()

    def tables(self) -> Iterator[Table]:
        """Off-line scheduling: time and memory against the number of messages; how good it is."""
        title = "off-line scheduling of random messages among 65,536 processors, W = 1626, one core"
        growth = Table(title=title, box=None)
        for name in ("scheduler", "messages", "least", "cycles", "CPU s", "peak MiB"):
            growth.add_column(name, justify="right")
        for scheduler in ("THEOREM1", "PER_LEVEL", "GREEDY"):
            for count in (10_000, 100_000, 1_000_000):
                done = subprocess.run(
                    [sys.executable, "-m", schedule_speed.__name__, scheduler, str(count)],
                    check=True,
                    capture_output=True,
                    text=True,
                )
                growth.add_row(scheduler, f"{count:,}", *done.stdout.split())
        yield growth
        names = ("THEOREM1", "PER_LEVEL", "GREEDY", "ITERATED", "BALANCED")
        quality = Table(title="mean of d / ceil(load factor), 20 random 8-relations", box=None)
        for name in ("n", "W", *names):
            quality.add_column(name, justify="right")
        for n, root in ((16, 7), (64, 16), (64, 64)):
            means = mean_ratios(n, root, 20, names, seed=1)
            quality.add_row(str(n), str(root), *(f"{means[name]:.2f}" for name in names))
        yield quality


SPEED = LeisersonSpeed()
