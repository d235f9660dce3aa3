"""Faults that break the rules of SPIN's router."""

INPUT, OUTPUT, LANE = "spin/spin_input.v", "spin/spin_output.v", "spin/spin_lane.v"
CLIMB, DESCEND, BUFFER = "spin/spin_climb.v", "spin/spin_descend.v", "spin/spin_buffer.v"
CLIMBS, DESCENDS = "spin-climb-3-4", "spin-descend-3-2"
SENDS, STORES = "spin-output-4", "spin-buffer-3"
FROM = "from  = ~((got << 1) - 1'b1);"

BY_DAY = [("spin_descend_proof", "D3")]  # the others at night

# Proof, rule, file, text, faulty text.
FAULTS: tuple[tuple[str, ...], ...] = (
    ("spin-input", "I1", INPUT, "changed, marks[0], front[31:0]};", "changed, marks[0], 32'd0};"),
    ("spin-input", "I2", INPUT, "word_i[ERROR] | odd, word_i[31:0]", "word_i[ERROR], word_i[31:0]"),
    ("spin-input", "I3", INPUT, "^ (odd & word_i[ERROR])", "^ odd"),
    ("spin-input", "I4", INPUT, "{front[BEGIN] | first_q, ends,", "{front[BEGIN], ends,"),
    ("spin-input", "I5", INPUT, "ends & ~(front[END] & (left == 5'd1));", "ends & ~front[END];"),
    ("spin-input", "I6", INPUT, "{4'b0101, 32'd0}", "{4'b0110, 32'd0}"),
    ("spin-input", "I7", INPUT, "astray_q | early_q |", "early_q |"),
    ("spin-input", "I8", INPUT, "path_q   <= ~last_o;", "path_q   <= ~front[END];"),
    ("spin-input", "I9", INPUT, "credit_o <= leaves;", "credit_o <= take_i;"),
    (CLIMBS, "U1", CLIMB, FROM, "from  = ~(got - 1'b1);"),
    (CLIMBS, "U2", CLIMB, "first & (~first + 1'b1);", "first;"),
    (CLIMBS, "U3", CLIMB, "? left & from : left;", "? left & from : {PARENTS{1'b0}};"),
    (DESCENDS, "D1", DESCEND, "direct ? grant : {INPUTS{1'b0}};", "grant;"),
    (DESCENDS, "D2", DESCEND, "(stored != 2'b11) ? stored", "(stored != 2'b11) ? stored & 2'b01"),
    (DESCENDS, "D3", DESCEND, ": young_q ? 2'b01", ": !young_q ? 2'b01"),
    (DESCENDS, "D4", DESCEND, ".taken_i(direct & (ask != {INPUTS{1'b0}})),", ".taken_i(1'b0),"),
    (DESCENDS, "D5", DESCEND, "empty_i[1] ? {chosen", "1'b1 ? {chosen"),
    (DESCENDS, "D6", DESCEND, "empty_i[1] ? {chosen", "1'b0 ? {chosen"),
    (DESCENDS, "D7", DESCEND, ".taken_i(taken), .g", ".taken_i(1'b0), .g"),
    (SENDS, "L1", OUTPUT, "assign free_o = idle & ready;", "assign free_o = idle;"),
    (SENDS, "L2", LANE, "(take_o & last_i) != {SOURCES{1'b0}}", "last_i != {SOURCES{1'b0}}"),
    (SENDS, "L3", LANE, "if (path_q[s]) word_o", "if (valid_i[s]) word_o"),
    (SENDS, "L4", OUTPUT, "idle & credits_q[2];", "credits_q[2];"),
    (STORES, "B1", BUFFER, ".read_at_i(read_q)", ".read_at_i(write_q)"),
    (STORES, "B2", BUFFER, ".ready_i(room)", ".ready_i(1'b1)"),
    (STORES, "B3", BUFFER, "empty_o = (child_q == {CHILDREN{1'b0}});", "empty_o = idle;"),
    (STORES, "B4", BUFFER, "leaving_q ? {CHILDREN{1'b0}} : child_q;", "child_q;"),
    (STORES, "B5", BUFFER, "leaving_q & (count_q != {COUNT_W{1'b0}});", "leaving_q;"),
)
