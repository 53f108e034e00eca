"""A long run of matches in a file: what is played, then a line for each match played, so that a run that was broken off
goes on where it was."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from ops.console import WrongUsage
from ops.matches import writable, writing


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


class Numbered(Protocol):
    """A match of a run."""

    @property
    def number(self) -> int: ...


Played = TypeVar("Played", bound=Numbered)
Found = TypeVar("Found")


class Kept(Generic[Played]):
    """The matches of a run, in a file where one is named."""

    def __init__(self, path: Path | None, wanted: Run, played: type[Played], name: str) -> None:
        """Reads what is in the file; begins it where there is none. A file of another run is refused; only the number
        of matches may differ. `name` says what such a run is called."""
        self._path = writable(path)
        self._wanted = wanted
        self._name = name
        self._matches: list[Played] = []
        if self._path is not None:
            with writing(self._path):
                self._matches += self._read(self._path, played)

    @property
    def count(self) -> int:
        return len(self._matches)

    @property
    def matches(self) -> list[Played]:
        """Those that are wanted, in their order."""
        wanted = (match for match in self._matches if match.number < self._wanted.matches)
        return sorted(wanted, key=lambda match: match.number)

    def missing(self) -> list[int]:
        """The numbers of those still to be played."""
        done = {match.number for match in self._matches}
        return [number for number in range(self._wanted.matches) if number not in done]

    def add(self, match: Played) -> None:
        self._matches.append(match)
        if self._path is not None:
            with writing(self._path):
                add_line(self._path, match)

    def _read(self, path: Path, played: type[Played]) -> tuple[Played, ...]:
        if not path.exists():
            add_line(path, self._wanted)
            return ()

        def decode(lines: Sequence[bytes]) -> tuple[Played, ...]:
            first, *rest = lines or [b""]
            begun = msgspec.json.decode(first, type=type(self._wanted))
            if other := self._others(begun):
                told = f"{', '.join(begun.bots)}, {begun.title}, seed {begun.seed}"
                raise WrongUsage(f"{path} holds another {self._name}: {told}; other than asked: {', '.join(other)}")
            return tuple(msgspec.json.decode(line, type=played) for line in rest)

        return read_lines(path, decode, f"is not a {self._name}")

    def _others(self, begun: Run) -> list[str]:
        """In what a run is another one than is wanted, beside the number of matches."""
        one, other = msgspec.to_builtins(begun), msgspec.to_builtins(self._wanted)
        return [f"{name} {one[name]!r}" for name in one if name != "matches" and one[name] != other[name]]


def read_lines(path: Path, decode: Callable[[Sequence[bytes]], Found], otherwise: str) -> Found:
    """What the lines of a file say; `otherwise` is said of one that cannot be read so. A last line without an end was
    being written when the run broke off, and is taken away."""
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    try:
        found = decode(whole.splitlines())
    except msgspec.MsgspecError as fault:
        raise WrongUsage(f"{path} {otherwise}: {fault}") from fault
    if whole != content:
        with path.open("r+b") as file:
            # Nothing of what is kept is written again: a run that ends here leaves the same file.
            file.truncate(len(whole))
    return found


def add_line(path: Path, value: object) -> None:
    with path.open("ab") as file:
        file.write(msgspec.json.encode(value) + b"\n")
