"""What faulty packets share beyond single traits: a wrong leaf by a function, and mere hints.

A swapped pair of wires, a rotated list of digits or an offset sends every packet to a place that
its destination names, in a wrong way.  Each function that a fault is likely to be is tried, and the
first that explains every such packet is named, or else the table of wrong leaves.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fattree_bench.bench.failure import Sighting, Trait
from fattree_bench.bench.faults import MISDELIVERED

LEAST = 3  # leaves whose packets stray, for a function to say more than their list
LISTED = 4  # pairs that are shown
BY_CHANCE = ", maybe by chance"
FEW = 4  # faulty packets; what fewer share says nothing
OWN = "came out at their destination {}"


def astray(seen: Iterable[Sighting], leaves: int, sound: int) -> Trait | None:
    """What the leaves have in common at which packets came out; None: nothing.

    Parameters
    ----------
    seen : faults; those of misdelivered packets are looked at.
    leaves : of the network.
    sound : packets without a fault that were compared.
    """
    pairs = [
        (one.got.destination, one.place.number)
        for one in seen
        if one.kind == MISDELIVERED and one.got and one.place and one.place.number is not None
    ]
    wrong = dict(pairs)
    if leaves < LEAST or len(wrong) < 2 or any(wrong[goal] != leaf for goal, leaf in pairs):
        return None
    told = next((says for says, to in functions(leaves) if explains(to, wrong)), "")
    # What differs in the same bits is described by them, see suspects.
    if not told and len(wrong) >= LEAST and len({goal ^ leaf for goal, leaf in pairs}) > 1:
        told = listed(wrong)
    if not told:
        return None
    return Trait(OWN, 0, len(pairs), len(pairs), 0, sound, (told,))


def explains(to: Sequence[int], wrong: Mapping[int, int]) -> bool:
    """Whether a function, given by its values, sends all these leaves where packets came out.

    Of few leaves it says something only if it moves no others.
    """
    moves = sum(leaf != goal for goal, leaf in enumerate(to))
    known = len(wrong) >= LEAST or len(wrong) == moves
    return known and all(goal < len(to) and to[goal] == leaf for goal, leaf in wrong.items())


def functions(leaves: int) -> Iterator[tuple[str, list[int]]]:
    """Functions of leaves that faults make, in words and by their values, the simplest first."""
    for offset in range(1, leaves):
        by = offset if offset <= leaves // 2 else offset - leaves
        yield (
            f"{'plus' if by > 0 else 'minus'} {abs(by)} (modulo {leaves})",
            [(leaf + offset) % leaves for leaf in range(leaves)],
        )
    for base in range(2, leaves):
        count = digits(leaves, base)
        if count >= 2:
            what = "bits" if base == 2 else f"base-{base} digits"
            yield from moved(leaves, base, count, what)
    yield "counted from the other end", list(range(leaves))[::-1]


def digits(leaves: int, base: int) -> int:
    """Digits of a leaf's number; 0 unless the leaves are a power of the base."""
    count = 0
    while leaves > 1 and leaves % base == 0:
        leaves, count = leaves // base, count + 1
    return count if leaves == 1 else 0


def moved(leaves: int, base: int, count: int, what: str) -> Iterator[tuple[str, list[int]]]:
    """Digits of a number in another order."""
    for one in range(count):
        for two in range(one + 1, count):
            order = list(range(count))
            order[one], order[two] = two, one
            says = f"with {what} {one} and {two} swapped"
            yield says, [ordered(leaf, base, order) for leaf in range(leaves)]
    for by in range(1, count):
        order = [(place - by) % count for place in range(count)]
        says = f"with its {what} rotated left by {by}"
        yield says, [ordered(leaf, base, order) for leaf in range(leaves)]
    backwards = list(range(count))[::-1]
    says = f"with its {what} in reverse order"
    yield says, [ordered(leaf, base, backwards) for leaf in range(leaves)]


def ordered(number: int, base: int, order: Sequence[int]) -> int:
    """A number whose digit at each place, from the lowest, is that at `order` of another.

    >>> ordered(0b001, 2, [2, 0, 1]), ordered(6, 4, [1, 0])
    (2, 9)
    """
    own = [number // base**place % base for place in range(len(order))]
    return sum(own[order[place]] * base**place for place in range(len(order)))


def listed(wrong: Mapping[int, int]) -> str:
    """Pairs of leaves, as in "by a fixed table: 0→2, 1→3, …"."""
    some = [f"{goal}→{leaf}" for goal, leaf in sorted(wrong.items())]
    return f"by a fixed table: {', '.join(some[:LISTED])}{', …' if some[LISTED:] else ''}"


def hint(
    counts: Mapping[tuple[str, int], Counter[str]],
    words: Mapping[str, tuple[str, ...]],
    packets: Mapping[str, int],
    mostly: float,
) -> list[Trait]:
    """The trait of all faulty packets that fewest sound ones have; none if there is none.

    Parameters
    ----------
    counts : packets by trait (phrase, value) and kind of fault; "": sound.
    words : of a phrase, for its values.
    packets : that were compared, by kind of fault.
    mostly : share of sound packets that may have it at most.
    """
    sound = packets.get("", 0)
    total = sum(packets.values()) - sound
    made = [
        Trait(f"{says}{BY_CHANCE}", value, total, total, found[""], sound, words[says])
        for (says, value), found in counts.items()
        if sum(found.values()) - found[""] == total >= FEW and found[""] <= mostly * sound
    ]
    return [min(made, key=lambda trait: trait.sound)] if made and sound else []
