"""Requests and responses about appeal committees."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.disputes.schemas import MemberShown, Rule, WantedMeasure, Words
from api.http.structs import RequestStruct, ResponseStruct, ShortGiven
from domain.disputes.hearing import MEMBERS_MAX, MOTIONS_MAX

Members = Annotated[tuple[ShortGiven, ...], msgspec.Meta(max_length=MEMBERS_MAX)]


class NameCommittee(RequestStruct, frozen=True):
    """Arbiters by id or name, chair first; for an event, an empty list restores the head arbiter."""

    members: Members
    reason: Words


class MakeMotion(RequestStruct, frozen=True):
    """A ruling proposed to the committee; fields as in `GiveRuling`."""

    rule: Rule
    reasons: Words
    measures: Annotated[tuple[WantedMeasure, ...], msgspec.Meta(max_length=16)] = ()
    upheld: bool = False


class CastVote(RequestStruct, frozen=True):
    """A vote for a motion, counted from 1; replaces an earlier vote."""

    motion: Annotated[int, msgspec.Meta(ge=1, le=MOTIONS_MAX)]
    reason: Words


class AnnounceDecision(RequestStruct, frozen=True):
    """The announcement of the decision; `expectedVersion`: refused if the dispute has another version."""

    expected_version: int | None = None


class CommitteeShown(ResponseStruct, frozen=True):
    """The appeal committee of an event, chair first; empty: a head arbiter hears appeals."""

    event: UUID
    members: tuple[MemberShown, ...]
    named_by: MemberShown | None
    reason: str
    since: datetime | None
