"""The command that invites the qualified people of a circuit to its final."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from domain.circuits import facts
from domain.circuits.acts import record_act
from domain.circuits.duties import FREE, holders_of, is_due
from domain.circuits.fact_base import ContestKey
from domain.circuits.final import FinalAnswer, NextInvitations, next_invitations
from domain.circuits.final_answers import FinalEvent, answers_in, find_final, takes_invitations
from domain.circuits.plan import CircuitRefused
from domain.circuits.state import CIRCUIT, Circuit
from domain.contests.versions import require_version
from domain.kernel.values import replace
from domain.leagues import acts as league_acts
from domain.leagues import facts as league_record
from domain.leagues import invitation_facts as league_facts
from domain.leagues import seasons
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited
from domain.leagues.state import League
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchReader, Transaction
from domain.roles.commands import official_keys_in, roles_in
from domain.roles.state import holds
from domain.tournaments import acts as tournament_acts
from domain.tournaments import facts as tournament_record
from domain.tournaments import registration
from domain.tournaments.entries import EntryIndex
from domain.tournaments.invitation_facts import InvitationWithdrawn, PersonInvited
from domain.tournaments.state import Tournament

E = TypeVar("E", league_record.PlayerEntered | PlayerInvited, tournament_record.EntryMade | PersonInvited)
Compose = Callable[[Transaction], Stream[Circuit]]


def fill_final(
    _matches: MatchReader,
    circuit_id: UUID,
    by: Actor,
    unfit: Collection[Actor] = (),
    *,
    expected_version: int | None = None,
) -> Compose:
    """Return the transaction that invites the qualified people, and replaces people who do not play, as the service.

    Facts of the circuit and of its final are stored together, so that nothing is lost by an interruption. If nothing
    is to be done, nothing is recorded. Raise `CircuitRefused` as `next_invitations`, if the final takes no invitations,
    or for the service if the step is not due; `StaleVersion` unless the circuit is at `expected_version`.
    """

    def compose(batch: Transaction) -> Stream[Circuit]:
        stream = batch.get(CIRCUIT, circuit_id)
        require_version(stream, expected_version, "circuit")
        state, key = stream.state, stream.state.final
        event = None if key is None else find_final(batch, key)
        answers = {} if event is None or key is None else answers_in(event, key)
        found = next_invitations(state, answers, unfit, batch.at)
        assert key is not None, "without a final no one is invited"
        if event is None or not takes_invitations(event, key):
            raise CircuitRefused("the final does not take entries at present")
        if by == SERVICE and not is_due(state, event, batch.at):
            raise CircuitRefused("no place in the final is free")
        author = inviter(batch, state, event) if by == SERVICE else by
        people = found.people if author else ()
        released = tuple(places_to_release(state, answers, found.silent))
        invite_to(batch, event, key, state, replace(found, people=people), author or by)
        if released:
            stream = record_act(batch, circuit_id, facts.PlacesReleased(by, key, released))
        if people:
            until = answer_until(state, batch.at)
            stream = record_act(batch, circuit_id, facts.QualifiedInvited(by, key, people, until))
        return stream

    return compose


def places_to_release(
    state: Circuit, answers: Mapping[Actor, FinalAnswer], silent: Collection[Actor]
) -> Iterable[facts.ReleasedPlace]:
    """Yield the places of people who will not play in the final."""
    for each in holders_of(state):
        why = "silent" if each.actor in silent else FREE.get(answers.get(each.actor))
        if why is not None:
            yield facts.ReleasedPlace(each.actor, why)


def answer_until(state: Circuit, at: datetime) -> datetime | None:
    """Return the time until which people invited now have to answer; None if the plan has no limit."""
    return at + timedelta(days=state.plan.answer_days) if state.plan.answer_days else None


def inviter(batch: Transaction, state: Circuit, event: FinalEvent) -> Actor:
    """Return the author of an invitation by the service; empty if an organiser has to sign it.

    Leagues accept the service. In a tournament of a person, it acts for the organiser who invited first.
    """
    if isinstance(event, League) or event.organiser == SERVICE:
        return SERVICE
    organiser = state.inviter
    is_entitled = organiser == event.organiser or holds(roles_in(batch), organiser, "organiser", str(event.id))
    return organiser if is_entitled and not official_keys_in(batch, organiser) else ""


def invite_to(
    batch: Transaction, event: FinalEvent, key: ContestKey, state: Circuit, found: NextInvitations, by: Actor
) -> None:
    """Record invitations to the final, and withdraw the ones that no one answered.

    The reason lets people in who do not meet the conditions of entry.
    """
    if isinstance(event, League):
        to = InvitedTo(key.season)
        invited = [with_reason(each, state) for each in league_entries(event, found.people, by)]
        withdrawn = [league_facts.InvitationWithdrawn(by, actor, to) for actor in found.silent]
        if invited or withdrawn:
            league_acts.record_acts(batch, event.id, [*invited, *withdrawn])
        return
    # Orders precede other facts, because an official signs them together.
    orders = [with_reason(each, state) for each in tournament_entries(event, found.people, by)]
    closed = [InvitationWithdrawn(by, actor) for actor in found.silent]
    if orders or closed:
        tournament_acts.record_acts(batch, event.id, *orders, *closed)


def with_reason(fact: E, state: Circuit) -> E:
    """Return an invitation with its reason; an organiser's own entry needs none."""
    is_invitation = isinstance(fact, PersonInvited | PlayerInvited)
    return replace(fact, reason=f"qualified in {state.plan.name}") if is_invitation else fact


def league_entries(
    league: League, people: Iterable[Actor], by: Actor
) -> Iterable[league_record.PlayerEntered | PlayerInvited]:
    """Yield the invitations of people to the season that registers players."""
    entered = {entry.actor for entry in seasons.registering_season(league).entered}
    for actor in people:
        yield seasons.enter(league, by, actor, 0, is_organiser=True, entered=entered)


def tournament_entries(
    event: Tournament, people: Iterable[Actor], by: Actor
) -> Iterable[tournament_record.EntryMade | PersonInvited]:
    """Yield the invitations of people to a tournament, with an entry that they have to accept."""
    index = EntryIndex(event.entries, event.invitations.made.values())
    for actor in people:
        yield registration.enter(event, by, actor=actor, as_organiser=True, index=index)
