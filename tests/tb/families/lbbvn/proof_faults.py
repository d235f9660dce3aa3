"""Faults that break the rules of a leaf of the bufferless fat-tree."""

LEAF, LINE = "lbbvn/lbbvn_leaf.v", "common/delay_line.v"
SELF = "lbbvn-leaf-self-3"

BY_DAY = [("lbbvn_leaf_proof", rule) for rule in ("E1", "E2", "E3", "E4")]

# Proof, rule, file, text, faulty text.
FAULTS: tuple[tuple[str, ...], ...] = (
    (SELF, "E1", LEAF, "entering = valid_i & ~rst;", "entering = valid_i;"),
    (SELF, "E2", LEAF, "= data_i & {W{up_valid_o}};", "= data_i;"),
    (SELF, "E3", LINE, "full_q <= 1'b0;", "full_q <= full_q;"),
    (SELF, "E3", LEAF, "assign data_o     = down_data_i |", "assign data_o     = {W{~valid_o}} |"),
    (SELF, "E4", LEAF, "= down_valid_i & looped;", "= looped;"),
)
