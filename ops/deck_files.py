"""The options `--deck FILE` and `--components FILE`, which add to the packaged decks and components."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from domain.kernel.component_data import DataFault
from domain.kernel.title import Titles
from domain.matches import data_files
from domain.proofs.match_file import EVENT_BEGINNING
from ops.console import WrongUsage

OPTIONS: Mapping[str, str] = {
    "deck": "a deck file (TOML) to play with, or to read the log with",
    "components": "a component file (TOML) to play with, or to read the log with",
}


def file_arguments(parser: ArgumentParser) -> None:
    """Add both options."""
    for option, help_text in OPTIONS.items():
        parser.add_argument(f"--{option}", type=Path, metavar="FILE", help=help_text)


def files_of(arguments: Namespace) -> dict[str, Path]:
    """Return the given files by table option."""
    paths = {option: getattr(arguments, option) for option in OPTIONS}
    return {option: path for option, path in paths.items() if path is not None}


def register_files(titles: Titles, title: str, files: Mapping[str, Path]) -> dict[str, str]:
    """Register the files for the title and return the options that select them; none for an unknown title.

    Raises `WrongUsage` if a file is invalid.
    """
    if title not in titles:
        return {}
    try:
        return data_files.register_files(titles[title], files)
    except DataFault as fault:
        raise WrongUsage(str(fault)) from fault


def is_event_file(path: Path) -> bool:
    """Return whether a file begins like the proof of a tournament; raise `WrongUsage` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(EVENT_BEGINNING)) == EVENT_BEGINNING
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error


def with_files(titles: Titles, title: str, chosen: Mapping[str, str], files: Mapping[str, Path]) -> dict[str, str]:
    """Register the files and return the chosen options with theirs added.

    Raises `WrongUsage` if an option is given twice or a file is invalid.
    """
    added = register_files(titles, title, files)
    for option in added:
        if option in chosen:
            raise WrongUsage(f"--{option} FILE and --option {option}={chosen[option]} cannot be combined")
    return {**chosen, **added}
