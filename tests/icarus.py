"""A bench in Verilog, built and run by Icarus."""

import subprocess
from collections.abc import Iterable
from pathlib import Path


def printed(
    bench: str | Path,
    folder: Path,
    sources: Iterable[Path],
    includes: Iterable[Path] = (),
    options: Iterable[str] = (),
) -> str:
    """What a bench prints, a text or a file, with these sources; files that it writes go here."""
    if isinstance(bench, str):
        (folder / "bench.v").write_text(bench)
        bench = folder / "bench.v"
    command = ["iverilog", "-g2005", *(f"-I{each}" for each in includes), *options, "-obench.vvp"]
    subprocess.run([*command, bench, *sources], cwd=folder, check=True)
    run = ["vvp", "-n", "bench.vvp"]
    return subprocess.run(run, cwd=folder, check=True, capture_output=True, text=True).stdout
