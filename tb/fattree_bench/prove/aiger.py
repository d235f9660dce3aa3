"""Circuits of gates and registers, from binary AIGER files."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

LANES = 1024  # random runs at once, a bit each
CLOCKS = 58  # of each that are looked at

Value = TypeVar("Value")


@dataclass(frozen=True)
class Aiger:
    """Registers that start with 0, and one rule.

    A number stands for a value, twice the place of an input, register or gate, in this order, from
    2 on; an odd one for its inverse.

    Attributes
    ----------
    inputs : how many.
    nexts : what each register holds next.
    bad : 1 where the rule is broken.
    gates : operands of AND gates, those that come before them.
    """

    inputs: int
    nexts: tuple[int, ...]
    bad: int
    gates: tuple[tuple[int, int], ...]

    @classmethod
    def read(cls, path: Path) -> "Aiger":
        head, _, rest = path.read_bytes().partition(b"\n")
        most, inputs, latches, *counts = map(int, head.split()[1:])
        count = latches + counts[0] + sum(counts[2:])
        *lines, gates = rest.split(b"\n", count)
        first = [int(line.split()[0]) for line in lines]
        numbers, made = deltas(gates), []
        for gate in range(2 * (inputs + latches + 1), 2 * (most + 1), 2):
            high = gate - next(numbers)
            made.append((high, high - next(numbers)))
        return cls(inputs, tuple(first[:latches]), first[latches], tuple(made))

    def values(
        self,
        zero: Value,
        free: Iterable[Value],
        both: Callable[[Value, Value], Value],
        inverse: Callable[[Value], Value],
    ) -> list[Value]:
        """The value of each number; `free`: of inputs, then registers."""
        made = [zero, inverse(zero)]
        for value in free:
            made += (value, inverse(value))
        for left, right in self.gates:
            value = both(made[left], made[right])
            made += (value, inverse(value))
        return made

    def sampled(self, start: int) -> tuple[list[int], int]:
        """Each register in random runs from a clock on, a bit for each state; how many states."""
        draw, ones = random.Random(1).getrandbits, (1 << LANES) - 1
        always = [(draw(LANES), draw(LANES)) for _ in range(self.inputs)]
        state = [0] * len(self.nexts)
        seen = [bytearray() for _ in state]
        for clock in range(start + CLOCKS):
            if clock >= start:
                for place, value in enumerate(state):
                    seen[place] += value.to_bytes(LANES // 8, "little")
            # In some runs an input is seldom 1, in some often.
            free = [draw(LANES) & (draw(LANES) | x) | draw(LANES) & y for x, y in always]
            made = self.values(0, [*free, *state], lambda x, y: x & y, lambda x: x ^ ones)
            state = [made[number] for number in self.nexts]
        return [int.from_bytes(x, "little") for x in seen], LANES * CLOCKS


def deltas(gates: bytes) -> Iterator[int]:
    """Numbers of 7 bits a byte, lowest first."""
    number = shift = 0
    for byte in gates:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
