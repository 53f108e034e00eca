"""A long run of matches in a file: what is played, then a line for each match played, so that a run that was broken off
goes on where it was."""

from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from ops.console import WrongUsage


class Run(Protocol):
    """What is played. Two runs with the same words are the same matches."""

    @property
    def title(self) -> str: ...
    @property
    def bots(self) -> tuple[str, ...]: ...
    @property
    def matches(self) -> int: ...
    @property
    def seed(self) -> str: ...


Played = TypeVar("Played")


def read(path: Path, wanted: Run, played: type[Played], name: str) -> tuple[Played, ...]:
    """The matches in the file; begins it where there is none. A last line without an end was being written when the run
    broke off, and is taken away. A file of another run is refused; only the number of matches may differ. `name` says
    what such a run is called."""
    if not path.exists():
        path.write_bytes(msgspec.json.encode(wanted) + b"\n")
        return ()
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    first, *lines = whole.splitlines() or [b""]
    try:
        begun = msgspec.json.decode(first, type=type(wanted))
        found = tuple(msgspec.json.decode(line, type=played) for line in lines)
    except msgspec.MsgspecError as fault:
        raise WrongUsage(f"{path} is not a {name}: {fault}") from fault
    if msgspec.structs.replace(begun, matches=wanted.matches) != wanted:  # type: ignore[type-var]
        raise WrongUsage(f"{path} holds another {name}: {', '.join(begun.bots)}, {begun.title}, seed {begun.seed}")
    if whole != content:
        with path.open("r+b") as file:
            # Nothing of what is kept is written again: a run that ends here leaves the same file.
            file.truncate(len(whole))
    return found


def add(path: Path, played: msgspec.Struct) -> None:
    """One match more."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(played) + b"\n")
