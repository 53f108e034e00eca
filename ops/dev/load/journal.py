"""A journal of the load's requests and acknowledgements, one JSON line each.

An action is written before it is sent (`Sent`) and when its response arrives (`Acked`, `Refused`). The result of an
action without a response is unknown, even if the load's process was killed.
"""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

import msgspec

SYNC_SECONDS: Final = 1.0
"""Longest time until a line is synced to disk. A crash of the process alone loses none."""


class Line(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, rename="camel"):
    """A line of a journal."""


class Sent(Line, frozen=True):
    """A person is about to send an action at a version of a match."""

    match: str
    seat: int
    expected: int
    action: msgspec.Raw


class Acked(Line, frozen=True):
    """The action last sent at that match and version was accepted."""

    match: str
    expected: int
    version: int
    head: str


class Refused(Line, frozen=True):
    """The action last sent at that match and version was refused."""

    match: str
    expected: int
    status: int
    code: str


class Opened(Line, frozen=True):
    """A match has begun at an open table; with `bots`, only bots play there."""

    match: str
    bots: bool = False


class Followed(Line, frozen=True):
    """A stream reader has received these versions in order; `digest` is the last one's."""

    match: str
    first: int
    last: int
    digest: str


class Broken(Line, frozen=True):
    """A stream delivered something other than the next entry."""

    match: str
    fault: str


class Told(Line, frozen=True):
    """An organiser is about to post an announcement; its text is unique."""

    event: str
    text: str


class Heard(Line, frozen=True):
    """An announcement was accepted."""

    event: str
    text: str


class OpenedEvent(Line, frozen=True):
    """An event was opened."""

    event: str


AnyLine = Sent | Acked | Refused | Opened | Followed | Broken | Told | Heard | OpenedEvent
LINES: Final = msgspec.json.Decoder(AnyLine)


class Journal:
    """A journal open for writing."""

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
        """Append a line; the operating system has it when this returns."""
        os.write(self._file, self._encode(line) + b"\n")

    def _sync(self) -> None:
        """Sync on a separate thread, so that measurements do not wait for the disk."""
        while not self._is_over.wait(SYNC_SECONDS):
            os.fdatasync(self._file)

    def close(self) -> None:
        """Sync and close the file."""
        self._is_over.set()
        self._syncing.join()
        os.fdatasync(self._file)
        os.close(self._file)


def read_journal(path: Path) -> Iterator[AnyLine]:
    """Yield the lines in order; an incomplete last line, cut off by a crash, is skipped."""
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield LINES.decode(line)
