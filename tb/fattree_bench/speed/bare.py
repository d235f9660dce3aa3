"""The yardstick of `make bench`: a Verilated network under a C++ loop that checks nothing."""

import hashlib
import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from fattree_bench.families import FOLDER, family
from fattree_bench.families.speed import Speed
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import compiler_flags, prepare_verilator


@dataclass
class Bare:
    """The yardstick: packets a CPU second without any check, the best of all rounds."""

    folder: Path
    leaves: int
    build_seconds: float
    every_leaf: bool  # see Speed
    rate: float = 0.0
    memory_mib: float = 0.0

    def measure(self, seconds: float) -> None:
        """Let the C++ loop run for about so long."""
        clocks, spent = 64, 0.0
        while spent < seconds:
            text = subprocess.run(
                [str(self.folder / "bare"), str(self.folder / "stimulus"), str(clocks)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            ran, injected, _, cpu, kib = text.split()
            packets, spent = int(injected), float(cpu)
            if self.every_leaf:  # its counter has 32 bits
                packets = int(ran) * self.leaves
            if (int(injected) - packets) % (1 << 32):
                raise RuntimeError(f"the bare model took {injected} packets, not {packets}")
            if spent >= seconds:
                self.rate = max(self.rate, packets / spent)
                self.memory_mib = int(kib) / 1024
            clocks = int(clocks * max(2.0, 1.1 * seconds / max(spent, 0.01)))


def build_bare(settings: v.Variables, speed: Speed) -> Bare | None:
    """Verilate the network alone under a C++ loop; None if its family has none."""
    network = settings.network
    stimulus = speed.image(network)
    if not stimulus:
        return None
    prepare_verilator()
    top, parameters = network.synthesis()
    simulated = network.verilog_parameters("FRAME")
    parameters |= {k: x for k, x in simulated.items() if k == "FORM"}
    design = json.dumps([network.name, top, parameters], sort_keys=True)
    key = hashlib.sha256(design.encode()).hexdigest()[:8]
    folder = settings.build / "bare" / f"{network.name}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    rtl = [str(p) for p in network.sources(settings.rtl) if p.is_relative_to(settings.rtl)]
    subprocess.run(
        ["verilator", "--cc", "--exe", "--prefix", "Vtop", "-o", "bare", "-Mdir", str(folder)]
        + ["--top-module", top, "--replication-limit", "1000000", *network.verilator_flags()]
        + [f"-I{p}" for p in network.includes(settings.rtl)]
        + [f"-G{k}={value}" for k, value in parameters.items()]
        + [
            "-CFLAGS",
            f"-I{Path(__file__).parent}",
            str(FOLDER / family(network.name) / "hdl" / "bare.cpp"),
        ]
        + rtl,
        check=True,
        capture_output=True,
    )
    subprocess.run(
        [
            "make",
            "-j2",
            "-C",
            str(folder),
            "-f",
            "Vtop.mk",
            *compiler_flags(network.verilator_flags()),
        ],
        check=True,
        capture_output=True,
    )
    build_seconds = time.perf_counter() - start
    (folder / "stimulus").write_bytes(stimulus)
    return Bare(folder, network.leaves, build_seconds, speed.every_leaf)
