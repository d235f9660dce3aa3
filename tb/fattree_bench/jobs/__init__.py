"""Jobs in processes of their own: pools, journals, progress."""
