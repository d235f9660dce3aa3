"""What may wait for what when requests bring responses: on one network, and on two.

A channel is a link of a network, the links from the terminals included.  A packet that holds one
may wait for the next of its route.  In addition, a target takes a request only if it can send the
response: so the link to a target waits for the target's link into the network of the responses.
An initiator takes every response.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import networkx as nx

from fattree_models.common.fat_tree import Xgft
from fattree_models.spin.topology import choices


class Channel(NamedTuple):
    """An output of a router of a network, or (level 0) the link by which a terminal sends."""

    network: int
    level: int
    node: int
    port: int


def protocol_graph(
    network: Xgft, initiators: Iterable[int], targets: Iterable[int], networks: int
) -> nx.DiGraph:
    """Return which channels may wait for which, a graph of `Channel`s.

    With one network requests and responses share all channels; with two the responses have the
    second, of links or of classes with their own buffers.
    """
    askers, servers = set(initiators), set(targets)
    of_responses = networks - 1
    graph = nx.DiGraph()
    for dst in servers:
        _routes(graph, network, 0, [src for src in askers if src != dst], dst)
    for dst in askers:
        _routes(graph, network, of_responses, [src for src in servers if src != dst], dst)
    for server in servers:
        if any(asker != server for asker in askers):
            last = _last(network, 0, server)
            graph.add_edge(last, Channel(of_responses, 0, server, 0))
    return graph


def _last(network: Xgft, number: int, dst: int) -> Channel:
    """Return the channel to a terminal."""
    return Channel(number, 1, dst // network.m[0], dst % network.m[0])


def _routes(graph: nx.DiGraph, network: Xgft, number: int, src: list[int], dst: int) -> None:
    """Add what packets from any of `src` for `dst` may wait for."""
    queue = [Channel(number, 0, terminal, 0) for terminal in src]
    seen = set(queue)
    while queue:
        channel = queue.pop()
        for following in _next(network, channel, dst):
            graph.add_edge(channel, following)
            if following not in seen:
                seen.add(following)
                queue.append(following)


def _next(network: Xgft, channel: Channel, dst: int) -> list[Channel]:
    """Return the channels that a packet for `dst` may take after a channel."""
    level, node = _behind(network, channel)
    if level == 0:
        return []
    ports = choices(network, level, node, dst).ports
    return [Channel(channel.network, level, node, port) for port in ports]


@lru_cache(maxsize=4096)
def _behind(network: Xgft, channel: Channel) -> tuple[int, int]:
    """Return level and number of the router, or of the terminal, to which a channel leads."""
    _, level, node, port = channel
    if level == 0:
        return 1, int(network.up(0, node, 0)[0])
    children = network.down_ports(level)
    if port < children:
        return level - 1, int(network.down(level, node, port))
    return level + 1, int(network.up(level, node, port - children)[0])
