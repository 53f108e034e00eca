"""Requests and responses about circuits."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec

from api.http.structs import Listing, RequestStruct, ResponseStruct
from api.matches.schemas import PlayerShown
from api.tournaments.schemas import Reason
from domain.circuits.fact_base import ContestKey, ContestKind
from domain.circuits.facts import WEIGHT_MAX
from domain.circuits.plan import CircuitPlan
from domain.circuits.points import FULL_WEIGHT

Weight = Annotated[int, msgspec.Meta(ge=1, le=WEIGHT_MAX)]
"""The weight of a contest in percent."""


class OpenCircuit(RequestStruct, frozen=True):
    """A request to open a circuit as its organiser."""

    plan: CircuitPlan


class ChangeCircuit(RequestStruct, frozen=True):
    """A change of the plan; needs a reason once contests count."""

    plan: CircuitPlan
    reason: Reason = ""


class AddContest(RequestStruct, frozen=True):
    """A tournament, a season of a league (by number) or a circuit that is to count, or to count again."""

    contest: ContestKey
    weight: Weight = FULL_WEIGHT


class WithdrawContest(RequestStruct, frozen=True):
    """A contest that no longer counts; needs a reason."""

    contest: ContestKey
    reason: Reason


class NameFinal(RequestStruct, frozen=True):
    """The final: a tournament or a season of a league; null: not known yet."""

    contest: ContestKey | None


class SettleStandings(RequestStruct, frozen=True):
    """The end of the circuit; the reason is needed for a correction of the official standings."""

    reason: Reason = ""


class TakeCircuitStep(RequestStruct, frozen=True):
    """An automatic step."""

    step: Literal["invite"]
    expected_version: int


class CircuitListed(ResponseStruct, frozen=True, kw_only=True):
    """A circuit in a list; `first`: the first of the official standings.

    `part` and `season` belong to a list for one contest: `event` if it counts, `final` if it is the final.
    """

    circuit_id: UUID
    name: str
    contests: int
    is_settled: bool
    first: PlayerShown | None
    part: str = ""
    season: int = 0


class CircuitsShown(Listing, frozen=True):
    """Circuits, latest first."""

    circuits: tuple[CircuitListed, ...]


class CircuitContestShown(ResponseStruct, frozen=True, kw_only=True):
    """A contest of a circuit; `weight` in percent.

    `title` is empty for a circuit. `size`: the number of participants; `counts`: they are enough. `withdrawn`: the
    reason why it does not count any longer, or empty.
    """

    kind: ContestKind
    id: UUID
    season: int
    name: str
    title: str
    path: str
    status: str
    size: int
    weight: int
    counts: bool
    withdrawn: str = ""


class CircuitResultShown(ResponseStruct, frozen=True):
    """The result of a person in a contest, by its index; `isFinal`: the contest is over."""

    contest: int
    place: int
    size: int
    points: str
    counts: bool
    is_final: bool


class CircuitLineShown(ResponseStruct, frozen=True, kw_only=True):
    """A row of the standings; rank 0: too few results for a rank.

    `best_rank`: the best rank that the person can still have (0: none), null once the standings are official.
    `qualifies`: for the final, by the present standings.
    """

    rank: int
    player: PlayerShown
    points: str
    wins: int
    best_rank: int | None
    qualifies: bool
    results: tuple[CircuitResultShown, ...]


class FinalPlaceShown(ResponseStruct, frozen=True):
    """A person who was invited to the final, who answers `until` a time.

    `answer`: invited, entered, declined, withdrawn, left or silent (no answer in time).
    """

    player: PlayerShown
    answer: str
    until: datetime | None
    has_place: bool


class FinalShown(ResponseStruct, frozen=True, kw_only=True):
    """The final and its places; `free`: how many of them no one holds.

    `takes_invitations`: it accepts entries at present.
    """

    contest: CircuitContestShown
    places: tuple[FinalPlaceShown, ...]
    free: int
    takes_invitations: bool


class CircuitShown(ResponseStruct, frozen=True, kw_only=True):
    """A circuit; `head` is the digest of its latest record.

    `contests` count, `withdrawn` do not any longer. `is_settled`: the standings are official. `is_outdated`: the
    official standings differ from the present places in the contests. `around`: circuits for which this one counts.
    """

    circuit_id: UUID
    version: int
    head: str
    organiser: PlayerShown
    plan: CircuitPlan
    is_settled: bool
    settled_at: datetime | None
    is_outdated: bool
    contests: tuple[CircuitContestShown, ...]
    withdrawn: tuple[CircuitContestShown, ...]
    standings: tuple[CircuitLineShown, ...]
    final: FinalShown | None
    around: tuple[CircuitListed, ...]


class RankChangeShown(ResponseStruct, frozen=True):
    """The rank and the points of a person before and after a correction; rank 0: none."""

    player: PlayerShown
    was_rank: int
    rank: int
    was_points: str
    points: str


class ReleasedPlaceShown(ResponseStruct, frozen=True):
    """A person whose place in the final became free, and why."""

    player: PlayerShown
    why: str


class CircuitActShown(ResponseStruct, frozen=True, kw_only=True):
    """An act of an organiser or of the service; `version` is the record of the circuit that holds it."""

    version: int
    at: datetime
    by: PlayerShown
    kind: str
    reason: str
    contest: CircuitContestShown | None
    people: tuple[PlayerShown, ...]
    released: tuple[ReleasedPlaceShown, ...]
    changes: tuple[RankChangeShown, ...]


class CircuitRecordShown(Listing, frozen=True):
    """The acts about a circuit, latest first."""

    acts: tuple[CircuitActShown, ...]
