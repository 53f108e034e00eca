"""What requests about friends and their answers look like."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from api.http.wire import Asked, Short, Wire
from api.matches.wire import MatchListed, PlayerShown


class FollowedShown(Wire, frozen=True):
    """Somebody whom the caller follows. `isFriend`: they follow each other; `isHere`: as far as they let it be seen."""

    person: PlayerShown
    is_friend: bool
    is_here: bool


class ChallengeShown(Wire, frozen=True):
    """A table that waits for somebody."""

    match_id: UUID
    by: PlayerShown
    to: PlayerShown
    at: datetime


class EventInvitation(Wire, frozen=True):
    """A tournament or league to which the caller has an open invitation."""

    kind: Literal["tournament", "league"]
    event_id: UUID
    name: str


class FriendsShown(Wire, frozen=True):
    """Whom the caller follows, how many follow the caller, what waits between them, and the events to which the caller
    is invited; `isVisible`: the caller lets it be seen that they are here."""

    followed: tuple[FollowedShown, ...]
    followers: int
    is_visible: bool
    challenges: tuple[ChallengeShown, ...]
    invitations: tuple[EventInvitation, ...]


class Company(Wire, frozen=True):
    """What the reader of somebody's page is to them: whether they follow them, whether both follow each other, whether
    they are here as far as that may be seen, and which tables of the reader's wait for somebody."""

    is_followed: bool
    is_friend: bool
    is_here: bool
    tables: tuple[MatchListed, ...]


class SetVisible(Asked, frozen=True):
    visible: bool = False


class ChallengePerson(Asked, frozen=True):
    """An open table of the caller's, for somebody by id or name."""

    person: Short
