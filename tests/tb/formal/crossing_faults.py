"""Faults that break the rules of what stands between two clocks."""

FIFO, LINK, RESET = "common/async_fifo.v", "common/async_link.v", "common/async_reset.v"
POINTER, FOLLOWER, SYNC = (
    f"common/{block}.v" for block in ("gray_pointer", "gray_follower", "synchroniser")
)
CODE, FULL = "next ^ (next >> 1);", "assign full_o = (write_code == (read_seen ^ AHEAD));"
BEHIND, VALUE = "assign behind_o = (seen != code_o);", "= chain[(SYNC-1)*WIDTH +: WIDTH];"
BOTH, WORDS = "async-fifo-2-2", "words[read_count[PLACE_W-1:0]];"
TWO, RESETS = "async-link-1-2-2", "async-reset-2"
GIVEN, PASSED = ".step_i(credit_i[v])", ".step_i(credit_o[v])"

# Proof, rule, file, text, faulty text.
FAULTS: tuple[tuple[str, ...], ...] = (
    ("synchroniser-2", "S1", SYNC, VALUE, "= sampled;"),
    ("synchroniser-2", "S2", SYNC, VALUE, "= sampled;"),
    (BOTH, "F1", POINTER, CODE, "next;"),
    (BOTH, "F2", FIFO, FULL, "assign full_o = 1'b0;"),
    (BOTH, "F3", FOLLOWER, BEHIND, "assign behind_o = (seen != code_o) | (code_o == 1);"),
    (BOTH, "F4", FIFO, WORDS, "words[~read_count[PLACE_W-1:0]];"),
    (BOTH, "F5", FOLLOWER, BEHIND, "assign behind_o = (seen != code_o) & (seen != 1);"),
    (BOTH, "F6", FIFO, FULL, "assign full_o = (write_code != read_seen);"),
    (TWO, "L1", FIFO, FULL, "assign full_o = (write_code != read_seen);"),
    (TWO, "L2", LINK, ".take_i(take)", ".take_i(1'b0)"),
    (TWO, "L3", FIFO, WORDS, "words[~read_count[PLACE_W-1:0]];"),
    (TWO, "L4", LINK, PASSED, ".step_i(1'b0)"),
    (TWO, "L5", LINK, GIVEN, ".step_i(credit_i[v] & ~given[0])"),
    (RESETS, "R1", RESET, "ready_o = ~asked_q & ~hold_q", "ready_o = ~hold_q"),
    (RESETS, "R2", RESET, "& (there == ~ALL);\n\n  genvar", ";\n\n  genvar"),
    (RESETS, "R3", RESET, "(cleared == ALL);", "(cleared != 0);"),
    (RESETS, "R4", RESET, "hold_q & ~clean_q & (there == ALL);", "hold_q & ~clean_q;"),
    (RESETS, "R5", RESET, "(cleared == ~ALL);", "1'b0;"),
    (RESETS, "R6", RESET, "= rst_i | asked_q | hold_q;", "= asked_q | hold_q;"),
)
