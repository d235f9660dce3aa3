"""Code coverage as an LCOV tracefile: lines and branches, for genhtml --branch-coverage.

Toggles and expressions have no place in it.  Points that are excluded, and were not hit, are left
out, as LCOV itself does with what a source excludes.
"""

from collections.abc import Iterable
from pathlib import Path

from fattree_bench.report.regression import CodeFile


def write_lcov(files: Iterable[CodeFile], path: Path, root: Path) -> None:
    """Write the tracefile; sources are named absolutely, `root` being where their paths start."""
    path.write_text("".join(_record(file, root) for file in files))


def _record(file: CodeFile, root: Path) -> str:
    branches = [p for p in file.points if p.kind == "branch" and not p.excluded]
    hits = file.lines()
    out = ["TN:", f"SF:{root / file.path}"]
    number: dict[int, int] = {}
    for point in branches:
        number[point.line] = branch = number.get(point.line, -1) + 1
        taken = str(point.hits) if hits[point.line] else "-"
        out.append(f"BRDA:{point.line},0,{branch},{taken}")
    out += [f"BRF:{len(branches)}", f"BRH:{sum(1 for p in branches if p.hits)}"]
    out += [f"DA:{line},{count}" for line, count in hits.items()]
    out += [f"LF:{len(hits)}", f"LH:{sum(1 for count in hits.values() if count)}"]
    return "\n".join([*out, "end_of_record\n"])
