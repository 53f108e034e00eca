"""Registration of deck and component files from the command line for the title of a log or proof."""

from collections.abc import Mapping
from pathlib import Path

from domain.kernel.component_data import DataFault
from domain.kernel.title import Titles
from domain.matches import data_files
from domain.matches.errors import LogFault
from domain.matches.log.log_files import read_content, title_in
from ops.console import Finding, WrongUsage


def register_files_for(titles: Titles, source: Path | bytes, files: Mapping[str, Path]) -> None:
    """Register the files for the title of the log or proof in a file or in bytes; do nothing for an unknown title.

    Without files the source is not even read. Raises `Finding` if it is unreadable, `WrongUsage` if a file is invalid.
    """
    if not files:
        return
    try:
        title = titles.get(title_in(read_content(source) if isinstance(source, Path) else source))
        if title is not None:
            data_files.register_files(title, files)
    except LogFault as fault:
        raise Finding(f"{source!s}: {fault}") from fault
    except DataFault as fault:
        raise WrongUsage(str(fault)) from fault
