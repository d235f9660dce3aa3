"""What contracts of SPIN's terminals say of tags and answers: deviations have a name."""

import numpy as np
from pytest import MonkeyPatch

from fattree_bench.bench import faults as kind
from fattree_bench.families.spin.requests import RequestSet
from tests.tb.families.spin.test_scoreboard import Script


def test_a_tag_that_is_not_the_lowest() -> None:
    script = Script()
    script.issued[4, 1] = 0x81
    names = {kind.SENDING, kind.MISDELIVERED, kind.SPURIOUS, kind.LOST}
    assert script.names() == dict.fromkeys(names, 1)


def test_data_in_the_answer_to_a_write() -> None:
    script = Script()
    script.response[24, 0] |= np.uint64(1)
    assert script.names() == {kind.CORRUPTED: 1}


def test_answers_that_come_too_early_for_a_command_alone(monkeypatch: MonkeyPatch) -> None:
    """Packets of 5, 5 and 3 words, answers of 2, 2 and 4: all after 20 clocks."""
    monkeypatch.setattr(RequestSet, "alone", True)
    assert Script().names() == {kind.EARLY: 3}
