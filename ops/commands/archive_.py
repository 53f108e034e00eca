"""`esporles archive`: archive the databases continuously, so that any moment can be restored."""

import shutil
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from ops.archive.litestream import PROGRAM, program, replicate, write_configuration
from ops.archive.postgres_archiver import commands, receive
from ops.console import SUCCESS, add_data_option, result_writer
from ops.stores import read_settings
from projections.platform.settings import Settings

FILE: Final = "archive.yml"


def arguments(parser: ArgumentParser) -> None:
    """Add PLACE, `--print`, `--programs` and `--data`."""
    parser.add_argument("place", metavar="PLACE", help="a folder on another disk, or a URL such as s3://… or sftp://…")
    parser.add_argument(
        "--print",
        action="store_true",
        help=f"print the configuration of {PROGRAM} or the PostgreSQL commands, and archive nothing",
    )
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="folder with the PostgreSQL programs")
    add_data_option(parser)


def run(arguments: Namespace) -> int:
    """Archive the databases to PLACE until stopped; with `--print` only print the configuration and return 0.

    Files are archived by Litestream, which replaces this process, a server by PostgreSQL's programs. Raises
    `WrongUsage` unless log, tree and accounts are all files or all at one server, `Finding` without the programs.
    """
    settings = read_settings(arguments)
    if settings.log_file is None:
        return archive_server(settings, arguments)
    if arguments.print:
        folder = Path(tempfile.mkdtemp(prefix="esporles-"))
        try:
            configuration = write_configuration(settings, arguments.place, folder / FILE).read_text()
        finally:
            shutil.rmtree(folder)
        result_writer(arguments.json)({"configuration": configuration}, configuration)
        return SUCCESS
    program()
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    replicate(write_configuration(settings, arguments.place, settings.data / FILE))
    return SUCCESS


def archive_server(settings: Settings, arguments: Namespace) -> int:
    """Archive a PostgreSQL server until stopped; with `--print` only print the commands. Return `SUCCESS`.

    Raises `WrongUsage` unless all databases are on one server, `Finding` if it refuses or the archiver exits by itself.
    """
    archive = Path(arguments.place).absolute()
    if arguments.print:
        commands_by_name = commands(settings, archive)
        result_writer(arguments.json)(
            {"commands": commands_by_name}, "\n".join(" ".join(command) for command in commands_by_name.values())
        )
        return SUCCESS
    receive(settings, archive, arguments.programs)
    return SUCCESS
