"""Files of fabrics for tests: what ibnetdiscover and OpenSM would print of them."""

from collections import defaultdict

from fattree_models.topology import Fabric, Match, Routes, build, dmodk_routes, match, rank
from tests.models.topology.fabrics import Cables


def routes_of(fabric: Fabric) -> Routes:
    """D-mod-k of a fat-tree."""
    ranked = rank(fabric)
    assert ranked is not None
    found: Match | None = match(fabric, ranked)
    assert found is not None
    return dmodk_routes(fabric, ranked, found.nodes(0), found.index)


def guid(name: str) -> int:
    """Numbers of no real device: hosts from 0x100, others from 0x2000 on."""
    digits = int("".join(c for c in name if c.isdigit()))
    return {"h": 0x100, "l": 0x2000, "a": 0x3000, "s": 0x4000}[name[0]] + 16 * digits


def key(name: str) -> str:
    return f"{'H' if name.startswith('h') else 'S'}-{guid(name):016x}"


def lids(names: list[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(sorted(names, key=guid), start=1)}


def ibnetdiscover(cables: Cables) -> str:
    """A fabric with ports, block by block."""
    ends: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
    for a, p, b, q in cables:
        ends[a].append((p, b, q))
        ends[b].append((q, a, p))
    lid = lids(list(ends))
    lines = ["#", "# Topology file: generated for a test", "#"]
    for name in sorted(ends, key=lambda x: (x.startswith("h"), guid(x))):
        host = name.startswith("h")
        ports = max(p for p, _, _ in ends[name])
        lines += ["", "vendid=0x0", "devid=0x0", f"sysimgguid={guid(name):#x}"]
        if host:
            lines += [f"caguid={guid(name):#x}", f'Ca\t{ports} "{key(name)}"\t\t# "{name}"']
        else:
            output = f'# "{name}" base port 0 lid {lid[name]} lmc 0'
            guids = f"switchguid={guid(name):#x}({guid(name):x})"
            lines += [guids, f'Switch\t{ports} "{key(name)}"\t\t{output}']
        for port, far, other in sorted(ends[name]):
            if host:
                own = f"# lid {lid[name]} lmc 0 "
                near = f"[{port}]({guid(name) + 1:x}) \t"
                lines.append(f'{near}"{key(far)}"[{other}]\t\t{own}"{far}" lid {lid[far]} 4xEDR')
            else:
                adapter = f"({guid(far) + 1:x}) " if far.startswith("h") else ""
                output = f'# "{far}" lid {lid[far]} 4xEDR'
                lines.append(f'[{port}]\t"{key(far)}"[{other}]{adapter}\t\t{output}')
    return "\n".join(lines) + "\n"


def dump(cables: Cables, mark: str = ":") -> str:
    """D-mod-k as OpenSM dumps it; behind # it is as older ones do."""
    fabric = build({}, cables)
    routes = routes_of(fabric)
    lid = lids(list(fabric.names))
    lines = []
    for node, name in enumerate(fabric.names):
        if fabric.host[node]:
            continue
        lines.append(
            f"Unicast lids [0x0-{len(lid):#x}] of switch Lid {lid[name]} "
            f"guid 0x{guid(name):016x} ({name}):"
        )
        lines += ["  Lid  Out   Destination", "       Port     Info "]
        lines.append(
            f"0x{lid[name]:04x} 000 {mark} (Switch portguid 0x{guid(name):016x}: '{name}')"
        )
        for column, goal in enumerate(routes.order.tolist()):
            port = int(fabric.port[routes.out[node, column]])
            what = f"(Channel Adapter portguid 0x{guid(fabric.names[goal]) + 1:016x}: "
            lines.append(
                f"0x{lid[fabric.names[goal]]:04x} {port:03} {mark} {what}'{fabric.names[goal]}')"
            )
        lines.append(f"{routes.order.size + 1} valid lids dumped ")
    return "\n".join(lines) + "\n"


def table_csv(fabric: Fabric) -> str:
    """D-mod-k by names of neighbours."""
    routes, lines = routes_of(fabric), ["switch,destination,port"]
    for node, name in enumerate(fabric.names):
        if not fabric.host[node]:
            for column, goal in enumerate(routes.order.tolist()):
                there = fabric.names[fabric.head[routes.out[node, column]]]
                lines.append(f"{name},{fabric.names[goal]},{there}")
    return "\n".join(lines) + "\n"
