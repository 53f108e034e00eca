"""Deck and component files from outside: which titles play with such, and how they come onto the title's shelf."""

from collections.abc import Mapping
from pathlib import Path

from domain.kernel.component_data import DataFault
from domain.kernel.title import AnyTitle, Titles
from domain.titles import TITLES


def at_hand(title: AnyTitle) -> Mapping[str, tuple[str, ...]]:
    """What can be asked for by each option that takes a file, the package's own first."""
    return {option: shelf.names for option, shelf in title.shelves.items()}


def add(title: AnyTitle, option: str, path: Path) -> str:
    """Reads the file for the option; answers the value to ask for it by. `DataFault` says in a line why not."""
    if option not in title.shelves:
        raise DataFault(f"{title.name} plays with no {option} file of another")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataFault(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataFault(f"{path} is not text in UTF-8") from error
    return title.shelves[option].add(text, path.name)


def add_all(title: AnyTitle, files: Mapping[str, Path]) -> dict[str, str]:
    """Read the files of several options; return the values that ask for them."""
    return {option: add(title, option, path) for option, path in files.items()}


def install(data: Path, titles: Titles = TITLES) -> tuple[str, ...]:
    """Every file an operator has put into `TITLE/OPTION/*.toml` of the data folder; what can now be asked for."""
    return tuple(
        f"{option}={add(titles[name], option, path)}"
        for name in sorted(titles)
        for option in sorted(titles[name].shelves)
        for path in sorted((data / name / option).glob("*.toml"))
    )
