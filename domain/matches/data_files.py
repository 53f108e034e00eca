"""External deck and component files, and their registration with titles."""

from collections.abc import Mapping
from pathlib import Path

from domain.kernel.component_data import DataFault
from domain.kernel.title import AnyTitle, Titles
from domain.titles import TITLES


def list_option_values(title: AnyTitle) -> Mapping[str, tuple[str, ...]]:
    """Return the available values of each option that takes a file, packaged ones first."""
    return {option: shelf.names for option, shelf in title.shelves.items()}


def register_file(title: AnyTitle, option: str, path: Path) -> str:
    """Register a file for an option of the title and return its option value.

    Raise `DataFault` if the title has no files for this option, or the file is unreadable, not UTF-8 or invalid.
    """
    if option not in title.shelves:
        raise DataFault(f"{title.name} does not support {option} files")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataFault(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataFault(f"{path} is not UTF-8 text") from error
    return title.shelves[option].add(text, path.name)


def register_files(title: AnyTitle, files: Mapping[str, Path]) -> dict[str, str]:
    """Register the files of several options; return the option values."""
    return {option: register_file(title, option, path) for option, path in files.items()}


def register_data_folder(data: Path, titles: Titles = TITLES) -> tuple[str, ...]:
    """Register all `TITLE/OPTION/*.toml` files of the data folder; return `OPTION=VALUE` for each, in path order.

    Raise `DataFault` at the first invalid file. A missing folder counts as empty.
    """
    return tuple(
        f"{option}={register_file(titles[name], option, path)}"
        for name in sorted(titles)
        for option in sorted(titles[name].shelves)
        for path in sorted((data / name / option).glob("*.toml"))
    )
