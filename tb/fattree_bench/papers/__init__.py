"""What the five papers say, item by item: a TOML file for each of them."""
