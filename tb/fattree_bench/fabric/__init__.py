"""`make topology`: judges a network of one's own, described by a file."""
