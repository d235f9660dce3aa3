"""Trees of wormhole switches (Ohring et al. 1995), one clock or [several](docs/gals.md)."""

SHARED = "wormhole"
