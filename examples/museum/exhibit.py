"""Puts an exhibit of docs/museum.md into a folder, and prints what is wrong with it.

python3 examples/museum/exhibit.py NAME [FOLDER]  (build/museum)
"""

import shutil
import sys
import tomllib
from difflib import unified_diff
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads(Path(__file__).with_name("museum.toml").read_text(encoding="utf-8"))
Edits = dict[str, list[list[str]]]


def planted(file: str, name: str) -> tuple[str, str, Edits]:
    """The design, or variables of a network, the test and the edits of a fault of the tests."""
    for key, groups in tomllib.loads((ROOT / file).read_text(encoding="utf-8")).items():
        for row in (group[name] for group in groups if isinstance(groups, list) and name in group):
            test = row[0] if len(row) > 2 and isinstance(row[1], str) else ""
            lists = [(end, x) for part in row if isinstance(part, dict) for end, x in part.items()]
            edits = {
                e: [x] if isinstance(x[0], str) else x for e, x in lists if isinstance(x, list)
            }
            return key if "=" in key else f"{Path(file).parent}/designs/{key}", test, edits
    raise KeyError(name)


def exhibit(name: str) -> tuple[str, str, Edits]:
    """The same of an exhibit."""
    row: dict[str, Any] = TABLE[name]
    if "planted" in row:
        design, test, edits = planted(row["in"], row["planted"])
        return design, test, edits | row.get("edits", {})
    return row["design"], row.get("test", "uniform"), row["edits"]


def put(name: str, folder: Path) -> None:
    """Copy what an exhibit needs into a folder, break it, and print the lines that differ."""
    design, _, edits = exhibit(name)
    if "=" in design:
        shutil.copytree(ROOT / "rtl", folder, dirs_exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    for end in ("v", "toml") if "=" not in design else ():
        shutil.copy(ROOT / f"{design}.{end}", folder)
    for end, changes in edits.items():
        (path,) = folder.rglob(f"{end}.v" if "=" in design else f"*.{end}")
        text = before = path.read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise ValueError(f"{old!r} in {path.name}: edit is out of date")
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        lines = unified_diff(before.splitlines(), text.splitlines(), n=0, lineterm="")
        for line in lines:
            if line[0] in "+-" and line[:3] not in ("---", "+++"):
                print(f"{line[0]} {line[1:].strip()}")


def refuse(why: str) -> NoReturn:
    """A user's mistake: one line, exit status 2."""
    print(f"error: {why}", file=sys.stderr)
    sys.exit(2)


def command(name: str, folder: str) -> str:
    """What plays an exhibit; its whole form without a folder."""
    design, test, _ = exhibit(name)
    if "=" in design:
        return f"make sim {design} SIM=icarus" + (f" RTL={folder}" if folder else "")
    path = f"{folder}/{Path(design).name}" if folder else design
    return f"make sim DESIGN={path}.toml TEST={test} SIM=icarus"


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in TABLE:
        refuse(f"exhibit.py NAME [FOLDER]; NAME is one of {', '.join(TABLE)}")
    where = Path(sys.argv[2] if len(sys.argv) == 3 else f"build/museum/{sys.argv[1]}")
    if where.exists() and len(sys.argv) == 3:  # it may hold what is not ours
        refuse(f"{where}: is there already")
    shutil.rmtree(where, ignore_errors=True)
    put(sys.argv[1], where)
    print(command(sys.argv[1], str(where)))
    print(f"whole: {command(sys.argv[1], '')}")
