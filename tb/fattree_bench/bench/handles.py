"""Names in the simulated design, of one type: what each stands for only cocotb knows."""

from typing import cast

import cocotb
from cocotb.handle import LogicObject


class Handle(LogicObject):
    """A signal, or a scope or memory with more of them; none is made of this type."""

    def __getattr__(self, name: str) -> "Handle":
        raise NotImplementedError

    def __getitem__(self, index: int) -> "Handle":
        raise NotImplementedError


def root() -> Handle:
    """The top of the design."""
    return cast(Handle, cocotb.top)
