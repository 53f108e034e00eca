"""Requests and responses about absences."""

from __future__ import annotations

from uuid import UUID

from api.contests.schemas import ReasonOfChange
from api.http.structs import RequestStruct, ResponseStruct
from domain.contests.absences import Period, Periods, Rounds


class StateAbsences(RequestStruct, frozen=True):
    """All rounds and periods in which a player is away; it replaces everything stated before.

    Organisers give a reason for another player.
    """

    rounds: Rounds = ()
    periods: Periods = ()
    reason: ReasonOfChange = ""


class AbsencesOfPlayer(ResponseStruct, frozen=True, kw_only=True):
    """The absences of a participant.

    `player`: the id of an entry of a tournament, or the account in a league; `person`: the account, empty for a name
    without one.
    """

    player: str
    person: str
    name: str
    rounds: tuple[int, ...]
    periods: tuple[Period, ...]


class AbsencesShown(ResponseStruct, frozen=True, kw_only=True):
    """The caller's absences in a contest; `people` lists all absences for its organisers only.

    Absences concern rounds from `next_round` to `last_round` (0: the number of rounds is not known yet). `own` is null
    for callers who do not take part. `zone`: the time zone of the contest.
    """

    contest_id: UUID
    season: int
    next_round: int
    last_round: int
    zone: str
    own: AbsencesOfPlayer | None
    people: tuple[AbsencesOfPlayer, ...] | None = None
