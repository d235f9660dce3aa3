"""Fat-trees of turn-back nodes: what is expected of them, and how they are checked."""
