"""Components outside a simulation."""

from typing import Any, TypeVar

from pyuvm import uvm_component, uvm_root

Made = TypeVar("Made", bound=uvm_component)


def alone(kind: type[Made], *arguments: Any) -> Made:
    """A component of this kind, ready, and no other: what tests before have made is forgotten."""
    uvm_root().clear_singletons()
    made = kind("alone", None, *arguments)
    made.build_phase()
    return made
