"""`make claim ITEM=L79`: what a paper says in one place, measured, and judged."""

import textwrap
from collections.abc import Mapping, Sequence

from rich.console import Console

from fattree_bench import campaign
from fattree_bench.area.command import Area
from fattree_bench.bench.claims import Claim
from fattree_bench.bench.result import Test
from fattree_bench.claims import planned
from fattree_bench.errors import UserError, meant
from fattree_bench.jobs.pool import Pool
from fattree_bench.papers.registry import cited, items
from fattree_bench.regress.command import Regress, Wanted
from fattree_bench.report.evidence import collect
from fattree_bench.report.items import Row, stood
from fattree_bench.report.regression import AT_NIGHT
from fattree_bench.settings import parsed, word

WIDTH = 80


def number_of(word: str) -> str:
    """The number of an item; UserError names one that is near."""
    known = items()
    if not word:
        raise UserError("ITEM: must be given, as ITEM=L79")
    if word.upper() not in known:
        raise UserError(f"ITEM={word}: no such item of a paper{meant(word, known)}")
    return word.upper()


class WantedClaim(Wanted):
    """Which item, and where it runs."""

    item = parsed("ITEM", "", "number of an item of docs/claims.md, as L79", number_of)
    tier = word("TIER", AT_NIGHT[0], AT_NIGHT, "{allowed}")
    network = Wanted.network.but(fixed=True)
    test = Wanted.test.but(fixed=True)
    failed = Wanted.failed.but(fixed=True)
    close = Wanted.close.but(fixed=True)
    earlier = Wanted.earlier.but(fixed=True)
    testplan = Wanted.testplan.but(fixed=True)
    history = Wanted.history.but(fixed=True)


class ClaimOfItem(Regress):
    """The testpoints that decide an item, with their controls."""

    target = "claim"
    variables = WantedClaim
    asked: WantedClaim
    lasting = ("ITEM", "TIER", "SIM", "SEED", "RESEED", "RTL")

    def __init__(self, console: Console, given: Mapping[str, str]) -> None:
        super().__init__(console, given)
        self.item = items()[self.asked.item]

    def tell(self, words: str, indent: int = 0) -> None:
        """Lines of at most 80 columns."""
        pad = " " * indent
        filled = textwrap.wrap(words, WIDTH, initial_indent=pad, subsequent_indent=pad or "  ")
        self.console.print("\n".join(filled), markup=False, soft_wrap=True)

    def before(self) -> None:
        """The sentence, what decides it, and its controls."""
        item = self.item
        self.tell(f"{item.number} ({cited(item.number)})")
        self.tell(item.says, 2)
        for point in (p for p in self.plan.testpoints.values() if p.decides(item.number)):
            self.tell(f"{point.network}: {point.name}")
            self.tell(f"stimulus: {point.stimulus}", 2)
            self.tell(f"check: {point.check}", 2)
            for claim in (c for c in point.claims if item.number in c.items):
                self.tell(f"measure: {claim.measure}; expected: {claim.verdict}", 2)
                if claim.corrected:
                    self.tell(f"corrected: {claim.corrected}", 2)
                self.tell(f"controls: {', '.join(claim.controls) or 'none'}", 2)

    def show(self) -> None:
        self.before()
        super().show()

    def work(self, pool: Pool) -> None:
        self.before()
        super().work(pool)

    def report(self) -> bool:
        found = self.found()
        own = [claim for claim in found.judged if claim.item == self.item.number]
        check = stood(found, self.item.check) if self.item.check else (0, 0)
        return self.judged(own, check, found.tests) and not found.missing

    def judged(self, claims: Sequence[Claim], check: tuple[int, int], tests: list[Test]) -> bool:
        """Print figures and the verdict; whether it is the expected one."""
        for claim in claims:
            self.tell(f"figure: {claim.measured.text or 'none'}")
            for control in claim.controls:
                measured = control.measured
                self.tell(f"control {control.name}: {measured.text or 'none'}: {measured.verdict}")
        for test in (test for test in tests if not test.passed):
            self.tell(f"FAIL {test.configuration} {test.scenario}: {test.message}")
        if self.item.check:
            self.tell(f"{check[0]} of {check[1]} tests passed")
        row = Row(self.item, [*claims], check)
        expected = {claim.expected for claim in claims} or {row.verdict}
        trouble = "; ".join(claim.trouble for claim in claims if claim.trouble)
        good = not trouble and {row.verdict} == expected and all(test.passed for test in tests)
        self.tell(
            f"verdict: {row.verdict}, {trouble or ('as' if good else 'not as') + ' expected'}"
        )
        return good


def run(console: Console, arguments: Sequence[str]) -> int:
    """Run what decides an item: its testpoints, and the syntheses of its networks."""
    words = [word if "=" in word or word[:1] == "-" else f"ITEM={word}" for word in arguments]
    given = campaign.read(ClaimOfItem, words)
    one = ClaimOfItem(console, given)
    number, build = one.item.number, given.get("BUILD", "build")
    if one.item.undecided:
        one.before()
        one.tell(f"verdict: not decided here: {one.item.undecided}")
        return 0
    synthesized = {
        claim.network
        for claim in planned(one.plan)
        if claim.item == number and claim.testpoint not in one.plan.testpoints
    }
    for network in () if one.asked.dry_run else sorted(synthesized):
        campaign.run(console, Area, [f"NETWORK={network}", f"BUILD={build}"])
    if any(point.decides(number) for point in one.plan.testpoints.values()):
        return campaign.run(console, ClaimOfItem, words)
    one.before()
    found = [claim for evidence in collect(one.asked.build) for claim in evidence.claims]
    own = [claim for claim in found if claim.item == number]
    return int(not one.judged(own, (0, 0), []))
