"""Edge lists: CSV, a cable a line."""

import csv

from fattree_bench.topology.cabling import Cabling, port_of
from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.speeds import gigabits

COLUMNS = ("source", "target", "source_port", "target_port", "source_type", "target_type")


def rows(text: str, columns: tuple[str, ...], needed: int) -> list[tuple[int, dict[str, str]]]:
    """The line and the fields of each row; lines that are empty or begin with # do not matter."""
    names: list[str] = []
    found = []
    for line, raw in enumerate(text.splitlines(), start=1):
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        try:
            (fields,) = csv.reader([raw], strict=True, skipinitialspace=True)
        except (csv.Error, ValueError) as error:
            raise Wrong(line, f"is not CSV: {error}") from None
        fields = [each.strip() for each in fields]
        if not names:
            names = [each.lower() for each in fields]
            if any(x not in columns for x in names) or len(set(names)) < len(names):
                raise Wrong(line, f"is {shown(raw)}; columns are {', '.join(columns)}")
            if missing := [x for x in columns[:needed] if x not in names]:
                raise Wrong(line, f"has no column {missing[0]}")
        elif len(fields) != len(names):
            raise Wrong(line, f"has {len(fields)} fields; the first line has {len(names)}")
        else:
            row = dict(zip(names, fields, strict=True))
            if empty := [x for x in columns[:needed] if not row[x]]:
                raise Wrong(line, f"has no {empty[0]}")
            found.append((line, row))
    return found


def read(text: str) -> Cabling:
    """The columns source and target, and if there are, ports and types (host or switch)."""
    cabling = Cabling()
    for line, row in rows(text, (*COLUMNS, "speed"), 2):
        for end in COLUMNS[:2]:
            cabling.node(line, row[end], row.get(f"{end}_type", ""))
        port, far = (port_of(line, row.get(f"{end}_port", "")) for end in COLUMNS[:2])
        speed = gigabits(line, row.get("speed", ""))
        cabling.link(line, row["source"], port, row["target"], far, speed)
    return cabling
