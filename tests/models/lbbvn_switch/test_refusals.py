"""Shapes and arrivals that no switch takes are refused by name."""

import pytest

from fattree_models.lbbvn_switch import OutputQueued, Switch, SwitchShape, defaults


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n: is 0; allowed are integers 1 … 8"),
        ({"n": True}, "n: is True; allowed are integers 1 … 8"),
        ({"scheme": "FOOF"}, "scheme: is 'FOOF'; allowed are BASIC, UFS, FOFF, PADDED, MAILBOX"),
        ({"schedule": "X"}, "schedule: is X; allowed are BITREV, ROTATOR, TDM, XOR, SAME"),
        ({"schedule": "XOR"}, "schedule: is XOR; allowed are BITREV, ROTATOR, TDM"),
        ({"schedule": "SAME"}, "schedule: is SAME; allowed are BITREV, ROTATOR, TDM"),
        ({"schedule": "XOR", "unchecked": True}, "allowed are BITREV, ROTATOR, TDM, SAME"),
        ({"scheme": "MAILBOX", "schedule": "SAME"}, "allowed are BITREV, ROTATOR, TDM, XOR"),
        ({"ingress": 7}, "ingress: is 7; allowed are integers 8 … 1048576"),
        ({"scheme": "BASIC", "ingress": 0}, "ingress: is 0; allowed are integers 1 … 1048576"),
        ({"middle": 0}, "middle: is 0; allowed are integers 1 … 1048576"),
        (
            {"n": 8, "ingress": 256, "middle": 4097},
            "middle: is 4097; allowed are integers 1 … 4096",
        ),
        ({"resequencer": 0}, "resequencer: is 0; allowed are integers 1 … 1048576"),
        ({"threshold": 9}, "threshold: is 9; allowed are integers 1 … 8"),
        ({"gate": 0}, "gate: is 0; allowed are integers 1 … 1048576"),
        ({"feedback": 0}, "feedback: is 0; allowed are integers 1 … 1048576"),
        ({"tries": 1.5}, "tries: is 1.5; allowed are integers 1 … 1048576"),
    ],
)
def test_bad_shapes_are_refused(change, message):
    fields = {"n": 3, "scheme": "FOFF", "ingress": 64, "middle": 64, **change}
    with pytest.raises(ValueError) as error:
        SwitchShape(**fields)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("dst", "message"),
    [
        ([[0, 1]], "dst: has 2 columns; allowed are 4"),
        ([[0, 1, 4, 0]], "dst: holds 4; allowed are -1 … 3"),
        ([0, 1, 2, 3], "dst: has 1 axes"),
    ],
)
def test_bad_arrivals_are_refused(dst, message):
    for switch in (Switch(defaults(2, "BASIC")), OutputQueued(2)):
        with pytest.raises(ValueError) as error:
            switch.run(dst)
        assert message in str(error.value)
        assert switch.slot == 0
