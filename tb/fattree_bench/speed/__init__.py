"""What the environment costs."""
