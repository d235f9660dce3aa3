"""What begins a description: files for `ftb new`."""

import re
from pathlib import Path

from fattree_bench.bench.interface.mapped import LINKS, shimmed

TEMPLATES = Path(__file__).resolve().parent / "templates"
PORT = re.compile(r'^(\w+) = "(\w+)(?::([{}\w]+))?"', re.MULTILINE)
INWARD = {  # roles of ports that go into the design, by direction
    "send": ("valid", "data", "dest", "id", "last", "keep", "user", "head", "vc"),
    "receive": ("ready", "stop", "credit", "credit_vc"),
}


def scaffold(name: str, link: str, shim: bool) -> dict[str, str]:
    """Files by name: the description and, if it is wanted, a Verilog shim with these ports."""
    speaks = (TEMPLATES / f"{link}.toml").read_text()
    text = (TEMPLATES / "design.toml").read_text().replace("LINK\n", f"{speaks}\n")
    sources = f'"{name}_shim.v", "rtl/*.v"' if shim else '"rtl/*.v"'
    text = text.replace("TOP", f"{name}_shim" if shim else name).replace(
        "NAME.toml", f"{name}.toml"
    )
    text = text.replace("# NAME:", f"# {name}:").replace("SOURCES", sources)
    files = {f"{name}.toml": text}
    if shim and shimmed(link):
        files[f"{name}_shim.v"] = _shim(name, speaks)
    return files


def _shim(name: str, speaks: str) -> str:
    """A module with the ports of the description, in which the design is to be placed."""
    ports = ["input  wire clk", "input  wire rst"]
    for direction, inward in INWARD.items():
        table = speaks.partition(f"[link.{direction}]")[2].partition("[link.")[0]
        for role, port, bits in PORT.findall(table):
            way = "input  wire" if role in inward else "output wire"
            each = {"": "", "{width}": "*WIDTH"}.get(bits, f"*{bits}")
            ports.append(f"{way} [LEAVES{each}-1:0] {port}")
    listed = ",\n  ".join(ports)
    return f"""// Joins a design whose ports the description cannot name to those that it names.
`default_nettype none

module {name}_shim #(
  parameter LEAVES = 4,
  parameter WIDTH  = 32
) (
  {listed}
);

  // {name} u_design (…);

endmodule

`default_nettype wire
"""


__all__ = ["LINKS", "scaffold"]
