"""`make claim`: run what decides one item of a paper."""
