"""How the whole load-balanced switch is made faulty: edits of each file, small switches."""

from tests.tb.faults.faulty import Edit

# Small switches on which Icarus needs a few seconds.
SWITCH = "NETWORK=lbbvn_switch N=4"
BASIC = f"{SWITCH} SCHEME=BASIC"
EIGHT = "NETWORK=lbbvn_switch N=8 SCHEME=BASIC"
CROSSBAR = f"{BASIC} FABRIC=CROSSBAR SCHEDULE=ROTATOR"
UFS = f"{SWITCH} SCHEME=UFS"
FOFF = f"{SWITCH} SCHEME=FOFF"
PADDED = f"{SWITCH} SCHEME=PADDED THRESHOLD=2"
GATED = f"{SWITCH} SCHEME=PADDED GATE=1"
MAILBOX = f"{SWITCH} SCHEME=MAILBOX MIDDLE=8 TRIES=2"
# The same with queues that overflow.
SHORT_UFS = f"{UFS} INGRESS=8 MIDDLE=2"
SHORT_FOFF = f"{FOFF} INGRESS=8 MIDDLE=2 RESEQUENCER=2"
LOSSY_FOFF = f"{FOFF} INGRESS=8 MIDDLE=2 RESEQUENCER=16"
SHORT_MAILBOX = f"{SWITCH} SCHEME=MAILBOX INGRESS=2 MIDDLE=2 TRIES=1"

OVERFLOWED = "a queue overflowed where the bench expects none"
NO_LANE = "the fabric lost a word: the schedule does not fit"


def schedule(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_meeting.v", old, new, times)


def switch(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_switch.v", old, new, times)


def fabrics(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_fabrics.v", old, new, times)


def card(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_card.v", old, new, times)


def inputs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_frame_ingress.v", old, new, times)


def padding(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_padding.v", old, new, times)


def middles(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_middle.v", old, new, times)


def mailboxes(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_mailbox.v", old, new, times)


def senders(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_mailbox_ingress.v", old, new, times)


def outputs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_resequencer.v", old, new, times)


def plain(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_plain_ingress.v", old, new, times)


def egress(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn_switch/lbbvn_plain_egress.v", old, new, times)


def remembers(file: str, instance: str, indent: int = 4) -> Edit:
    """A reset leaves alone a register file that has ever been cleared."""
    begin = f"{instance} (\n{' ' * indent}.clk(clk), .rst("
    known = f"rst && ^{instance}.gen_cleared.written_q === 1'bx"
    return Edit(f"lbbvn_switch/lbbvn_{file}.v", f"{begin}rst)", f"{begin}{known})")


def survives(file: str, register: str, value: str) -> Edit:
    """A reset leaves alone what has ever been set."""
    path = f"lbbvn_switch/lbbvn_{file}.v"
    return Edit(
        path, f"{register} <= {value};", f"if (^{register} === 1'bx) {register} <= {value};"
    )
