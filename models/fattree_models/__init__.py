"""Reference models of fat-tree interconnects: what the hardware must do, said in numpy.

What all functions have in common is said here.  Sizes and seeds are integers of any type, Python's
or numpy's; arrays of integers are of any integer type.  An argument that is not as described raises
`ValueError` with one line: the argument, its value, and what is allowed.  "Raises" stands only in
descriptions that have more to say.
"""
