"""Arbiters and generators of random numbers, as plain objects."""

from collections.abc import Collection

MASK32 = 2**32 - 1
GOLDEN = 0x9E3779B9


class RoundRobin:
    """Grants the first requester from a pointer on.

    Examples
    --------
    >>> arbiter = RoundRobin(4)
    >>> arbiter.use(1)
    >>> arbiter.pick({0, 1}), arbiter.pick({0, 3})
    (0, 3)
    """

    def __init__(self, requesters: int) -> None:
        self.requesters = requesters
        self.pointer = 0

    def pick(self, asking: Collection[int]) -> int:
        """Return which of those that ask is granted; some must ask."""
        return min(asking, key=lambda each: (each - self.pointer) % self.requesters)

    def use(self, granted: int) -> None:
        """Move on, for a grant is used."""
        self.pointer = (granted + 1) % self.requesters


class Matrix:
    """Grants the requester that was granted least recently.

    Examples
    --------
    >>> arbiter = Matrix(3)
    >>> arbiter.use(0)
    >>> arbiter.order, arbiter.pick({0, 2})
    ([1, 2, 0], 2)
    """

    def __init__(self, requesters: int) -> None:
        self.order = list(range(requesters))

    def pick(self, asking: Collection[int]) -> int:
        """Return which of those that ask is granted; some must ask."""
        return next(each for each in self.order if each in asking)

    def use(self, granted: int) -> None:
        """Put who was granted at the end of the order."""
        self.order.remove(granted)
        self.order.append(granted)


Arbiter = RoundRobin | Matrix


class Generator:
    """The random numbers of one switch.

    Examples
    --------
    Switch 0 of level 1, as in the contract:

    >>> generator = Generator(0x12345678, 0)
    >>> hex(generator.word), [hex(generator.draw(i)) for i in range(2)]
    ('0x8c032fc1', ['0x2fc1', '0xf831'])
    >>> generator.step()
    >>> hex(generator.word)
    '0xd6941cbc'
    """

    def __init__(self, seed: int, node: int) -> None:
        self.word = seed ^ (node + 1) * GOLDEN & MASK32 or 1

    def step(self) -> None:
        """Go on by a clock."""
        x = self.word
        x ^= x << 13 & MASK32
        x ^= x >> 17
        x ^= x << 5 & MASK32
        self.word = x

    def draw(self, lane: int) -> int:
        """Return the 16 bits of input VC `lane`, counted through the switches of a level."""
        turn = 5 * lane % 32
        return (self.word << turn | self.word >> 32 - turn) & 0xFFFF
