"""What a load asked for and what was acknowledged, a line each, written before anything follows from it.

An action stands there before it is sent (`Sent`) and again when it was answered (`Acked`, `Refused`): one that was sent
and not answered is unknown, whatever has become of the program that sent it.
"""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

import msgspec

SYNC_SECONDS: Final = 1.0
"""So old a line gets at most before it is on the disk; the death of the program alone loses none."""


class Line(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, rename="camel"):
    """A line of a journal."""


class Sent(Line, frozen=True):
    """A person of the load is about to act at a match, at a version."""

    match: str
    seat: int
    expected: int
    action: msgspec.Raw


class Acked(Line, frozen=True):
    """The service has answered that the action sent last at that match and version was taken."""

    match: str
    expected: int
    version: int
    head: str


class Refused(Line, frozen=True):
    """The service has answered that it was not."""

    match: str
    expected: int
    status: int
    code: str


class Opened(Line, frozen=True):
    """A table is open and its match has begun; `bots`: nobody of the load plays there."""

    match: str
    bots: bool = False


class Followed(Line, frozen=True):
    """A reader of a stream has seen the versions from one to another, each once and in order, by their digests."""

    match: str
    first: int
    last: int
    digest: str


class Broken(Line, frozen=True):
    """A stream told something else than the next entry."""

    match: str
    fault: str


class Told(Line, frozen=True):
    """An organiser is about to announce something at an event; the text is there once."""

    event: str
    text: str


class Heard(Line, frozen=True):
    """The announcement was acknowledged."""

    event: str
    text: str


class OpenedEvent(Line, frozen=True):
    """An event was opened."""

    event: str


AnyLine = Sent | Acked | Refused | Opened | Followed | Broken | Told | Heard | OpenedEvent
LINES: Final = msgspec.json.Decoder(AnyLine)


class Journal:
    """A journal that is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._encode = msgspec.json.Encoder().encode
        self._is_over = threading.Event()
        self._syncing = threading.Thread(target=self._sync, daemon=True)
        self._syncing.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, line: object) -> None:
        """The system has it when this returns."""
        os.write(self._file, self._encode(line) + b"\n")

    def _sync(self) -> None:
        """On a thread of its own: whoever measures does not wait for the disk."""
        while not self._is_over.wait(SYNC_SECONDS):
            os.fdatasync(self._file)

    def close(self) -> None:
        self._is_over.set()
        self._syncing.join()
        os.fdatasync(self._file)
        os.close(self._file)


def read_journal(path: Path) -> Iterator[AnyLine]:
    """Its lines; one that broke off at the end was written while its program died, and is none."""
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield LINES.decode(line)
