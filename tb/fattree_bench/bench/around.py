"""A larger design in which a network is watched, and not driven."""

import re
from pathlib import Path

from fattree_bench.bench.interface.names import identifier
from fattree_bench.bench.rtl import Rtl
from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import Settings, flag, number, text


class Around(Settings):
    """Where the network is, unless the bench drives it."""

    active = flag("ACTIVE", 1, "drive the network", off="watch it as a part of TOP=…")
    top = text("TOP", "", "ACTIVE=0: Verilog of a design around it, its top first, as a.v,b.v")
    instance = text("INSTANCE", "", "ACTIVE=0: the network in it, as u_left or u_chip.u_left")
    watched = number("WATCH", 2000, 1, 10**9, "ACTIVE=0: slots, cycles or clocks that are watched")

    def check(self) -> None:
        for name, value in (("TOP", self.top), ("INSTANCE", self.instance)):
            if bool(value) == bool(self.active):
                said = "goes" if value else "must be given"
                raise UserError(f"{name}={value}: {said} with ACTIVE=0")
        if gone := [path.name for path in self.files if not path.is_file()]:
            raise UserError(f"TOP={self.top}: no such file: {gone[0]}")
        if other := [path.name for path in self.files if path.suffix not in (".v", ".sv")]:
            raise UserError(f"TOP={self.top}: {other[0]}: must be Verilog, .v or .sv")
        parts = [re.sub(r"\[\d{1,9}\]$", "", part) for part in self.instance.split(".")]
        if self.instance and any(map(identifier, parts)):
            raise UserError(f"INSTANCE={self.instance}: must be a name, as u_left or u_chip.u_left")

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple((ROOT / name).resolve() for name in self.top.split(",") if name)

    def design(self, rtl: Rtl) -> Rtl:
        """What is built: the network, or the design that it is a part of."""
        return rtl if self.active else rtl.inside(self.files, self.instance)
