"""A person who leaves for good, by erasing their account: they leave the latest season and the alternates."""

from domain.leagues import alternates, facts, seasons
from domain.leagues.state import League
from domain.matches.facts import Actor


def withdraw_person(league: League, person: Actor) -> tuple[facts.Fact, ...]:
    """Withdraw a person from the latest season and the alternates; nothing for others."""
    if person in league.people.alternates:
        return (*leave_season(league, person), alternates.remove_alternate(league, person, person))
    return leave_season(league, person)


def leave_season(league: League, person: Actor) -> tuple[facts.Fact, ...]:
    """Withdraw a person from the latest season, as `seasons.leave`; nothing without an entry or a place in it."""
    season = league.season
    if season is None or season.status == "closed":
        return ()
    if season.status == "registering":
        has_place = any(entry.actor == person for entry in season.entered)
    else:
        location = season.of_actor(person)
        has_place = location is not None and person not in season.groups[location[0]].left
    return seasons.leave(league, person, person) if has_place else ()
