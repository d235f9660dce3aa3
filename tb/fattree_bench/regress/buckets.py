"""Failures of one cause in one bucket: tests of a network that share what went wrong.

A fault in a switch shows as packets at wrong leaves in one test, as losses in another, and stops a
third.  Two tests are of one bucket if they have a symptom in common, or are so through others.  Of
tests without symptoms the message counts, numbers aside.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from fattree_bench.bench import faults as kind
from fattree_bench.bench.result import Test
from fattree_bench.bench.sentences import failure_of
from fattree_bench.report import regression as r

# Rules of benches that say what a kind of fault says, by how they begin.
SAME = {
    "a conflict where the bench expects none": kind.CONFLICTS,
    "the fabric lost a word": kind.CONFLICTS,
    "a queue overflowed where the bench expects none": kind.OVERFLOW,
}
# Of any cause: to share them says nothing.
VAGUE = (kind.UNCHECKED, kind.LIMIT)


def symptoms(test: Test) -> list[str]:
    """By what a test is put into a bucket."""
    found = [
        next((name for rule, name in SAME.items() if each.startswith(rule)), each)
        for each in test.symptoms
    ]
    return [each for each in found if each not in VAGUE] or found or [normalised(test.message)]


def normalised(message: str) -> str:
    """A message without what differs from run to run: numbers, folders of builds and runs."""
    plain = re.sub(r"\S*/(runs|sim)/\S*", "…", message)
    return re.sub(r"\b0x[0-9a-f]+\b|\b\d+\b", "#", plain)


def grouped(tests: Sequence[Test]) -> list[list[Test]]:
    """Tests that have failed, by cause; the most frequent first."""
    groups: list[tuple[str, set[str], list[Test]]] = []
    for test in tests:
        if test.passed:
            continue
        names, own = set(symptoms(test)), [test]
        apart = []
        for network, known, members in groups:
            if network == test.network and known & names:
                names |= known
                own = members + own
            else:
                apart.append((network, known, members))
        groups = [*apart, (test.network, names, own)]
    place = {id(test): number for number, test in enumerate(tests)}
    found = [sorted(members, key=lambda test: place[id(test)]) for _, _, members in groups]
    return sorted(found, key=lambda members: (-len(members), place[id(members[0])]))


def buckets(tests: Sequence[Test]) -> list[r.Bucket]:
    """A report on each cause: its symptoms, and the test that shows most of it."""
    place = {id(test): number for number, test in enumerate(tests)}
    made = []
    for members in grouped(tests):
        best = max(members, key=telling)
        counts = Counter(name for test in members for name in symptoms(test))
        made.append(
            r.Bucket(
                message=normalised(best.message),
                count=len(members),
                replay=best.replay,
                symptoms=counts.most_common(),
                test=place[id(best)],
                members=[place[id(test)] for test in members],
            )
        )
    return made


def telling(test: Test) -> tuple[bool, bool, bool, int, int]:
    """How much a test tells of its cause: what its packets share, what came instead of what."""
    failure = failure_of(test)
    if failure is None:
        return False, False, False, 0, 0
    first = failure.first
    pair = first is not None and (first.expected is not None or first.got is not None)
    best = failure.traits[0] if failure.traits else None
    unlike = 0 if best is None else 1000 - 1000 * best.sound // max(1, best.among)
    return best is not None, best is not None and not failure.kind, pair, unlike, failure.faulty


def first_of_each(tests: Iterable[Test]) -> dict[int, int]:
    """Of failed tests, by identity, how many of their bucket come before them."""
    return {
        id(test): number
        for members in grouped(list(tests))
        for number, test in enumerate(sorted(members, key=telling, reverse=True))
    }
