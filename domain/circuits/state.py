"""The state of a circuit: an immutable value, evolved by facts."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from domain.circuits import facts
from domain.circuits.fact_base import ContestKey
from domain.circuits.facts import SettledLine
from domain.circuits.plan import CircuitPlan
from domain.circuits.points import FULL_WEIGHT
from domain.kernel.values import Value, replace
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Kind, Record


class CircuitContest(Value, frozen=True, omit_defaults=True):
    """A contest of the circuit; `withdrawn`: the reason why it does not count, or empty."""

    key: ContestKey
    weight: int = FULL_WEIGHT
    withdrawn: str = ""


class InvitedPerson(Value, frozen=True, omit_defaults=True):
    """A person who was invited to a final, and asked to answer until a time."""

    actor: Actor
    contest: ContestKey
    until: datetime | None = None
    released: facts.Release | None = None
    """The reason why the place went to the next in rank; None while the person has it."""


class Circuit(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a circuit."""

    id: UUID
    organiser: Actor
    opened_at: datetime
    plan: CircuitPlan
    contests: tuple[CircuitContest, ...] = ()
    final: ContestKey | None = None
    settled: tuple[SettledLine, ...] = ()
    """The official standings, best first; empty while the circuit runs."""
    settled_at: datetime | None = None
    invited: tuple[InvitedPerson, ...] = ()
    """Everyone invited to the final, in order."""
    inviter: Actor = ""
    """The organiser who invited people to the final last."""
    outer: tuple[UUID, ...] = ()
    """The circuits for which this one counts."""

    @property
    def is_settled(self) -> bool:
        """Whether its standings are official."""
        return self.settled_at is not None

    @property
    def active_contests(self) -> tuple[CircuitContest, ...]:
        """The contests that count, in the order in which they were added."""
        return tuple(each for each in self.contests if not each.withdrawn)

    def contest(self, key: ContestKey) -> CircuitContest | None:
        """Return a contest of the circuit, also a withdrawn one, or None."""
        return next((each for each in self.contests if each.key == key), None)

    @property
    def invited_to_final(self) -> tuple[InvitedPerson, ...]:
        """The people invited to the present final."""
        return tuple(each for each in self.invited if each.contest == self.final)


def circuit_plan_changed(state: Circuit, _: Record, fact: facts.CircuitPlanChanged) -> Circuit:
    """Apply a plan."""
    return replace(state, plan=fact.plan)


def contest_added(state: Circuit, _: Record, fact: facts.ContestAdded) -> Circuit:
    """Apply a new or restored contest, which becomes the last one."""
    others = tuple(each for each in state.contests if each.key != fact.contest)
    return replace(state, contests=(*others, CircuitContest(fact.contest, fact.weight)))


def contest_withdrawn(state: Circuit, _: Record, fact: facts.ContestWithdrawn) -> Circuit:
    """Apply the withdrawal of a contest."""
    contests = (replace(each, withdrawn=fact.reason) if each.key == fact.contest else each for each in state.contests)
    return replace(state, contests=tuple(contests))


def final_named(state: Circuit, _: Record, fact: facts.FinalNamed) -> Circuit:
    """Apply a final."""
    return replace(state, final=fact.contest)


def standings_settled(state: Circuit, record: Record, fact: facts.StandingsSettled) -> Circuit:
    """Apply official standings."""
    return replace(state, settled=fact.lines, settled_at=state.settled_at or record.timestamp)


def qualified_invited(state: Circuit, _: Record, fact: facts.QualifiedInvited) -> Circuit:
    """Apply invitations to the final."""
    invited = (InvitedPerson(actor, fact.contest, fact.until) for actor in fact.people)
    inviter = state.inviter if fact.by == SERVICE else fact.by
    return replace(state, invited=(*state.invited, *invited), inviter=inviter)


def places_released(state: Circuit, _: Record, fact: facts.PlacesReleased) -> Circuit:
    """Apply released places in the final."""
    released = {each.actor: each.why for each in fact.places}
    return replace(
        state,
        invited=tuple(
            replace(each, released=released[each.actor])
            if each.contest == fact.contest and each.actor in released
            else each
            for each in state.invited
        ),
    )


def circuit_included(state: Circuit, _: Record, fact: facts.CircuitIncluded) -> Circuit:
    """Apply that the circuit counts for another one."""
    return replace(state, outer=(*state.outer, fact.circuit))


def circuit_excluded(state: Circuit, _: Record, fact: facts.CircuitExcluded) -> Circuit:
    """Apply that the circuit no longer counts for another one."""
    return replace(state, outer=tuple(each for each in state.outer if each != fact.circuit))


EVOLVE: Final[dict[type[Any], Callable[[Circuit, Record, Any], Circuit]]] = {
    facts.CircuitPlanChanged: circuit_plan_changed,
    facts.ContestAdded: contest_added,
    facts.ContestWithdrawn: contest_withdrawn,
    facts.FinalNamed: final_named,
    facts.StandingsSettled: standings_settled,
    facts.QualifiedInvited: qualified_invited,
    facts.PlacesReleased: places_released,
    facts.CircuitIncluded: circuit_included,
    facts.CircuitExcluded: circuit_excluded,
}


def evolve(state: Circuit | None, record: Record, fact: facts.Fact) -> Circuit:
    """Return the circuit after one more record; never refuses one."""
    if isinstance(fact, facts.CircuitOpened):
        return Circuit(id=record.stream_id, organiser=fact.by, opened_at=record.timestamp, plan=fact.plan)
    assert state is not None, "a circuit begins with its opening"
    return EVOLVE[type(fact)](state, record, fact)


CIRCUIT: Final[Kind[facts.Fact, Circuit]] = Kind("circuit", facts.Fact, evolve)
