"""Requests and responses about the conditions of entry."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

import msgspec

from api.accounts.names import NAME_LENGTH_MAX
from api.accounts.people import PASSWORD_LENGTH_MAX
from api.http.structs import RequestStruct, ResponseStruct, Short
from api.matches.schemas import PlayerShown
from domain.contests.conditions import ConditionKind, EntryConditions

LISTED_MAX: Final = 2_000
REASON_MAX: Final = 1_000
BYTES_OF_CHARACTER_MAX: Final = 12
"""The length of a character that JSON escapes as two halves."""
LIST_BYTES_MAX: Final = BYTES_OF_CHARACTER_MAX * (LISTED_MAX * (NAME_LENGTH_MAX + 1) + REASON_MAX)
"""Maximum body size of a list of names, so that `LISTED_MAX` names of any script fit."""
Password = Annotated[str, msgspec.Meta(max_length=PASSWORD_LENGTH_MAX)]
"""The password of an event."""
ReasonOfChange = Annotated[str, msgspec.Meta(max_length=REASON_MAX)]
ListedNames = Annotated[tuple[Short, ...], msgspec.Meta(max_length=LISTED_MAX)]


class ChangeConditions(RequestStruct, frozen=True):
    """New conditions of entry; the reason is needed once a round is public, or a season was drawn.

    `listed` and `password` take a list and a password that are set already.
    """

    conditions: EntryConditions
    reason: ReasonOfChange = ""


class SetEntryPassword(RequestStruct, frozen=True):
    """A new password for entry; empty: none is needed any longer."""

    password: Password = ""
    reason: ReasonOfChange = ""


class SetEntryList(RequestStruct, frozen=True):
    """The only people who may enter, by id or name; without any, everyone may."""

    people: ListedNames = ()
    reason: ReasonOfChange = ""


class ClubOfEntry(ResponseStruct, frozen=True):
    """The club for which a player entered."""

    player: str
    club_id: UUID
    name: str


class ConditionShown(ResponseStruct, frozen=True, kw_only=True):
    """A condition of entry, and whether the caller meets it.

    `title`, `least` and `most` (0: no bound) are of a rating, `least` of rated matches, `most` of the percentage of
    matches left. `is_met` is null for callers without an account and for a password; `refusal` gives the reason if not.
    """

    kind: ConditionKind
    title: str = ""
    least: int = 0
    most: int = 0
    clubs: tuple[UUID, ...] = ()
    countries: tuple[str, ...] = ()
    is_met: bool | None = None
    refusal: str = ""


class ConditionsShown(ResponseStruct, frozen=True, kw_only=True):
    """The conditions of entry of a contest; `people` and `has_password` are shown to its organisers only."""

    contest_id: UUID
    conditions: tuple[ConditionShown, ...]
    people: tuple[PlayerShown, ...] | None = None
    has_password: bool | None = None
