"""`esporles move`: move files of the data folder into the PostgreSQL databases of the settings."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import MetaData

from api.accounts.store import open_database
from api.accounts.tables.complete import METADATA
from api.transparency.databases import open_tree
from domain.eventstore.writer_lock import StoreBusy, writer_lock
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.move_log import METADATA as LOG_METADATA
from ops.move_log import continue_numbering, open_log
from ops.move_tables import MOVED_SUFFIX, Moved, move_file
from ops.progress import progress
from ops.service_client import find_address
from ops.stores import read_settings
from projections import tree
from projections.platform.database import Database, DatabaseUnavailable, SqliteDatabase, is_server
from projections.platform.migrations.schema import StoreTooNew
from projections.platform.settings import LOG_FILE, PEOPLE_FILE, TREE_FILE, Settings, names_of


class Part(NamedTuple):
    """A database in a file or on a server."""

    file: Path
    """The default file."""
    place: Path | str
    """The configured location."""
    metadata: MetaData
    open: Callable[[Path | str], Database]
    before: Callable[[Database, Database], None] = lambda _source, _target: None
    """Called with both databases before anything is moved."""


def parts_of(settings: Settings) -> dict[str, Part]:
    """Return the databases `log`, `people` and `tree` by name, with their file and configured place.

    The place need not be a server.
    """
    log = Part(
        settings.data / LOG_FILE,
        settings.log_place,
        LOG_METADATA,
        partial(open_log, partitions=settings.log_partitions),
        continue_numbering,
    )
    return {
        "log": log,
        "people": Part(settings.data / PEOPLE_FILE, settings.people_place, METADATA, open_database),
        "tree": Part(settings.data / TREE_FILE, settings.tree_place, tree.METADATA, open_tree),
    }


PARTS: Final = ("people", "tree", "store")
"""Settings that name servers for them."""


RUNNING: Final = "the service is running; stop it first, or changes made during the move are lost"


@contextmanager
def lock_folder(settings: Settings) -> Iterator[None]:
    """Prevent the service of this folder from running while the context is active.

    Raises `Finding` if it runs, `StoreBusy` if another process writes to the folder.
    """
    if find_address(settings.data) is not None:
        raise Finding(RUNNING)
    with ExitStack() as stack:
        if settings.data.is_dir():
            stack.enter_context(writer_lock(settings.data))
        yield


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_data_option(parser)


def is_here_or_moved(file: Path) -> bool:
    """Return whether the file exists or was moved before."""
    return file.exists() or file.with_name(file.name + MOVED_SUFFIX).exists()


def move(part: Part) -> Moved | None:
    """Move a database to its server and rename the file; return None if it was moved before.

    Raises `Finding` if there is no file, or the server has other rows.
    """
    if not part.file.exists():
        if part.file.with_name(part.file.name + MOVED_SUFFIX).exists():
            return None
        raise Finding(f"nothing to move: {part.file} does not exist")
    with progress(f"moving {part.file.name}") as step:
        source = part.open(part.file)
        assert isinstance(source, SqliteDatabase)
        target = part.open(part.place)
        part.before(source, target)
        return move_file(part.file, source, target, part.metadata, step)


def run(arguments: Namespace) -> int:
    """Move all files whose setting names a server, print rows and digests, and return `SUCCESS`.

    Raises `WrongUsage` if no setting names a server, `Finding` if the service runs, a server refuses or a file is
    missing, except a log when accounts or tree are to be moved.
    """
    settings = read_settings(arguments)
    movable = {name: part for name, part in parts_of(settings).items() if is_server(part.place)}
    if "log" in movable and len(movable) > 1 and not is_here_or_moved(movable["log"].file):
        # A service that was always on its server has at most accounts and tree in files.
        del movable["log"]
    if not movable:
        raise WrongUsage(f"no server is configured; set {' or '.join(map(names_of, PARTS))}")
    try:
        with lock_folder(settings):
            results = {name: move(part) for name, part in movable.items()}
    except StoreBusy:
        raise Finding(RUNNING) from None
    except (DatabaseUnavailable, StoreTooNew) as error:
        raise Finding(str(error)) from error
    document = {name: encode_result(each) for name, each in results.items()}
    result_writer(arguments.json)(
        document, "\n".join(line for name in results for line in format_result(movable[name], results[name]))
    )
    return SUCCESS


def encode_result(result: Moved | None) -> Mapping[str, object]:
    """Convert a result into JSON: whether it was moved now or before, rows and SHA-256 by table."""
    if result is None:
        return {"moved": False, "wasThere": True, "tables": {}}
    tables = {name: {"rows": table.rows, "sha256": table.digest} for name, table in result.tables.items()}
    return {"moved": True, "wasThere": result.was_there, "tables": tables}


def format_result(part: Part, result: Moved | None) -> list[str]:
    """Format a result as lines: one for each table and one about the renamed file, or one if it was moved before."""
    if result is None:
        return [f"{part.file} has already been moved"]
    verb = "already on the server, identical" if result.was_there else "moved, identical on both sides"
    lines = [f"{table.rows:>9,} {name} {verb} (SHA-256 {table.digest[:16]})" for name, table in result.tables.items()]
    return [
        *lines,
        f"kept      {part.file.name}{MOVED_SUFFIX} (contains secrets; remove it once the server has a backup)",
    ]
