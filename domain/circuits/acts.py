"""Acts of the organisers of a circuit: decisions with author, time and reason, each with a line in the audit trail."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from domain.circuits import facts
from domain.circuits.changes import RankChange, rank_changes
from domain.circuits.fact_base import ContestKey
from domain.circuits.facts import ReleasedPlace
from domain.circuits.plan import CircuitRefused
from domain.circuits.state import CIRCUIT, Circuit
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.matches.log.records import Record, Stream
from domain.matches.transaction import Transaction
from domain.roles.commands import append_to_trail, audit_fact


class CircuitAct(Value, frozen=True, kw_only=True, omit_defaults=True):
    """An act of a circuit organiser; `version` is the version of its record, `weight` in percent.

    `people`: everyone invited to the final, in order. `released`: places in the final that became free. `changes`: by
    a correction of the official standings.
    """

    version: int
    at: datetime
    by: Actor
    kind: str
    reason: str = ""
    contest: ContestKey | None = None
    weight: int = 0
    people: tuple[Actor, ...] = ()
    released: tuple[ReleasedPlace, ...] = ()
    changes: tuple[RankChange, ...] = ()


KINDS: Final[dict[type[Any], str]] = {
    facts.CircuitPlanChanged: "plan_changed",
    facts.ContestAdded: "contest_added",
    facts.ContestWithdrawn: "contest_withdrawn",
    facts.FinalNamed: "final_named",
    facts.StandingsSettled: "standings_settled",
    facts.QualifiedInvited: "qualified_invited",
    facts.PlacesReleased: "places_released",
}
"""Names of the acts; the opening is none, nor is an act of another circuit, which is recorded there."""


def required_reason(state: Circuit, fact: facts.Fact) -> str:
    """Return the subject for the error message if a fact needs a reason, else an empty text."""
    if isinstance(fact, facts.CircuitPlanChanged) and state.contests:
        return "a change of the plan with contests"
    if isinstance(fact, facts.ContestWithdrawn):
        return "the withdrawal of a contest"
    if isinstance(fact, facts.StandingsSettled) and state.is_settled:
        return "a correction of the official standings"
    return ""


def reason_of(fact: facts.Fact) -> str:
    """Return the reason stated in a fact, or an empty text."""
    return str(getattr(fact, "reason", ""))


def kind_of(state: Circuit, fact: facts.Fact) -> str:
    """Return the kind of act that a fact is, given the state before it."""
    kind = KINDS[type(fact)]
    return "standings_corrected" if kind == "standings_settled" and state.is_settled else kind


def act_of(state: Circuit, record: Record, fact: facts.Fact) -> CircuitAct | None:
    """Return the act in a record, given the state before it; None for the act of another circuit."""
    if type(fact) not in KINDS:
        return None
    corrected = rank_changes(state.settled, fact.lines) if isinstance(fact, facts.StandingsSettled) else ()
    return CircuitAct(
        version=record.version,
        at=record.timestamp,
        by=fact.by,
        kind=kind_of(state, fact),
        reason=reason_of(fact),
        contest=getattr(fact, "contest", None),
        weight=getattr(fact, "weight", 0),
        people=getattr(fact, "people", ()),
        released=getattr(fact, "places", ()),
        changes=corrected if state.is_settled else (),
    )


def record_act(
    batch: Transaction, circuit_id: UUID, fact: facts.Fact, *, expected_version: int | None = None
) -> Stream[Circuit]:
    """Record a fact of a circuit, and the act in the audit trail, in one transaction.

    Raise `CircuitRefused` if a required reason is missing, `StaleVersion` unless the circuit is at `expected_version`.
    """
    state = batch.get(CIRCUIT, circuit_id).state
    if (subject := required_reason(state, fact)) and not reason_of(fact).strip():
        raise CircuitRefused(f"{subject} needs a reason")
    stream = batch.record(CIRCUIT, circuit_id, fact, expected_version=expected_version)
    act = audit_fact(batch, fact.by, circuit_id, kind_of(state, fact), stream.version, reason_of(fact))
    append_to_trail(batch, act)
    return stream
