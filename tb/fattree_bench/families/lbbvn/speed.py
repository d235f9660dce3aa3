"""`make bench` of the bufferless fat-tree: the paper's frame, and permutations it cannot carry."""

from collections.abc import Iterator
from itertools import cycle

import numpy as np

from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.links.slot.traffic import cut
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.rows import settings_rows
from fattree_bench.families.lbbvn.scenarios import paper_frame
from fattree_bench.families.speed import Case, Image, Loop, Speed
from fattree_models import lbbvn


def _case(sim: str, leaves: int, control: str, *kinds: str) -> Case:
    return Case(sim, "lbbvn", {"N": str(leaves), "CONTROL": control}, kinds)


class LbbvnSpeed(Speed):
    """Frames of slots."""

    cases = (
        *(_case("verilator", n, "SCHEDULED", "repeated") for n in (16, 64, 256, 1024)),
        *(_case("verilator", n, "SELF", "repeated", "fresh", "classic") for n in (16, 64)),
        *(_case("verilator", n, "SELF", "repeated", "fresh") for n in (256, 1024)),
        *(_case("icarus", n, "SELF", "repeated", "fresh", "classic") for n in (16, 64)),
    )
    sizes = (("leaves", "N"), ("control", "CONTROL"))
    note = "LOWER_BOUND, FORM=FAST; fresh: a random permutation a slot, all losses predicted"
    every_leaf = True
    loop = Loop(
        driven=("valid_i", "dst_i", "data_i"),
        sent=("valid_i",),
        received=("valid_o",),
        setup=("row_write_i", "row_level_i", "row_slot_i", "row_i", "last_slot_i"),
    )
    schedule = staticmethod(paper_frame)  # so that the frame that is repeated starts at row 0

    def repeated(self, s: Stimulus) -> Iterator[SlotFrame]:
        """The paper's frame again and again, cut into as many items as it needs."""
        leaves = s.network.leaves
        rows = np.resize(paper_frame(s), (max(1, s.rows // leaves) * leaves, leaves))
        yield from cycle(list(cut(s.network, rows, "bit-reverse shifts")))

    def fresh(self, s: Stimulus) -> Iterator[SlotFrame]:
        """A new random permutation in every slot of every frame."""
        while True:
            dst = lbbvn.random_permutations(s.rng, s.rows, s.network.leaves)
            yield SlotFrame(dst, "random permutations")

    def rows(self, network: Lbbvn, rows: int) -> int:
        """Whole frames of a SCHEDULED network, where there is room."""
        whole = network.control == "SCHEDULED" and rows >= network.leaves
        return -(-rows // network.leaves) * network.leaves if whole else rows

    def warm(self, network: Lbbvn, rows: int) -> int:
        """The whole frame, twice if it is cut."""
        return max(2, 2 * network.leaves // rows)

    def image(self, network: Lbbvn, items: list[SlotFrame]) -> bytes:
        """Rows of settings, then slots as images of ports."""
        frame = lbbvn.bit_reverse_shifts(network.n)
        image = Image()
        rows = []
        if network.control == "SCHEDULED":
            settings = lbbvn.compile_settings(frame, network.lanes, network.static_upper)
            rows = settings_rows(settings)
        every = [(1, level, slot, row) for level, bits in rows for slot, row in enumerate(bits)]
        every.append((0, 0, 0, np.zeros(1, np.bool_)))
        image.word(len(every))
        for write, level, slot, row in every:
            for number in (write, level, slot):
                image.number(number)
            image.port(row)
            image.number(len(frame) - 1)
        image.slots(network, items)
        return image.bytes()


SPEED = LbbvnSpeed()
