"""Faults in what is written first and played later: slots, settings, tables, line cards' queues.

(proof, rule, file in rtl/, text that is there, what stands there instead)
"""

SLOTS, SETTINGS = "lbbvn/lbbvn_slots.v", "lbbvn/lbbvn_settings.v"
TREE, DATAPATH = "lbbvn-played-4-lower-bound-1-2-2", "lbbvn/lbbvn_datapath.v"
TABLE = "wormhole/xgft_table.v"

SCHEDULED = (
    ("lbbvn-slots-3-3-1", "S1", SLOTS, "(rst || slot_q ==", "(slot_q =="),
    ("lbbvn-slots-3-3-1", "S2", SLOTS, "slot_q == last_slot_i", "slot_q + 1'b1 == last_slot_i"),
    ("lbbvn-slots-3-3-1", "S3", SLOTS, ".DEPTH(PIPELINE)", ".DEPTH(2 * PIPELINE)"),
    ("lbbvn-slots-3-3-1", "S4", SETTINGS, "row_o = rows[slot_i]",
     "row_o = rows[write_i ? write_slot_i : slot_i]"),
    # all nodes of a level obey the first one's enables; what is looped back also climbs
    (TREE, "P1", DATAPATH, "row_i[k*UP +: UP]})", "row_i[0 +: UP]})"),
    (TREE, "P2", "lbbvn/lbbvn_leaf.v", "assign up_valid_o = entering & ~own;",
     "assign up_valid_o = entering;"),
)  # fmt: skip

TABLES = (
    ("xgft-table-4-2", "F1", TABLE, "if (write_i)", "if (write_i && !look_i[0])"),
    ("xgft-table-4-2", "F2", TABLE, ": {PORT_W{1'b0}};", ": row[0];"),
    ("xgft-table-4-2", "F3", "wormhole/xgft_route.v",
     '(ROUTING == "TABLE") ? table_i', '(ROUTING == "TABLE" && below_i) ? table_i'),
)  # fmt: skip

SEQUENCE, SEQUENCE_V = "lbbvn-resequencer-2-2-bitrev", "lbbvn_switch/lbbvn_resequencer.v"
LONG = "lbbvn-resequencer-2-4-bitrev"
RESEQUENCERS = (
    (SEQUENCE, "R1", SEQUENCE_V, "= head + count[A-1:0];", "= head;"),
    (SEQUENCE, "R2", SEQUENCE_V, "source_behind != source)", "1'b1)"),
    (SEQUENCE, "R3", SEQUENCE_V, "<= comes & full;", "<= comes & full & ~src_i[0];"),
    (SEQUENCE, "R4", SEQUENCE_V, "turn  = met + 1'b1;", "turn  = met;"),
    (SEQUENCE, "R5", SEQUENCE_V, "IDLE_INT  = 2 * N;", "IDLE_INT  = 2 * N - 1;"),
    (LONG, "R5", SEQUENCE_V, "(next_count >= LONG)", "(next_count > LONG)"),
    (SEQUENCE, "R6", SEQUENCE_V, "if (give_i && total > most_o)", "if (leaves && total > most_o)"),
)  # fmt: skip

MAIL, MAIL_V = "lbbvn-mailbox-2-4-2-tdm", "lbbvn_switch/lbbvn_mailbox.v"
POST, POST_V = "lbbvn-mailbox-ingress-2-2-2", "lbbvn_switch/lbbvn_mailbox_ingress.v"
MAILBOXES = (
    (MAIL, "B1", MAIL_V, "i = TRIES - 1; i >= 0", "i = TRIES - 1; i > 0"),
    (MAIL, "B2", MAIL_V, "(longer[WAIT_W] ?", "(!longer[WAIT_W] ?"),
    (MAIL, "B3", MAIL_V, "(at_once | taken_out[0])", "taken_out[0]"),
    (MAIL, "B4", MAIL_V, "direct_q ? data_q : kept", "kept"),
    (POST, "G1", POST_V, "direct_q ? new_data_q : head_data", "head_data"),
    (POST, "G2", POST_V, "cell_o  <= kept | ~alone;", "cell_o  <= ~alone;"),
    (POST, "G3", POST_V, "send_i & new_q & ~kept;", "send_i & new_q & ~kept & ~new_dst_q[0];"),
    (POST, "G4", POST_V, "forget    = arrive_i & past;", "forget    = 1'b0;"),
)  # fmt: skip

FAULTS = (*SCHEDULED, *TABLES, *RESEQUENCERS, *MAILBOXES)
