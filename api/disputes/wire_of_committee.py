"""Appeal committees on the wire: who sits, and what is moved, voted and announced."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.disputes.wire import MemberShown, Rule, WantedMeasure, Words
from api.http.wire import Asked, ShortGiven, Wire
from domain.disputes.hearing import MEMBERS_MAX, MOTIONS_MAX

Members = Annotated[tuple[ShortGiven, ...], msgspec.Meta(max_length=MEMBERS_MAX)]


class NameCommittee(Asked, frozen=True):
    """Arbiters by id or name, the chair first; of an event also nobody: then a head arbiter hears its appeals."""

    members: Members
    reason: Words


class MakeMotion(Asked, frozen=True):
    """A ruling that is put to the vote: as `GiveRuling`."""

    rule: Rule
    reasons: Words
    measures: Annotated[tuple[WantedMeasure, ...], msgspec.Meta(max_length=16)] = ()
    upheld: bool = False


class CastVote(Asked, frozen=True):
    """The caller's voice for a motion, counted from 1; an earlier one does not count any more."""

    motion: Annotated[int, msgspec.Meta(ge=1, le=MOTIONS_MAX)]
    reason: Words


class AnnounceDecision(Asked, frozen=True):
    """With `expectedVersion`, only as long as the dispute stands there."""

    expected_version: int | None = None


class CommitteeShown(Wire, frozen=True):
    """Who hears the appeals of an event, the chair first; nobody: a head arbiter does."""

    event: UUID
    members: tuple[MemberShown, ...]
    named_by: MemberShown | None
    reason: str
    since: datetime | None
