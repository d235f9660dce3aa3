"""TOML files of a user: whatever is wrong with one is a line."""

import tomllib
from pathlib import Path
from typing import Any

from fattree_bench.errors import UserError
from fattree_models.common.user_file import read_file


def read(path: Path, name: str, place: str = "") -> dict[str, Any]:
    """The tables of a file; UserError that begins with `name`, or `place` if it cannot be read."""
    try:
        return tomllib.loads(read_file(path, name=place or name).decode())
    except UnicodeDecodeError:
        raise UserError(f"{name}: is not text in UTF-8") from None
    except RecursionError:
        raise UserError(f"{name}: is nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{name}: is not TOML: {error}") from None
    except ValueError as error:
        raise UserError(str(error)) from None
