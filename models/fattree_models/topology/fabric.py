"""A network that somebody built: named nodes, hosts or switches, and cables between their ports."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from fattree_models.common.checks import MAX_INT64, BoolArray, Int64Array, check_integer

MAX_HOSTS = 1 << 16
MAX_NODES = 1 << 17
MAX_LINKS = 1 << 19


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return what sorts names as people do: s2 before s10.

    Examples
    --------
    >>> sorted(["s10", "s2", "S1"], key=natural)
    ['S1', 's2', 's10']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return tuple((0, int(p)) if p.isascii() and p.isdigit() else (1, p.lower()) for p in parts)


@dataclass(frozen=True, eq=False)
class Fabric:
    """A network.

    Parameters
    ----------
    names : tuple of str [nodes]
        All different.
    host : bool array [nodes]
        Which nodes send and receive; the others are switches.
    links : int64 array [links, 4]
        Node, its port, other node, its port; unknown ports are -1.

    ratio : int64 array [links], or empty
        How many times as long a link takes for a flit as the fastest; empty: all the same.

    Notes
    -----
    Link k is two channels: 2 k from its first end to the second, 2 k + 1 back.
    """

    names: tuple[str, ...]
    host: BoolArray
    links: Int64Array
    ratio: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))

    @cached_property
    def weight(self) -> Int64Array:
        """How often a packet counts on each channel, int64 [channels]."""
        of_links = self.ratio if self.ratio.size else np.ones(len(self.links), np.int64)
        return of_links.repeat(2)

    @cached_property
    def hosts(self) -> Int64Array:
        """Hosts, int64 [hosts], in the natural order of their names."""
        found = np.flatnonzero(self.host).tolist()
        return np.array(sorted(found, key=lambda node: natural(self.names[node])), np.int64)

    @property
    def switches(self) -> int:
        return len(self.names) - int(self.host.sum())

    @cached_property
    def tail(self) -> Int64Array:
        """The node that each channel leaves, int64 [channels]."""
        return self.links[:, [0, 2]].reshape(-1)

    @cached_property
    def head(self) -> Int64Array:
        """The node that each channel leads to, int64 [channels]."""
        return self.links[:, [2, 0]].reshape(-1)

    @cached_property
    def port(self) -> Int64Array:
        """The port by which each channel leaves, -1 unknown, int64 [channels]."""
        return self.links[:, [1, 3]].reshape(-1)

    @cached_property
    def leaving(self) -> list[list[int]]:
        """The channels that leave each node, by the natural order of where they lead, then port."""
        key = {node: natural(name) for node, name in enumerate(self.names)}
        found: list[list[int]] = [[] for _ in self.names]
        for channel, node in enumerate(self.tail.tolist()):
            found[node].append(channel)
        head, port = self.head.tolist(), self.port.tolist()
        for channels in found:
            channels.sort(key=lambda c: (key[head[c]], port[c], c))
        return found

    @cached_property
    def beside(self) -> dict[int, Counter[int]]:
        """The neighbours of each node, with the number of links to each."""
        head = self.head.tolist()
        return {
            node: Counter(head[channel] for channel in channels)
            for node, channels in enumerate(self.leaving)
        }

    def end(self, node: int, port: int) -> str:
        """Name one end of a cable."""
        return self.names[node] + (f" port {port}" if port >= 0 else "")

    def channel_name(self, channel: int) -> str:
        """Name a channel: from where to where."""
        link = self.links[channel // 2].tolist()
        ends = [self.end(*link[:2]), self.end(*link[2:])]
        return " → ".join(reversed(ends) if channel % 2 else ends)

    def but(self, links: Int64Array, phantoms: tuple[str, ...] = ()) -> "Fabric":
        """Return a fabric of other links, with hosts added."""
        host = np.concatenate([self.host, np.ones(len(phantoms), np.bool_)])
        return Fabric((*self.names, *phantoms), host, links)

    def of_speeds(self, ratio: Int64Array) -> "Fabric":
        """Return the same fabric with links of these ratios, int64 [links]."""
        return replace(self, ratio=ratio)


def build(nodes: dict[str, bool | None], links: list[tuple[str, int, str, int]]) -> Fabric:
    """Return a fabric of names.

    Parameters
    ----------
    nodes : dict
        Whether a node is a host; None: not given, so it is one if it has one link.  Nodes of
        links that are not there are such.
    links : list of (name, port, name, port)
        Ports from 0, one cable each; -1 unknown.

    Raises
    ------
    ValueError
        If there is no host or no link, or there are more than 2^16 hosts, 2^17 nodes or 2^19 links,
        or a port is not an integer or has two cables.

    Examples
    --------
    >>> fabric = build({}, [("h1", -1, "s", 1), ("s", 2, "h2", -1)])
    >>> fabric.host.tolist(), fabric.channel_name(1)
    ([True, False, True], 's port 1 → h1')
    """
    if not links:
        raise ValueError("has no link")
    every = dict.fromkeys([*(x for a, _, b, _ in links for x in (a, b)), *nodes])
    number = {name: place for place, name in enumerate(every)}
    for port in (end for link in links for end in link[1::2]):
        check_integer("port", port, -1, MAX_INT64)
    table = np.array([(number[a], p, number[b], q) for a, p, b, q in links], np.int64)
    used, cables = np.unique(table.reshape(-1, 2), axis=0, return_counts=True)
    for node, port in used[(cables > 1) & (used[:, 1] >= 0)][:1].tolist():
        raise ValueError(f"has two cables in port {port} of {list(every)[node]}")
    degree = np.bincount(table[:, [0, 2]].reshape(-1), minlength=len(number))
    said = [nodes.get(name) for name in every]
    host = np.array([degree[k] == 1 if x is None else x for k, x in enumerate(said)], np.bool_)
    for what, count, most in (
        ("hosts", int(host.sum()), MAX_HOSTS),
        ("nodes", len(number), MAX_NODES),
        ("links", len(links), MAX_LINKS),
    ):
        if count > most:
            raise ValueError(f"has {count} {what}; at most {most}")
    if host.sum() < 2 or host.all():
        raise ValueError(
            f"has {int(host.sum())} hosts and {int((~host).sum())} switches; at least 2 and 1"
        )
    return Fabric(tuple(every), host, table)
