"""coverage.json: the whole report, which a later run can read and merge."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fattree_bench.bench.revive import revived
from fattree_bench.report.files import write_text
from fattree_bench.report.regression import Report
from fattree_models.common.user_file import read_file

MOST = 1 << 30  # bytes
FORMAT = 2  # of the file; one that is not known is refused


def write_json(report: Report, path: Path) -> None:
    """Write all of the report, keys in the order of the model, one line an entry of a list."""
    parts = {"format": FORMAT, **asdict(report)}
    body = ",\n".join(f"{_line(name)}: {_value(value)}" for name, value in parts.items())
    write_text(path, f"{{\n{body}\n}}\n")


def read_json(path: Path) -> Report:
    """The report that `write_json` wrote; ValueError, in one line, if the file holds none."""
    try:
        data = json.loads(read_file(path, MOST))
    except RecursionError:
        raise ValueError(f"{path}: is nested too deep") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise ValueError(f"{path}: is not JSON, or only a part of a file") from None
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        raise ValueError(f"{path}: is not a report of format {FORMAT}")
    try:
        report: Report = revived(Report, data)
        return report
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ValueError(f"{path}: is a damaged report") from None


def _value(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(_line, value)) + "\n]"
    return _line(value)


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
