"""The graph that the nodes of a network are in RTL: who drives whom, in the netlist of Yosys."""

import json
from pathlib import Path

import networkx as nx

from fattree_bench.families import find
from fattree_bench.paths import ROOT
from fattree_bench.sim.yosys import copied, hierarchy, run_yosys


def netlist(folder: Path, name: str, node: str, **variables: str) -> nx.Graph:
    """Instances of the module `node`, and a link where one has an input that another drives.

    A vertex has `memory`, the bits of the memories in it, and `widths`, the bits of its ports.
    """
    network = find(name).from_variables(variables)
    files, includes = network.rtl.synthesized(ROOT / "rtl")
    folder.mkdir()
    script = [
        copied(folder, ROOT / "rtl", files, includes).read(),
        hierarchy(*network.synthesis()),
        *("proc", "opt_clean", "memory_collect", f"setattr -mod -set keep_hierarchy 1 *{node}"),
        *("flatten", "opt_clean", "write_json net.json"),
    ]
    run_yosys(script, folder)
    modules = json.loads((folder / "net.json").read_text())["modules"]
    (top,) = (module for module in modules.values() if "top" in module["attributes"])
    graph, drivers, readers = nx.Graph(), {}, []
    for instance, cell in top["cells"].items():
        if not cell["type"].endswith(f"\\{node}"):
            continue
        memories = [
            c["parameters"]
            for c in modules[cell["type"]]["cells"].values()
            if c["type"].startswith("$mem")
        ]
        sizes = [int(m["SIZE"], 2) * int(m["WIDTH"], 2) for m in memories]
        widths = {port: len(bits) for port, bits in cell["connections"].items()}
        graph.add_node(instance, memory=sum(sizes), widths=widths)
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                drivers.update(dict.fromkeys(bits, instance))
            else:
                readers += [(bit, instance) for bit in bits]
    graph.add_edges_from((drivers[bit], reader) for bit, reader in readers if bit in drivers)
    return graph
