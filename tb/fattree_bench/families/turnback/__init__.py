"""Trees of nodes of two switches, TB and TBWP (Kariniemi and Nurmi 2004)."""

SHARED = "wormhole"
