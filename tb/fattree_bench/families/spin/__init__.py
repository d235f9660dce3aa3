"""SPIN, RSPIN routers with shared buffers, reads and writes (Guerrier and Greiner 2000)."""
