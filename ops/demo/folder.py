"""The demo's data folder, marked so that it is never confused with the data of a real service."""

import shutil
from pathlib import Path
from typing import Final

import msgspec

from domain.eventstore.writer_lock import writer_lock
from ops.console import Finding, WrongUsage
from projections.platform.settings import Settings, names_of

NAME: Final = "demo"
"""The default folder inside the data folder."""
MARK: Final = "demonstration.json"
DEMO_READY: Final = "demo created"
DEMO_FAILED: Final = "cannot create the demo"
"""Beginnings of the final message of the process that creates the demo."""
SERVER_SETTINGS: Final = ("store", "reads", "tree", "people", "redis")
"""Settings that may name a shared server."""


class DemoMark(msgspec.Struct, frozen=True):
    """The content of the mark; `is_whole` if the demo is complete."""

    is_whole: bool = False


def find_mark(folder: Path) -> DemoMark | None:
    """Return the mark of a folder, or None if it is not a demo; raise `Finding` if the mark is unreadable."""
    try:
        return msgspec.json.decode((folder / MARK).read_bytes(), type=DemoMark)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise Finding(f"cannot read {folder / MARK}: {error}") from error


def write_mark(folder: Path, mark: DemoMark) -> None:
    """Write the mark."""
    (folder / MARK).write_bytes(msgspec.json.encode(mark))


def claim(settings: Settings) -> DemoMark:
    """Mark an empty or incomplete folder as a demo and clear it; return its mark. A complete demo stays as it is.

    Raises `Finding` if it contains anything else, `WrongUsage` if a setting names a server, `StoreBusy` if another
    process writes to it.
    """
    for field in SERVER_SETTINGS:
        if getattr(settings, field):
            raise WrongUsage(
                f"--demo cannot be combined with {names_of(field)}: a demo keeps all data in its own folder"
            )
    folder = settings.data
    mark = find_mark(folder) if folder.is_dir() else None
    if mark is None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Finding(f"{folder} is not a demo folder; use a new or empty folder with --demo")
        folder.mkdir(parents=True, exist_ok=True)
    elif mark.is_whole:
        return mark
    else:
        # An interrupted creation starts over. The lock fails if another process is writing.
        with writer_lock(folder):
            pass
        for each in folder.iterdir():
            if each.name == MARK:
                continue
            shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    write_mark(folder, DemoMark())
    return DemoMark()


def require_real(settings: Settings) -> None:
    """Raise `Finding` if the folder is a demo, which a real service must not use."""
    if find_mark(settings.data) is not None:
        raise Finding(f"{settings.data} is a demo folder; serve it with --demo")
