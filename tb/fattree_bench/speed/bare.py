"""The yardstick of `make bench`: a Verilated network under a C++ loop that checks nothing."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fattree_bench.families.speed import Speed
from fattree_bench.paths import PACKAGE
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError
from fattree_bench.sim.flags import make_command, verilator_flags
from fattree_bench.sim.runtime_objects import runtime
from fattree_bench.sim.sources import key

SOURCE = PACKAGE / "bench" / "interface" / "bare.cpp"
COUNTER = 1 << 32  # of what a network says itself


@dataclass(frozen=True)
class Bare:
    """A network alone, with what it is to play by kind of stimulus."""

    folder: Path
    leaves: int
    every_leaf: bool  # see Speed

    def measure(self, kind: str, seconds: float) -> dict[str, Any]:
        """Let the C++ loop run for about so long."""
        clocks, spent = 64, 0.0
        while True:
            text = subprocess.run(
                [str(self.folder / "bare"), str(self.folder / kind), str(clocks)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            ran, injected, _, cpu, kib, _ = text.split()
            packets, spent = int(injected), float(cpu)
            if self.every_leaf:
                packets = int(ran) * self.leaves
            if (int(injected) - packets) % COUNTER:
                raise RuntimeError(f"the bare model took {injected} packets, not {packets}")
            if spent >= seconds:
                return {
                    "passed": True,
                    "packets": packets,
                    "seconds": spent,
                    "memory_kib": int(kib),
                }
            clocks = int(clocks * max(2.0, 1.1 * seconds / max(spent, 0.01)))


def ports(header: str, way: str) -> list[str]:
    """The ports of a model, IN or OUT, as its header declares them."""
    return re.findall(rf"\bVL_{way}\w*\(\(*&(\w+)", header)


def build_bare(settings: v.Variables, speed: Speed, kinds: tuple[str, ...]) -> Bare | None:
    """Verilate the network alone under a C++ loop; None if its family has none."""
    network = settings.network
    if speed.loop is None:
        return None
    stimuli = {kind: speed.bare(network, kind) for kind in kinds}
    top, parameters = network.synthesis()
    parameters |= network.rtl.form
    name = f"{network.name}-{key([network.name, top, parameters])[:8]}"
    folder = settings.build / "bare" / name
    folder.mkdir(parents=True, exist_ok=True)
    for kind, stimulus in stimuli.items():
        (folder / kind).write_bytes(stimulus)
    flags = verilator_flags(settings)
    rtl = [str(p) for p in network.rtl.sources(settings.rtl) if p.is_relative_to(settings.rtl)]
    with runtime(settings, folder, flags, "bare"):
        _call(
            *("verilator", "--cc", "--exe", "--prefix", "Vtop", "-o", "bare", "-Mdir", str(folder)),
            *("--top-module", top, "--replication-limit", "1000000", *flags),
            *(f"-I{p}" for p in network.rtl.includes(settings.rtl)),
            *(f"-G{k}={value}" for k, value in parameters.items()),
            *("-CFLAGS", f"-I{Path(__file__).parent}", str(SOURCE), *rtl),
        )
        header = (folder / "Vtop.h").read_text()
        inputs = [port for port in ports(header, "IN") if port not in ("clk", "rst")]
        (folder / "loop.h").write_text(speed.loop.header(inputs, ports(header, "OUT")))
        _call(*make_command(folder, flags, settings.native))
    return Bare(folder, network.leaves, speed.every_leaf)


def _call(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "rror" in line][:5]
        raise BuildError("\n".join(["the bare model was not built", *errors]))
