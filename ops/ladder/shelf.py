"""A ladder in a file: what is played, then a line for each match played, so that a broken run goes on where it was."""

from pathlib import Path

import msgspec

from ops.console import WrongUsage
from ops.ladder.matches import PlayedMatch, WantedLadder


def read(path: Path, wanted: WantedLadder) -> tuple[PlayedMatch, ...]:
    """The matches in the file; begins it where there is none. A last line without an end was being written when the run
    broke off, and is taken away. A file of another ladder is refused; only the number of matches may differ."""
    if not path.exists():
        path.write_bytes(msgspec.json.encode(wanted) + b"\n")
        return ()
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    first, *lines = whole.splitlines() or [b""]
    try:
        begun = msgspec.json.decode(first, type=WantedLadder)
        played = tuple(msgspec.json.decode(line, type=PlayedMatch) for line in lines)
    except msgspec.MsgspecError as fault:
        raise WrongUsage(f"{path} is not a ladder: {fault}") from fault
    if msgspec.structs.replace(begun, matches=wanted.matches) != wanted:
        raise WrongUsage(f"{path} holds another ladder: {', '.join(begun.bots)}, {begun.title}, seed {begun.seed}")
    if whole != content:
        with path.open("r+b") as file:
            # Nothing of what is kept is written again: a run that ends here leaves the same file.
            file.truncate(len(whole))
    return played


def add(path: Path, played: PlayedMatch) -> None:
    """One match more."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(played) + b"\n")
