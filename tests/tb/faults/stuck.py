"""A network with outputs that can each be stuck, in one build: a file says which, at time 0."""

import re
from dataclasses import dataclass
from pathlib import Path

PORT = re.compile(
    r"\b(?P<way>input|output)\s+(?P<kind>wire|reg)\s+(?P<range>\[[^\]]*\])?\s*(?P<name>\w+)"
)


@dataclass(frozen=True)
class Stuck:
    """An output that is `value` in all its bits, and the number that selects it, from 1."""

    number: int
    port: str
    value: int

    def __str__(self) -> str:
        return f"{self.port} at {self.value}"


def wrap(rtl: Path, top: str, selector: Path) -> list[Stuck]:
    """Put switches before the outputs of a module in a copy of rtl/; return what can be stuck.

    The network is as it was while `selector` holds 0.
    """
    (path,) = rtl.glob(f"*/{top}.v")
    text = re.sub(r"//.*", "", path.read_text())
    begin = text.index(f"module {top} ")
    end = text.index(");", text.index(") (", begin)) + 2
    header, body = text[begin:end], text[end:]
    lines = [_SELECT.replace("FILE", str(selector))]
    faults = []
    for place, port in enumerate(p for p in PORT.finditer(header) if p["way"] == "output"):
        name, bits = port["name"], port["range"] or ""
        body = re.sub(rf"(?<![.\w]){name}\b", f"own_{name}", body)
        lines += [
            f"  {port['kind']} {bits} own_{name};",
            f"  wire {bits} none_{name} = 0;",
            f"  assign {name} = (stuck == {2 * place + 1}) ? none_{name} :",
            f"    (stuck == {2 * place + 2}) ? ~none_{name} : own_{name};",
        ]
        faults += [Stuck(2 * place + value + 1, name, value) for value in (0, 1)]
    header = re.sub(r"\boutput\s+reg\b", "output wire", header)
    path.write_text("\n".join([text[:begin] + header, *lines]) + body)
    return faults


_SELECT = """
  /* verilator lint_off WIDTH */
  integer file, read, stuck;
  initial begin
    file = $fopen("FILE", "r");
    read = $fscanf(file, "%d", stuck);
    $fclose(file);
  end
"""
