"""Faulty load-balanced switches: queues of the middles and outputs."""

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.edits import (
    BASIC,
    FOFF,
    LOSSY_FOFF,
    OVERFLOWED,
    PADDED,
    SHORT_FOFF,
    SHORT_UFS,
    UFS,
    middles,
    outputs,
)
from tests.tb.faults.faulty import Faulty, stopped

MIDDLES = (
    Faulty(
        "cells get into the middle's queue for the neighbour",
        f"{BASIC} TEST=single_cells",
        (kind.MISDELIVERED,),
        (
            middles(
                "{middle_number, dst_i[m*N_LOG +: N_LOG]}",
                "{middle_number, dst_i[m*N_LOG +: N_LOG] ^ 2'd1}",
            ),
        ),
    ),
    Faulty(
        "the queues of the middles are stacks",
        f"{UFS} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (
            middles("ring[{v, head_q[v]}];", "ring[{v, head_q[v] + count[A-1:0] - 1'b1}];"),
            middles("head_q[v]       <= head_q[v] + 1'b1;", ""),
        ),
    ),
    Faulty(
        "the head of a middle's queue stays where it is",
        f"{BASIC} TEST=uniform",
        (kind.DUPLICATED, kind.LOST),
        (middles("head_q[v]       <= head_q[v] + 1'b1;", ""),),
    ),
    Faulty(
        "drops in the middles are not counted",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (middles("dropped_o[m] <= 1'b1;", ";"),),
    ),
    Faulty(
        "a middle's queue is full one cell early",
        f"{SHORT_UFS} TEST=overload",
        (kind.EARLY, kind.LOST, kind.COUNTERS),
        (middles("FULL   = DEPTH_INT[COUNT_W-1:0];", "FULL   = DEPTH_INT[COUNT_W-1:0] - 1'b1;"),),
    ),
    Faulty(
        "a full queue of a middle takes what comes",
        f"{SHORT_UFS} TEST=overload",
        (kind.LOST, kind.UNPREDICTED),
        (middles("if (count == FULL)", "if (1'b0)"),),
    ),
    Faulty(
        "a cell cannot leave a middle in the slot in which it came",
        f"{BASIC} TEST=single_cells",
        (kind.LATE,),
        (
            middles(
                "  always @(posedge clk) begin : fifos",
                "  reg [N-1:0] came_q;\n  reg [N*N_LOG-1:0] where_q;\n"
                "  always @(posedge clk) if (take_i) came_q <= cell_i;\n"
                "  always @(posedge clk) if (take_i) where_q <= dst_i;\n"
                "  always @(posedge clk) begin : fifos",
            ),
            middles(
                "if (count != {COUNT_W{1'b0}}) begin",
                "if (count > (came_q[m] && where_q[m*N_LOG +: N_LOG] == y)) begin",
            ),
        ),
    ),
    Faulty(
        "PADDED: a gate closes one cell late",
        f"{PADDED} TEST=overload",
        (kind.LATE, kind.EARLY),
        (middles("(own >= ENOUGH)", "(own > ENOUGH)"),),
    ),
    Faulty(
        "PADDED: a gate counts the cell that leaves",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (middles("if (y == middle_number) own = own - 1'b1;", ""),),
    ),
)

RESEQUENCERS = (
    stopped(
        "FOFF: a FIFO of the resequencer loses its last place where none should be lost",
        f"{SHORT_FOFF} TEST=uniform",
        OVERFLOWED,
        outputs("FULL = DEPTH_INT[COUNT_W-1:0];", "FULL = DEPTH_INT[COUNT_W-1:0] - 1'b1;"),
    ),
    Faulty(
        "FOFF: the resequencer loses every other slot",
        f"{FOFF} RESEQUENCER=256 TEST=uniform",
        (kind.LATE,),
        (outputs("if (heads != {N{1'b0}}) begin", "if (heads != {N{1'b0}} && !slot_i[0]) begin"),),
    ),
    Faulty(
        "FOFF: the next cell is expected from the same middle",
        f"{FOFF} RESEQUENCER=256 TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (
            outputs(
                "expected_q[{output_number, x}] <= m + 1'b1;",
                "expected_q[{output_number, x}] <= m;",
            ),
        ),
    ),
    Faulty(
        "FOFF: the resequencer looks first at the middle that is connected",
        f"{FOFF} TEST=uniform",
        (kind.EARLY,),
        (
            outputs(
                "middle_of_output(output_number, slot_i) + 1'b1;",
                "middle_of_output(output_number, slot_i);",
            ),
        ),
    ),
    Faulty(
        "FOFF: the next cell of a source is overlooked where it waits already",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (outputs("if (some_q[u] && source_q[u] == x) ready_q[u] <= 1'b1;", ""),),
    ),
    Faulty(
        "FOFF: any head may leave",
        f"{FOFF} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (
            outputs("ready_q[v]  <= (expected_q[{output_number, x}] == m);", "ready_q[v] <= 1'b1;"),
            outputs(
                "(count != {COUNT_W{1'b0}}) && ring[{v, head}][W +: N_LOG] != x\n"
                "                         "
                "&& expected_q[{output_number, ring[{v, head}][W +: N_LOG]}] == m;",
                "(count != {COUNT_W{1'b0}});",
            ),
        ),
    ),
    Faulty(
        "FOFF: a cell that leaves is not taken off the resequencer's total",
        f"{FOFF} TEST=uniform",
        (kind.RESEQUENCER, kind.COUNTERS),
        (outputs("total = total - 1'b1;", ""),),
    ),
    Faulty(
        "FOFF: most cells in a resequencer, of output 0 only",
        f"{FOFF} TEST=uniform",
        (kind.COUNTERS,),
        (outputs("if (total > most) most", "if (total > most && y == 0) most"),),
    ),
    Faulty(
        "FOFF: gaps that lost cells leave are not skipped",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.LOST, kind.COUNTERS),
        (outputs("skipped_o[y] <= (heads != {N{1'b0}});", "heads = 0;"),),
    ),
    Faulty(
        "FOFF: a gap is skipped one slot early",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.EARLY,),
        (outputs("IDLE_INT  = 2 * N;", "IDLE_INT  = 2 * N - 1;"),),
    ),
    Faulty(
        "FOFF: a gap is skipped although the cell is on its way",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (outputs("IDLE_INT  = 2 * N;", "IDLE_INT  = 1;"),),
    ),
    Faulty(
        "FOFF: a FIFO is too long with one cell more",
        f"{LOSSY_FOFF} TEST=overload",
        (kind.LATE,),
        (outputs("LONG_INT  = N + 2;", "LONG_INT  = N + 3;"),),
    ),
    Faulty(
        "FOFF: skipped gaps are not counted",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.COUNTERS,),
        (outputs("skipped_o[y] <= (heads != {N{1'b0}});", ""),),
    ),
    Faulty(
        "FOFF: drops at outputs are not counted",
        f"{SHORT_FOFF} TEST=uniform",
        (kind.COUNTERS,),
        (outputs("dropped_o[y] <= 1'b1;", ";"),),
    ),
)
