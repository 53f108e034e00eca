"""The answers of people in the final of a circuit, read from the tournament or the league."""

from collections.abc import Mapping
from typing import Any

from domain.circuits.final import FinalAnswer
from domain.invitations.state import Invitation
from domain.leagues.invitation_facts import InvitedTo
from domain.leagues.state import League
from domain.matches.facts import Actor, is_bot
from domain.tournaments import invitations
from domain.tournaments.invitation_facts import TO_ENTER
from domain.tournaments.state import Tournament


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
