"""Requests and responses about clubs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec

from api.http.structs import CursorListing, Listing, RequestStruct, ResponseStruct, Short, ShortGiven
from api.matches.schemas import PlayerShown
from domain.clubs.facts import Admission, EventKind, GivenRole
from domain.clubs.state import ClubRole, Standing

ABOUT_LENGTH_MAX: Final = 4_000
TEXT_LENGTH_MAX: Final = 1_000
About = Annotated[str, msgspec.Meta(max_length=ABOUT_LENGTH_MAX)]
"""The description of a club."""
ClubText = Annotated[str, msgspec.Meta(max_length=TEXT_LENGTH_MAX)]
"""The message of a request to join, or the reason of a removal."""


class FoundClub(RequestStruct, frozen=True):
    """A club to found; `admission`: how people join."""

    name: ShortGiven
    about: About = ""
    admission: Admission = "request"


class ChangeClub(RequestStruct, frozen=True):
    """New name, description, or way to join; null changes nothing."""

    name: ShortGiven | None = None
    about: About | None = None
    admission: Admission | None = None


class JoinClub(RequestStruct, frozen=True):
    """A message to the organisers, which only they and the caller see; it is deleted with the answer."""

    message: ClubText = ""


class AnswerClub(RequestStruct, frozen=True):
    """The answer to an invitation or a request."""

    accept: bool


class NamePerson(RequestStruct, frozen=True):
    """A person by id or name."""

    person: Short


class RemoveMember(RequestStruct, frozen=True):
    """A member to remove by id or name; only the removed person sees the reason."""

    person: Short
    reason: ClubText


class GiveClubRole(RequestStruct, frozen=True):
    """The role of a member, by id or name."""

    person: Short
    role: GivenRole


class ClubListed(ResponseStruct, frozen=True):
    """A club in a list."""

    id: UUID
    name: str
    members: int
    is_open: bool


class ClubsShown(CursorListing, frozen=True):
    """Open clubs, by name."""

    clubs: tuple[ClubListed, ...]


class OwnClub(ResponseStruct, frozen=True):
    """A club of a person, and the person's relation to it."""

    id: UUID
    name: str
    standing: Standing


class OwnClubs(ResponseStruct, frozen=True):
    """The clubs of the caller, the longest membership first, then invitations and open requests."""

    clubs: tuple[OwnClub, ...]


class OwnClubTexts(ResponseStruct, frozen=True):
    """A person's clubs, invitations and requests; texts by club: messages of open requests, reasons of removals."""

    clubs: tuple[OwnClub, ...]
    messages: dict[UUID, str]
    removals: dict[UUID, str]


class RequestShown(ResponseStruct, frozen=True):
    """An open request to join; `message` is empty without one."""

    person: PlayerShown
    at: datetime
    message: str


class ClubShown(ResponseStruct, frozen=True, kw_only=True):
    """A club; `standing`: the relation of the caller to it. `removal`: why the caller was removed.

    `requests` and `invited` are shown to its organisers only.
    """

    id: UUID
    version: int
    name: str
    about: str
    admission: Admission
    is_open: bool
    founded_at: datetime
    closed_at: datetime | None
    officers: tuple[PlayerShown, ...]
    """The owner, then the organisers, the longest in office first."""
    members: int
    standing: Standing
    removal: str
    requests: tuple[RequestShown, ...] | None
    invited: tuple[PlayerShown, ...] | None


class MemberShown(ResponseStruct, frozen=True):
    """A member."""

    person: PlayerShown
    role: ClubRole
    since: datetime


class MembersShown(Listing, frozen=True):
    """Members, latest first."""

    members: tuple[MemberShown, ...]


class ClubEventShown(ResponseStruct, frozen=True):
    """A tournament or league of a club."""

    kind: EventKind
    event_id: UUID
    name: str
    title: str
    status: str


class ClubEventsShown(Listing, frozen=True):
    """Events of one kind, latest first."""

    events: tuple[ClubEventShown, ...]
