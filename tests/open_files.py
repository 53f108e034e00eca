"""The files that this process has open."""

from __future__ import annotations

import os
from pathlib import Path


def is_open(path: Path) -> bool:
    """Return whether this process has a file open."""
    return str(path.resolve()) in {os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()}
