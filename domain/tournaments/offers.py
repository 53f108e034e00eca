"""Vacant places of a tournament, which are offered to alternates."""

from collections.abc import Iterator
from datetime import datetime

from domain.contests.alternates import Offers, Vacancy, stand_in
from domain.contests.prizes import BY_PLACE
from domain.tournaments.availability import ONE_SEASON, find_away
from domain.tournaments.preparation import possible_stages
from domain.tournaments.state import Tournament


def offers_of(state: Tournament, closes: datetime | None) -> Offers | None:
    """Return the offers of a tournament; None without alternates in its plan.

    `closes`: when the next round is paired, if it is known.
    """
    rule = state.plan.alternates
    if rule is None:
        return None
    people = state.people
    return Offers(
        rule,
        ONE_SEASON,
        people.offers,
        people.alternates,
        tuple(find_vacancies(state)),
        closes,
        lambda player: state.entry_of(player) is None,
    )


def find_vacancies(state: Tournament) -> Iterator[Vacancy]:
    """Yield the places of the next round whose players are away, or have left if substitutes play on.

    A round that is being paired has none, and neither has an elimination or a final. Places that an alternate has
    accepted are not vacant.
    """
    last, number = state.round, len(state.rounds) + 1
    if state.status == "ended" or (last is not None and not last.is_public):
        return
    stages = {state.plan.stages[stage].kind for stage in possible_stages(state) if stage is not None}
    if not stages or stages & BY_PLACE:
        return
    away, played = find_away(state, number), {name for each in state.played_rounds for name in each.people}
    for entry in state.entries:
        if stand_in(state.people.offers, ONE_SEASON, entry.id, number) is not None:
            continue
        if entry.status == "in" and entry.id in away:
            yield Vacancy(entry.id, number, number)
        elif entry.status == "withdrawn" and entry.id in played and state.plan.withdrawal == "substitute":
            yield Vacancy(entry.id, number, 0)
