"""The environment of a network on the serial link."""
