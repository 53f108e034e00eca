"""The logs and proof files that a command names."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ops.console import WrongUsage

ENDINGS: Final = (".jsonl", ".proof")
"""File name extensions of logs and proof files in a folder."""


def files_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the given files and the logs and proofs in given folders, at any depth, without duplicates.

    They have the given order, sorted within a folder. Raises `WrongUsage` for a missing path, or a folder without logs
    and proofs.
    """
    files_found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            files = [each for each in sorted(path.rglob("*")) if each.suffix in ENDINGS and each.is_file()]
            if not files:
                raise WrongUsage(f"no logs or proofs in {path} (*{' or *'.join(ENDINGS)})")
            files_found |= dict.fromkeys(files)
        elif path.is_file():
            files_found[path] = None
        else:
            raise WrongUsage(f"no such file or folder: {path}")
    return tuple(files_found)
