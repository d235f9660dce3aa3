"""Jobs in separate processes: pools, journals, progress."""
