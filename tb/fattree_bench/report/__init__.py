"""One result model and its renderings."""
