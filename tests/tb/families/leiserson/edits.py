"""How the bit-serial fat-tree is made faulty: edits of each file."""

from tests.tb.faults.faulty import Edit, Faulty


def node(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/leiserson_node.v", old, new, times)


def tree(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/leiserson_tree.v", old, new, times)


def interface(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/leiserson_interface.v", old, new, times)


def guess(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/load_guess.v", old, new, times)


def switch(old: str, new: str, times: int = 1) -> Edit:
    """Of the form that simulations take."""
    return Edit("common/fast/concentrator_switch_fast.v", old, new, times)


def turn(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/rotating_first.v", old, new, times)


def clock(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/delivery_clock.v", old, new, times)


def coin(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/leiserson_coin.v", old, new, times)


def fabric(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/leiserson_fabric.v", old, new, times)


def sizes(old: str, new: str, times: int = 1) -> Edit:
    return Edit("leiserson/leiserson_sizes.vh", old, new, times)


def stage(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/partial_stage.v", old, new, times)


def leiserson(name: str, variables: str, names: tuple[str, ...], *edits: Edit) -> Faulty:
    return Faulty(name, f"NETWORK=leiserson {variables}", names, edits)
