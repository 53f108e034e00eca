"""The file of a long run: its parameters, then a line for each match played, so that an interrupted run can resume."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from ops.console import WrongUsage
from ops.matches import writable, writing


class Run(Protocol):
    """The parameters of a run. Runs with equal parameters consist of the same matches."""

    @property
    def title(self) -> str:
        """Return the name of the title."""
        ...

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the names of the bots."""
        ...

    @property
    def matches(self) -> int:
        """Return the number of matches."""
        ...

    @property
    def seed(self) -> str:
        """Return the seed."""
        ...


class Numbered(Protocol):
    """A match of a run."""

    @property
    def number(self) -> int:
        """Return its number within the run."""
        ...


Played = TypeVar("Played", bound=Numbered)
Found = TypeVar("Found")


class StoredMatches(Generic[Played]):
    """The matches of a run, stored in a file if a path is given."""

    def __init__(self, path: Path | None, plan: Run, match_type: type[Played], name: str) -> None:
        """Read the file, or begin it; raise `WrongUsage` if its run has other parameters except `matches`.

        `name` is what messages call such a run.
        """
        self._path = writable(path)
        self._plan = plan
        self._name = name
        self._matches: list[Played] = []
        if self._path is not None:
            with writing(self._path):
                self._matches += self._read(self._path, match_type)

    @property
    def count(self) -> int:
        """Return the number of stored matches."""
        return len(self._matches)

    @property
    def matches(self) -> list[Played]:
        """Return the wanted matches in order."""
        planned_matches = (match for match in self._matches if match.number < self._plan.matches)
        return sorted(planned_matches, key=lambda match: match.number)

    def missing(self) -> list[int]:
        """Return the numbers of the matches still to be played."""
        stored_numbers = {match.number for match in self._matches}
        return [number for number in range(self._plan.matches) if number not in stored_numbers]

    def add(self, match: Played) -> None:
        """Add a match, and append it to the file; raise `WrongUsage` if that cannot be written."""
        self._matches.append(match)
        if self._path is not None:
            with writing(self._path):
                add_line(self._path, match)

    def _read(self, path: Path, match_type: type[Played]) -> tuple[Played, ...]:
        """Return the matches in the file, or begin it with the parameters; raise `WrongUsage` for another run."""
        if not path.exists():
            add_line(path, self._plan)
            return ()

        def decode(lines: Sequence[bytes]) -> tuple[Played, ...]:
            first, *match_lines = lines or [b""]
            stored_plan = msgspec.json.decode(first, type=type(self._plan))
            if differing := self._differences(stored_plan):
                description = f"{', '.join(stored_plan.bots)}, {stored_plan.title}, seed {stored_plan.seed}"
                raise WrongUsage(
                    f"{path} belongs to another {self._name}: {description}; different: {', '.join(differing)}"
                )
            return tuple(msgspec.json.decode(line, type=match_type) for line in match_lines)

        return read_lines(path, decode, f"is not a {self._name}")

    def _differences(self, stored_plan: Run) -> list[str]:
        """Describe the parameters in which another run differs, apart from the number of matches."""
        stored, planned = msgspec.to_builtins(stored_plan), msgspec.to_builtins(self._plan)
        return [f"{name} {stored[name]!r}" for name in stored if name != "matches" and stored[name] != planned[name]]


def read_lines(path: Path, decode: Callable[[Sequence[bytes]], Found], reason: str) -> Found:
    """Decode the complete lines of a file; raise `WrongUsage`, with `reason` in its message, if they are invalid.

    An incomplete last line, left by an interrupted run, is removed from the file.
    """
    content = path.read_bytes()
    complete = content[: content.rfind(b"\n") + 1]
    try:
        decoded = decode(complete.splitlines())
    except msgspec.MsgspecError as fault:
        raise WrongUsage(f"{path} {reason}: {fault}") from fault
    if complete != content:
        with path.open("r+b") as file:
            # Truncate rather than rewrite, so that an interruption here loses nothing.
            file.truncate(len(complete))
    return decoded


def add_line(path: Path, value: object) -> None:
    """Append a JSON line to a file."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(value) + b"\n")
