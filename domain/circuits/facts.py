"""Facts of a circuit: the tagged union of the records in its stream."""

from datetime import datetime
from typing import Annotated

import msgspec

from domain.circuits.fact_base import CircuitFact, ContestKey, Text
from domain.circuits.plan import CircuitPlan
from domain.circuits.points import FULL_WEIGHT
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.signatures.acts import Signed

WEIGHT_MAX = 1_000
Weight = Annotated[int, msgspec.Meta(ge=1, le=WEIGHT_MAX)]
"""The weight of a contest in percent."""


class SettledLine(Value, frozen=True, omit_defaults=True):
    """A row of official standings; `rank` 0: no rank."""

    actor: Actor
    rank: int
    points: int = 0


class CircuitOpened(CircuitFact, frozen=True):
    """The circuit was opened."""

    by: Actor
    plan: CircuitPlan


class CircuitPlanChanged(CircuitFact, frozen=True):
    """The plan changed."""

    by: Actor
    plan: CircuitPlan
    reason: Text = ""
    signed: Signed | None = None


class ContestAdded(CircuitFact, frozen=True):
    """A contest counts for the circuit; `weight` multiplies its points, in percent."""

    by: Actor
    contest: ContestKey
    weight: Weight = FULL_WEIGHT
    signed: Signed | None = None


class ContestWithdrawn(CircuitFact, frozen=True):
    """A contest no longer counts for the circuit."""

    by: Actor
    contest: ContestKey
    reason: Text
    signed: Signed | None = None


class FinalNamed(CircuitFact, frozen=True):
    """The final is this tournament, or this season of a league; None: not known yet."""

    by: Actor
    contest: ContestKey | None = None


class StandingsSettled(CircuitFact, frozen=True):
    """The standings became official, which ends the circuit; later, with a reason, they were corrected."""

    by: Actor
    lines: tuple[SettledLine, ...]
    reason: Text = ""
    signed: Signed | None = None


class QualifiedInvited(CircuitFact, frozen=True):
    """These people were invited to the final in this order, and asked to answer until a time."""

    by: Actor
    contest: ContestKey
    people: tuple[Actor, ...]
    until: datetime | None = None


Fact = (
    CircuitOpened
    | CircuitPlanChanged
    | ContestAdded
    | ContestWithdrawn
    | FinalNamed
    | StandingsSettled
    | QualifiedInvited
)
