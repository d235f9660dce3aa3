"""Commands for designs from elsewhere: they begin a description, and say what works already."""
