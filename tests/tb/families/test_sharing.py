"""Instances of a module share their C++: each of its functions stands once, whatever the tree."""

import re
import subprocess
from pathlib import Path

import pytest

from fattree_bench import families
from fattree_bench.paths import ROOT
from fattree_bench.sim.toolchain import prepare_verilator

RTL = ROOT / "rtl"

NETWORKS = (
    "lbbvn N=8",
    "lbbvn N=16 CONTROL=SCHEDULED",
    *(f"lbbvn_switch N=8 SCHEME={name}" for name in ("BASIC", "UFS", "FOFF", "PADDED", "MAILBOX")),
    "leiserson N=16 PRIORITY=ROTATING",
    "kary K=2 LEVELS=2 AHEAD=1 WAYS=2",
    *(f"kary K=4 LEVELS=2 ROUTING=ADAPTIVE FORM={form}" for form in ("FAST", "HARDWARE")),
    "ftree_mn PORTS=4 LEVELS=2",
    "turnback M=4,2 W=1,2 ROUTING=TBWP TBCH=1 ROOT_LINKS=1",
)
# A function of a class of the model: its module, what it does, the instance it was made for.
BODY = re.compile(r"^(?:\w+ )+(Vtop_[a-z]\w*?)___(\w+?)__TOP__(\w+?)(?:__\d+)?\(.*\{$", re.M)


def copies(text: str, folder: Path, public: bool = True) -> dict[tuple[str, str], int]:
    """Instances for which a function was written out apart, by module and function."""
    name, *words = text.split()
    network = families.find(name).from_variables(dict(word.split("=") for word in words))
    flags = network.rtl.verilator_flags()
    for place, flag in enumerate(flags):
        if flag.endswith(".vlt") and not public:
            kept = [line for line in Path(flag).read_text().splitlines() if "public" not in line]
            flags[place] = str(folder / f"{place}.vlt")
            Path(flags[place]).write_text("\n".join([*kept, ""]))
    top, parameters = network.synthesis()
    parameters |= network.rtl.form
    prepare_verilator()
    subprocess.run(
        [
            *("verilator", "--cc", "--prefix", "Vtop", "-Mdir", str(folder), "--top-module", top),
            *flags,
            *(f"-I{path}" for path in network.rtl.includes(RTL)),
            *(f"-G{key}={value}" for key, value in parameters.items()),
            *(str(path) for path in network.rtl.sources(RTL) if path.is_relative_to(RTL)),
        ],
        check=True,
    )
    instances: dict[tuple[str, str], set[str]] = {}
    for file in folder.glob("*.cpp"):
        for module, function, instance in BODY.findall(file.read_text()):
            instances.setdefault((module, function), set()).add(instance)
    return {body: len(made) for body, made in instances.items()}


@pytest.mark.parametrize("network", NETWORKS)
def test_each_function_stands_once(network: str, tmp_path: Path) -> None:
    found = copies(network, tmp_path)
    assert found
    assert {body: count for body, count in found.items() if count > 1} == {}


def test_a_module_without_public_ports_is_written_out_for_each_instance(tmp_path: Path) -> None:
    assert max(copies("kary K=2 LEVELS=2 FORM=HARDWARE", tmp_path, public=False).values()) > 4
