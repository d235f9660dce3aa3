"""What a wormhole switch is like: its virtual channels, queues, pipeline, and arbiters."""

from __future__ import annotations

from fattree_bench.bench.form import FORM
from fattree_bench.errors import UserError
from fattree_bench.settings import Settings, number, word

REPLY_LIMIT = 16  # most replies that a scenario lets wait


class Switch(Settings):
    """All switches of a network are alike."""

    vcs = number("VCS", 2, 1, 4, "virtual channels of a link", rtl=True)
    depth = number("DEPTH", 8, 1, 64, "flits that a virtual channel's queue holds", rtl=True)
    stages = number("STAGES", 3, 1, 3, "clocks of a switch", rtl=True)
    ahead = number(
        "AHEAD", 0, 0, 1, "{allowed}; 1: a head behind a tail asks for its route already", rtl=True
    )
    ways = number(
        "WAYS", 1, 1, 4, "flits of an input port that cross at once; divides VCS", rtl=True
    )
    vc_mode = word(
        "VC_MODE",
        "ANY",
        {
            "ANY": "free virtual channel at each hop, empty ones first",
            "KEEP": "the destination's all the way, in order",
        },
        rtl="MODE",
    )
    classes = number(
        "CLASSES",
        1,
        1,
        2,
        "{allowed}; 2: the lower half of the virtual channels for requests, the upper for replies",
        rtl=True,
    )
    arbiter = word(
        "ARBITER", "ROUND_ROBIN", {"ROUND_ROBIN": "", "MATRIX": "least recently granted"}, rtl=True
    )
    form = FORM

    def check(self) -> None:
        if self.classes == 2 and self.vcs == 1:
            raise UserError("CLASSES=2: needs VCS=2 or more")
        if self.vcs % self.ways:
            raise UserError(f"WAYS={self.ways}: must divide VCS={self.vcs}")

    def class_vcs(self, kind: int) -> int:
        """Virtual channels for packets of class 0 or 1, one bit each."""
        half = self.vcs // 2
        if self.classes == 1:
            return (1 << self.vcs) - 1
        return ((1 << self.vcs) - 1) ^ ((1 << half) - 1) if kind else (1 << half) - 1

    def allowed(self, vc: int) -> int:
        """Virtual channels that packets of one may get at the next link, one bit each."""
        if self.vc_mode == "KEEP":
            return 1 << vc
        return next(vcs for vcs in map(self.class_vcs, (0, 1)) if vcs >> vc & 1)

    @property
    def replies(self) -> int:
        """Room for replies at a node: the limit, and what may still come then; a power of two."""
        return 1 << (REPLY_LIMIT + self.vcs * self.depth).bit_length()
