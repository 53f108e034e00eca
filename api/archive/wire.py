"""The archive and the explorer as they are asked and answered."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from api.http.wire import Asked, Listing, Short, Wire
from api.matches.wire import PlayerShown
from projections.archive.kept import End, Who

Points = Annotated[int, msgspec.Meta(ge=-10_000, le=100_000)]
Length = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
OpeningKey = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{16})?$")]


class ArchiveSearch(Asked, frozen=True, kw_only=True):
    """What is looked for in the archive; what is left out matters not.

    `player` and `with_player` are names, `things` are `KIND/THING` of the title, with commas between; `rating`:
    somebody at the table had so many points after it; `score`: the highest one; `length`: entries of the log.
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


class ArchivedSeat(Wire, frozen=True):
    player: PlayerShown
    place: int
    score: int


class ArchivedMatch(Wire, frozen=True):
    """A match that has ended: who came where, how it ended, how many entries its log has."""

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
    """What was found, the newest first."""

    matches: tuple[ArchivedMatch, ...]


class CameShown(Wire, frozen=True):
    """How often it was chosen, the share of those who won, and how far they were ahead of the best other seat."""

    times: int
    win_share: float
    mean_margin: float


class ThingShown(Wire, frozen=True):
    """`number`: the round, or which one it was in the order of its seat; 0 where its kind goes by neither."""

    thing: str
    name: str
    number: int
    came: CameShown


class KindShown(Wire, frozen=True):
    kind: str
    heading: str
    numbered: str
    things: tuple[ThingShown, ...]


class ExplorerShown(Wire, frozen=True):
    """What seats of people, or of bots, chose in all ended matches of a title at tables of a size."""

    title: str
    seats: int
    who: Who
    sizes: tuple[int, ...]
    kinds: tuple[KindShown, ...]


class MoveShown(Wire, frozen=True):
    """An action, in words where they are known, and the key of the opening it leads to."""

    action: Any
    words: str
    opening: str
    came: CameShown


class OpeningShown(Wire, frozen=True):
    """What was played after an opening, the most frequent first."""

    title: str
    seats: int
    who: Who
    opening: str
    moves: tuple[MoveShown, ...]


class ChoiceShown(Wire, frozen=True):
    """Something a seat could choose there, and what came of it in all ended matches, for people and for bots."""

    kind: str
    heading: str
    thing: str
    name: str
    number: int
    people: CameShown | None
    bots: CameShown | None


class PlayedHere(Wire, frozen=True):
    """What was played at a position of a match that has ended. `opening`: its key, while the position is one; then
    `moves` are what was played there. `choices`: what else is counted of what could be chosen."""

    match_id: UUID
    version: int
    opening: str | None
    moves: tuple[MoveShown, ...]
    choices: tuple[ChoiceShown, ...]
