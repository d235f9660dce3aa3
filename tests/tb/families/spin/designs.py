"""Faulty SPINs: what is broken, the run that must find it, and what it is called."""

from fattree_bench.bench import faults as kind
from tests.tb.families.spin import exact_designs
from tests.tb.faults.faulty import Edit, Faulty, stopped

ONE = "NETWORK=spin PLANES=1"


def spin(module: str, old: str, new: str) -> Edit:
    return Edit(f"spin/spin_{module}.v", old, new)


DESIGNS = (
    # ---- ways ------------------------------------------------------------------------------------
    Faulty(
        "SPIN: the header of a neighbour, packets go to the next child",
        f"{ONE} TEST=single_packets",
        (kind.MISDELIVERED, kind.LOST),
        (spin("router", "digit[0] ^ back};", "~digit[0]};"),),
    ),
    Faulty(
        "SPIN: packets climb although they are above their destination",
        f"{ONE} TEST=single_packets",
        (kind.CORRUPTED, kind.LOST),
        (
            spin(
                "router",
                "assign climbs = aim[TO_W-1:NEAR] != pos_i[TOPS +: TO_W-NEAR];",
                "assign climbs = 1'b1;",
            ),
        ),
    ),
    Faulty(
        "SPIN: the round robin of the parents stands still",
        f"{ONE} TEST=single_packets",
        (kind.UNEVEN,),
        (spin("climb", "from_q <= rst ? {PARENTS{1'b1}} : from;", "from_q <= {PARENTS{1'b1}};"),),
    ),
    stopped(
        "SPIN: two packets climb by one parent",
        f"{ONE} TEST=hot_spot",
        "an output is granted to two sources",
        spin("climb", "left  = left & ~got;", "left  = left;"),
    ),
    # ---- words -----------------------------------------------------------------------------------
    Faulty(
        "SPIN: the check of the trailer is not rotated",
        f"{ONE} TEST=single_packets",
        (kind.CORRUPTED, kind.LOST),
        (spin("encoder", "{check[30:0], check[31]} ^ data_i", "check ^ data_i"),),
    ),
    stopped(
        "SPIN: parity is not checked",
        f"{ONE} TEST=damaged_bit",
        "a router sent a word of wrong parity",
        spin("input", "odd = ^word_i;", "odd = 1'b0;"),
    ),
    Faulty(
        "SPIN: parity is made right, and nobody is told",
        f"{ONE} TEST=damaged_bit",
        (kind.MARKS,),
        (
            spin("input", "word_i[PARITY] ^ (odd & word_i[ERROR]),", "word_i[PARITY] ^ odd,"),
            spin("input", "word_i[ERROR] | odd,", "word_i[ERROR],"),
        ),
    ),
    stopped(
        "SPIN: a packet that is cut has no end mark",
        f"{ONE} TEST=damaged_marks",
        "a router began a packet inside another",
        spin("input", "{4'b0101, 32'd0}", "{4'b0011, 32'd0}"),
    ),
    Faulty(
        "SPIN: a lost end mark takes the next packet along",
        f"{ONE} TEST=damaged_marks",
        (kind.LOST,),
        (spin("input", "front[END] | (left == 5'd1);", "front[END];"),),
    ),
    Faulty(
        "SPIN: the trailer is ignored",
        f"{ONE} TEST=damaged_requests",
        (kind.CORRUPTED,),
        (spin("receiver", "error | (check_q != data_o);", "error;"),),
    ),
    # ---- shared buffers and links ----------------------------------------------------------------
    stopped(
        "SPIN: words are swapped in a shared buffer",
        f"{ONE} TEST=hot_spot",
        "a router began a packet inside another",
        spin("buffer", ".read_at_i(read_q)", ".read_at_i(read_q ^ {{(PLACE_W-1){1'b0}}, 1'b1})"),
    ),
    stopped(
        "SPIN: a shared buffer is overtaken by a second packet",
        f"{ONE} TEST=hot_spot",
        "a shared buffer gets a second packet",
        spin("descend", "store_o = empty_i[0] ?", "store_o = (empty_i != 2'b00) ?"),
    ),
    stopped(
        "SPIN: a shared buffer says that it is empty before its packet is in",
        f"{ONE} TEST=hot_spot",
        "a packet comes into a shared buffer without owner",
        spin(
            "buffer",
            "assign empty_o = (child_q == {CHILDREN{1'b0}});",
            "assign empty_o = (count_q == {COUNT_W{1'b0}});",
        ),
    ),
    stopped(
        "SPIN: a shared buffer that has run dry offers words",
        f"{ONE} TEST=gaps",
        "a packet comes into a shared buffer without owner",
        spin("buffer", "leaving_q & (count_q != {COUNT_W{1'b0}});", "leaving_q;"),
    ),
    stopped(
        "SPIN: an input goes before a shared buffer",
        f"{ONE} TEST=hot_spot",
        "an output is granted to two sources",
        spin("descend", "direct = free_i[c] & (stored == 2'b00);", "direct = free_i[c];"),
    ),
    Faulty(
        "SPIN: a credit is lost with every packet",
        f"{ONE} TEST=single_packets",
        (kind.LATE, kind.LOST),
        (spin("input", "credit_o <= leaves;", "credit_o <= leaves & ~last_o;"),),
    ),
    stopped(
        "SPIN: a credit comes back for a packet that is granted",
        f"{ONE} TEST=single_packets",
        "more credits came back than went",
        spin("input", "credit_o <= leaves;", "credit_o <= leaves | grant_i;"),
    ),
    stopped(
        "SPIN: an output is given on before the packet's last word",
        f"{ONE} TEST=hot_spot",
        "an output is granted twice",
        spin("output", "free_o = idle & ready;", "free_o = ready;"),
    ),
    Faulty(
        "SPIN: a reset leaves packets in shared buffers",
        f"{ONE} TEST=reset",
        (kind.LOST, kind.STUCK),
        (
            spin(
                "buffer",
                "      child_q   <= {CHILDREN{1'b0}};\n      leaving_q <= 1'b0;\n    end else",
                "    end else",
            ),
        ),
    ),
    Faulty(
        "SPIN: a shared buffer is written as if it were a word shorter",
        f"{ONE} TEST=hot_spot",
        (kind.CORRUPTED, kind.LOST),
        (
            spin(
                "buffer", "(write_q == LAST[PLACE_W-1:0])", "(write_q == LAST[PLACE_W-1:0] - 1'b1)"
            ),
        ),
    ),
    stopped(
        "SPIN: an output takes no credit for what it sends",
        f"{ONE} TEST=hot_spot",
        "more credits came back than went",
        spin("output", "credits_q + 3'd1 : credits_q - 3'd1;", "credits_q + 3'd1 : credits_q;"),
    ),
    # ---- reads and writes ------------------------------------------------------------------------
    stopped(
        "SPIN: a response goes to the wrong initiator",
        f"{ONE} TEST=all_memories",
        "a response answers no request",
        spin("target", "header_q[15:8]} : word_i;", "header_q[15:8] ^ 8'd1} : word_i;"),
    ),
    Faulty(
        "SPIN: a response has the tag of another request",
        f"{ONE} TEST=busy_target OUTSTANDING=16",
        (kind.SENDING, kind.SPURIOUS),
        (
            spin("initiator", "(closed & ~open_q) == {TAGS{1'b0}}", "1'b1"),
            spin(
                "target",
                "write, header_q[19:16], self_i,",
                "write, header_q[19:16] ^ 4'd1, self_i,",
            ),
        ),
    ),
    Faulty(
        "SPIN: an initiator sends the packets after the first without their header",
        f"{ONE} TEST=all_memories",
        (kind.LOST, kind.MISDELIVERED, kind.SPURIOUS),
        (spin("initiator", "step_q <= tail_o ? 5'd0 :", "step_q <= tail_o ? 5'd1 :"),),
    ),
    Faulty(
        "SPIN: an initiator asks a target again before it has answered",
        f"{ONE} TEST=busy_target",
        (kind.LOST, kind.SENDING),
        (spin("initiator", " & (same == {TAGS{1'b0}});", ";"),),
    ),
    Faulty(
        "SPIN: a target takes the last word of its memory for none",
        f"{ONE} TEST=all_memories",
        (kind.CORRUPTED,),
        (spin("target", "(behind > END);", "(behind >= END);"),),
    ),
    Faulty(
        "SPIN: a target reads the word behind",
        f"{ONE} TEST=all_memories",
        (kind.CORRUPTED,),
        (spin("target", ": step_q[3:0] - 4'd1;", ": step_q[3:0];"),),
    ),
    Faulty(
        "SPIN: a target serves damaged requests",
        f"{ONE} TEST=damaged_requests",
        (kind.CORRUPTED,),
        (spin("target", "served_o  = whole & ~damaged_i;", "served_o  = whole;"),),
    ),
    *exact_designs.DESIGNS,
)
