"""The automatic steps of a tournament, as facts."""

from datetime import datetime

from domain.matches.facts import SERVICE
from domain.standings.results import Results
from domain.tournaments import alternates, check_in, facts, filling, rounds, timing
from domain.tournaments.duties import duty_of
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.proposal_checks import list_misfits
from domain.tournaments.state import Tournament


def take_step(event: Tournament, results: Results, step: str) -> tuple[facts.Fact, ...]:
    """Return the facts of a step of the service; raise `TournamentRefused` unless it is the first that is due.

    Its time is not checked. A proposal that no longer fits is paired again instead of published. Steps of pairing
    and of a passed deadline raise `AssertionError`: they are no facts alone.
    """
    duty, last = duty_of(event, results), event.round
    if step != duty:
        raise TournamentRefused(f"the next step of the event is {duty or 'nothing'!r}, not {step!r}")
    if step == "check_in":
        return check_in.close_check_in(event)
    if step == "announce":
        return (timing.show_announcement(event),)
    if step == "remind":
        return (timing.remind(event),)
    if last is None or step == "ask":
        return (rounds.ask_pairing(event, results, SERVICE),)
    if step == "open":
        return (rounds.open_round(event, last.number),)
    if step == "start":
        return (rounds.begin_round(event, last.number),)
    if step == "close":
        return rounds.close_round(event, last.number, results, (), SERVICE)
    assert step == "publish", "a pairing and what follows from a deadline are no facts alone"
    if list_misfits(event, results):
        return (rounds.ask_pairing(event, results, SERVICE),)
    return filling.publish_round(event, last.number, results, SERVICE)


def take_offer_step(event: Tournament, results: Results, at: datetime) -> tuple[facts.Fact, ...]:
    """Return the ends of offers and the next offers to alternates; if it is too late for these, the pairing.

    Raise `TournamentRefused` unless this is the first step that is due.
    """
    duty = duty_of(event, results)
    if duty != "offer":
        raise TournamentRefused(f"the next step of the event is {duty or 'nothing'!r}, not 'offer'")
    return alternates.offer_places(event, at) or (rounds.ask_pairing(event, results, SERVICE),)
