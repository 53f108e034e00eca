"""Requests and responses of the friends API."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from api.http.structs import RequestStruct, ResponseStruct, Short
from api.matches.schemas import MatchListed, PlayerShown


class FollowedShown(ResponseStruct, frozen=True):
    """A followed person. `isFriend`: the follow is mutual; `isHere`: present and visible."""

    person: PlayerShown
    is_friend: bool
    is_here: bool


class ChallengeShown(ResponseStruct, frozen=True):
    """A challenge to an open table."""

    match_id: UUID
    by: PlayerShown
    to: PlayerShown
    at: datetime


class EventInvitation(ResponseStruct, frozen=True):
    """A tournament or league to which the caller has an open invitation."""

    kind: Literal["tournament", "league"]
    event_id: UUID
    name: str


class FriendsShown(ResponseStruct, frozen=True):
    """Followed people, number of followers, open challenges and event invitations.

    `isVisible`: others see the caller's presence.
    """

    followed: tuple[FollowedShown, ...]
    followers: int
    is_visible: bool
    challenges: tuple[ChallengeShown, ...]
    invitations: tuple[EventInvitation, ...]


class Company(ResponseStruct, frozen=True):
    """The relation of the reader to a person: follows, friendship, presence, and the reader's open tables."""

    is_followed: bool
    is_friend: bool
    is_here: bool
    tables: tuple[MatchListed, ...]


class SetVisible(RequestStruct, frozen=True):
    """A change of visibility."""

    visible: bool = False


class ChallengePerson(RequestStruct, frozen=True):
    """A person by id or name, for a challenge to an open table."""

    person: Short
