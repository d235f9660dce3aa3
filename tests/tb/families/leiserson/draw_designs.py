"""Random choice that is not random, or not the one that was announced."""

from fattree_bench.bench import faults as kind
from tests.tb.families.leiserson.edits import clock, coin, guess, interface, leiserson, tree

RANDOM = "N=4 DISCIPLINE=RANDOMISED"

STANDS_STILL = leiserson(
    "RANDOMISED: generators stand still after 3,000 draws",
    f"{RANDOM} TEST=long_run",
    (kind.COIN,),
    coin(
        "always @(posedge clk) if (load_i) lfsr_q <= next;",
        """reg [31:0] draws_q;
  always @(posedge clk)
    if (load_i) begin
      draws_q <= restart_i ? 32'd1 : draws_q + 32'd1;
      if (restart_i || draws_q < 32'd3000) lfsr_q <= next;
    end""",
    ),
)
UNFAIR_COIN = leiserson(
    "RANDOMISED: a coin falls 3 : 1",
    f"{RANDOM} TEST=queues",
    (kind.COIN,),
    coin("(lfsr & mask)", "(lfsr & (lfsr >> 9) & mask)"),
)
WRONG_GUESS = leiserson(
    "RANDOMISED: the guess is half of what it should be above 2^5",
    f"{RANDOM} TEST=long_run",
    (kind.COIN,),
    guess("4'd0 : exponent_q;", "4'd0 : exponent_q - (exponent_q > 4'd5);"),
)
SHARED_SEED = leiserson(
    "RANDOMISED: two senders start from the same number",
    f"{RANDOM} TEST=queues",
    (kind.COIN,),
    tree("SPREAD = (k + 1) *", "SPREAD = ((k == 2) ? 2 : k + 1) *"),
)
DRAWS = (
    STANDS_STILL,
    UNFAIR_COIN,
    WRONG_GUESS,
    SHARED_SEED,
    leiserson(
        "RANDOMISED: the guess grows no more above 2^5",
        f"{RANDOM} TEST=long_run",
        (kind.COIN,),
        guess("raised[4] ? 4'd15 :", "(raised > 5'd5) ? 4'd5 :"),
    ),
    leiserson(
        "RANDOMISED: a guess above 2^5 is held a delivery cycle too long",
        f"{RANDOM} TEST=long_run",
        (kind.COIN,),
        guess("<= ROUNDS << next;", "<= (ROUNDS << next) + (next > 4'd5);"),
    ),
    leiserson(
        "RANDOMISED: the coin forgets the message that waits for its acknowledge",
        f"{RANDOM} TEST=queues",
        (kind.COIN,),
        interface(" + {16'd0, keep}", ""),
    ),
    leiserson(
        "RANDOMISED: a generator steps only if its sender has a message",
        f"{RANDOM} TEST=sets_in_turn",
        (kind.COIN,),
        coin("if (load_i) lfsr_q", "if (restart_i | (load_i & (messages_i != 0))) lfsr_q"),
    ),
    leiserson(
        "RANDOMISED: draws go on behind a reset",
        f"{RANDOM} TEST=reset_online",
        (kind.COIN,),
        clock("load_o & (restart_i | first_q);", "load_o & restart_i;"),
    ),
)
