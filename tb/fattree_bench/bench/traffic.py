"""Traffic of any link: a sequence of items."""

from collections.abc import Iterable
from typing import Any

from pyuvm import uvm_sequence


class Traffic(uvm_sequence):
    """Sends items back to back."""

    def __init__(self, items: Iterable[Any]) -> None:
        super().__init__("traffic")
        self.items = items

    async def body(self) -> None:
        for item in self.items:
            await self.start_item(item)
            await self.finish_item(item)
