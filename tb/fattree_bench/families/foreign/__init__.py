"""Your [own design](docs/your-design.md): `ftb new`, `ftb doctor my_switch.toml`."""
