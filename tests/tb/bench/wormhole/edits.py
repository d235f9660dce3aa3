"""Edits of packet-switched fat-trees that several tests apply; they run them in their own way."""

from tests.tb.faults.faulty import Edit

LEVEL, GENERATOR = "xgft/xgft_level.v", "wormhole/xgft_random.v"

# After a clock in which the first three links of a level were busy, all its flits are lost.
LOSES_PACKETS = (
    Edit(
        LEVEL,
        "wire [PORTS*VCS-1:0]    in_valid,",
        "wire [PORTS*VCS-1:0] sent; reg gone;\n"
        "always @(posedge clk) gone <= rst | (|link_valid_o[0 +: VCS]\n"
        "  & |link_valid_o[VCS +: VCS] & |link_valid_o[2*VCS +: VCS]);\n"
        "assign out_valid = gone ? {(PORTS*VCS){1'b0}} : sent;\n"
        "wire [PORTS*VCS-1:0]    in_valid,",
    ),
    Edit(LEVEL, ".valid_o(out_valid),", ".valid_o(sent),", 2),
)
TAKES_ANY_SEED = Edit(GENERATOR, "(seed == 32'd0) ? 32'd1 : seed;", "seed;")

# Sound networks that choose otherwise than they say.
OTHER_CHOICES = (
    Edit(GENERATOR, "(seed == 32'd0) ? 32'd1 : seed;", "~seed;"),
    Edit("common/arbiter.v", "if (taken_i)\n          first_q", "if (1'b0)\n          first_q"),
)
