"""Arbiters, as plain objects."""

from collections.abc import Collection


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
