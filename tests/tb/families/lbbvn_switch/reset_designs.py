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
    survives,
)
from tests.tb.faults.faulty import Edit, Faulty, stopped

RESETS = (
    Faulty(
        "a reset leaves cells in the queues of the middles",
        f"{BASIC} TEST=reset",
        (kind.UNPREDICTED,),
        (
            survives("middle", "count_q[m]", "{COUNT_W{1'b0}}"),
            survives("middle", "head_q[m] ", "{A{1'b0}}"),
        ),
    ),
    Faulty(
        "a reset leaves cells in the VOQs",
        f"{FOFF} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (
            survives("frame_ingress", "count_q[i]", "{COUNT_W{1'b0}}"),
            survives("frame_ingress", "head_q[i] ", "{A{1'b0}}"),
        ),
    ),
    Faulty(
        "a reset leaves the round robin of full frames where it is",
        f"{UFS} TEST=reset",
        (kind.EARLY, kind.LATE),
        (survives("frame_ingress", "full_turn_q", "{(N*N_LOG){1'b0}}"),),
    ),
    Faulty(
        "FOFF: a reset does not lead the cells to middle 0 again",
        f"{FOFF} TEST=reset",
        (kind.LOST, kind.REORDERED, kind.RESEQUENCER),
        (survives("frame_ingress", "next_q[i] ", "{N_LOG{1'b0}}"),),
    ),
    Faulty(
        "a reset leaves a frame in mid-air",
        f"{UFS} TEST=reset",
        (kind.SPURIOUS, kind.DUPLICATED),
        (survives("frame_ingress", "busy_q     ", "{N{1'b0}}"),),
    ),
    Faulty(
        "FOFF: a reset leaves what the resequencer expects",
        f"{FOFF} TEST=reset",
        (kind.LOST, kind.REORDERED, kind.RESEQUENCER),
        (survives("resequencer", "expected_q[i]", "{N_LOG{1'b0}}"),),
    ),
    Faulty(
        "FOFF: a reset does not clear the most cells in a resequencer",
        f"{FOFF} TEST=reset",
        (kind.COUNTERS,),
        (survives("resequencer", "most_o ", "{TOTAL_W{1'b0}}"),),
    ),
    Faulty(
        "PADDED: a reset leaves gates closed",
        f"{GATED} TEST=reset",
        (kind.EARLY, kind.LATE),
        (
            Edit(
                "lbbvn_switch/lbbvn_frame_ingress.v",
                "if (rst)\n          closed_q <= {(N*N){1'b0}};",
                "if (rst && ^closed_q === 1'bx)\n          closed_q <= {(N*N){1'b0}};",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a reset leaves cells in the mailboxes",
        f"{MAILBOX} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (
            survives("mailbox", "taken_q[m]", "{DEPTH{1'b0}}"),
            survives("mailbox", "base_q[m] ", "{A{1'b0}}"),
        ),
    ),
    Faulty(
        "MAILBOX: a reset leaves departures",
        f"{MAILBOX} TEST=reset",
        (kind.LATE,),
        (
            Edit(
                "lbbvn_switch/lbbvn_mailbox_ingress.v",
                "last_q[i] <= {STAMP_W{1'b1}};  // the slot before the first",
                "if (^last_q[i] === 1'bx) last_q[i] <= {STAMP_W{1'b1}};",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a reset leaves cells in the FIFOs",
        f"{MAILBOX} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (
            survives("mailbox_ingress", "count_q", "{(N*COUNT_W){1'b0}}"),
            survives("mailbox_ingress", "head_q ", "{(N*A){1'b0}}"),
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
        (survives("switch", "dropped_middle_o      ", "{COUNT_W{1'b0}}"),),
    ),
    stopped(
        "the flag of an overflow survives a reset",
        f"{SHORT_UFS} TEST=reset",
        OVERFLOWED,
        survives("switch", "overflow_middle_o     ", "{N{1'b0}}"),
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
