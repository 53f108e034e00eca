"""`esporles backup`: copy the data that cannot be rebuilt, while the service runs."""

import shutil
import sqlite3
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from typing import Final

from api.transparency.latest_checkpoint import LatestCheckpoint
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.players import players_of
from ops.stores import read_settings

PRIVATE: Final = 0o700


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new or empty folder for the copies")
    add_data_option(parser)


def copy_of(source: Path, target: Path) -> None:
    """Copy an SQLite file as of one moment, even while others write to it; only the owner can read the copy."""
    target.touch(mode=0o600)
    with closing(sqlite3.connect(source)) as source_database, closing(sqlite3.connect(target)) as target_database:
        source_database.backup(target_database)


def run(arguments: Namespace) -> int:
    """Copy tree, log, accounts, latest checkpoint and deck folders to FOLDER, print the files and return `SUCCESS`.

    Databases in PostgreSQL are named in the output and left out. Raises `WrongUsage` if FOLDER is not empty, `Finding`
    if the log or the accounts are missing; a missing tree is skipped.
    """
    settings, folder = read_settings(arguments), arguments.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WrongUsage(f"{folder} exists and is not an empty folder")
    # The order matters: the latest checkpoint before the tree, which must contain it, the tree before the log, so that
    # the log contains the entries of all leaves, and the log before the accounts, so that the account of everyone it
    # names is included.
    trees = [settings.tree_file] if settings.tree_file is not None and settings.tree_file.is_file() else []
    databases = [*trees, *(path for path in (settings.log_file, settings.people_file) if path is not None)]
    for path in databases:
        if not path.is_file():
            raise Finding(f"nothing to back up: {path} does not exist")
    folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    latest = LatestCheckpoint(settings.data).path
    others = [latest] if trees and latest.is_file() else []
    for path in others:
        shutil.copy(path, folder / path.name)
    for path in databases:
        copy_of(path, folder / path.name)
    written = [path.name for path in (*databases, *others)]
    titles = players_of(arguments).titles
    for title in sorted(titles):
        for option in sorted(titles[title].shelves):
            if (settings.data / title / option).is_dir():
                shutil.copytree(settings.data / title / option, folder / title / option)
                written.append(f"{title}/{option}")
    lines = [f"written  {folder / name}" for name in written]
    files = {"log": settings.log_file, "tree": settings.tree_file, "accounts": settings.people_file}
    if on_server := [what for what, file in files.items() if file is None]:
        lines.append(f"not included, stored in PostgreSQL: {', '.join(on_server)} (use pg_dump)")
    result_writer(arguments.json)({"folder": str(folder), "written": written}, "\n".join(lines))
    return SUCCESS
