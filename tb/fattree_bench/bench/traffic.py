"""Traffic of any link: a sequence of items."""

from collections.abc import Iterable
from typing import Any

from pyuvm import uvm_sequence

from fattree_bench.bench.limits import Watch


class Traffic(uvm_sequence):
    """Sends items back to back, until there are no more or the watch ends it."""

    def __init__(self, items: Iterable[Any], watch: Watch) -> None:
        super().__init__("traffic")
        self.items = items
        self.watch = watch

    async def body(self) -> None:
        for item in self.items:
            await self.start_item(item)
            await self.finish_item(item)
            if self.watch.over():
                return
