"""`--deck FILE` and `--components FILE`: what a command plays or reads with, beside what the package brings."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from domain.kernel.component_data import DataFault
from domain.kernel.title import Titles
from domain.matches import shelves
from domain.matches.errors import LogFault
from domain.matches.log.file import parse_log, read_content
from domain.matches.log.proof import EVENT_BEGINNING, is_proof, parse_proof_file
from ops.console import Finding, WrongUsage

OPTIONS: Mapping[str, str] = {
    "deck": "a deck file (TOML) to play with or to read the log with",
    "components": "a component file (TOML), likewise",
}


def file_arguments(parser: ArgumentParser) -> None:
    """Both, each once."""
    for option, told in OPTIONS.items():
        parser.add_argument(f"--{option}", type=Path, metavar="FILE", help=told)


def files_of(arguments: Namespace) -> dict[str, Path]:
    """The files that were given, by the table option they are for."""
    given = {option: getattr(arguments, option) for option in OPTIONS}
    return {option: path for option, path in given.items() if path is not None}


def shelve(titles: Titles, title: str, files: Mapping[str, Path]) -> dict[str, str]:
    """Puts the files on the title's shelf; answers the options that ask for them."""
    if title not in titles:
        return {}
    try:
        return {option: shelves.add(titles[title], option, path) for option, path in files.items()}
    except DataFault as fault:
        raise WrongUsage(str(fault)) from fault


def shelve_for(titles: Titles, path: Path, files: Mapping[str, Path]) -> None:
    """Put the files on the shelf of the title whose log or proof is in a file."""
    if files:
        try:
            shelve_in(titles, read_content(path), files)
        except LogFault as fault:
            raise Finding(f"{path}: {fault}") from fault


def shelve_in(titles: Titles, content: bytes, files: Mapping[str, Path]) -> None:
    """Put the files on the shelf of the title of a log or proof."""
    if files:
        log = parse_proof_file(content).log if is_proof(content) else parse_log(content)
        shelve(titles, log.header.title, files)


def is_event_file(path: Path) -> bool:
    """Return whether a file begins like the proof of a tournament."""
    try:
        with path.open("rb") as file:
            return file.read(len(EVENT_BEGINNING)) == EVENT_BEGINNING
    except OSError as error:
        raise WrongUsage(f"{path} cannot be read: {error.strerror}") from error


def with_files(titles: Titles, title: str, chosen: Mapping[str, str], files: Mapping[str, Path]) -> dict[str, str]:
    """The options with those the files stand for; one that is chosen twice is refused."""
    added = shelve(titles, title, files)
    for option in added:
        if option in chosen:
            raise WrongUsage(f"--{option} FILE and --option {option}={chosen[option]} ask for two at once")
    return {**chosen, **added}
