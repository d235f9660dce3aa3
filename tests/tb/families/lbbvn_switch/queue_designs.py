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
    switch,
)
from tests.tb.faults.faulty import Faulty, stopped

MIDDLES = (
    Faulty(
        "cells get into the middle's queue for the neighbour",
        f"{BASIC} TEST=single_cells",
        (kind.MISDELIVERED,),
        (middles("fifo = take_i ? dst_i :", "fifo = take_i ? dst_i ^ 2'd1 :"),),
    ),
    Faulty(
        "the queues of the middles are stacks",
        f"{UFS} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (
            middles("({fifo, head})", "({fifo, head + count[A-1:0] - 1'b1})"),
            middles("leaves ? head + 1'b1 : head;", "head;"),
        ),
    ),
    Faulty(
        "the head of a middle's queue stays where it is",
        f"{BASIC} TEST=uniform",
        (kind.DUPLICATED, kind.LOST),
        (middles("leaves ? head + 1'b1 : head;", "head;"),),
    ),
    Faulty(
        "drops in the middles are not counted",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (middles("comes & full;", "1'b0;"),),
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
        (middles("(count == FULL)", "1'b0"),),
    ),
    Faulty(
        "a cell cannot leave a middle in the slot in which it came",
        f"{BASIC} TEST=single_cells",
        (kind.LATE,),
        (
            middles(
                "  // The FIFO of this clock.",
                "  reg came_q;\n  reg [N_LOG-1:0] where_q;\n"
                "  always @(posedge clk) if (take_i) {came_q, where_q} <= {cell_i, dst_i};",
            ),
            middles("(count != {COUNT_W{1'b0}});", "(count > (came_q && where_q == fifo));"),
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
        (middles("(own >= ENOUGH)", "(own_q >= ENOUGH)"),),
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
        (outputs("give_i & (heads != {N{1'b0}});", "give_i & (heads != 0) & ~slot_i[0];"),),
    ),
    Faulty(
        "FOFF: the next cell is expected from the same middle",
        f"{FOFF} RESEQUENCER=256 TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (outputs(".word_i(after)", ".word_i(fifo)"),),
    ),
    Faulty(
        "FOFF: the resequencer looks first at the middle that is connected",
        f"{FOFF} TEST=uniform",
        (kind.EARLY,),
        (outputs("turn  = met + 1'b1;", "turn  = met;"),),
    ),
    Faulty(
        "FOFF: the next cell of a source is overlooked where it waits already",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (
            outputs(
                "if (leaves && some_q[after] && source_after == source) ready_q[after] <= 1'b1;", ""
            ),
        ),
    ),
    Faulty(
        "FOFF: any head may leave",
        f"{FOFF} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (
            outputs("(expected == fifo)\n              && ", ""),
            outputs(" && source_behind != source));", "));"),
        ),
    ),
    Faulty(
        "FOFF: a cell that leaves is not taken off the resequencer's total",
        f"{FOFF} TEST=uniform",
        (kind.RESEQUENCER, kind.COUNTERS),
        (outputs("leaves ? total_q - 1'b1 : enters ?", "enters ?"),),
    ),
    Faulty(
        "FOFF: most cells in a resequencer, of output 0 only",
        f"{FOFF} TEST=uniform",
        (kind.COUNTERS,),
        (switch("(own > gen_card[x-1].most)", "(1'b0)"),),
    ),
    Faulty(
        "FOFF: gaps that lost cells leave are not skipped",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.LOST, kind.COUNTERS),
        (outputs("lost ? stuck : ready_q;", "ready_q;"),),
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
        (outputs("leaves & lost;", "1'b0;"),),
    ),
    Faulty(
        "FOFF: drops at outputs are not counted",
        f"{SHORT_FOFF} TEST=uniform",
        (kind.COUNTERS,),
        (outputs("comes & full;", "1'b0;"),),
    ),
)
