"""Fat-tree Benes network, as a tree or as it is drawn (IBM's slides)."""

SHARED = "wormhole"
