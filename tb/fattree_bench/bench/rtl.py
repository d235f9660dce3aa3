"""The Verilog of a network and of its bench, as simulators, synthesis and linters read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from fattree_bench.bench.interface import top
from fattree_bench.bench.interface.interface import Interface
from fattree_bench.bench.interface.lanes import metered
from fattree_bench.bench.interface.recorders import PASSIVE, watching
from fattree_bench.paths import HDL


@dataclass(frozen=True)
class Rtl:
    """Files and flags that follow from the interface of a network and its folders of rtl/.

    In each method `rtl` is the folder that stands for rtl/.

    Attributes
    ----------
    name : of the network.
    rooms : folders of rtl/ that it is made of.
    around : files of a user's design that holds the network.
    """

    name: str
    rooms: tuple[str, ...]
    agents: tuple[str, ...]
    interface: Callable[[str], Interface]
    around: tuple[Path, ...] = field(default=(), kw_only=True)

    def inside(self, files: tuple[Path, ...], instance: str) -> Rtl:
        """The network as `instance` of a user's design, whose top the first file is called after.

        Its bench watches it, and drives nothing.
        """
        watched = watching(self.interface(PASSIVE), files[0].stem, instance)
        return replace(self, agents=(PASSIVE,), interface=lambda _: watched, around=files)

    @property
    def bare(self) -> Rtl:
        """The same without meters: for a netlist, whose channels are nowhere."""
        return replace(self, interface=lambda a: replace(self.interface(a), meters=None))

    @cached_property
    def interfaces(self) -> list[Interface]:
        """One for each agent."""
        return [metered(self.interface(agent)) for agent in self.agents]

    @property
    def top(self) -> str:
        """The module of the bench top."""
        return f"{self.name}_bench"

    @property
    def hints(self) -> Mapping[str, Sequence[Sequence[str]] | int]:
        """What a proof of equivalence must know of the network's ports: fattree_prover's Hints."""
        return self.interfaces[0].hints

    @property
    def form(self) -> Mapping[str, int | str]:
        """The parameter by which a simulation has other blocks than synthesis, if there is one."""
        own = self.interfaces[0].design.parameters
        return {"FORM": own["FORM"]} if "FORM" in own else {}

    @property
    def error_lines(self) -> tuple[str, ...]:
        """Texts; a line of a simulation's log that holds one is a fault."""
        return ()

    def generated(self, agent: str, rtl: Path) -> dict[str, str]:
        """Verilog of the bench that is made for this network: texts by names of files."""
        made = self.interface(agent)
        if made.meters is not None and made.meters.stand_in(self._design(rtl)):
            made = metered(made)
        return {f"{self.top}.v": top.text(made)}

    def sources(self, rtl: Path) -> list[Path]:
        """Verilog files; what the bench has in place of a file of the RTL replaces it."""
        own = {file.name: file for one in self.interfaces for file in one.files}
        kept = [file for file in self._design(rtl) if file.name not in own]
        return [*kept, *own.values(), *self.around]

    def _design(self, rtl: Path) -> list[Path]:
        """Verilog files of its folders of rtl/."""
        return [file for room in self.rooms for file in sorted((rtl / room).rglob("*.v"))]

    def includes(self, rtl: Path) -> list[Path]:
        return [*(rtl / room for room in self.rooms), HDL]

    def synthesized(self, rtl: Path) -> tuple[list[Path], list[Path]]:
        """(files, include folders) of the network alone, not of the bench round it.

        For what the bench has in place of a common block stands the block.
        """
        blocks = {f.name: f for f in (rtl / "common").glob("*.v")}
        files = [f if f.is_relative_to(rtl) else blocks.get(f.name) for f in self.sources(rtl)]
        includes = [i for i in self.includes(rtl) if i.is_relative_to(rtl)]
        return [f for f in files if f is not None], includes

    def build_flags(self, sim: str) -> list[str]:
        """Flags by which a simulator reads it: language, macros, warnings."""
        return []

    def verilator_flags(self) -> list[str]:
        """Flags by which Verilator writes a module's C++ once for all its instances.

        Instances share C++ if nothing that tells them apart is moved into it.  So each such module
        stays one of its own (`no_inline`), what comes into it from outside is kept
        (`public_flat_rd`), and logic is not moved across its ports (`-fno-dfg`).
        """
        one = self.interfaces[0]
        if not one.apart:
            return ["-O3"]
        # No loop of more rounds is written out, and no wide operation word by word.
        limits = ["--expand-limit", "4", "--unroll-count", str(one.unroll)] if one.unroll else []
        return ["-O3", "-fno-dfg", *map(str, one.apart), *limits]

    def public(self, transport: str) -> str:
        """Verilator configuration: what Python must see, by transport and by any agent."""
        lines = dict.fromkeys(x for one in self.interfaces for x in one.public(transport))
        theirs = [f'lint_off -file "{path}"' for path in self.around]
        return "\n".join(["`verilator_config", *lines, *theirs]) + "\n"
