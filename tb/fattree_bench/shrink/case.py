"""An input that fails: messages, when receivers pause, what else a test sets; and its files."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

Message = tuple[int, ...]  # a number for each column
Pause = tuple[int, int, int]  # leaf, first clock, clocks

MESSAGES, TEST, NAME = "packets.csv", "shrunk.py", "shrunk"
FILE = "file"  # the test of a message file, where nothing else is set
CLASS = '''"""What `ftb shrink` left of TEST={was}: plays the packets of MESSAGES."""

from collections.abc import Iterator

from fattree_bench.bench.links.flit.packets import {imported}PacketSet
from fattree_bench.bench.links.flit.pauses import Pauses
from fattree_bench.bench.links.flit.sequences import PacketFile
from fattree_bench.bench.scenario import Registry

SCENARIOS = Registry()


@SCENARIOS.add(name="{name}")
class Shrunk(PacketFile):
    """The packets of MESSAGES, with all else that the failure needs."""

    def items(self) -> Iterator[PacketSet]:
        for item in super().items():
            # leaf, first clock, clocks: a receiver that gives nothing back
            item.stall = Pauses({pauses})
{settings}            yield item
'''


@dataclass(frozen=True)
class Case:
    """An input.

    Attributes
    ----------
    columns : of the messages, as in a message file.
    settings : attributes of the item that is played, and their values as Python writes them.
    variables : of the network, where they are not those of the run that failed.
    was : the test that failed.
    """

    columns: tuple[str, ...]
    messages: tuple[Message, ...]
    pauses: tuple[Pause, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    was: str = ""

    def column(self, name: str) -> list[int]:
        """Its values; of a column that is not there, zeros."""
        if name not in self.columns:
            return [0] * len(self.messages)
        at = self.columns.index(name)
        return [message[at] for message in self.messages]

    def but(self, name: str, values: Iterable[int]) -> Self:
        """With other values in a column."""
        at = self.columns.index(name)
        pairs = zip(self.messages, values, strict=True)
        return self.only(m if m[at] == x else (*m[:at], x, *m[at + 1 :]) for m, x in pairs)

    def put(self, name: str, parts: Iterable[Any]) -> Self:
        """With other messages, pauses, settings or variables."""
        changes: dict[str, Any] = {name: tuple(parts)}
        return replace(self, **changes)

    def only(self, messages: Iterable[Message]) -> Self:
        return self.put("messages", messages)

    def without(self, name: str) -> Self:
        """Without a column."""
        at = self.columns.index(name)
        short = self.only((*m[:at], *m[at + 1 :]) for m in self.messages)
        return replace(short, columns=(*self.columns[:at], *self.columns[at + 1 :]))

    @property
    def bare(self) -> Self:
        """Its messages alone."""
        return replace(self, pauses=(), settings=())

    def smaller(self) -> Iterator[Self]:
        """With one message less; with one flit less."""
        for i in range(len(self.messages) if self.messages[1:] else 0):
            yield self.only(self.messages[:i] + self.messages[i + 1 :])
        flits = self.column("flits")
        for i, count in enumerate(flits):
            if count > 1:
                yield self.but("flits", [*flits[:i], count - 1, *flits[i + 1 :]])

    @property
    def test(self) -> str:
        """Of its files: what plays it; "" if a message file is all that it needs."""
        return f"{TEST}::{NAME}" if self.settings or self.pauses else ""

    def write(self, folder: Path) -> None:
        """The file of messages, and the test if there must be one."""
        shown = [k for k in self.columns if k != "kind" or any(self.column(k))]
        columns = [map(hex if k == "payload" else str, self.column(k)) for k in shown]
        rows = [",".join(shown), *map(",".join, zip(*columns, strict=True))]
        (folder / MESSAGES).write_text("\n".join(rows) + "\n")
        (folder / TEST).unlink(missing_ok=True)
        if self.test:
            lines = [f"            item.{name} = {value}\n" for name, value in self.settings]
            answers = "Answers, " if any("Answers(" in line for line in lines) else ""
            words = {"was": self.was, "name": NAME, "imported": answers, "pauses": self.pauses}
            (folder / TEST).write_text(CLASS.format(**words, settings="".join(lines)))


def joined(lines: Iterable[dict[str, Any]], was: str) -> list[Case]:
    """Of what a simulator noted: the last item alone, then all that was sent, one by one."""
    items: list[tuple[Case, int]] = []
    for line in lines:
        if "pauses" in line:
            last, at = items.pop()
            last = last.put("pauses", (*last.pauses, *map(tuple, line["pauses"])))
        else:
            last = Case(tuple(line["columns"]), (), (), tuple(line["settings"].items()), (), was)
            last, at = last.put("messages", map(tuple, line["messages"])), line["at"]
        items.append((last, at))
    full = [(item, at) for item, at in items if item.messages]
    if not full:
        return []
    last, _ = full[-1]
    later = [_later(item, at) for item, at in full if item.columns == last.columns]
    every = last.put("messages", (message for item in later for message in item.messages))
    every = every.put("pauses", (pause for item in later for pause in item.pauses))
    return [last, *([every] if later[1:] else [])]


def _later(item: Case, clocks: int) -> Case:
    moved = item.put("pauses", ((leaf, at + clocks, count) for leaf, at, count in item.pauses))
    at = [release + clocks for release in item.column("release")]
    return moved.but("release", at) if "release" in item.columns else moved
