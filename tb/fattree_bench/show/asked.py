"""The variables of `make show` in addition to those of `make sim`."""

from fattree_bench.settings import Settings, flag, parsed


def time_or_none(text: str) -> int | None:
    """A number from 0, or nothing; ValueError otherwise."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValueError("must be a number from 0")
    return int(text)


class Asked(Settings):
    """Variables of `make show` in addition to those of `make sim`."""

    slot = parsed(
        "SLOT",
        "",
        "slot, delivery cycle or clock to begin with; else the first that is not as expected",
        time_or_none,
    )
    inside = flag("INSIDE", 1, off="do not look inside the RTL: no waves, a faster build")
    open = flag("OPEN", 1, off="do not open the page in a browser")
