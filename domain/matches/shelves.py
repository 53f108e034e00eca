"""Deck and component files from outside: which titles play with such, and how they come onto the title's shelf."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from domain.kernel.component_data import DataFault
from domain.titles.la_granja import boxes

SHELVES: Final[Mapping[str, Mapping[str, boxes.Shelf[Any]]]] = {
    "el_grande": {},
    "la_granja": {"deck": boxes.DECK_SHELF, "components": boxes.COMPONENT_SHELF},
}
"""Per title the table options that a file can be given for."""


def at_hand(title: str) -> Mapping[str, tuple[str, ...]]:
    """What can be asked for by each of these options, the package's own first."""
    return {option: shelf.names for option, shelf in SHELVES.get(title, {}).items()}


def add(title: str, option: str, path: Path) -> str:
    """Reads the file for the option; answers the value to ask for it by. `DataFault` says in a line why not."""
    shelves = SHELVES.get(title, {})
    if option not in shelves:
        raise DataFault(f"{title} plays with no {option} file of another")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataFault(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataFault(f"{path} is not text in UTF-8") from error
    return shelves[option].add(text, path.name)


def install(data: Path) -> tuple[str, ...]:
    """Every file an operator has put into `TITLE/OPTION/*.toml` of the data folder; what can now be asked for."""
    return tuple(
        f"{option}={add(title, option, path)}"
        for title, shelves in sorted(SHELVES.items())
        for option in sorted(shelves)
        for path in sorted((data / title / option).glob("*.toml"))
    )
