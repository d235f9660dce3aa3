"""COMPARE=file.toml: networks of a file in one table, their hardware, figures of a paper."""
