"""Faults of concentrators and trees: (proof, rule, file of rtl/, text there, its change)."""

CONCENTRATOR, NODE, TREE = "concentrator-5-3", "node-8-level-1-lower-bound", "tree-4-lower-bound"
FORMS, WATCHED = "packet-forms-5-3", "packet-forms-16-8"
FAST = "common/fast/packet_concentrator_fast.v"
ADD_LOST = "lost_o = lost_o + {{(LOST_W-1){1'b0}}, packed_valid[l]};"

FAULTS = (
    (CONCENTRATOR, "C1", "common/concentrator.v",
     "select_o[l*SELECT_W + b] = packed_planes[b*R + l];",
     "select_o[l*SELECT_W + b] = packed_planes[b*R + l] ^ (b == 0 && packed_valid == 1);"),
    (CONCENTRATOR, "C2", "common/concentrator.v",
     "= packed_planes[b*R + l];",
     "= packed_planes[b*R + ((l < 2 && packed_valid[1]) ? 1 - l : l)];"),
    (CONCENTRATOR, "C3", "common/concentrator.v",
     "valid_o[KEPT-1:0] = packed_valid[KEPT-1:0];",
     "valid_o[KEPT-1:0] = packed_valid[KEPT-1:0] & ~{valid_i[4], {(KEPT-1){1'b0}}};"),
    (CONCENTRATOR, "C4", "common/concentrator.v", ADD_LOST, "lost_o = packed_valid[l] | lost_o;"),
    (CONCENTRATOR, "C5", "common/concentrator.v",
     "move_down({count_below(~valid_i), valid_i, NUMBERS} & {PLANES{valid_i}});",
     "move_down({count_below(~valid_i), valid_i, NUMBERS} & {PLANES{valid_i}})\n"
     "                    & ~{((STAGES+1)*R){&valid_i}};"),
    (FORMS, "F1", FAST, "if (passed < S) begin", "if (passed < S - &valid_i) begin"),
    (FORMS, "F2", FAST, "= data_i[i*W +: W];", "= data_i[i*W +: W] ^ (&valid_i);"),
    (WATCHED, "F2", FAST, "= data_i[i*W +: W];", "= data_i[(i ^ (&valid_i))*W +: W];"),
    (FORMS, "F3", FAST, "lost_o = lost_o + 1'b1;", "lost_o = 1;"),
    (NODE, "N1", "lbbvn/lbbvn_up_port.v", "assign ask       = wants;",
     "assign ask       = wants | {(GROUPS*R){&valid_i}};"),
    (NODE, "N2", "lbbvn/lbbvn_node.v", "down_header_i[i*H + SIDE] == c",
     "(down_header_i[i*H + SIDE] ^ (&up_valid_i)) == c"),
    (NODE, "N3", "common/concentrator.v", ADD_LOST, "lost_o = lost_o | packed_valid[l];"),
    (TREE, "T1", "lbbvn/lbbvn_leaf.v",
     "assign up_data_o  = data_i &", "assign up_data_o  = (data_i ^ down_valid_i) &"),
    (TREE, "T2", "lbbvn/lbbvn_leaf.v",
     "(looped_data & {W{~down_valid_i}})", "(data_i & {W{valid_i & ~down_valid_i}})"),
    (TREE, "T3", "lbbvn/lbbvn_node.v",
     "down_header_i[i*H + SIDE] == c",
     "(down_header_i[i*H + SIDE] ^ (&up_valid_i)) == c"),
    (TREE, "T4", "lbbvn/lbbvn_leaf.v",
     "assign lost_o     = down_valid_i & looped;",
     "assign lost_o     = down_valid_i & looped & ~down_data_i[0];"),
    (TREE, "T5", "common/sum_of.v",
     "sum_o            = sum_o + term;", "sum_o            = sum_o | term;"),
    (TREE, "T6", "lbbvn/lbbvn_datapath.v",
     ".up_lost_o    (up_lost_o[(NODES-1+k)*LOST_W +: LOST_W]),\n"
     "          .down_lost_o  (down_lost_o[(NODES-1+k)*LOST_W +: LOST_W])",
     ".up_lost_o    (down_lost_o[(NODES-1+k)*LOST_W +: LOST_W]),\n"
     "          .down_lost_o  (up_lost_o[(NODES-1+k)*LOST_W +: LOST_W])"),
)  # fmt: skip
