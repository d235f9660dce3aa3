"""The fat-tree Benes network: what is expected of it, and how it is checked."""
