"""A family that is no family of the project: a test puts it into place."""
