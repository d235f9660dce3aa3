"""The environment of a switch with queues on the slot link."""
