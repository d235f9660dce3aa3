"""What is expected of a network on the flit link, and how it is checked."""
