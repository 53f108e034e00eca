"""Commands about sanctions in the store, each one transaction with the audit trail."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.contests import sanctions
from domain.contests.sanctions import SANCTIONS, NoSuchSanction, SanctionKind, Sanctions, Series
from domain.matches.facts import Actor
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.audit import PersonSanctioned, SanctionAct
from domain.roles.commands import append_to_trail, official_role, roles_in

Decide = Callable[[Sanctions], sanctions.Fact]


def sanctions_of(matches: MatchReader, series: Series) -> Sanctions:
    """Return the sanctions of a series."""
    stream = matches.streams.find(SANCTIONS, series.stream_id)
    return Sanctions(series=series.key) if stream is None else stream.state


def give_sanction(
    matches: MatchWriter,
    series: Series,
    sanction_id: UUID,
    person: Actor,
    kind: SanctionKind,
    until: datetime,
    *,
    by: Actor,
    at: datetime,
) -> Sanctions:
    """Give a sanction; the same id again changes nothing. Raise as `sanctions.give`."""

    def compose(batch: Transaction) -> Sanctions:
        stream = batch.find(SANCTIONS, series.stream_id)
        state = None if stream is None else stream.state
        if state is not None and str(sanction_id) in state.given:
            return state
        fact = sanctions.give(state, series, sanction_id, by, person, kind, until, at)
        return record_act(batch, series, fact, "warned" if kind == "warning" else "excluded", person)

    return matches.transact(compose, at=at)


def lift_sanction(matches: MatchWriter, series: Series, sanction_id: UUID, *, by: Actor, at: datetime) -> Sanctions:
    """End a sanction early; raise as `sanctions.lift`."""

    def compose(batch: Transaction) -> Sanctions:
        state = state_in(batch, series, sanction_id)
        fact = sanctions.lift(state, by, sanction_id, at)
        return record_act(batch, series, fact, "lifted", state.sanction(sanction_id).person)

    return matches.transact(compose, at=at)


def appeal_sanction(matches: MatchWriter, series: Series, sanction_id: UUID, *, by: Actor, at: datetime) -> Sanctions:
    """Appeal against a sanction; raise as `sanctions.appeal`."""

    def compose(batch: Transaction) -> Sanctions:
        state = state_in(batch, series, sanction_id)
        return batch.record(SANCTIONS, series.stream_id, sanctions.appeal(state, by, sanction_id, at)).state

    return matches.transact(compose, at=at)


def decide_appeal(
    matches: MatchWriter, series: Series, sanction_id: UUID, *, lifted: bool, by: Actor, at: datetime
) -> Sanctions:
    """Decide about an appeal; raise as `sanctions.decide_appeal`."""

    def compose(batch: Transaction) -> Sanctions:
        state = state_in(batch, series, sanction_id)
        fact = sanctions.decide_appeal(state, by, sanction_id, at, lifted=lifted)
        person = state.sanction(sanction_id).person
        return record_act(batch, series, fact, "appeal_granted" if lifted else "appeal_rejected", person)

    return matches.transact(compose, at=at)


def state_in(batch: Transaction, series: Series, sanction_id: UUID) -> Sanctions:
    """Return the sanctions of a series within a transaction; raise `NoSuchSanction` if it has none."""
    stream = batch.find(SANCTIONS, series.stream_id)
    if stream is None:
        raise NoSuchSanction(f"no sanction {sanction_id} in {series.key}")
    return stream.state


def record_act(batch: Transaction, series: Series, fact: sanctions.Fact, act: SanctionAct, person: Actor) -> Sanctions:
    """Record a fact of an official, and the use of the role in the audit trail, without the reason."""
    by, event = fact.by, series.id if series.kind == "league" else ""
    role = official_role(roles_in(batch), by, event)
    append_to_trail(batch, PersonSanctioned(by=by, role=role, event=event, series=series.key, person=person, act=act))
    return batch.record(SANCTIONS, series.stream_id, fact).state
