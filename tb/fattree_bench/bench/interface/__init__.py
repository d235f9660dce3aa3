"""The interface of a network as data: its ports, who plays them, what they count; and its bench."""
