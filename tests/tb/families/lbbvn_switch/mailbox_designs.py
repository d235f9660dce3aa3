"""Faulty load-balanced switches: mailboxes, and who writes to them."""

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.edits import MAILBOX, SHORT_MAILBOX, mailboxes, senders, switch
from tests.tb.faults.faulty import Faulty

MAILBOXES = (
    Faulty(
        "MAILBOX: a cell has to wait a slot too little",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.COUNTERS),
        (
            senders(
                ": last_q[{input_number, o}]) + 1'b1 - now_q;",
                ": last_q[{input_number, o}]) - now_q;",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a cell has to wait a round too little",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            mailboxes(
                "{1'b0, wait_i[m*WAIT_W +: WAIT_W]} -", "{1'b0, wait_i[m*WAIT_W +: WAIT_W]} - N -"
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a cell has to wait a slot too long",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (
            senders(
                ": last_q[{input_number, o}]) + 1'b1 - now_q;",
                ": last_q[{input_number, o}]) + 2'd2 - now_q;",
            ),
        ),
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
        (mailboxes("empty  = ~taken_q[v] >> first;", "empty  = {DEPTH{1'b1}} >> first;"),),
    ),
    Faulty(
        "MAILBOX: an input gets the answer to its neighbour's offer",
        f"{MAILBOX} TEST=uniform",
        (kind.DUPLICATED, kind.LOST),
        (
            switch(
                ".accepted_i(out_told)",
                ".accepted_i({out_told[N-2:0], out_told[N-1]})",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: an input is told the departure of its neighbour's cell",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            switch(
                ".after_i   (out_after)",
                ".after_i   ({out_after[0 +: WAIT_W], out_after[N*WAIT_W-1:WAIT_W]})",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: the departure of a flow's last cell is forgotten",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            senders("last_q[{input_number, same}] <= ahead;", ""),
            senders(
                "((took && o == same) ? ahead : last_q[{input_number, o}])",
                "last_q[{input_number, o}]",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: the departure of a cell is noted with another flow",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            senders(
                "last_q[{input_number, same}] <= ahead;",
                "last_q[{input_number, same ^ 2'd1}] <= ahead;",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: departures long past are never forgotten",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (senders("last_q[{input_number, o}] <= now_q - 1'b1;", ";"),),
    ),
    Faulty(
        "MAILBOX: places move up only if the first one is taken",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (
            mailboxes(
                "taken_q[u] <= ((v == u) ? taken : taken_q[u]) >> 1;\n"
                "        base_q[u]  <= base_q[u] + 1'b1;",
                "if (taken_q[u][0] || (v == u && taken[0])) begin\n"
                "          taken_q[u] <= ((v == u) ? taken : taken_q[u]) >> 1;\n"
                "          base_q[u]  <= base_q[u] + 1'b1;\n"
                "        end else if (v == u) taken_q[u] <= taken;",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a cell cannot leave in the slot in which it came",
        f"{MAILBOX} TEST=single_cells",
        (kind.LATE,),
        (
            mailboxes(
                "first  = beyond[N_LOG +: A];",
                "first  = (soon == 0 && beyond[N_LOG +: A] == 0) ? 1 : beyond[N_LOG +: A];",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: refusals are not counted",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.COUNTERS,),
        (mailboxes("refused_o[m] <= cell_i[m] & ~found;", ""),),
    ),
    Faulty(
        "MAILBOX: drops at inputs are not counted",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.COUNTERS,),
        (senders("dropped_o[x] <= new_q[x] && !kept;", ""),),
    ),
    Faulty(
        "MAILBOX: a full FIFO takes what comes",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.LOST,),
        (senders("kept = new_q[x] && (count != FULL);", "kept = new_q[x];"),),
    ),
    Faulty(
        "MAILBOX: a head that was refused is thrown away",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.EARLY, kind.LOST),
        (senders("        if (took) begin", "        if (took || cell_o[x]) begin"),),
    ),
)
