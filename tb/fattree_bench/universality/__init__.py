"""`make universality`: fat-trees against networks of their volume."""
