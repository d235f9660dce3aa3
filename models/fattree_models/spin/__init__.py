"""SPIN, a tree of 8-port RSPIN routers: routes, crossbar, words and packets, requests, responses.

After Adriahantenaina et al. and Guerrier and Greiner, by way of the survey of Biswas and Hussain,
Section 2.4 ("the survey"); what goes beyond it is marked "ours".

Conventions: terminals are the leaves of an XGFT, and routers its switches, with the numbers of
`fattree_models.common.fat_tree`; a router's children are its ports 0 ..., its parents follow.
"""

from fattree_models.spin.codec import (
    BEGIN,
    END,
    ERROR,
    FLAGS,
    MOST_PAYLOAD,
    MOST_WORDS,
    PARITY,
    WORD_BITS,
    Received,
    check_of,
    encode,
    ended,
    flip,
    parity_word,
    receive,
    spans,
)
from fattree_models.spin.protocol import MOST_BURST, TAGS, Memory, Message, Watcher, message
from fattree_models.spin.topology import Choice, choices, crossbar, tree

__all__ = [
    "BEGIN",
    "END",
    "ERROR",
    "FLAGS",
    "MOST_BURST",
    "MOST_PAYLOAD",
    "MOST_WORDS",
    "PARITY",
    "TAGS",
    "WORD_BITS",
    "Choice",
    "Memory",
    "Message",
    "Received",
    "Watcher",
    "check_of",
    "choices",
    "crossbar",
    "encode",
    "ended",
    "flip",
    "message",
    "parity_word",
    "receive",
    "spans",
    "tree",
]
