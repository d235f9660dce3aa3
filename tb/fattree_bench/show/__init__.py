"""A run, played on a page."""
