"""One router of SPIN, plain and slow, a line for each sentence of docs/spin.md.

Nothing here is of `fattree_models.spin.routers`: the two are compared.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from fattree_models.spin.codec import BEGIN, DATA, END, ERROR, PARITY, parity_word
from fattree_models.xgft import Xgft

UP = -1


@dataclass(eq=False)
class Input:
    """An input; `path` is None, an output's number or a `Buffer`."""

    number: int
    queue: deque[int] = field(default_factory=deque)
    path: int | Buffer | None = None
    so_far: int = 0
    to_come: int = 0
    astray: bool = False
    began: bool = False
    after_cut: bool = False
    gives: bool = False

    def offer(self) -> tuple[int, bool, bool]:
        """Return the word that is offered, whether it is the last, and whether it was added."""
        front = self.queue[0]
        first = self.so_far == 0
        if front & BEGIN and not first:
            return parity_word(END | ERROR, 0), True, True
        to_come = self.to_come
        if first:
            to_come = (front & DATA) // 2**27 if front & BEGIN else 0
        ends = bool(front & END)
        last = ends or to_come == 1
        marks = BEGIN if front & BEGIN or first else 0
        marks += END if last else 0
        wrong = [
            front & ERROR,
            last and not (ends and to_come == 1),
            first and not front & BEGIN,
            first and self.astray,
            first and self.after_cut,
        ]
        marks += ERROR if any(wrong) else 0
        return parity_word(marks, front & DATA), last, False

    def left(self, last: bool, added: bool) -> None:
        """The word that was offered leaves."""
        if added:
            self.after_cut = self.began
        else:
            front = self.queue.popleft()
            self.gives = True
            if self.so_far == 0:
                self.began = bool(front & BEGIN)
                self.to_come = (front & DATA) // 2**27 if self.began else 0
                self.after_cut = False
            self.so_far += 1
            self.to_come = max(0, self.to_come - 1)
        if last:
            self.path, self.so_far = None, 0

    def came(self, word: int) -> None:
        """Take a word from the link."""
        if word.bit_count() % 2:
            word = word ^ PARITY if word & ERROR else word | ERROR
        self.queue.append(word)


@dataclass(eq=False)
class Output:
    """An output; `owner` is None, an `Input` or a `Buffer`."""

    credits: int = 4
    owner: Input | Buffer | None = None
    word: int | None = None

    @property
    def free(self) -> bool:
        """Whether a packet may get it."""
        return self.owner is None and self.credits > 0


@dataclass(eq=False)
class Buffer:
    """A shared buffer with words; `child` is None if it is empty."""

    words: deque[int] = field(default_factory=deque)
    child: int | None = None
    output: int | None = None
    since: int = 0


class PlainRouter:
    """A router of a tree: `shown` is what it shows, `step` moves on by a clock."""

    def __init__(self, tree: Xgft, level: int, node: int, shared: bool) -> None:
        self.below = tree.subtree_leaves(level)
        self.digit = tree.subtree_leaves(level - 1)
        self.leaves = tree.leaves
        self.subtree = node // tree.w_span(level)
        self.children, self.parents = tree.down_ports(level), tree.up_ports(level)
        self.shared = shared
        self.reset()

    def reset(self) -> None:
        """Make all as it is at first."""
        ports = range(self.children + self.parents)
        self.inputs = [Input(number) for number in ports]
        self.outputs = [Output() for _ in ports]
        self.buffers = [Buffer(), Buffer()] if self.shared else []
        self.parent_pointer = self.buffer_pointer = self.clock = 0
        self.child_pointers = [0] * self.children

    def way(self, source: Input) -> tuple[int, bool]:
        """Return UP or the child to which an input's front goes, and whether it goes astray."""
        destination = source.queue[0] % self.leaves
        from_child = source.number < self.children
        if self.parents and from_child and destination // self.below != self.subtree:
            return UP, False
        child = destination // self.digit % self.children
        if child == source.number and from_child:
            return child + 1 if child % 2 == 0 else child - 1, True
        return child, False

    def in_turn(self, pointer: int) -> list[Input]:
        """Return all inputs from a pointer on."""
        return self.inputs[pointer:] + self.inputs[:pointer]

    def decide(self) -> tuple[list[tuple[Input | Buffer, int]], list[tuple[Input, Buffer]]]:
        """Return who gets which output, and who which buffer."""
        asks = [each for each in self.inputs if each.path is None and each.queue]
        free = [output.free for output in self.outputs]
        grants: list[tuple[Input | Buffer, int]] = []
        got: list[Input] = []
        parent = self.parent_pointer
        for each in asks:
            if self.way(each)[0] == UP:
                turn = [(parent + step) % self.parents for step in range(self.parents)]
                there = [p for p in turn if free[self.children + p]]
                if there:
                    free[self.children + there[0]] = False
                    grants.append((each, self.children + there[0]))
                    parent = (there[0] + 1) % self.parents
        for child in range(self.children):
            waiting = [b for b in self.buffers if b.child == child and b.output is None]
            waiting.sort(key=lambda buffer: buffer.since)
            inputs = self.in_turn(self.child_pointers[child])
            inputs = [i for i in inputs if i in asks and self.way(i)[0] == child]
            candidates: list[Input | Buffer] = [*waiting, *inputs]
            if free[child] and candidates:
                grants.append((candidates[0], child))
                got += [] if waiting else inputs[:1]
        empty = [buffer for buffer in self.buffers if buffer.child is None]
        losers = [i for i in self.in_turn(self.buffer_pointer) if i in asks and i not in got]
        losers = [i for i in losers if self.way(i)[0] != UP]
        return grants, [(losers[0], empty[0])] if losers and empty else []

    def shown(self) -> tuple[list[int | None], list[bool], list[bool], list[bool], bool]:
        """Return words on outputs, credits of inputs, state, home, and stored."""
        return (
            [output.word for output in self.outputs],
            [each.gives for each in self.inputs],
            [bool(i.queue) for i in self.inputs] + [b.child is not None for b in self.buffers],
            [o.owner is None and o.credits == 4 for o in self.outputs]
            + [b.child is None for b in self.buffers],
            bool(self.decide()[1]),
        )

    def step(self, words: list[int | None], credits: list[bool]) -> None:
        """Move on by a clock, given words on the inputs' links and credits for outputs."""
        grants, stores = self.decide()
        astray = [i.path is None and bool(i.queue) and self.way(i)[1] for i in self.inputs]
        ways = {i.number: self.way(i)[0] for i, _ in stores}
        room = [len(buffer.words) < 18 for buffer in self.buffers]
        leaving = [(o, output.owner) for o, output in enumerate(self.outputs)]
        for each in self.inputs:
            each.gives = False
        for o, owner in leaving:
            self.send(self.outputs[o], owner)
        for buffer, has_room in zip(self.buffers, room, strict=True):
            for each in self.inputs:
                if each.path is buffer and each.queue and has_room:
                    word, last, added = each.offer()
                    buffer.words.append(word)
                    each.left(last, added)
        for who, o in grants:
            self.outputs[o].owner = who
            if isinstance(who, Buffer):
                who.output = o
            else:
                who.path, who.astray = o, astray[who.number]
                if o < self.children:
                    self.child_pointers[o] = (who.number + 1) % len(self.inputs)
                else:
                    self.parent_pointer = (o - self.children + 1) % self.parents
        for each, buffer in stores:
            each.path, each.astray = buffer, astray[each.number]
            buffer.child, buffer.since = ways[each.number], self.clock
            self.buffer_pointer = (each.number + 1) % len(self.inputs)
        for output, credit in zip(self.outputs, credits, strict=True):
            output.credits += credit
        for each, came in zip(self.inputs, words, strict=True):
            if came is not None:
                each.came(came)
        self.clock += 1

    def send(self, output: Output, owner: Input | Buffer | None) -> None:
        """Put a word of the owner on an output's link, if one is offered and there is a credit."""
        output.word = None
        offered = owner.words if isinstance(owner, Buffer) else owner.queue if owner else None
        if not offered or not output.credits:
            return
        output.credits -= 1
        if isinstance(owner, Buffer):
            output.word = owner.words.popleft()
            last = bool(output.word & END)
            if last:
                owner.child = owner.output = None
        else:
            assert isinstance(owner, Input)
            output.word, last, added = owner.offer()
            owner.left(last, added)
        if last:
            output.owner = None
