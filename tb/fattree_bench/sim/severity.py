"""What a design complains of: the simulators' own severity messages, read here and nowhere else.

$error, $fatal, $stop, $finish and failed assertions end a run on either simulator; $warning, $info
and $display do not.  Icarus continues after $error and says nothing of $stop and $finish, so a
build mends them (`stop_at_errors`; for Verilator, stop_filter.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fattree_bench.bench.failure import Place, Sighting, Stop

RULE = "rule of the design"
ICARUS = re.compile(
    r"^(?P<severity>ERROR|FATAL): (?P<file>.+?):(?P<line>\d+): (?P<text>.*)\n"
    r"(?:(?!INFO: |WARNING: |ERROR: |FATAL: ).*\n)*?"  # a message may have more lines
    r" {7}Time: (?P<time>\d+) Scope: (?P<scope>\S+)$",
    re.MULTILINE,
)
VERILATOR = re.compile(
    r"^(?:\[(?P<time>\d+)\] )?%(?P<severity>Error|Fatal)[^:\n]*: (?P<file>[^:\n]+):(?P<line>\d+): "
    r"(?:Assertion failed in (?P<scope>[^\s:]*)(?:: |$))?(?P<text>.*)$",
    re.MULTILINE,
)
NUMBERS = re.compile(r"\b(0x[0-9a-f]+|\d+)\b")
NAMELESS = ("", "'assert' failed.")  # what an assertion without a message says
CALL = re.compile(r'^(?P<head>\s*%vpi_call\S* \d+ \d+) "\$(?P<task>error|stop|finish)".*$', re.M)


@dataclass(frozen=True)
class Complaint:
    """A message above warning: its text, the instance and the time (None: the simulator's own).

    `source`: file and line that said it.
    """

    text: str
    scope: str | None
    time: int | None
    source: str = ""

    @property
    def rule(self) -> str:
        """Its text without numbers, the same for all instances."""
        return NUMBERS.sub("#", self.text)

    def sighting(self, stop: Stop | None = None) -> Sighting:
        """The same as a fault: where the rule stands is its name; `stop` knows the clock."""
        place = None if self.scope is None else Place(self.scope)
        told = f"{self.text} ({self.source})"
        seen = Sighting(RULE, told, time=self.time, unit="time", place=place, step=self.time)
        clock = None if stop is None or self.time is None else stop.time(self.time)
        if stop is None or clock is None:
            return seen
        told = f"{self.text} ({self.source}, time {self.time})"
        return replace(seen, example=told, family=stop.family, time=clock, unit=stop.unit)

    def __str__(self) -> str:
        return self.text if self.scope is None else f"{self.scope}: at {self.time}: {self.text}"


def complaints(log: str) -> Iterator[Complaint]:
    """The messages above warning in what a simulator printed, in their order."""
    found = [*ICARUS.finditer(log), *VERILATOR.finditer(log)]
    for match in sorted(found, key=re.Match.start):
        scope, time = match["scope"] or None, match["time"]
        source = f"{Path(match['file']).name}:{match['line']}"
        text = match["text"].removeprefix(f"{scope}: ")
        if text in NAMELESS:
            text = f"{match['severity'].lower()} in {source}"
        yield Complaint(text, scope, None if time is None else int(time), source)


def stop_at_errors(compiled: str) -> str:
    """A program for vvp that also ends at $error, and says where $stop or $finish ended it."""

    def mend(call: re.Match[str]) -> str:
        if call["task"] == "error":
            return f'{call[0]}\n{call["head"]} "$stop" {{0 0 0}};'
        return f'{call["head"]} "$error", "${call["task"]}" {{0 0 0}};\n{call[0]}'

    return CALL.sub(mend, compiled)
