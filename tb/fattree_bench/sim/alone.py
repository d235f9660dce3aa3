"""A user's design is read by itself before a bench is built round it.

So what is wrong in the user's files comes alone, and a name of theirs that the design has not is a
mistake in their description, not an error in Verilog that was made from it.
"""

import re
import subprocess
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fattree_bench.bench.interface import names
from fattree_bench.bench.interface.declared import alone
from fattree_bench.bench.interface.interface import Block
from fattree_bench.errors import UserError, meant
from fattree_bench.sim.toolchain import prepare_verilator
from fattree_bench.sim.variables import Variables

MADE = "alone.v"  # holds nothing but an instance
TOP = "ftb_alone"
QUIET = ("--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", TOP)
NAMES = (  # key, what is not there, how a simulator says so
    ("design.top", "module", r"file containing module: '(\w+)'|Unknown module type: (\w+)"),
    ("link", "port", r"Pin not found: '(\w+)'|port ``(\w+)'' is not a port of"),
    ("design.parameters", "parameter", r"[Pp]arameter (?:not found: '(\w+)'|`?(\w+)'? not found)"),
)
INSTANCE = r"(Can't find definition of '\w+' in dotted|Unable to bind wire)"
DECLARED = re.compile(r"\b(?:in|out|inout)(?:put)?\b[^;()]*?(\w+)\s*(?=[,;)]|//|$)", re.MULTILINE)
SHOWN = 5  # lines of errors


def theirs(variables: Variables) -> list[Path]:
    """The files of a user in a design; none if it is one of the project's."""
    described = getattr(variables.network.rtl, "design", None)
    return [*variables.around.files, *(described.files.sources if described else ())]


def check(variables: Variables, agent: str, folder: Path) -> str:
    """What the simulator says against a user's files, to be shown as it is; "" if nothing.

    UserError for a name that the files do not have; `folder` gets a build.log.
    """
    files = theirs(variables)
    if not files:
        return ""
    rtl = variables.around.design(variables.network.rtl)
    design = rtl.interface(agent).design
    with TemporaryDirectory() as scratch:
        made = Path(scratch, MADE)
        made.write_text(instance(variables, design))
        log = read(variables, [*rtl.synthesized(variables.rtl)[0], *variables.around.files, made])
    own = [line for line in log.splitlines() if MADE in line]
    refuse(variables, design, "\n".join(own), files)
    said = [line for line in log.splitlines() if "rror" in line and line not in own]
    if not any(path.name in line for path in files for line in said):
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "build.log").write_text(log)
    lines = [line for line in said if "Exiting due to" not in line]
    return "\n".join([f"the build failed; log: {folder / 'build.log'}", *lines[:SHOWN]])


def instance(variables: Variables, design: Block) -> str:
    """A module that names all that a description names, and connects nothing."""
    parameters = ", ".join(f".{name}({value})" for name, value in design.parameters.items())
    declared, given = alone(getattr(variables.network.rtl, "design", None))
    ports = ", ".join(f".{port.name}({given.get(port.name, '')})" for port in design.ports)
    if watched := variables.around.instance:
        (port, *_) = variables.network.rtl.interface(variables.network.rtl.agents[0]).design.ports
        watched = f"  wire seen = {design.name}.{watched}.{port.name};\n"
    head = f"{design.module} {f'#({parameters}) ' if parameters else ''}{design.name} ({ports});\n"
    return f"module {TOP};\n{declared}  {head}{watched}endmodule\n"


def read(variables: Variables, files: list[Path]) -> str:
    """What the simulator says of files, the last of them made here."""
    rtl = variables.around.design(variables.network.rtl)
    flags = rtl.build_flags(variables.sim)
    includes = [f"-I{path}" for path in rtl.includes(variables.rtl)]
    if variables.sim == "verilator":
        prepare_verilator()
        command = ["verilator", *QUIET]
    else:
        usual = [] if any(flag.startswith("-g") for flag in flags) else ["-g2005"]
        command = ["iverilog", "-t", "null", "-s", TOP, *usual]
    words = [*command, *includes, *flags, *map(str, files)]
    done = subprocess.run(
        words, cwd=files[-1].parent, capture_output=True, errors="replace", check=False
    )
    return done.stdout + done.stderr


def refuse(variables: Variables, design: Block, said: str, files: list[Path]) -> None:
    """UserError for the first name that is not there, by the place where the user wrote it."""
    described = getattr(variables.network.rtl, "design", None)
    around = variables.around
    for where, what, pattern in NAMES:
        missing = next((one or other for one, other in re.findall(pattern, said)), None)
        if missing and described is not None:
            keys = ports(described) if what == "port" else {}
            of = "" if what == "module" else f"{design.module} has "
            near = meant(missing, declared(files)) if keys else ""
            raise described.wrong(
                f"{keys.get(missing, where)} = {missing!r}: {of}no such {what}{near}"
            )
        if missing and missing == design.module:
            raise UserError(f"TOP={around.top}: has no module {missing}")
    if around.instance and re.search(INSTANCE, said):
        raise UserError(
            f"INSTANCE={around.instance}: {design.module} has no such instance of "
            f"{variables.network.rtl.interface(variables.network.rtl.agents[0]).design.module}"
        )


def ports(described: Any) -> dict[str, str]:
    """The keys of a description by the ports that they name."""
    said, leaves = tomllib.loads(described.path.read_text()), range(described.leaves)
    usual = [("clock.name", "clk"), ("reset.name", "rst")]
    named = [*usual, *names.named({"design": {}, "link": {}, **said})]
    return {name.replace("{i}", str(i), 1): key for key, name in named for i in leaves}


def declared(files: list[Path]) -> list[str]:
    """Names of ports in files, near enough to make a proposal."""
    return [name for path in files for name in DECLARED.findall(path.read_text(errors="replace"))]
