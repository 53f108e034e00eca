"""Steps that the service takes for a circuit: it offers free places in the final to the next in rank."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from domain.circuits.facts import Release
from domain.circuits.final import FinalAnswer
from domain.circuits.final_answers import answers_in, takes_invitations
from domain.circuits.state import Circuit, InvitedPerson
from domain.contests.duties import DueStep, first_due
from domain.leagues.state import League
from domain.matches.facts import Actor
from domain.tournaments.state import Tournament

INVITE: Final = "invite"
"""The step that releases places in the final and invites the next people."""
FREE: Final[Mapping[FinalAnswer | None, Release]] = {
    "declined": "declined",
    "withdrawn": "withdrawn",
    "left": "left",
}
"""Answers of people who do not play in the final, as reasons for the release of their places."""


def duty_of(state: Circuit, final: Tournament | League | None) -> DueStep | None:
    """Return the next step of a circuit, or None; `final` is the present state of the final.

    The organiser invites first. Later a step is due when a person declines or leaves, or does not answer in time, as
    long as the final takes invitations.
    """
    key = state.final
    if key is None or final is None or not takes_invitations(final, key):
        return None
    return first_due(steps_for(holders_of(state), answers_in(final, key)))


def holders_of(state: Circuit) -> tuple[InvitedPerson, ...]:
    """Return the people invited to the present final whose places have not been released."""
    return tuple(each for each in state.invited_to_final if each.released is None)


def steps_for(holders: Iterable[InvitedPerson], answers: Mapping[Actor, FinalAnswer]) -> Iterable[DueStep]:
    """Yield the step for each place that is free, or will be if its person does not answer."""
    for each in holders:
        answer = answers.get(each.actor)
        if answer in FREE:
            yield DueStep(INVITE)
        elif answer == "invited" and each.until is not None:
            yield DueStep(INVITE, each.until)


def is_due(state: Circuit, final: Tournament | League | None, at: datetime) -> bool:
    """Return whether the step is due at a time."""
    duty = duty_of(state, final)
    return duty is not None and duty.due <= at
