"""Faulty load-balanced switches: inputs that send frames."""

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.edits import FOFF, PADDED, SHORT_UFS, UFS, inputs, padding
from tests.tb.faults.faulty import Faulty

FRAMES = (
    Faulty(
        "a frame begins one slot early",
        f"{UFS} TEST=single_cells",
        (kind.EARLY,),
        (
            inputs("m == {N_LOG{1'b0}};", "m == LAST;"),
            inputs("(m == LAST)", "(m == LAST - 1)"),
            inputs("offset    = m;", "offset    = m + 1'b1;"),
        ),
    ),
    Faulty(
        "a frame is one cell short",
        f"{UFS} TEST=uniform",
        (kind.LATE,),
        (inputs("whole ? FRAME : count;", "whole ? FRAME - 1 : count;"),),
    ),
    Faulty(
        "a VOQ needs one cell more than a frame has",
        f"{UFS} TEST=single_cells",
        (kind.LOST,),
        (inputs("(next_count >= FRAME)", "(next_count > FRAME)"),),
    ),
    Faulty(
        "cells are sent on under the number of the next output",
        f"{UFS} TEST=single_cells",
        (kind.MISDELIVERED,),
        (inputs("dst_o <= voq;", "dst_o <= voq + 1'b1;"),),
    ),
    Faulty(
        "the round robin of full frames does not move on",
        f"{UFS} TEST=full_load",
        (kind.LATE, kind.EARLY),
        (inputs("full_turn_q <= voq + 1'b1;", ";"),),
    ),
    Faulty(
        "the round robin of full frames moves on by two",
        f"{UFS} TEST=full_load",
        (kind.LATE, kind.EARLY),
        (inputs("full_turn_q <= voq + 1'b1;", "full_turn_q <= voq + 2'd2;"),),
    ),
    Faulty(
        "the round robin of other frames does not move on",
        f"{FOFF} TEST=uniform",
        (kind.EARLY,),
        (inputs("part_turn_q <= voq + 1'b1;", ";"),),
    ),
    Faulty(
        "FOFF: other frames before full ones",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.EARLY),
        (
            inputs("(frame_q != {N{1'b0}});", "(frame_q != 0 && (some_q & ~frame_q) == 0);"),
            inputs("part      = some_q;", "part      = some_q & ~frame_q;"),
        ),
    ),
    Faulty(
        "FOFF: the middle of a VOQ's next cell is not kept",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (inputs(".write_i(ends)", ".write_i(1'b0)"),),
    ),
    Faulty(
        "FOFF: the middle of a VOQ's next cell is one too far",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (inputs("next + cells[N_LOG-1:0]", "next + cells[N_LOG-1:0] + 1'b1"),),
    ),
    Faulty(
        "what a frame sent stays in the count",
        f"{UFS} TEST=uniform",
        (kind.CORRUPTED, kind.SPURIOUS, kind.DUPLICATED),
        (inputs("{next_head, next_count}", "{next_head, ends ? count : next_count}"),),
    ),
    Faulty(
        "a frame leaves its last cell at the head",
        f"{FOFF} TEST=uniform",
        (kind.DUPLICATED,),
        (inputs("head + cells[A-1:0]", "head + cells[A-1:0] - 1'b1"),),
    ),
    Faulty(
        "drops at inputs are not counted",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (inputs("comes & full;", "1'b0;"),),
    ),
    Faulty(
        "a full VOQ takes what comes",
        f"{SHORT_UFS} TEST=overload",
        (kind.LATE, kind.UNPREDICTED, kind.COUNTERS),
        (inputs("(count == FULL)", "1'b0"),),
    ),
    Faulty(
        "a VOQ is full one cell early",
        f"{SHORT_UFS} TEST=overload",
        (kind.EARLY, kind.LOST, kind.COUNTERS),
        (inputs("FULL   = DEPTH_INT[COUNT_W-1:0];", "FULL   = DEPTH_INT[COUNT_W-1:0] - 1'b1;"),),
    ),
    Faulty(
        "PADDED: the threshold is one too high",
        f"{PADDED} TEST=uniform",
        (kind.LATE,),
        (padding("(most >= ENOUGH)", "(most > ENOUGH)"),),
    ),
    Faulty(
        "PADDED: closed gates are ignored",
        f"{PADDED} TEST=overload",
        (kind.LATE, kind.COUNTERS),
        (padding(" && !closed_q[i])", ")"),),
    ),
    Faulty(
        "PADDED: a gate that was closed stays closed",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (padding("<= closed_i;", "<= closed_i | closed_q[tell_at_i];"),),
    ),
    Faulty(
        "PADDED: inputs take a gate for that of the next output",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (padding("closed_q[tell_at_i] <=", "closed_q[tell_at_i + 2'd1] <="),),
    ),
    Faulty(
        "PADDED: fakes are not marked",
        f"{PADDED} TEST=uniform",
        (kind.DUPLICATED, kind.COUNTERS),
        (inputs("sends & fake;", "1'b0;"),),
    ),
    Faulty(
        "PADDED: of equally long VOQs the highest goes first",
        f"{PADDED} TEST=uniform",
        (kind.LATE, kind.EARLY),
        (padding("> most &&", ">= most &&"),),
    ),
)
