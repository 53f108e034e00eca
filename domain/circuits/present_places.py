"""The present places in the contests of a circuit: tournaments, seasons of leagues, and other circuits."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from domain.circuits.counting import CircuitLine, ContestStandings, ContestStatus
from domain.circuits.fact_base import ContestKey
from domain.circuits.final_answers import accepts_entries
from domain.circuits.points import FULL_WEIGHT
from domain.circuits.state import Circuit
from domain.leagues.season_state import Season, SeasonStatus
from domain.leagues.standings import group_table, plan_of
from domain.leagues.state import League
from domain.matches.facts import Actor, is_bot
from domain.standings.ranking import standings
from domain.standings.results import Results
from domain.tournaments.state import Tournament

SIZE_BOUND: Final = 100_000
"""More participants than any contest has."""
SEASON_STATUS: Final[Mapping[SeasonStatus, ContestStatus]] = {
    "registering": "upcoming",
    "running": "running",
    "closed": "ended",
}

Ranked = tuple[tuple[int, ...], Actor]
"""A participant with a sort key, the same for equal places; the actor is empty for a name without an account."""


def places_of(ranked: Iterable[Ranked]) -> tuple[dict[Actor, int], dict[int, int], int]:
    """Return the places of the accounts, the number of participants at each place, and the number of all.

    Bots of the service take places without having a result. A person with two entries has the better place.
    """
    found = sorted(ranked)
    keys = [key for key, _ in found]
    first = {key: place for place, key in reversed([*enumerate(keys, start=1)])}
    places: dict[Actor, int] = {}
    for key, actor in found:
        if actor and not is_bot(actor):
            places.setdefault(actor, first[key])
    return places, dict(Counter(first[key] for key in keys)), len(found)


def tournament_places(key: ContestKey, event: Tournament, results: Results) -> ContestStandings:
    """Return the standings of a tournament; once it is over, of the entries that have played or had a bye."""
    actors = {entry.id: entry.actor for entry in event.entries}
    is_over = event.status == "ended"
    rows = standings(event, results)
    places, tied, size = places_of(
        ((row.rank,), actors[row.entry]) for row in rows if not is_over or row.played or row.byes
    )
    is_open = accepts_entries(event)
    return ContestStandings(
        key=key,
        name=event.plan.name,
        title=event.plan.title,
        status="upcoming" if event.status == "registering" else event.status,
        size=size,
        places=places,
        tied=tied,
        is_open=is_open,
        size_max=max(len(event.entries), (event.plan.cap or SIZE_BOUND) if is_open else 0),
    )


def season_places(key: ContestKey, league: League, results: Results) -> ContestStandings:
    """Return the standings of a season: by division, then by rank in the group; equal ranks of groups share a place.

    A season that has not been opened yet is upcoming if it is the next one, else missing.
    """
    number, name = key.season, f"{league.plan.name}, {key.season}"
    if number > len(league.seasons) + 1:
        return ContestStandings(key=key, name=name, title=league.plan.title)
    size_max = league.plan.cap or SIZE_BOUND
    if number > len(league.seasons):
        return ContestStandings(
            key=key, name=name, title=league.plan.title, status="upcoming", is_open=True, size_max=size_max
        )
    season = league.seasons[number - 1]
    places, tied, size = places_of(ranked_players(league, season, results))
    is_open = season.status == "registering"
    return ContestStandings(
        key=key,
        name=f"{league.plan.name}, {season.name}",
        title=plan_of(league, season).title,
        status=SEASON_STATUS[season.status],
        size=size,
        places=places,
        tied=tied,
        is_open=is_open,
        size_max=max(size, size_max if is_open else 0),
    )


def ranked_players(league: League, season: Season, results: Results) -> Iterable[Ranked]:
    """Yield the players of a season; before the draw all who entered, at the same place."""
    if not season.groups:
        yield from (((0,), entry.actor) for entry in season.entrants)
    for number, group in enumerate(season.groups):
        for line in group_table(league, season, number, results):
            if season.status != "closed" or line.standing.played:
                yield (group.division, line.standing.rank), line.actor


def circuit_places(key: ContestKey, circuit: Circuit, lines: Sequence[CircuitLine]) -> ContestStandings:
    """Return the standings of a circuit as a contest of another: the official ones, or the present ones."""
    if circuit.is_settled:
        ranked = [((line.rank,), line.actor) for line in circuit.settled if line.rank]
    else:
        ranked = [((line.rank,), line.actor) for line in lines if line.rank]
    places, tied, size = places_of(ranked)
    return ContestStandings(
        key=key,
        name=circuit.plan.name,
        status="ended" if circuit.is_settled else "running" if ranked else "upcoming",
        size=size,
        places=places,
        tied=tied,
        is_open=not circuit.is_settled,
        size_max=size if circuit.is_settled else SIZE_BOUND,
    )


def missing_contest(key: ContestKey, weight: int = FULL_WEIGHT) -> ContestStandings:
    """Return the standings of a contest that cannot be read."""
    return ContestStandings(key=key, weight=weight)
