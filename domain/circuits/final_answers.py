"""The answers of people in the final of a circuit, read from the tournament or the league."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar
from uuid import UUID

from domain.circuits.fact_base import ContestKey
from domain.circuits.final import FinalAnswer
from domain.invitations.state import Invitation
from domain.leagues.invitation_facts import InvitedTo
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import Actor, is_bot
from domain.matches.log.records import Kind, Stream
from domain.tournaments import invitations
from domain.tournaments.invitation_facts import TO_ENTER
from domain.tournaments.state import TOURNAMENT, Tournament

F = TypeVar("F")
S = TypeVar("S")
FinalEvent = Tournament | League


class Streams(Protocol):
    """The record streams of a store, or those seen in a transaction."""

    def find(self, kind: Kind[F, S], stream_id: UUID, /) -> Stream[S] | None:
        """Return a stream, or None."""
        ...


def find_final(streams: Streams, key: ContestKey) -> FinalEvent | None:
    """Return the tournament, or the league with the season, of a final; None if it is unknown."""
    found = streams.find(TOURNAMENT, key.id) if key.kind == "tournament" else streams.find(LEAGUE, key.id)
    return None if found is None else found.state


def answers_in(event: FinalEvent, key: ContestKey) -> Mapping[Actor, FinalAnswer]:
    """Return the answers of the people invited to a final or entered in it."""
    return season_answers(event, key.season) if isinstance(event, League) else tournament_answers(event)


def takes_invitations(event: FinalEvent, key: ContestKey) -> bool:
    """Return whether people can be invited to a final: while it accepts entries."""
    if isinstance(event, League):
        season = event.season
        return season is not None and season.number == key.season and season.status == "registering"
    return accepts_entries(event)


def accepts_entries(event: Tournament) -> bool:
    """Return whether other people can still enter a tournament."""
    may_enter_late = event.plan.late_entry and (event.round is None or event.round.stage == 0)
    return event.status == "registering" or (event.status == "running" and may_enter_late)


def tournament_answers(event: Tournament) -> Mapping[Actor, FinalAnswer]:
    """Return the answers of the people invited to a tournament or entered in it; open invitations only if they hold."""
    found: dict[Actor, FinalAnswer] = {}
    for each in event.invitations.made.values():
        if each.fact.target == TO_ENTER:
            found[each.actor] = answer_of(each, holds=invitations.holds(event, each))
    for entry in event.entries:
        if entry.actor and not is_bot(entry.actor):
            found[entry.actor] = "left" if entry.status == "withdrawn" else "entered"
    return found


def season_answers(league: League, number: int) -> Mapping[Actor, FinalAnswer]:
    """Return the answers of the people invited to a season of a league or entered in it."""
    found: dict[Actor, FinalAnswer] = {}
    season = league.seasons[number - 1] if number <= len(league.seasons) else None
    for each in league.invitations.made.values():
        if each.fact.target == InvitedTo(number).target:
            found[each.actor] = answer_of(each, holds=season is not None and season.status == "registering")
    if season is None:
        return found
    holders = {place.actor for group in season.groups for place in group.places if place.actor not in group.left}
    present = holders if season.groups else {entry.actor for entry in season.entered}
    for actor in present | {entry.actor for entry in season.entered}:
        if not is_bot(actor):
            found[actor] = "entered" if actor in present else "left"
    return found


def answer_of(invitation: Invitation[Any], *, holds: bool) -> FinalAnswer:
    """Return the answer to an invitation of someone who is not entered; `holds`: it can still be accepted."""
    if invitation.answer == "":
        return "invited" if holds else "withdrawn"
    return "left" if invitation.answer == "accepted" else invitation.answer
