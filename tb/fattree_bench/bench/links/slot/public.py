"""What Python must see of a slot_player; apart, so that no cocotb is loaded to build one."""


def player_public(transport: str) -> str:
    """Verilator configuration: what Python must see of a slot_player."""
    # What Verilator believes to be written from outside is evaluated once more a clock; views
    # write behind its back, between frames, and the player reads only during them.
    memory = "public_flat_rd" if transport == "view" else "public_flat_rw"
    return (
        "`verilator_config\n"
        f'{memory} -module "slot_player" -var "stim_*"\n'
        'public_flat_rd -module "slot_player" -var "seen_*"\n'
        'public_flat_rw -module "slot_player" -var "go"\n'
        'public_flat_rd -module "slot_player" -var "done"\n'
        'public_flat_rw -module "slot_player" -var "cycles"\n'
        'public_flat_rw -module "slot_player" -var "row_mode"\n'  # not row_mode_q
        'public_flat_rw -module "slot_player" -var "row_level"\n'
        'public_flat_rw -module "slot_player" -var "row_first"\n'
        'public_flat_rw -module "slot_player" -var "last_slot"\n'
        'public_flat_rw -module "slot_player" -var "expect_clear"\n'
    )
