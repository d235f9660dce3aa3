"""Faults in arbiters, wormhole switch, schedules and middles, one for each rule that is proved.

(proof, rule, file in rtl/, text that is there, what stands there instead)
"""

ROUND, MATRIX = "arbiter-round-robin-3", "arbiter-matrix-3"
ARBITER = "common/arbiter.v"
QUEUE = "wormhole/xgft_queue.v"
INPUT, OUTPUT = "wormhole/xgft_input_unit.v", "wormhole/xgft_output_unit.v"
VC, SWITCH = "wormhole/xgft_vc_allocator.v", "wormhole/xgft_switch_allocator.v"
ROUTE = "wormhole/xgft_way.vh"
UPDATE = "grant_o[k] ? ~grant_o : ahead_q[k*R +: R] & ~grant_o"
CREDIT = "credit_o <= rst ? {VCS{1'b0}} : take_i;"
FREED = "~(send_i & {VCS{flit_i[TAIL]}})"
DOWN = "port        = (destination / (BELOW / DOWN)) % DOWN;"
MOVED = DOWN.replace("BELOW / DOWN", "BELOW / DOWN + 1")
LEAVES = "gen_vc[(w+1)*EACH-1].leaves;"
ENDS, LINK = "ends      = take_i & tail;", "valid_o <= rst ? {VCS{1'b0}} : send_i;"

ARBITERS = (
    (MATRIX, "A1", ARBITER, UPDATE, "ahead_q[k*R +: R] & ~grant_o"),
    (ROUND, "A2", ARBITER, "? request_i & first_q :", "? first_q :"),
    (MATRIX, "A3", ARBITER, UPDATE, "grant_o[k] ? ~grant_o : ahead_q[k*R +: R]"),
    (ROUND, "A4", ARBITER, "else if (taken_i)\n          first", "else\n          first"),
    (ROUND, "A5", ARBITER, "~((grant_o << 1) - 1'b1)", "~(grant_o - 1'b1)"),
    (ROUND, "A6", ARBITER, "~((grant_o << 1) - 1'b1)", "~((grant_o << 2) - 1'b1)"),
    (ROUND, "A7", ARBITER, "((request_i & first_q) != {R{1'b0}})", "(1'b0)"),
)  # fmt: skip

INPUTS = (
    ("xgft-input-1-3-1", "Q1", QUEUE, "= ring[read_q];", "= ring[write_q];"),
    ("xgft-input-1-2-1", "Q2", QUEUE, "<= valid_i;", "<= valid_i && !take_i;"),
    ("xgft-input-1-2-1", "Q3", INPUT, CREDIT, CREDIT.replace("take_i", "take_i & ~valid_i")),
    ("xgft-input-1-2-1", "Q4", INPUT, CREDIT, CREDIT.replace("take_i", "take_i | valid_i")),
    ("xgft-input-1-1-1", "Q5", INPUT, ": front[HEADER_W-1:0];", ": front[HEADER_W:1];"),
    ("xgft-input-1-2-1-ahead", "Q5", INPUT, "? next[HEADER_W-1:0]", "? front[HEADER_W-1:0]"),
    ("xgft-input-1-2-3-ahead", "Q7", INPUT, "(ends & ahead)", "{VCS{1'b0}}"),
    ("xgft-input-1-1-3", "Q6", INPUT, "searching & ~routed_q", "searching"),
    ("xgft-input-1-1-1", "Q7", INPUT,
     "want_o  = (STAGES < 3) ? searching", "want_o  = (STAGES < 3) ? present"),
    ("xgft-input-1-1-3", "Q8", INPUT, "(~ahead & ask & ~keep)", "(~ahead & ~keep)"),
    ("xgft-input-1-1-3", "Q9", INPUT,
     "(STAGES == 1) ? active_q | grant_i : active_q", "active_q | grant_i"),
    ("xgft-input-2-1-1", "Q10", INPUT, "if (grant_i[v]) vc_q", "if (grant_i[v] || take_i[v]) vc_q"),
)  # fmt: skip

OUTPUTS = (
    ("xgft-output-1-2", "O1", OUTPUT, "credit != {COUNT_W{1'b0}};", "credit > 1'b1;"),
    ("xgft-output-1-2", "O2", OUTPUT, "credit == FULL[COUNT_W-1:0];", "credit != {COUNT_W{1'b0}};"),
    ("xgft-output-1-2", "O3", OUTPUT, FREED, FREED.replace("send_i", "send_i & ~claim_i")),
    ("xgft-output-1-2", "O4", OUTPUT, LINK, LINK.replace("rst", "(rst || flit_i[TAIL])")),
    ("xgft-output-1-2", "O5", OUTPUT, "NUMBER = HOP;", "NUMBER = HOP - 1;"),
    ("xgft-output-1-2", "O5", OUTPUT, "if (send_i != {VCS{1'b0}}) flit_o", "flit_o"),
    ("xgft-output-2-2", "O6", OUTPUT, "|(free_o & ready_q)", "|ready_q"),
)  # fmt: skip

LONG = "ruft/xgft_long_link.v"
LINKS = (
    ("xgft-long-link-2", "L1", LONG, "= gen_place[LONG].valid;", "= gen_place[LONG-1].valid;"),
    ("xgft-long-link-2", "L2", LONG, "<= gen_place[r-1].flit;", "<= flit_i;"),
    ("xgft-long-link-5", "L3", LONG, "= gen_place[LONG].credit;", "= gen_place[LONG-1].credit;"),
    ("xgft-long-link-2", "L4", LONG,
     "rst ? {VCS{1'b0}} : gen_place[r-1].valid", "gen_place[r-1].valid"),
)  # fmt: skip

ALLOCATORS = (
    ("xgft-vc-round-robin-2-2-any-1", "V1", VC, "grant_o | winner[", "grant_o | request["),
    ("xgft-vc-round-robin-2-2-any-2", "V2", VC,
     "open = free_i[p*VCS +: VCS] & (class_i[i] ? UPPER : LOWER);", "open = free_i[p*VCS +: VCS];"),
    ("xgft-vc-round-robin-2-2-any-1", "V3", VC,
     "claim_o[o*VCS +: VCS] = vc_o[w*VCS +: VCS];", "claim_o[o*VCS +: VCS] = FIRST;"),
    ("xgft-vc-round-robin-2-1-any-1", "V4", VC,
     "if (open != {VCS{1'b0}}) begin", "if (open != {VCS{1'b0}} && i < INPUTS - 1) begin"),
    ("xgft-vc-round-robin-2-2-any-1", "V5", VC, "if (empty != {VCS{1'b0}})", "if (1'b0)"),
    ("xgft-vc-round-robin-2-1-any-1", "V6", VC,
     ".taken_i(asked[g])", ".taken_i(1'b0)"),
    ("xgft-vc-round-robin-2-2-keep-1", "V7", VC, ".KIND(KIND)", ".KIND(ARBITER)"),
    ("xgft-switch-allocator-round-robin-2-1", "W1", SWITCH,
     "if (winner[o*LANES + k]) begin", "if (1'b1) begin"),
    ("xgft-switch-allocator-round-robin-2-2", "W2", SWITCH,
     "|(credit_i[p*VCS +: VCS] & vc_i[i*VCS +: VCS]);", "|credit_i[p*VCS +: VCS];"),
    ("xgft-switch-allocator-round-robin-2-1", "W3", SWITCH,
     "= k[LANE_W-1:0];", "= ~k[LANE_W-1:0];"),
    ("xgft-switch-allocator-round-robin-2-1", "W4", SWITCH,
     "if (ready_i[i]) begin", "if (ready_i[i] && ready_i != {INPUTS{1'b1}}) begin"),
    ("xgft-switch-allocator-round-robin-2-2", "W5", SWITCH,
     ".taken_i(granted[g])", ".taken_i(1'b0)"),
    ("xgft-switch-allocator-round-robin-2-1-steady", "W6", SWITCH,
     ".taken_i(enable_o[g])", ".taken_i(1'b0)"),
)  # fmt: skip

SWITCHES = (
    ("xgft-switch-1-1-1", "N1", OUTPUT, "credit != {COUNT_W{1'b0}};", "1'b1;"),
    ("xgft-switch-2-1-1", "N2", VC, "= open & (~open + 1'b1);", "= open;"),
    ("xgft-switch-1-1-1", "N3", OUTPUT, "= ~busy_q;", "= {VCS{1'b1}};"),
    ("xgft-switch-1-1-1", "N4", INPUT,
     LEAVES, LEAVES.replace(";", " | take_i[0];")),
    ("xgft-switch-1-1-1", "N5", ROUTE, DOWN, MOVED),
    ("xgft-switch-1-1-1", "N6", INPUT, CREDIT, CREDIT.replace("take_i", "take_i & ~ask_o")),
    ("xgft-switch-1-1-1", "N7", OUTPUT, FREED, FREED.replace("send_i", "send_i & claim_i")),
    ("xgft-switch-1-2-1", "I1", INPUT, CREDIT, CREDIT.replace("take_i", "take_i | valid_i")),
    ("xgft-switch-1-2-1", "I2", INPUT, ENDS, ENDS.replace("tail", "(tail | head)")),
    ("xgft-switch-2-1-1", "I3", OUTPUT, "= ~busy_q;", "= {VCS{1'b1}};"),
    ("xgft-switch-1-2-1", "I4", OUTPUT, LINK, LINK.replace("rst", "(rst || flit_i[HEAD])")),
    ("xgft-switch-1-1-1", "I5", ROUTE, DOWN, MOVED),
    ("xgft-switch-2-1-1", "I6", INPUT, LEAVES, LEAVES.replace(";", " | take_i[0];")),
)  # fmt: skip

TREE = "xgft-route-2x3x2-1x2x3"
ROUTES = (
    (f"{TREE}-dmodk-nca-2", "R1", ROUTE, DOWN, "port = destination % DOWN;"),
    (f"{TREE}-dmodk-nca-1", "R2", ROUTE,
     "destination / BELOW !=", "destination / BELOW >"),
    (f"{TREE}-dmodk-nca-2", "R3", ROUTE,
     "parent = (number / SPREAD) % PARENTS;", "parent = number % PARENTS;"),
    (f"{TREE}-adaptive-nca-2", "R4", ROUTE, "step < PARENTS; step", "step < PARENTS - 1; step"),
)  # fmt: skip

DIGIT, TURN = "turnback/turnback_digit.v", "turnback/turnback_route.v"
TURNS = (
    ("turnback-route-tb-2-0-1-vector-2", "T1", DIGIT,
     "(address >> FIELDS)", "(address >> FIELDS + DIGIT_W)"),
    ("turnback-route-tb-2-0-1-number-1", "T2", TURN, "turn = below_i;", "turn = 1'b1;"),
    ("turnback-route-tb-2-0-1-number-2", "T3", TURN, '(ROUTING == "TBWP" &&', "("),
    ("turnback-route-tbwp-2-2-1-number-2", "T4", TURN,
     "(open_i & ~ONWARD) == {OUTS{1'b0}} && onward", "onward"),
    ("turnback-route-tbwp-2-2-1-vector-3", "T5", TURN,
     "if (LIMITED == 1 && lateral_i) onward = 1'b0;", ""),
    ("turnback-route-tbwp-3-0-1-number-2", "T6", TURN, "n < MOST; n", "n < MOST - 1; n"),
)  # fmt: skip

SLOTS = "lbbvn_switch/lbbvn_meeting.v"
SECOND = '(SAME ? "OUTPUT_OF_MIDDLE" : "MIDDLE_OF_OUTPUT")'
SCHEDULES = (
    ("lbbvn-schedule-xor-8", "L1", SLOTS, "own ^ slot_i;", "own & slot_i;"),
    ("lbbvn-schedule-tdm-8", "L2", SLOTS,
     "other = slot_i - own;", "other = FORWARD ? slot_i - own : slot_i;"),
    ("lbbvn-schedule-rotator-8", "L3", SLOTS, "own + slot_i;", "own + (slot_i << 1);"),
    ("lbbvn-schedule-rotator-8", "L4", SLOTS, "own - slot_i;", "own - (slot_i << 1);"),
    ("lbbvn-schedule-bitrev-8", "L5", SLOTS, SECOND, '"NOBODY"'),
    ("lbbvn-schedule-bitrev-8", "L6", SLOTS, SECOND, '"OUTPUT_OF_MIDDLE"'),
)  # fmt: skip

MIDDLE, MIDDLE_V = "lbbvn-middle-2-2", "lbbvn_switch/lbbvn_middle.v"
MIDDLES = (
    (MIDDLE, "M1", MIDDLE_V, "{fifo, head + count[A-1:0]}", "{fifo, head}"),
    (MIDDLE, "M2", MIDDLE_V, "cell_o    <= leaves;", "cell_o    <= leaves & ~full;"),
    (MIDDLE, "M3", MIDDLE_V, "comes & full;", "comes & full & ~dst_i[0];"),
    (MIDDLE, "M4", MIDDLE_V, "(own >= ENOUGH)", "(own_q >= ENOUGH)"),
)  # fmt: skip

FORMS, FIRST = "xgft-forms-1-1-1", "ALL << (i / each * each + each)"
ASKED, MOVED_ON = "wormhole/xgft_fast_requests.vh", "wormhole/xgft_fast_flits.vh"
TWO_FORMS = (
    (FORMS, "F1", MOVED_ON, "leaving[p] = flit;", "leaving[p] = flit ^ 1'b1;"),
    (FORMS, "I1", MOVED_ON, "((routed | searching) & ~ends)", "(routed | searching)"),
    (FORMS, "I2", MOVED_ON, "if (credit[o] == DEPTH) home = home | one;", ""),
    (FORMS, "I3", ASKED, "stuck[i]  = ~ready[o];", "stuck[i]  = 1'b0;"),
    (FORMS, "I4", ASKED, FIRST, FIRST.replace("+ each)", "+ each + 1)")),
)  # fmt: skip

FAULTS = (
    *ARBITERS,
    *INPUTS,
    *OUTPUTS,
    *LINKS,
    *ALLOCATORS,
    *SWITCHES,
    *TWO_FORMS,
    *ROUTES,
    *TURNS,
    *SCHEDULES,
    *MIDDLES,
)
