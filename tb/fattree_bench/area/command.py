"""`make area`: synthesizes networks, counts their cells and checks claims of papers about cost."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.area.designs import KINDS, NETWORKS, chosen_designs, compared, judge
from fattree_bench.area.pnr import place_and_route
from fattree_bench.area.table import COLUMNS, TEXT, lines_of, picture, rows
from fattree_bench.campaign import Campaign, Common, Result
from fattree_bench.families import find, planned
from fattree_bench.families.design import WIDTH, Measured
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.report.evidence import Evidence, publish
from fattree_bench.settings import Variable, flag, text
from fattree_bench.synthesis.block import blocks_of, costs_of, payload, whole
from fattree_bench.words import plural


class Wanted(Common):
    """Which designs to synthesize."""

    network = text("NETWORK", "", f"{', '.join(NETWORKS)}; empty: all")
    sizes = text("N", "8,16,32,64", "leaves: 4, 8, 16, 32, 64, 128, comma-separated")
    kinds = text("DESIGNS", "", "only these: {allowed}; empty: all", KINDS)
    pnr = flag("PNR", 0, "place and route small networks on an iCE40, too")


class Area(Campaign):
    """Runs syntheses, one job per distinct block of the designs."""

    target = "area"
    things = "blocks"
    variables = Wanted
    asked: Wanted
    file = "blocks.jsonl"

    def __init__(self, console: Console, given: Mapping[str, str]) -> None:
        super().__init__(console, given)
        asked = self.asked
        self.described = described(self.text)
        if self.described is None:
            self.designs = chosen_designs(asked.network, asked.kinds, asked.sizes)
        else:
            self.designs = [whole(self.described, asked.rtl)]
        self.blocks = blocks_of(self.designs)
        self.routed: list[str] = []  # sentences about place and route

    @classmethod
    def declared(cls, given: Mapping[str, str]) -> tuple[Variable[Any], ...]:
        """Variables of the command and those of a network described in a file."""
        known = {p.name for p in Wanted.parameters}
        more = find(given["NETWORK"]).parameters if planned(given.get("NETWORK", "")) else ()
        return (*Wanted.parameters, *(p for p in more if p.name not in known))

    def show(self) -> None:
        for name in self.blocks:
            self.console.print(escape(name), soft_wrap=True)
        told = f"{plural(len(self.designs), 'design')}, {plural(len(self.blocks), 'block')}"
        self.console.print(f"{told}; nothing was run")

    def tasks(self) -> list[Task]:
        return [
            Task(name, payload(block, self.asked.rtl, self.folder), seconds=block.seconds)
            for name, block in self.blocks.items()
        ]

    def settled(self, task: Task, result: Result) -> bool:
        return "cost" in result

    def work(self, pool: Pool) -> None:
        super().work(pool)
        asked = self.asked
        for one in place_and_route(asked.network, asked.rtl, asked.build) if asked.pnr else ():
            (self.trouble if one.failed else self.routed).append(one.says)

    def report(self) -> bool:
        return publish(self.evidence(), self.asked.build, self.console)

    @property
    def bits(self) -> int:
        """Width of a word in these designs."""
        return WIDTH if self.described is None else int(self.described.width)

    def measured(self) -> Measured:
        """The designs with results for all blocks."""
        costs = costs_of(self.blocks, self.results)
        whole = [d for d in self.designs if all(x.block in costs for x in d.nodes)]
        return Measured(whole, costs)

    def evidence(self) -> Evidence:
        """Table, picture, claims."""
        measured = self.measured()
        sizes = sorted({design.leaves for design in measured.designs})
        first = (
            f"{len(measured.designs)} designs of {', '.join(map(str, sizes))} leaves, "
            f"{len(measured.costs)} blocks synthesized; words of {self.bits} bits."
        )
        method = (
            "Gates in NAND2 equivalents (transistors of static CMOS / 4), enables and resets of "
            "flip-flops included; delay lines of more than one clock and memories are counted in "
            "bits, without gates; counters of losses and network interfaces are left out."
        )
        return Evidence(
            kind="area",
            title="Area",
            command=self.command,
            commit=self.commit,
            summary=[
                *(first, method),
                *([] if self.described else lines_of([d.kind for d in measured.designs])),
                *compared(measured),
                *self.routed,
            ],
            columns=list(COLUMNS),
            rows=rows(measured),
            right=[name for name in COLUMNS if name not in TEXT],
            trouble=[*([self.stopped] if self.stopped else []), *self.trouble],
            claims=judge(measured),
            svg="" if self.described else picture(measured, self.asked.build / "matplotlib"),
        )


def described(text: Mapping[str, str]) -> Any:
    """The network described in a user's file; None: the designs of the families."""
    name = text.get("NETWORK", "")
    return find(name).from_variables(text) if planned(name) else None
