"""What contracts of SPIN's terminals say of tags and answers: deviations have a name."""

import numpy as np
from pyuvm import uvm_root

from fattree_bench.bench import faults as kind
from tests.tb.families.spin.test_scoreboard import Script


def test_a_tag_that_is_not_the_lowest() -> None:
    uvm_root().clear_singletons()
    script = Script()
    script.issued[4, 1] = 0x81
    names = {kind.SENDING, kind.MISDELIVERED, kind.SPURIOUS, kind.LOST}
    assert script.names() == dict.fromkeys(names, 1)


def test_data_in_the_answer_to_a_write() -> None:
    uvm_root().clear_singletons()
    script = Script()
    script.response[24, 0] |= np.uint64(1)
    assert script.names() == {kind.CORRUPTED: 1}
