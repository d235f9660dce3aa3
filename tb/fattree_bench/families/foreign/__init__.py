"""Designs from elsewhere, which a file of the user's describes: DESIGN=path/my_switch.toml."""
