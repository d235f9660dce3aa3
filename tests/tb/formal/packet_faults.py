"""Faults in arbiters, wormhole switch, schedules and middles, one for each rule that is proved.

(proof, rule, file in rtl/, text that is there, what stands there instead)
"""

ROUND, MATRIX = "arbiter-round-robin-3", "arbiter-matrix-3"
ARBITER = "common/arbiter.v"
INPUT, OUTPUT = "xgft/xgft_input_unit.v", "xgft/xgft_output_unit.v"
VC, SWITCH = "xgft/xgft_vc_allocator.v", "xgft/xgft_switch_allocator.v"
ROUTE = "xgft/xgft_route.v"
UPDATE = "granted[j] ? ~granted : ahead[(k*R + j)*R +: R] & ~granted"
CREDIT = "credit_o <= rst ? {QUEUES{1'b0}} : take_i;"
BUSY = "(busy_q | claim_i) & ~left;"
DOWN = "port = (destination / CHILD) % DOWN;"

ARBITERS = (
    (MATRIX, "A1", ARBITER, UPDATE, "ahead[(k*R + j)*R +: R] & ~granted"),
    (ROUND, "A2", ARBITER,
     "asked = asked & first_q[c*R +: R];", "asked = first_q[c*R +: R];"),
    (MATRIX, "A3", ARBITER, UPDATE, "granted[j] ? ~granted : ahead[(k*R + j)*R +: R]"),
    (ROUND, "A4", ARBITER, "if (taken_i[k]) first", "first"),
    (ROUND, "A5", ARBITER,
     "~((grant_o[k*R +: R] << 1) - 1'b1)", "~(grant_o[k*R +: R] - 1'b1)"),
    (ROUND, "A6", ARBITER,
     "~((grant_o[k*R +: R] << 1) - 1'b1)", "~((grant_o[k*R +: R] << 2) - 1'b1)"),
    (ROUND, "A7", ARBITER,
     "if ((asked & first_q[c*R +: R]) != {R{1'b0}})", "if (1'b0)"),
)  # fmt: skip

INPUTS = (
    ("xgft-input-1-3-1", "Q1", INPUT,
     "= ring[i*DEPTH + next];", "= ring[i*DEPTH + wrapped(next + behind - 1)];"),
    ("xgft-input-1-2-1", "Q2", INPUT, "present[i] = (behind != 0);", "present[i] = 1'b0;"),
    ("xgft-input-1-2-1", "Q3", INPUT, CREDIT, CREDIT.replace("take_i", "take_i & ~full_q")),
    ("xgft-input-1-2-1", "Q4", INPUT, CREDIT, CREDIT.replace("take_i", "take_i | valid_i")),
    ("xgft-input-1-1-1", "Q5", INPUT, "= word[HEADER_W-1:0];", "= word[HEADER_W:1];"),
    ("xgft-input-1-1-3", "Q6", INPUT, "(HOLD == 1) ? routed_q : {QUEUES{1'b0}}", "{QUEUES{1'b0}}"),
    ("xgft-input-1-1-1", "Q7", INPUT,
     "? searching & routed_q : searching;", "? searching & routed_q : present_q;"),
    ("xgft-input-1-1-3", "Q8", INPUT,
     "if (STAGES == 3 && ask_o[i] && !grant_i[i])", "if (STAGES == 3 && !grant_i[i])"),
    ("xgft-input-1-1-3", "Q9", INPUT,
     "active_q | grant_i : active_q);", "active_q | grant_i : active_q | grant_i);"),
    ("xgft-input-2-1-1", "Q10", INPUT,
     "if (grant_i[i]) vc[i*VCS", "if (grant_i[i] || take_i[i]) vc[i*VCS"),
)  # fmt: skip

OUTPUTS = (
    ("xgft-output-1-2", "O1", OUTPUT, "(n != {COUNT_W{1'b0}});", "(n > 1'b1);"),
    ("xgft-output-1-2", "O2", OUTPUT, "(n == FULL[COUNT_W-1:0]);", "(n != {COUNT_W{1'b0}});"),
    ("xgft-output-1-2", "O3", OUTPUT, BUSY, "(busy_q & ~left) | claim_i;"),
    ("xgft-output-1-2", "O4", OUTPUT,
     "valid_o <= rst ? {CREDITS{1'b0}} : send_i;",
     "valid_o <= rst ? {CREDITS{1'b0}} : send_i & ~left;"),
    ("xgft-output-1-2", "O5", OUTPUT, "hop  = g % PORTS + 1;", "hop  = g % PORTS;"),
    ("xgft-output-2-2", "O6", OUTPUT,
     "(busy_q[o*VCS +: VCS] == {VCS{1'b1}})", "(busy_q[o*VCS +: VCS] != {VCS{1'b0}})"),
)  # fmt: skip

ALLOCATORS = (
    ("xgft-vc-round-robin-2-2-any-1", "V1", VC, "wins   = winner[", "wins   = request["),
    ("xgft-vc-round-robin-2-2-any-2", "V2", VC,
     "open = free[p*VCS +: VCS] & (reply[i] ? UPPER : LOWER);", "open = free[p*VCS +: VCS];"),
    ("xgft-vc-round-robin-2-2-any-1", "V3", VC,
     "claims[o*VCS +: VCS] = choices_r[w*VCS +: VCS];", "claims[o*VCS +: VCS] = FIRST;"),
    ("xgft-vc-round-robin-2-1-any-1", "V4", VC,
     "if (open != {VCS{1'b0}}) begin", "if (open != {VCS{1'b0}} && i < INPUTS - 1) begin"),
    ("xgft-vc-round-robin-2-2-any-1", "V5", VC,
     "if ((open & home[p*VCS +: VCS]) != {VCS{1'b0}})", "if (1'b0)"),
    ("xgft-vc-round-robin-2-1-any-1", "V6", VC,
     ".taken_i(asked)", ".taken_i({(SWITCHES*PORTS){1'b0}})"),
    ("xgft-vc-round-robin-2-2-keep-1", "V7", VC, ".KIND(KIND)", ".KIND(ARBITER)"),
    ("xgft-switch-allocator-round-robin-2-1", "W1", SWITCH,
     "if (winners[o*PORTS + k/VCS]) begin", "if (picks_u[k]) begin"),
    ("xgft-switch-allocator-round-robin-2-2", "W2", SWITCH,
     "|(credit[p*VCS +: VCS] & vc[i*VCS +: VCS]);", "|credit[p*VCS +: VCS];"),
    ("xgft-switch-allocator-round-robin-2-1", "W3", SWITCH,
     "= number[PORT_W-1:0];", "= ~number[PORT_W-1:0];"),
    ("xgft-switch-allocator-round-robin-2-1", "W4", SWITCH,
     "if (ready[i]) begin", "if (ready[i] && ready != {INPUTS{1'b1}}) begin"),
    ("xgft-switch-allocator-round-robin-2-2", "W5", SWITCH,
     ".taken_i(granted)", ".taken_i({LINKS{1'b0}})"),
    ("xgft-switch-allocator-round-robin-2-1-steady", "W6", SWITCH,
     ".taken_i(enable_o)", ".taken_i({LINKS{1'b0}})"),
)  # fmt: skip

SWITCHES = (
    ("xgft-switch-1-1-1", "N1", OUTPUT, "(n != {COUNT_W{1'b0}});", "1'b1;"),
    ("xgft-switch-2-1-1-bounded", "N2", VC, "= open & (~open + 1'b1);", "= open;"),
    ("xgft-switch-1-1-1", "N3", OUTPUT, "free_o  = ~busy_q;", "free_o  = {CREDITS{1'b1}};"),
    ("xgft-switch-1-1-1", "N4", INPUT,
     "= front_q[f*FLIT_W +: FLIT_W];", "= front_q[f*FLIT_W +: FLIT_W] | valid_i[0];"),
    ("xgft-switch-1-1-1", "N5", ROUTE, DOWN, "port = (destination / CHILD + 1) % DOWN;"),
    ("xgft-switch-1-1-1", "N6", INPUT, CREDIT,
     CREDIT.replace("take_i", "take_i & ~{take_i[0], {(QUEUES-1){1'b0}}}")),
    ("xgft-switch-1-1-1", "N7", OUTPUT, BUSY, "busy_q | (claim_i & ~left);"),
)  # fmt: skip

TREE = "xgft-route-2x3x2-1x2x3"
ROUTES = (
    (f"{TREE}-dmodk-nca-2", "R1", ROUTE, DOWN, "port = destination % DOWN;"),
    (f"{TREE}-dmodk-nca-1", "R2", ROUTE,
     "destination / BELOW != s / SPREAD", "destination / BELOW > s / SPREAD"),
    (f"{TREE}-dmodk-nca-2", "R3", ROUTE,
     "parent = (destination / SPREAD) % PARENTS;", "parent = destination % PARENTS;"),
    (f"{TREE}-adaptive-nca-2", "R4", ROUTE, "n < PARENTS; n", "n < PARENTS - 1; n"),
)  # fmt: skip

SLOTS = "lbbvn_switch/switch_schedule.vh"
SCHEDULES = (
    ("lbbvn-schedule-xor-8", "L1", SLOTS, "reversed(leaf) ^ t;", "reversed(leaf) & t;"),
    ("lbbvn-schedule-tdm-8", "L2", SLOTS, ": input_of_middle(m, t);", ": t;"),
    ("lbbvn-schedule-rotator-8", "L3", SLOTS, "= leaf + t;", "= leaf + (t << 1);"),
    ("lbbvn-schedule-rotator-8", "L4", SLOTS, "= m - t;", "= m - (t << 1);"),
    ("lbbvn-schedule-bitrev-8", "L5", SLOTS,
     ": middle_of_input(y, t);", ": input_of_middle(y, t);"),
    ("lbbvn-schedule-bitrev-8", "L6", SLOTS,
     ": input_of_middle(m, t);", ": middle_of_input(m, t);"),
)  # fmt: skip

MIDDLE, MIDDLE_V = "lbbvn-middle-2-2", "lbbvn_switch/lbbvn_middle.v"
MIDDLES = (
    (MIDDLE, "M1", MIDDLE_V, "ring[{v, head_q[v] + count[A-1:0]}]", "ring[{v, head_q[v]}]"),
    (MIDDLE, "M2", MIDDLE_V, "cell_o[m]       <= 1'b1;", "cell_o[m]       <= count != FULL;"),
    (MIDDLE, "M3", MIDDLE_V, "dropped_o[m] <= 1'b1;", "dropped_o[m] <= ~cell_i[0];"),
    (MIDDLE, "M4", MIDDLE_V, "if (y == middle_number) own = own - 1'b1;", ""),
)  # fmt: skip

FAULTS = (
    *ARBITERS,
    *INPUTS,
    *OUTPUTS,
    *ALLOCATORS,
    *SWITCHES,
    *ROUTES,
    *SCHEDULES,
    *MIDDLES,
)
