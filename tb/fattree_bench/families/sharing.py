"""Verilator writes a module's C++ once for all its instances, if it is told how."""

from pathlib import Path


def sharing(*apart: Path, unroll: int = 0) -> list[str]:
    """Flags for Verilator; the files `apart` name the modules that are to be shared.

    Instances share C++ if nothing that tells them apart is moved into it.  So each such module
    stays one of its own (`no_inline`), what comes into it from outside is kept
    (`public_flat_rd`), and logic is not moved across its ports (`-fno-dfg`).
    `unroll`: no loop of more rounds than that is written out, and no wide operation word by word;
    0: as by default.
    """
    limits = ["--expand-limit", "4", "--unroll-count", str(unroll)] if unroll else []
    return ["-O3", "-fno-dfg", *map(str, apart), *limits]
