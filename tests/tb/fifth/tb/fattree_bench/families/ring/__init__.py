"""A network that gives its structure, and no model: a test puts it into place."""
