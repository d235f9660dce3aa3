"""Faults that break the rules of modified fat-trees."""

CLIENT, FIFO = "mft/mft_client.v", "mft/mft_fifo.v"
ROUTER, LANES, CLIMB = "mft/mft_router.v", "mft/mft_lanes.v", "mft/mft_climb.v"
FABRIC = "mft/mft_fabric.v"
EXACT, DOUBLING = "mft-router-0-2-imft-exact", "mft-router-0-2-mft-doubling"
TOP = "mft-router-1-2-imft-exact"
RIGHT, STRAIGHT = "? down_flit_i[j*FLIT_W + ROW]", "assign flit_o  = flit_i;"
CROSSED = "assign flit_o  = {flit_i[0 +: FLIT_W], flit_i[FLIT_W +: FLIT_W]};"
PARENT, LOWEST = "localparam PARENT = c ^ (k << r);", "= ~passes & (passes + 1'b1);"

BY_DAY = [("mft_paths_proof", "P3"), ("mft_client_proof", "K8")]  # the others at night

# Proof, rule, file, text, faulty text.
FAULTS: tuple[tuple[str, ...], ...] = (
    ("mft-paths-imft-4", "P1", ROUTER, "(column_i >> ROW));", "(column_i >> (ROW + 1) << 1));"),
    ("mft-paths-imft-4", "P2", CLIMB, STRAIGHT, CROSSED),
    ("mft-paths-imft-4", "P3", FABRIC, PARENT, PARENT.replace("(k", "((1 - k)")),
    ("mft-paths-mft-4", "P4", ROUTER, RIGHT, RIGHT.replace("? ", "? ~")),
    (DOUBLING, "M1", LANES, LOWEST, "= ~passes;"),
    (EXACT, "M2", ROUTER, RIGHT, RIGHT.replace("? ", "? ~")),
    (EXACT, "M3", ROUTER, ": right_q[j];", ": 1'b0;"),
    (EXACT, "M4", CLIMB, STRAIGHT, "assign flit_o  = flit_i ^ 1'b1;"),
    (EXACT, "M5", LANES, "= turn_valid_i;", "= 1'b0;"),
    (TOP, "M5", ROUTER, "TOP ? 1'b1 :", "TOP ? 1'b0 :"),
    (DOUBLING, "M6", LANES, "valid_i & head & busy}", "{COUNT{1'b0}}}"),
    (DOUBLING, "M7", CLIMB, "? valid_i[1] & ~head[1] & ~link_q[1] :", "? 1'b1 :"),
    (DOUBLING, "M8", LANES, LOWEST, "= ~passes & ~(~passes & (passes + 1'b1));"),
    ("mft-client-2-3-2", "K1", FIFO, ".read_at_i(first_q)", ".read_at_i(next_q)"),
    ("mft-client-2-3-2", "K2", CLIENT, "flit_o[TAIL] ? {COUNT{1'b0}} : serves;", "{COUNT{1'b0}};"),
    ("mft-client-2-3-2", "K3", FIFO, "(count_q != {COUNT_W{1'b0}});", "(count_q > 1);"),
    ("mft-client-2-3-2", "K4", FIFO, "valid_i & head & ~fits;", "valid_i & head & fits;"),
    ("mft-client-2-3-2", "K5", FIFO, "(head ? fits : open_q)", "(head ? fits : 1'b1)"),
    ("mft-client-2-3-2", "K6", CLIENT, ".taken_i(between & valid_o)", ".taken_i(1'b0)"),
    ("mft-client-2-3-2", "K8", CLIENT, "lane_o = {LANE_W{1'b0}};", "lane_o = {LANE_W{1'b1}};"),
    ("mft-client-2-3-2", "K7", CLIENT, "lane_o = i[LANE_W-1:0];", "lane_o = ~i[LANE_W-1:0];"),
)
