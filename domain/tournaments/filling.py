"""What follows from the publication of a round: no-shows of players who are away."""

from domain.matches.facts import SERVICE, Actor
from domain.standings.contest import RoundTable
from domain.standings.results import Results
from domain.tournaments import facts, rounds
from domain.tournaments.availability import away_players
from domain.tournaments.state import Tournament

AWAY = "the player is away"


def publish_round(state: Tournament, number: int, results: Results, by: Actor) -> tuple[facts.Fact, ...]:
    """Publish the proposal, and note the players at its tables who are away, as `rounds.publish` raises."""
    return (rounds.publish(state, number, results, by), *follows_publication(state))


def follows_publication(state: Tournament) -> tuple[facts.NoShowNoted, ...]:
    """Return the no-shows that must follow the publication of the latest round, in the order of its tables.

    They are of players who are away, with the plan's bot at tables that are played on the service.
    """
    last = state.rounds[-1]
    away = away_players(state, last.number)
    return tuple(
        facts.NoShowNoted(SERVICE, last.number, name, bot_at(state, table), AWAY)
        for table in last.tables
        for name in table.entries
        if name in away
    )


def bot_at(state: Tournament, table: RoundTable) -> Actor:
    """Return the bot that plays for absent players at a table; empty without a match or a bot in the plan."""
    return state.plan.bot if rounds.needs_match(state, table) else ""
