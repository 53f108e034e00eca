"""Notifications about records of tournaments, leagues and disputes, and their recipients.

Records that name their recipients need no look-up.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.disputes import facts as dispute_facts
from domain.leagues import facts as league_facts
from domain.leagues.invited import PlayerInvited
from domain.leagues.state import League
from domain.matches.facts import Actor, is_bot
from domain.notifications.kinds import Kind
from domain.tournaments import facts as tournament_facts
from domain.tournaments.invited import PersonInvited
from domain.tournaments.state import Tournament


class Telling(msgspec.Struct, frozen=True):
    """A notification about a record.

    `what`: the sentence to use; `number`: the round, table or place; `people`: the recipients named in the record.
    """

    kind: Kind
    what: str
    number: int = 0
    people: tuple[Actor, ...] = ()


Tells = Callable[[Any], Telling | None]


def announced(fact: tournament_facts.Announced) -> Telling | None:
    """Notify of an announcement, unless it is scheduled for later."""
    return Telling("reminder", "announced") if fact.since is None else None


def substituted(fact: tournament_facts.SubstituteNamed) -> Telling | None:
    """Notify a substitute named by someone else."""
    is_news = fact.actor not in {"", fact.by}
    return Telling("invitation", "substitute", fact.round, (fact.actor,)) if is_news else None


def invited(fact: PersonInvited) -> Telling:
    """Notify an account of an invitation."""
    what = "seat" if fact.round else "tournament"
    return Telling("invitation", what, fact.round, (fact.actor,))


def invited_to_league(fact: PlayerInvited) -> Telling:
    """Notify an account of an invitation to a league."""
    what = "seat" if fact.to.from_round else "league"
    return Telling("invitation", what, fact.to.from_round, (fact.actor,))


def substituted_in_league(fact: league_facts.SubstituteNamed) -> Telling | None:
    """Notify a substitute of a league named by someone else."""
    return None if fact.actor == fact.by else Telling("invitation", "substitute", fact.from_round, (fact.actor,))


def handed_over(fact: dispute_facts.ArbiterAssigned) -> Telling | None:
    """Notify an arbiter who was handed a dispute."""
    return Telling("dispute", "handed", people=(fact.by,)) if fact.handed_by else None


TELLS: Final[Mapping[type[Any], Tells]] = {
    PersonInvited: invited,
    tournament_facts.EntryPromoted: lambda _: Telling("invitation", "promoted"),
    tournament_facts.SubstituteNamed: substituted,
    tournament_facts.RoundPublished: lambda fact: Telling("round", "published", fact.round),
    tournament_facts.TablesReseated: lambda fact: Telling("round", "reseated", fact.round),
    tournament_facts.PlayersReminded: lambda fact: Telling("reminder", "deadline", fact.round),
    tournament_facts.Announced: announced,
    tournament_facts.AnnouncementShown: lambda _: Telling("reminder", "announced"),
    PlayerInvited: invited_to_league,
    league_facts.SubstituteNamed: substituted_in_league,
    league_facts.RoundOpened: lambda fact: Telling("round", "opened", fact.round),
    league_facts.DeadlineMoved: lambda fact: Telling("reminder", "moved", fact.round),
    league_facts.LeagueAnnounced: lambda _: Telling("reminder", "announced"),
    dispute_facts.DisputeRaised: lambda _: Telling("dispute", "raised"),
    dispute_facts.RuledOn: lambda _: Telling("dispute", "ruled"),
    dispute_facts.RulingAppealed: lambda _: Telling("dispute", "appealed"),
    dispute_facts.CommitteeSeated: lambda fact: Telling("dispute", "committee", people=fact.members),
    dispute_facts.ArbiterAssigned: handed_over,
}
"""Fact -> notification; other facts have none."""


def telling_of(fact: object) -> Telling | None:
    """Return the notification about a fact, or None."""
    tells = TELLS.get(type(fact))
    return None if tells is None else tells(fact)


def people_among(actors: Iterable[Actor]) -> tuple[Actor, ...]:
    """Return the people among actors, sorted, without bots."""
    return tuple(sorted({actor for actor in actors if actor and not is_bot(actor)}))


def of_tournament(state: Tournament, fact: object, over: Container[UUID] = ()) -> tuple[Actor, ...]:
    """Return the recipients of a tournament's notification, by its current state.

    `over` holds the finished matches, by their first ids.
    """
    if isinstance(fact, tournament_facts.EntryPromoted):
        return people_among(entry.actor for entry in state.entries if entry.id == fact.entry)
    if isinstance(fact, tournament_facts.RoundPublished):
        return of_tables(state, fact.round, lambda _: True)
    if isinstance(fact, tournament_facts.TablesReseated):
        numbers = {seated.table for seated in fact.tables}
        return of_tables(state, fact.round, numbers.__contains__)
    if isinstance(fact, tournament_facts.PlayersReminded):
        tables = enumerate(state.rounds[fact.round - 1].tables, 1)
        done = {number for number, table in tables if table.given is not None or table.match in over}
        return of_tables(state, fact.round, lambda number: number not in done)
    return people_among(entry.actor for entry in state.taking_part)


def of_tables(state: Tournament, number: int, wanted: Callable[[int], bool]) -> tuple[Actor, ...]:
    """Return the players at these tables of a round; substitutes in place of their entries."""
    tables = [table for at, table in enumerate(state.rounds[number - 1].tables, 1) if wanted(at)]
    standing_in = {each.entry: each.actor for table in tables for each in table.stand_ins}
    names = {name for table in tables for name in table.entries}
    return people_among(standing_in.get(entry.id) or entry.actor for entry in state.entries if entry.id in names)


def of_league(state: League) -> tuple[Actor, ...]:
    """Return the recipients of a league's notification: current holders of places, or entrants before the draw."""
    season = state.season
    if season is None:
        return ()
    if not season.groups:
        return people_among(entry.actor for entry in season.entered)
    return people_among(place.actor for group in season.groups for place in group.places)
