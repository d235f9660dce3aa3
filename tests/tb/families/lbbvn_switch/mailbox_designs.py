"""Faulty load-balanced switches: mailboxes, and who writes to them."""

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.edits import (
    MAILBOX,
    SHORT_MAILBOX,
    card,
    mailboxes,
    senders,
    switch,
)
from tests.tb.faults.faulty import Faulty, stopped

# Which of several cells for an output leaves first is what a mailbox decides.
OTHER_ORDER = Faulty(
    "MAILBOX: a cell is put in the last free place that is tried, not in the first",
    f"{MAILBOX} TEST=single_cells",
    (kind.LATE,),
    (mailboxes("for (i = TRIES - 1; i >= 0; i = i - 1)", "for (i = 0; i < TRIES; i = i + 1)"),),
)
MAILBOXES = (
    OTHER_ORDER,
    Faulty(
        "MAILBOX: the second place is served first, if both are taken",
        f"{MAILBOX} TEST=full_load",
        (kind.EARLY, kind.LOST),
        (
            mailboxes(
                ".read_i(take_i), .read_at_i({out, base_out}),",
                ".read_i(take_i), .read_at_i({out, base_out + (taken_out[0] & taken_out[1])}),",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: middles serve their first output after 256 slots, and no other",
        f"{MAILBOX} TEST=uniform",
        (kind.LOST, kind.STUCK),
        (
            mailboxes(
                "wire [N_LOG-1:0] out = move_q ? moved_q : met;",
                """reg [15:0] slots_q;
  always @(posedge clk)
    if (rst) slots_q <= 16'd0;
    else if (take_i && !slots_q[8]) slots_q <= slots_q + 1'b1;
  wire [N_LOG-1:0] out = move_q ? moved_q : slots_q[8] ? {N_LOG{1'b0}} : met;""",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: places move up in the mailbox for which a cell came, too",
        f"{MAILBOX} TEST=uniform",
        (kind.DUPLICATED, kind.LOST),
        (mailboxes("move_q ? moved_q : dst_i)", "dst_i)"),),
    ),
    stopped(
        "MAILBOX: a middle takes cells in both clocks of a slot",
        f"{MAILBOX} TEST=uniform",
        "a mailbox has no clock to move up in",
        card(".take_i(second_i), .slot_i(middle_slot),", ".take_i(1'b1), .slot_i(middle_slot),"),
    ),
    Faulty(
        "MAILBOX: a cell has to wait a slot too little",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.COUNTERS),
        (senders(": last) + 1'b1 - now_q;", ": last) - now_q;"),),
    ),
    Faulty(
        "MAILBOX: a cell has to wait a round too little",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (mailboxes("{1'b0, wait_i} -", "{1'b0, wait_i} - N -"),),
    ),
    Faulty(
        "MAILBOX: a cell has to wait a slot too long",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (senders(": last) + 1'b1 - now_q;", ": last) + 2'd2 - now_q;"),),
    ),
    Faulty(
        "MAILBOX: a place too few is tried",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (mailboxes("i = TRIES - 1;", "i = TRIES - 2;"),),
    ),
    Faulty(
        "MAILBOX: a cell is put one place behind the one that is free",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.LOST, kind.REORDERED),
        (mailboxes("place = first + i[A-1:0];", "place = first + i[A-1:0] + 1'b1;"),),
    ),
    Faulty(
        "MAILBOX: a place that is taken is taken again",
        f"{MAILBOX} TEST=full_load",
        (kind.EARLY, kind.LOST),
        (mailboxes("~taken >> first;", "{DEPTH{1'b1}} >> first;"),),
    ),
    Faulty(
        "MAILBOX: an input gets the answer to its neighbour's offer",
        f"{MAILBOX} TEST=uniform",
        (kind.DUPLICATED, kind.LOST),
        (
            switch(
                "(heard[x*WORD_W +: WORD_W])",
                "({heard[(x + N - 1) % N * WORD_W + WORD_W - 1], heard[x*WORD_W +: WORD_W-1]})",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: an input is told the departure of its neighbour's cell",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            switch(
                "(heard[x*WORD_W +: WORD_W])",
                "({heard[x*WORD_W + WORD_W - 1],\n"
                " heard[(second_q ? x : (x + 1) % N) * WORD_W + CELL_W +: `CARD_WAIT_W],\n"
                " heard[x*WORD_W +: CELL_W]})",
            ),
            switch(
                "  localparam HALF ",
                "  localparam CELL_W  = WORD_W - 1 - `CARD_WAIT_W;\n  localparam HALF ",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: the departure of a flow's last cell is forgotten",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            senders(".write_i(took | forget)", ".write_i(forget)"),
            senders("((took && dst == dst_o) ? departure : last)", "last"),
        ),
    ),
    Faulty(
        "MAILBOX: the departure of a cell is noted with another flow",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (senders("took ? dst_o : slot_i", "took ? dst_o ^ 2'd1 : slot_i"),),
    ),
    Faulty(
        "MAILBOX: departures long past are never forgotten",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (senders("arrive_i & past;", "1'b0;"),),
    ),
    Faulty(
        "MAILBOX: places move up only if the first one is taken",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (mailboxes(".write_i(put | move_q)", ".write_i(put | (move_q & taken_out[0]))"),),
    ),
    Faulty(
        "MAILBOX: a cell cannot leave in the slot in which it came",
        f"{MAILBOX} TEST=single_cells",
        (kind.LATE,),
        (
            mailboxes(
                "first   = beyond[N_LOG +: A];",
                "first   = (soon == 0 && beyond[N_LOG +: A] == 0) ? 1 : beyond[N_LOG +: A];",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: refusals are not counted",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.COUNTERS,),
        (mailboxes("take_i & cell_i & ~put;", "1'b0;"),),
    ),
    Faulty(
        "MAILBOX: drops at inputs are not counted",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.COUNTERS,),
        (senders("send_i & new_q & ~kept;", "1'b0;"),),
    ),
    Faulty(
        "MAILBOX: a full FIFO takes what comes",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.EARLY, kind.LOST),
        (senders("send_i & new_q & (count != FULL);", "send_i & new_q;"),),
    ),
    Faulty(
        "MAILBOX: a head that was refused is thrown away",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.EARLY, kind.LOST),
        (senders("send_i & accepted_i;", "send_i & (accepted_i | cell_o);"),),
    ),
)
