"""Planted faults, read as a user would: the summary leads to the line of RTL."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli import Cli
from tests.tb.faults.faulty import Edit

NODE = "leiserson/leiserson_node.v"


@dataclass(frozen=True)
class Case:
    """A fault, a run that finds it, and what the lines of its summary must say."""

    name: str
    variables: str
    edits: tuple[Edit, ...]
    first: str
    common: str
    balance: str


CASES = (
    Case(
        "lbbvn: a packet from above goes to the other child",  # gen_above of lbbvn_node.v
        "N=8 TEST=single_packets,messages",
        (Edit("lbbvn/lbbvn_node.v", "H + SIDE] == c", "H + SIDE] != c"),),
        r"leaf 3, clock 7, of “single packets”: expected nothing, got 0→2 of slot 2 .misdelivered.",
        r"the 48 faulty packets: came into a node of level 2 from above .all; no sound ones.",
        r"64 sent, 16 delivered, 0 lost, 48 at a wrong place",
    ),
    Case(
        "leiserson: the wrong address bit on the way down",  # to_left, to_right
        "NETWORK=leiserson N=8 TEST=k_relation",
        (
            Edit(NODE, "down_address_q & ~down_i", "down_address_q & (down_i | 1'b0)"),
            Edit(NODE, "= down_address_q &  down_i;", "= down_address_q & ~down_i;"),
        ),
        r"processor 0, cycle 0, of “4-relation”: expected message 5→0 of cycle 0, got 2→1 of cycle",
        r"the 30 faulty messages: came into a node of level 2 from above .29 of them; no sound",
        r"32 sent, 2 delivered, 13 lost .13 UNEXPLAINED., 8 at a wrong place, 9 late",
    ),
    Case(
        "lbbvn: at one level data that turn come a clock later than their headers",  # u_turn
        "N=8 TEST=single_packets",
        (
            Edit(
                "lbbvn/lbbvn_node.v",
                "TURN_DELAY), .WIDTH(BELOW*(W+1))",
                "TURN_DELAY + (LEVEL == 2)), .WIDTH(BELOW*(W+1))",
            ),
        ),
        r"leaf 1, clock 7, of “single packets”: expected nothing, got 0→1 of slot 1 .late.",
        r"the 8 faulty packets: turned at level 2 .all; no sound ones.$",
        r"64 sent, 56 delivered, 0 lost, 8 late",
    ),
    Case(
        "leiserson: an acknowledge goes to the sibling of the sender",  # up_ack_o
        "NETWORK=leiserson N=8 TEST=single_messages",
        (Edit(NODE, "{left_ack[C_DOWN-1:0], right_ack[", "{right_ack[C_DOWN-1:0], left_ack["),),
        r"processor 0, cycle 0, of “single messages”: message 0→1 of cycle 0: acknowledge: cycle 0"
        r" source processor 0: did not come",
        r"the 56 faulty messages: turned inside the tree .all; no sound ones.$",
        r"72 sent, 72 delivered, 0 lost",
    ),
    Case(
        "kary: KEEP takes any virtual channel",  # the mode of xgft_vc_allocator.v
        "NETWORK=kary K=2 LEVELS=2 VC_MODE=KEEP TEST=uniform",
        (Edit("wormhole/xgft_vc_allocator.v", 'if (MODE == "KEEP")', 'if (MODE == "ANY")'),),
        r"level 1 switch 1 output 3, clock 11, .* in VC 1, seen .* in VC 0; .* by VC allocation",
        r"nothing that sound packets do not share",
        r"160 sent, 160 delivered, 0 lost",
    ),
)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=() if not number else (pytest.mark.nightly,))
        for number, case in enumerate(CASES)
    ],
)
def test_a_summary_leads_to_the_fault(case: Case, rtl_copy: Path, tb_cli: Cli) -> None:
    for edit in case.edits:
        edit.apply(rtl_copy)
    done = tb_cli("sim", f"RTL={rtl_copy}", "SIM=icarus", *case.variables.split())
    output = done.stdout
    assert done.returncode == 1, output + done.stderr
    assert re.search(rf"^  first fault  {case.first}", output, re.MULTILINE), output
    assert re.search(rf"^  in common +(the )?{case.common}", output, re.MULTILINE), output
    assert re.search(rf": {case.balance}", output), output
    assert re.search(r"^  replay: make sim .* WAVES=1$", output, re.MULTILINE), output
    for sent, parts in re.findall(r"^  \w+: (\d+) sent, (.*)$", output, re.MULTILINE):
        # What is in parentheses is repeated, what came twice was no other packet.
        plain = re.sub(r" \([^)]*\)|\d+ (duplicated|reordered|overtaken).*", "", parts)
        assert sum(map(int, re.findall(r"\b(\d+) ", plain))) == int(sent), parts
