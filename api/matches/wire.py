"""What requests and answers look like on the wire, apart from the domain."""

from __future__ import annotations

from datetime import datetime
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import msgspec

from domain.kernel.title import Titles
from domain.matches.facts import Luck, Table
from domain.titles import TITLES


def action_type(titles: Titles) -> Any:
    """The tagged union of the actions of all titles: an unknown action is refused where it is decoded, by its path."""
    return reduce(or_, (title.codec.action for title in titles.values()))


if TYPE_CHECKING:
    AnyAction = Any
    AnyView = Any
else:
    AnyAction = action_type(TITLES)
    AnyView = dict[str, Any]


class Wire(msgspec.Struct, frozen=True, rename="camel"):
    """Base of what we answer: camelCase."""


class Asked(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Base of what we are sent: camelCase, and nothing we do not know."""


class Listing(Wire, frozen=True, kw_only=True):
    """Base of an answer that is a page of a list: `next` is there when more follow, to be given as `before`."""

    next: int | None = None


Seat = Annotated[int, msgspec.Meta(ge=0, le=4)]
Short = Annotated[str, msgspec.Meta(max_length=120)]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class Health(Wire, frozen=True):
    status: str


# Accounts


class Credentials(Asked, frozen=True):
    name: str
    password: str


class NewToken(Asked, frozen=True):
    name: str
    password: str
    label: str = ""


class Account(Wire, frozen=True):
    """A person, as others may see one."""

    id: str
    name: str


class Me(Wire, frozen=True):
    """Who the caller is; no person: nobody known, or the service."""

    person: Account | None
    role: str | None
    is_guest: bool
    is_service: bool


class IssuedToken(Wire, frozen=True):
    """A new token; `secret` is shown this once."""

    id: str
    label: str
    created: datetime
    secret: str
    person: Account


# Matches


class OpenMatch(Asked, frozen=True):
    """A table to be opened: what is played, by how many, with which options."""

    title: str
    seats: int
    options: dict[str, str] = {}
    table: Table = Table()


class TakeSeat(Asked, frozen=True):
    """Sit down, or put a bot there. `shareCommitment`: SHA-256 of salt and share of luck, in hex; without one the
    service makes the share."""

    seat: int
    bot: str | None = None
    share_commitment: str | None = None


class ReplaceSeat(Asked, frozen=True):
    """A bot goes on for the seat; without a bot, the caller sits down there."""

    bot: str | None = None


class BeReady(Asked, frozen=True):
    """The share of luck committed to when the seat was taken, and its salt, in hex; neither if the service made it."""

    share: str | None = None
    salt: str | None = None


class Act(Asked, frozen=True):
    """An action at the version the caller has seen. Only the service names a `seat`."""

    expected_version: int
    action: AnyAction
    seat: int | None = None


class TakeBack(Asked, frozen=True):
    to_version: int


class TimeOut(Asked, frozen=True):
    expected_version: int
    seat: int


class ForkMatch(Asked, frozen=True):
    """A new match that begins as this one stood after entry `at`."""

    at: int
    luck: Luck = "fresh"


class PlayerShown(Wire, frozen=True):
    """Who sits somewhere: a person, or a bot by its full name."""

    kind: str
    id: str
    name: str


class SeatShown(Wire, frozen=True):
    seat: int
    player: PlayerShown | None
    ready: bool
    resigned: bool


class ParentShown(Wire, frozen=True):
    """Where a fork comes from."""

    match_id: UUID
    version: int


class MatchShown(Wire, frozen=True, kw_only=True):
    """A match as the caller may see it; `seat` is the caller's own, `view` what that seat, or a spectator, sees."""

    match_id: UUID
    title: str
    status: str
    version: int
    head: str
    phase: str
    options: dict[str, str]
    table: Table
    seats: tuple[SeatShown, ...]
    to_act: tuple[int, ...]
    seat: int | None
    view: AnyView | None
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    parent: ParentShown | None
    imported: bool
    """The match came from a file: it is never rated."""
    replaced_by: UUID | None = None
    """The line that goes on in its place after a ruling."""


class MatchListed(Wire, frozen=True, kw_only=True):
    """A match in the lobby."""

    match_id: UUID
    title: str
    status: str
    version: int
    head: str
    phase: str
    options: dict[str, str]
    table: Table
    seats: tuple[SeatShown, ...]
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    imported: bool
    opened_at: datetime


class Lobby(Listing, frozen=True):
    """Public matches, the newest first."""

    matches: tuple[MatchListed, ...]


class LegalAction(Wire, frozen=True):
    """An action the seat may take now, and the sentence that says it."""

    action: AnyAction
    text: str


class LegalActions(Wire, frozen=True):
    match_id: UUID
    version: int
    head: str
    seat: int
    actions: tuple[LegalAction, ...]


class EntriesShown(Wire, frozen=True):
    """Entries as the caller may hold them; `more` when others follow."""

    match_id: UUID
    version: int
    head: str
    entries: tuple[msgspec.Raw, ...]
    more: bool


class OwedShown(Wire, frozen=True):
    """The next decision the service itself owes in a match; without a seat, none."""

    match_id: UUID
    title: str
    version: int
    head: str
    seat: int | None = None
    by: str | None = None
    actions: tuple[AnyAction, ...] = ()
    view: AnyView | None = None
    seed: str | None = None


class Imported(Wire, frozen=True):
    """A log that came in, or was here already."""

    match_id: UUID
    version: int
    head: str
