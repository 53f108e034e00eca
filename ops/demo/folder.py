"""The folder of the demonstration, marked: never taken for a store that people play in, nor one of those for it."""

import shutil
from pathlib import Path
from typing import Final

import msgspec

from domain.eventstore.writer_lock import writer_lock
from ops.console import Finding, WrongUsage
from projections.platform.settings import Settings, names_of

NAME: Final = "demo"
"""The folder inside that of the data, unless another one is named."""
MARK: Final = "demonstration.json"
MADE: Final = "The demonstration is there"
NOT_MADE: Final = "The demonstration could not be made"
"""How the last words of who makes it begin, one or the other."""
ELSEWHERE: Final = ("store", "reads", "tree", "people", "redis")
"""What may stand at a server that others share."""


class Mark(msgspec.Struct, frozen=True):
    """`is_whole`: everything is there, nothing need be made again."""

    is_whole: bool = False


def find_mark(folder: Path) -> Mark | None:
    """None where the folder is not one of the demonstration."""
    try:
        return msgspec.json.decode((folder / MARK).read_bytes(), type=Mark)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise Finding(f"{folder / MARK} cannot be read: {error}") from error


def write_mark(folder: Path, mark: Mark) -> None:
    (folder / MARK).write_bytes(msgspec.json.encode(mark))


def claim(settings: Settings) -> Mark:
    """Makes the folder one of the demonstration, empty or whole. `Finding` where something else is in it."""
    for field in ELSEWHERE:
        if getattr(settings, field):
            raise WrongUsage(f"--demo keeps all it has in a folder of its own, and {names_of(field)} is set")
    folder = settings.data
    mark = find_mark(folder) if folder.is_dir() else None
    if mark is None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Finding(f"{folder} is not a folder of the demonstration: --demo takes a new or an empty one")
        folder.mkdir(parents=True, exist_ok=True)
    elif mark.is_whole:
        return mark
    else:
        # One that was stopped while it was made is made anew. Nobody writes there meanwhile, or the lock is refused.
        with writer_lock(folder):
            pass
        for each in folder.iterdir():
            if each.name == MARK:
                continue
            shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    write_mark(folder, Mark())
    return Mark()


def require_real(settings: Settings) -> None:
    """`Finding` where a service for people would take up what the demonstration has made."""
    if find_mark(settings.data) is not None:
        raise Finding(f"{settings.data} is a folder of the demonstration: `--demo` serves it")
