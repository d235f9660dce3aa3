"""Which sources made a result: hashes of files and data, and the commit."""

import hashlib
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fattree_bench.paths import ROOT


def fingerprint(places: Iterable[Path], *words: str) -> str:
    """A hash of words, files and folders: a run resumes only if this hash is unchanged."""
    digest = hashlib.sha256("\0".join(words).encode())
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def key(data: Any) -> str:
    """A hash of data that JSON can hold."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def commit() -> str:
    """The commit of this tree, with a + if it has changes; empty without git."""
    try:
        name = _git("rev-parse", "--short=12", "HEAD")
        return name + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()
