"""What the model says of a frame of a user's before it is played, for a person."""

from collections.abc import Iterator

from fattree_bench.bench.result import Table
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.own import answers, needs


def foretold(network: Lbbvn) -> Iterator[str | Table]:
    """The paper's questions, lanes a level, and what is lost on the lanes that there are."""
    frame = network.own.frame
    if frame is None:
        return
    yield from answers(network.own)
    if network.control == "SELF":
        lost = (frame >= 0) & ~network.predict(frame).delivered
        slots = lost.any(axis=1)
        first = f", the first in slot {slots.argmax()}" if slots.any() else ""
        yield (
            f"on CAPACITY={network.capacity}: {lost.sum()} of {(frame >= 0).sum()} packets find no "
            f"lane{first}"
        )
    yield needs(network.own)
