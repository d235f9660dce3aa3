"""Copies of logs and waves of failures next to a page, so that it can be read elsewhere."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from fattree_bench.bench.result import Test
from fattree_bench.bench.sentences import VIEWS, packets_of
from fattree_bench.paths import ROOT
from fattree_bench.report.regression import Report

MIB = 1 << 20
FOLDER = "failures"
LOG = MIB  # bytes of a log that are kept, half of them its end
WAVES = 32 * MIB  # bytes of a file of waves; a larger one is not copied
ALL = 256 * MIB  # bytes of all waves
WAVE_FILES = (".vcd", ".fst", *VIEWS)


def keep(report: Report, folder: Path) -> None:
    """Copy the files of failed tests into `folder`, in place of those of earlier runs.

    `report.copies` then says where they are; `report.cut`, a line each, what was left out.
    """
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    report.copies, report.cut = {}, []
    left = ALL
    for number, test in enumerate((t for t in report.tests if not t.passed), 1):
        own = folder / FOLDER / str(number)
        for path in _files(test):
            source = ROOT / path
            if path in report.copies or not source.is_file():
                continue
            waves = source.suffix in WAVE_FILES
            size = source.stat().st_size
            if waves and size > min(WAVES, left):
                report.cut.append(f"{path}: {size >> 20} MiB of waves, not copied")
                continue
            own.mkdir(parents=True, exist_ok=True)
            target = own / source.name
            if waves:
                shutil.copyfile(source, target)
                left -= size
            elif _copy_text(source, target):
                report.cut.append(f"{path}: its middle is left out of the copy")
            report.copies[path] = f"{FOLDER}/{number}/{source.name}"


def _files(test: Test) -> Iterator[str]:
    """Paths from the root of what is kept of a test."""
    yield from (path for path in (test.log, packets_of(test), test.waves) if path)
    if test.waves:
        for suffix in VIEWS:
            yield str(Path(test.waves).with_suffix(suffix))


def _copy_text(source: Path, target: Path) -> bool:
    """Copy a text, without its middle if it is long; whether it was."""
    size = source.stat().st_size
    if size <= LOG:
        shutil.copyfile(source, target)
        return False
    with source.open("rb") as file:
        begin = file.read(LOG // 2)
        file.seek(size - LOG // 2)
        end = file.read(LOG // 2)
    note = f"\n… {size - len(begin) - len(end)} bytes are left out here …\n".encode()
    target.write_bytes(begin + note + end)
    return True
