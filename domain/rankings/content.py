"""The lines of closed months, stored in parts under their digest, and read again for ever.

A digest is SHA-256 of the lines in their order, each as compact JSON with a line feed. The stream of a content has an
id that follows from the digest, so equal contents are stored once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal, TypeVar
from uuid import UUID, uuid5

import msgspec

from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.matches.log.records import Ledger, Record
from domain.rankings.rule import SPACE

PART: Final = 1_000
"""The number of lines in a part."""
PRIVATE: Final = "private:"
"""Prefix of the digest that stands for the id of a match that is not public."""

Part = Literal["placed", "provisional", "inactive"]
"""The part of the list: only placed players have a place."""
L = TypeVar("L", bound=Value)


class ListLine(Value, frozen=True, array_like=True):
    """A player of a list. `mean` and `deviation` are in millionths; `last` is the month of the last match."""

    place: int
    """The place, from 1, or 0 without one."""
    player: Actor
    points: int
    mean: int
    deviation: int
    matches: int
    wins: int
    best: int
    last: str
    part: Part = "placed"


class ResultLine(Value, frozen=True, array_like=True):
    """A result of a list, as it was rated.

    `match` is the id of the match; for a match that is not public, `private:` and the SHA-256 digest of the id in hex,
    by which its players find it. `head` is the head of the line that counts. `weights` are in millionths, for each
    different player in order of the first seats; 0 for a player whose rating the result leaves as it is.
    """

    match: str
    head: str
    ended_at: datetime
    players: tuple[Actor, ...]
    places: tuple[int, ...]
    weights: tuple[int, ...]
    fair: bool = False
    provisional: tuple[Actor, ...] = ()
    left: tuple[Actor, ...] = ()


class ContentPart(Value, frozen=True, tag_field="type", tag=tagger("ranking_content")):
    """Base of the parts of a content."""


class LinesStored(ContentPart, frozen=True):
    """The next lines of a list."""

    lines: tuple[ListLine, ...]


class ResultsStored(ContentPart, frozen=True):
    """The next results of a month."""

    lines: tuple[ResultLine, ...]


AnyPart = LinesStored | ResultsStored
CONTENT: Final[Ledger[AnyPart]] = Ledger("ranking_content", AnyPart)
encode: Final[Callable[[Any], bytes]] = msgspec.json.Encoder(order="deterministic").encode


def shown_match(match_id: UUID, *, public: bool) -> str:
    """Return the name of a match in a line."""
    return str(match_id) if public else PRIVATE + sha256(str(match_id).encode()).hexdigest()


def bytes_of(lines: Iterable[Value | str]) -> Iterator[bytes]:
    """Yield the bytes of each line."""
    return (encode(line) + b"\n" for line in lines)


def digest_of(lines: Iterable[Value | str]) -> str:
    """Return the digest of lines in hex; empty without lines."""
    digest, is_empty = sha256(), True
    for line in bytes_of(lines):
        digest.update(line)
        is_empty = False
    return "" if is_empty else digest.hexdigest()


def content_id(digest: str) -> UUID:
    """Return the id of the stream of a content."""
    return uuid5(SPACE, f"content/{digest}")


def part_count(count: int) -> int:
    """Return the number of parts of a content with this number of lines."""
    return -(-count // PART)


def parts_of(lines: Sequence[L]) -> Iterator[tuple[L, ...]]:
    """Yield the lines of each part."""
    return (tuple(lines[start : start + PART]) for start in range(0, len(lines), PART))


def list_lines(records: Iterable[Record]) -> tuple[ListLine, ...]:
    """Return the lines of a list from some of its parts."""
    return tuple(line for part in map(CONTENT.read, records) if isinstance(part, LinesStored) for line in part.lines)


def result_lines(records: Iterable[Record]) -> tuple[ResultLine, ...]:
    """Return the results of a month from some of its parts."""
    return tuple(line for part in map(CONTENT.read, records) if isinstance(part, ResultsStored) for line in part.lines)


def find_line(lines: Iterable[ListLine], player: Actor) -> ListLine | None:
    """Return the line of a player, or None."""
    return next((line for line in lines if line.player == player), None)
