"""What follows from the publication of a round: alternates, and no-shows of players who are away."""

from domain.contests.alternates import PLAYS_ON, stand_in
from domain.matches.facts import SERVICE, Actor
from domain.standings.contest import RoundTable
from domain.standings.results import Results
from domain.tournaments import facts, rounds
from domain.tournaments.availability import ONE_SEASON, away_players
from domain.tournaments.state import Tournament

AWAY = "the player is away"


def publish_round(state: Tournament, number: int, results: Results, by: Actor) -> tuple[facts.Fact, ...]:
    """Publish the proposal, and note the players at its tables who are away, as `rounds.publish` raises."""
    return (rounds.publish(state, number, results, by), *follows_publication(state))


def follows_publication(state: Tournament) -> tuple[facts.NoShowNoted | facts.SubstituteNamed, ...]:
    """Return the substitutes and no-shows that must follow the publication of a round, in the order of its tables.

    Alternates play for the places that they accepted. Other players who are away are no-shows, with the plan's bot at
    tables that are played on the service.
    """
    return tuple(
        fact
        for table in state.rounds[-1].tables
        for name in table.entries
        if (fact := follow_for(state, table, name)) is not None
    )


def follow_for(state: Tournament, table: RoundTable, name: str) -> facts.NoShowNoted | facts.SubstituteNamed | None:
    """Return the substitute or no-show of an entry at a table of the latest round, or None."""
    number = state.rounds[-1].number
    offer = stand_in(state.people.offers, ONE_SEASON, name, number)
    if offer is not None:
        return facts.SubstituteNamed(SERVICE, number, name, offer.player, PLAYS_ON)
    if name in away_players(state, number):
        return facts.NoShowNoted(SERVICE, number, name, bot_at(state, table), AWAY)
    return None


def bot_at(state: Tournament, table: RoundTable) -> Actor:
    """Return the bot that plays for absent players at a table; empty without a match or a bot in the plan."""
    return state.plan.bot if rounds.needs_match(state, table) else ""
