"""Faulty load-balanced switches: inputs that send frames."""

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.edits import FOFF, PADDED, SHORT_UFS, UFS, inputs
from tests.tb.faults.faulty import Faulty

FRAMES = (
    Faulty(
        "a frame begins one slot early",
        f"{UFS} TEST=single_cells",
        (kind.EARLY,),
        (
            inputs("if (m == {N_LOG{1'b0}}) begin", "if (m == LAST) begin"),
            inputs("busy && m == LAST", "busy && m == LAST - 1"),
            inputs("m - next_q[v] : m;", "m - next_q[v] : m + 1'b1;"),
        ),
    ),
    Faulty(
        "a frame is one cell short",
        f"{UFS} TEST=uniform",
        (kind.LATE,),
        (inputs("cells = FRAME;", "cells = FRAME - 1;"),),
    ),
    Faulty(
        "a VOQ needs one cell more than a frame has",
        f"{UFS} TEST=single_cells",
        (kind.LOST,),
        (inputs("if (count + 1'b1 >= FRAME)", "if (count >= FRAME)"),),
    ),
    Faulty(
        "cells are sent on under the number of the next output",
        f"{UFS} TEST=single_cells",
        (kind.MISDELIVERED,),
        (inputs("dst_o[x*N_LOG +: N_LOG] <= o;", "dst_o[x*N_LOG +: N_LOG] <= o + 1'b1;"),),
    ),
    Faulty(
        "the round robin of full frames does not move on",
        f"{UFS} TEST=full_load",
        (kind.LATE, kind.EARLY),
        (inputs("full_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;", ";"),),
    ),
    Faulty(
        "the round robin of full frames moves on by two",
        f"{UFS} TEST=full_load",
        (kind.LATE, kind.EARLY),
        (
            inputs(
                "full_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;",
                "full_turn_q[x*N_LOG +: N_LOG] <= o + 2'd2;",
            ),
        ),
    ),
    Faulty(
        "the round robin of other frames does not move on",
        f"{FOFF} TEST=uniform",
        (kind.EARLY,),
        (inputs("part_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;", ";"),),
    ),
    Faulty(
        "FOFF: other frames before full ones",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.EARLY),
        (
            inputs(
                "if (frame_q[x*N +: N] != {N{1'b0}}) begin",
                "if (frame_q[x*N +: N] != 0 && (some_q[x*N +: N] & ~frame_q[x*N +: N]) == 0) begin",
            ),
            inputs(
                "first_from(some_q[x*N +: N],", "first_from(some_q[x*N +: N] & ~frame_q[x*N +: N],"
            ),
        ),
    ),
    Faulty(
        "FOFF: the middle of a VOQ's next cell is not kept",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (inputs("next_q[v]  <= next_q[v] + cells[N_LOG-1:0];", ";"),),
    ),
    Faulty(
        "FOFF: the middle of a VOQ's next cell is one too far",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (inputs("next_q[v] + cells[N_LOG-1:0];", "next_q[v] + cells[N_LOG-1:0] + 1'b1;"),),
    ),
    Faulty(
        "what a frame sent stays in the count",
        f"{UFS} TEST=uniform",
        (kind.CORRUPTED, kind.SPURIOUS, kind.DUPLICATED),
        (inputs("count_q[v] <= count;\n          head", "head"),),
    ),
    Faulty(
        "a frame leaves its last cell at the head",
        f"{FOFF} TEST=uniform",
        (kind.DUPLICATED,),
        (inputs("head_q[v] + cells[A-1:0];", "head_q[v] + cells[A-1:0] - 1'b1;"),),
    ),
    Faulty(
        "drops at inputs are not counted",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (inputs("dropped_o[x] <= 1'b1;", ";"),),
    ),
    Faulty(
        "a full VOQ takes what comes",
        f"{SHORT_UFS} TEST=overload",
        (kind.LATE, kind.UNPREDICTED, kind.COUNTERS),
        (inputs("if (count == FULL)", "if (1'b0)"),),
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
        (inputs("busy  = (most >= ENOUGH);", "busy  = (most > ENOUGH);"),),
    ),
    Faulty(
        "PADDED: closed gates are ignored",
        f"{PADDED} TEST=overload",
        (kind.LATE, kind.COUNTERS),
        (inputs(" && !closed[x*N + i])", ")"),),
    ),
    Faulty(
        "PADDED: a gate that was closed stays closed",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (inputs("<= closed_i[i];", "<= closed_i[i] | closed_q[{card, m}];"),),
    ),
    Faulty(
        "PADDED: inputs take a gate for that of the next output",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (inputs("closed_q[{card, m}] <=", "closed_q[{card, m + 2'd1}] <="),),
    ),
    Faulty(
        "PADDED: fakes are not marked",
        f"{PADDED} TEST=uniform",
        (kind.SPURIOUS,),
        (inputs("fake_o[x]               <= fake;", "fake_o[x] <= 1'b0;"),),
    ),
    Faulty(
        "PADDED: of equally long VOQs the highest goes first",
        f"{PADDED} TEST=uniform",
        (kind.LATE, kind.EARLY),
        (inputs("i[N_LOG-1:0]}] > most &&", "i[N_LOG-1:0]}] >= most &&"),),
    ),
)
