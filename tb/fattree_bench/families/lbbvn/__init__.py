"""The environment of a network on the slot link."""
