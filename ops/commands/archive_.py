"""`esporles archive`: the databases in files, archived continuously, so that any moment can be brought back."""

import shutil
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from ops.archive.litestream import PROGRAM, program, replicate, write_configuration
from ops.console import SUCCESS, answer, take_data
from ops.stores import read_settings

FILE: Final = "archive.yml"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("place", metavar="PLACE", help="a folder on another disk, or s3://…, sftp://…")
    parser.add_argument("--print", action="store_true", help=f"show what {PROGRAM} is told, and archive nothing")
    take_data(parser)


def run(arguments: Namespace) -> int:
    settings = read_settings(arguments)
    if arguments.print:
        folder = Path(tempfile.mkdtemp(prefix="esporles-"))
        try:
            told = write_configuration(settings, arguments.place, folder / FILE).read_text()
        finally:
            shutil.rmtree(folder)
        answer(arguments.json)({"configuration": told}, told)
        return SUCCESS
    program()
    settings.data.mkdir(parents=True, exist_ok=True)
    replicate(write_configuration(settings, arguments.place, settings.data / FILE))
    return SUCCESS
