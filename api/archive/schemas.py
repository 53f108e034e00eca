"""Requests and responses of the archive and explorer API."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from api.http.structs import Listing, RequestStruct, ResponseStruct, Short
from api.matches.schemas import PlayerShown
from projections.archive.archived_matches import End, Who

Points = Annotated[int, msgspec.Meta(ge=-10_000, le=100_000)]
Length = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
OpeningKey = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{16})?$")]


class ArchiveSearch(RequestStruct, frozen=True, kw_only=True):
    """A search of the archive; omitted fields match everything.

    `player` and `with_player` are names, `things` are `KIND/THING` of the title, separated by commas; `rating`: minimum
    points of a player after the match; `score`: minimum of the highest score; `length`: number of log entries.
    """

    player: Short = ""
    with_player: Short = ""
    title: Short = ""
    seats: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    edition: Short = ""
    event: Short = ""
    who: Who | Literal[""] = ""
    rated: bool | None = None
    since: date | None = None
    until: date | None = None
    rating: Points | None = None
    score: Points | None = None
    length_min: Length | None = None
    length_max: Length | None = None
    things: Annotated[str, msgspec.Meta(max_length=400)] = ""
    opening: OpeningKey = ""
    end: End | Literal[""] = ""


class ArchivedSeat(ResponseStruct, frozen=True):
    """A seat of an archived match."""

    player: PlayerShown
    place: int
    score: int


class ArchivedMatch(ResponseStruct, frozen=True):
    """An ended match: ranking, kind of ending, and number of log entries."""

    match_id: UUID
    title: str
    edition: str
    event: str
    rated: bool
    entries: int
    ended_at: datetime
    end: End
    seats: tuple[ArchivedSeat, ...]


class ArchiveShown(Listing, frozen=True):
    """The matches found, latest first."""

    matches: tuple[ArchivedMatch, ...]


class CameShown(ResponseStruct, frozen=True):
    """Count of a choice, the share of winners, and the mean lead over the best other seat."""

    times: int
    win_share: float
    mean_margin: float


class ThingShown(ResponseStruct, frozen=True):
    """Results of a thing. `number`: the round or the position in the seat's order; 0 if neither applies."""

    thing: str
    name: str
    number: int
    came: CameShown


class KindShown(ResponseStruct, frozen=True):
    """The things of a kind."""

    kind: str
    heading: str
    numbered: str
    things: tuple[ThingShown, ...]


class ExplorerShown(ResponseStruct, frozen=True):
    """The choices of people or bots in all ended matches of a title at a table size."""

    title: str
    seats: int
    who: Who
    sizes: tuple[int, ...]
    kinds: tuple[KindShown, ...]


class MoveShown(ResponseStruct, frozen=True):
    """An action as text if known, and the key of the opening it leads to."""

    action: Any
    words: str
    opening: str
    came: CameShown


class OpeningShown(ResponseStruct, frozen=True):
    """The actions after an opening, most frequent first."""

    title: str
    seats: int
    who: Who
    opening: str
    moves: tuple[MoveShown, ...]


class ChoiceShown(ResponseStruct, frozen=True):
    """A legal choice at a position, with its results in all ended matches for people and bots."""

    kind: str
    heading: str
    thing: str
    name: str
    number: int
    people: CameShown | None
    bots: CameShown | None


class PlayedHere(ResponseStruct, frozen=True):
    """The actions at a position of an ended match.

    `opening`: its key if the position is one, with its `moves`. `choices`: other counted choices.
    """

    match_id: UUID
    version: int
    opening: str | None
    moves: tuple[MoveShown, ...]
    choices: tuple[ChoiceShown, ...]
