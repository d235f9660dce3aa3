"""Faulty load-balanced switches: what a reset leaves."""

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.edits import (
    BASIC,
    FOFF,
    GATED,
    MAILBOX,
    OVERFLOWED,
    SHORT_UFS,
    UFS,
    remembers,
    survives,
)
from tests.tb.faults.faulty import Edit, Faulty, stopped

RESETS = (
    Faulty(
        "a reset leaves cells in the queues of the middles",
        f"{BASIC} TEST=reset",
        (kind.UNPREDICTED,),
        (remembers("middle", "u_fifos"),),
    ),
    Faulty(
        "a reset leaves cells in the VOQs",
        f"{FOFF} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (remembers("frame_ingress", "u_voqs"),),
    ),
    Faulty(
        "a reset leaves the round robin of full frames where it is",
        f"{UFS} TEST=reset",
        (kind.EARLY, kind.LATE),
        (survives("frame_ingress", "full_turn_q", "{N_LOG{1'b0}}"),),
    ),
    Faulty(
        "FOFF: a reset does not lead the cells to middle 0 again",
        f"{FOFF} TEST=reset",
        (kind.LOST, kind.REORDERED, kind.RESEQUENCER),
        (remembers("frame_ingress", "u_next", indent=8),),
    ),
    Faulty(
        "a reset leaves a frame in mid-air",
        f"{UFS} TEST=reset",
        (kind.SPURIOUS, kind.DUPLICATED),
        (survives("frame_ingress", "busy_q     ", "1'b0"),),
    ),
    Faulty(
        "FOFF: a reset leaves what the resequencer expects",
        f"{FOFF} TEST=reset",
        (kind.LOST, kind.REORDERED, kind.RESEQUENCER),
        (remembers("resequencer", "u_expected"),),
    ),
    Faulty(
        "FOFF: a reset does not clear the most cells in a resequencer",
        f"{FOFF} TEST=reset",
        (kind.COUNTERS,),
        (survives("resequencer", "most_o   ", "{TOTAL_W{1'b0}}"),),
    ),
    Faulty(
        "PADDED: a reset leaves gates closed",
        f"{GATED} TEST=reset",
        (kind.EARLY, kind.LATE),
        (survives("padding", "closed_q", "{N{1'b0}}"),),
    ),
    Faulty(
        "MAILBOX: a reset leaves cells in the mailboxes",
        f"{MAILBOX} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (remembers("mailbox", "u_mailboxes"),),
    ),
    Faulty(
        "MAILBOX: a reset leaves departures",
        f"{MAILBOX} TEST=reset",
        (kind.LATE,),
        (remembers("mailbox_ingress", "u_departures"),),
    ),
    Faulty(
        "MAILBOX: a reset leaves cells in the FIFOs",
        f"{MAILBOX} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (
            survives("mailbox_ingress", "count_q  ", "{COUNT_W{1'b0}}"),
            survives("mailbox_ingress", "head_q   ", "{A{1'b0}}"),
        ),
    ),
    Faulty(
        "the slot counter survives a reset",
        f"{UFS} TEST=reset",
        (kind.EARLY,),
        (
            Edit(
                "lbbvn_switch/lbbvn_switch.v",
                "      slot_q   <= {N_LOG{1'b0}};",
                "      if (^slot_q === 1'bx) slot_q <= 0;",
            ),
        ),
    ),
    Faulty(
        "a counter of drops survives a reset",
        f"{SHORT_UFS} TEST=reset",
        (kind.COUNTERS,),
        (
            Edit(
                "common/event_counter.v",
                "count_o <= rst ?",
                "count_o <= rst && ^count_o === 1'bx ?",
            ),
        ),
    ),
    stopped(
        "the flag of an overflow survives a reset",
        f"{SHORT_UFS} TEST=reset",
        OVERFLOWED,
        Edit(
            "lbbvn_switch/lbbvn_switch.v",
            "overflow_q <= rst ?",
            "overflow_q <= rst && ^overflow_q === 1'bx ?",
        ),
    ),
    Faulty(
        "a reset leaves in the registers of the fabric what is inside",
        f"{BASIC} TEST=reset",
        (kind.UNPREDICTED,),
        (
            Edit("common/delay_line.v", "reg [WIDTH-1:0] data_q;", "reg [WIDTH-1:0] data_q = 0;"),
            Edit(
                "common/delay_line.v",
                "data_q <= rst ? {WIDTH{1'b0}} : data_i;",
                "data_q <= data_i;",
            ),
        ),
    ),
)
