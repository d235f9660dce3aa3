"""Components that the factory makes."""

from typing import Self

from pyuvm import uvm_component, uvm_factory


class Created(uvm_component):
    """A component that the factory makes, with all that its constructor takes."""

    @classmethod
    def create(cls, name: str, parent: uvm_component | None, *given: object) -> Self:
        """One of this type, or of what overrides it at this place."""
        path = f"{parent.get_full_name()}.{name}" if parent is not None else name
        made: Self = uvm_factory().find_override_by_type(cls, path)(name, parent, *given)
        return made
