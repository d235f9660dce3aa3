"""Promises of a switch that are checked although the model also breaks them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.cell_faults import (
    lose,
    misdeliver,
    misdeliver_a_copy,
    nothing,
    twice,
)
from tests.tb.families.lbbvn_switch.cell_streams import BASIC, SHORT, SLOTS, flooded, lone, stream
from tests.tb.families.lbbvn_switch.software import Make, Stream, frames, switch


def shared(seen: Stream, fault: Callable[[Stream], None]) -> None:
    """The model does what the faulty design does: its plans say what is seen."""
    fault(seen)
    late, payload = seen.network.latency, seen.network.layout.payload
    ahead = ((0, late), (0, 0))
    valid, data = np.pad(seen.valid, ahead)[late:], np.pad(seen.data, ahead)[late:]
    number, source = payload.named(data)
    source, number = np.where(valid, source, -1).astype(np.int32), np.where(valid, number, -1)
    for item in seen.items:
        rows = slice(item.sequence, item.sequence + item.slots)
        item.plan = replace(item.plan, source=source[rows], arrival=number[rows], words=data[rows])


def of_nobody(seen: Stream) -> None:
    """A cell of an input that was idle."""
    slot, output = lone(seen)
    word = seen.network.layout.payload.words(np.int64([SLOTS + 30]), np.int64([3]))
    seen.put((slot + 2, output), int(word[0]))


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (twice, {kind.DUPLICATED: 1}),
        (lose, {kind.STUCK: 1}),
        (misdeliver, {kind.MISDELIVERED: 1, kind.STUCK: 1}),
        (misdeliver_a_copy, {kind.MISDELIVERED: 1}),
        (of_nobody, {kind.SPURIOUS: 1}),
    ],
)
def test_what_the_model_should_not_have_said(
    fault: Callable[[Stream], None], names: dict[str, int], bench: Make
) -> None:
    seen = stream()
    shared(seen, fault)
    found = bench(BASIC).names(seen)
    found.pop(kind.UNCHECKED, None)  # more than were sent
    assert found == names


@pytest.mark.parametrize("scheme", ["BASIC", "FOFF", "MAILBOX"])
def test_none_is_lost_without_being_counted(scheme: str, bench: Make) -> None:
    """Also where queues overflow: neither by the design nor by the model."""
    for fault, names in ((nothing, {}), (lose, {kind.COUNTERS: 1})):
        seen = flooded(SHORT[scheme])
        shared(seen, fault)
        found = bench(SHORT[scheme]).names(seen)
        found.pop(kind.UNCHECKED, None)
        assert found == names


@pytest.mark.parametrize(
    ("variables", "cells"),
    [({"SCHEME": "UFS"}, 3), ({"SCHEME": "PADDED", "THRESHOLD": 2}, 1), ({"SCHEME": "BASIC"}, 0)],
)
def test_how_many_cells_may_wait_for_a_frame(
    variables: dict[str, object], cells: int, bench: Make
) -> None:
    """Less than are worth one: N, or the threshold."""
    network = switch(**variables)
    for waiting in (cells, cells + 1):
        dst = np.full((64, 4), -1, np.int32)
        dst[10 : 10 + waiting, 1] = 2
        seen = Stream(network, frames(dst))

        def stop(seen: Stream) -> None:
            seen.valid[:], seen.data[:] = False, 0

        shared(seen, stop)
        found = bench(network).names(seen)
        found.pop(kind.UNCHECKED, None)
        assert found == ({} if waiting == cells else {kind.STUCK: 1})


def test_what_was_offered_in_a_reset_was_not_sent(bench: Make) -> None:
    dst = np.full((64, 4), -1, np.int32)
    dst[20, 1] = dst[22, 1] = 2
    held = np.zeros(64, np.bool_)
    held[20] = True

    def ignore_the_reset(seen: Stream) -> None:
        word = BASIC.layout.payload.words(np.int64([20]), np.int64([1]))
        seen.put((40, 2), int(word[0]))

    for fault, names in ((nothing, {}), (ignore_the_reset, {kind.SPURIOUS: 1})):
        seen = Stream(BASIC, frames(dst, reset=held))
        shared(seen, fault)
        found = bench(BASIC).names(seen)
        found.pop(kind.UNCHECKED, None)
        assert found == names
