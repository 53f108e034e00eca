"""Facts of a circuit: the tagged union of the records in its stream."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

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
Release = Literal["declined", "withdrawn", "left", "silent"]
"""The reason why a person invited to the final does not play there; `silent`: no answer in time."""


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


class ReleasedPlace(Value, frozen=True):
    """A person invited to the final who does not play there, and why."""

    actor: Actor
    why: Release


class PlacesReleased(CircuitFact, frozen=True):
    """The places of these people in the final are free for the next in rank."""

    by: Actor
    contest: ContestKey
    places: tuple[ReleasedPlace, ...]


class CircuitIncluded(CircuitFact, frozen=True):
    """The circuit counts for another one."""

    by: Actor
    circuit: UUID


class CircuitExcluded(CircuitFact, frozen=True):
    """The circuit no longer counts for another one."""

    by: Actor
    circuit: UUID


Fact = (
    CircuitOpened
    | CircuitPlanChanged
    | ContestAdded
    | ContestWithdrawn
    | FinalNamed
    | StandingsSettled
    | QualifiedInvited
    | PlacesReleased
    | CircuitIncluded
    | CircuitExcluded
)
