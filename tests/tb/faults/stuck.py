"""A network any output of which can be stuck, in one build: a file says which, at time 0."""

import re
from dataclasses import dataclass
from pathlib import Path

PORT = re.compile(
    r"\b(?P<way>input|output)\s+(?:wire|reg)\s+(?P<range>\[[^\]]*\])?\s*(?P<name>\w+)"
)
PARAMETER = re.compile(r"\bparameter\s+(?:\[[^\]]*\]\s*)?(\w+)\s*=")


@dataclass(frozen=True)
class Stuck:
    """An output that is `value` in all its bits, and the number that selects it, from 1."""

    number: int
    port: str
    value: int

    def __str__(self) -> str:
        return f"{self.port} at {self.value}"


def wrap(rtl: Path, top: str, selector: Path) -> list[Stuck]:
    """Put a module of the same name round a network in a copy of rtl/; return what can be stuck.

    The network is as it was while `selector` holds 0.
    """
    (path,) = rtl.glob(f"*/{top}.v")
    text = path.read_text()
    code = re.sub(r"//.*", "", text)
    begin = re.search(rf"^module {top}\b", code, re.M)
    assert begin, path
    header = code[begin.start() : code.index(";", code.index(");", begin.start()))] + ";"
    ports = list(PORT.finditer(header))
    body = code[begin.start() + len(header) :]
    outputs = [port for port in ports if port["way"] == "output"]
    faults = [
        Stuck(2 * place + value + 1, port["name"], value)
        for place, port in enumerate(outputs)
        for value in (0, 1)
    ]
    lines = [re.sub(r"\boutput\s+reg\b", "output wire", header), *_includes(body), _SELECT]
    lines = [line.replace("FILE", str(selector)) for line in lines]
    for place, port in enumerate(outputs):
        name, bits = port["name"], port["range"] or ""
        lines += [
            f"  wire {bits} own_{name};",
            f"  wire {bits} none_{name} = 0;",
            f"  assign {name} = (stuck == {2 * place + 1}) ? none_{name} :",
            f"    (stuck == {2 * place + 2}) ? ~none_{name} : own_{name};",
        ]
    given = ", ".join(f".{p}({p})" for p in PARAMETER.findall(header))
    wires = ", ".join(
        f".{p['name']}({'own_' if p['way'] == 'output' else ''}{p['name']})" for p in ports
    )
    lines += [f"  {top}_sound #({given}) u_sound ({wires});", "endmodule", "`default_nettype wire"]
    sound = re.sub(rf"^module {top}\b", f"module {top}_sound", text, flags=re.M)
    wrapper = "\n".join(lines)
    path.write_text(f"{sound}\n`default_nettype none\n{_OFF}\n{wrapper}\n")
    return faults


_OFF = "/* verilator lint_off WIDTH */\n/* verilator lint_off DECLFILENAME */"
_SELECT = """
  integer file, read, stuck;
  initial begin
    file = $fopen("FILE", "r");
    read = $fscanf(file, "%d", stuck);
    $fclose(file);
  end
"""


def _includes(body: str) -> list[str]:
    """What the header's values are worked out with."""
    return re.findall(r'^\s*`include "[^"]*"', body, re.M)
