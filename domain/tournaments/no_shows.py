"""No-shows: note that a player is absent from a table that has not begun, and withdraw the note."""

from datetime import datetime
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.facts import Actor, is_bot
from domain.matches.seats.event_tables import seat_substitute
from domain.matches.seats.luck_shares import REOPENED_MAX
from domain.matches.seats.opening import check_player
from domain.matches.transaction import MatchWriter, Transaction
from domain.standings.contest import RoundTable
from domain.tournaments import facts
from domain.tournaments.acts import record_acts
from domain.tournaments.commands import TournamentStream, match_at, player_of
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.registration import entry_named, require_reason
from domain.tournaments.rounds import needs_match, require_latest_round
from domain.tournaments.state import TOURNAMENT, Round, Tournament


def seat_in(round_: Round, name: str) -> tuple[int, RoundTable]:
    """Return (number, table) at which an entry sits in a round; raise `TournamentRefused` if it has none."""
    found = next(((at, table) for at, table in enumerate(round_.tables, start=1) if name in table.entries), None)
    if found is None:
        raise TournamentRefused(f"{name} is not seated in round {round_.number}")
    return found


def decide_no_show(state: Tournament, number: int, name: str, bot: Actor, reason: str, by: Actor) -> facts.NoShowNoted:
    """Decide that a player is absent from a table of the latest round, with a reason.

    `bot` takes the seat; empty: no bot. Raise `NoSuchRound` for another round, `NoSuchEntry` for an unknown entry,
    and `TournamentRefused` if the round is not public or is closed, for bots, players without a table, tables with
    a result, repetitions, a blank reason, and a bot that the plan does not allow or that has no match to play.
    """
    last = require_latest_round(state, number, "published", "opened")
    if entry_named(state, name).is_bot:
        raise TournamentRefused(f"{name} is a bot and cannot be a no-show")
    at, table = seat_in(last, name)
    if table.given is not None:
        raise TournamentRefused(f"table {at} of round {number} already has a result")
    if name in table.absent:
        raise TournamentRefused(f"{name} is already recorded as a no-show in round {number}")
    if bot:
        check_player(bot)
        if not state.plan.bot:
            raise TournamentRefused("this event does not allow bots as substitutes")
        if not needs_match(state, table):
            raise TournamentRefused(f"the table of {name} has no match that a bot could join")
    return facts.NoShowNoted(by, number, name, bot, require_reason(reason, "a no-show"))


def decide_no_show_withdrawal(
    state: Tournament, number: int, name: str, reason: str, by: Actor
) -> facts.NoShowWithdrawn:
    """Decide that an absent player of a public round has arrived after all, with a reason.

    Raise `NoSuchRound` unless the round is public, `NoSuchEntry` for an unknown entry, and `TournamentRefused`
    if the player is not noted as absent or without a reason.
    """
    if not 1 <= number <= len(state.rounds) or not state.rounds[number - 1].is_public:
        raise NoSuchRound(f"round {number} has not started")
    entry_named(state, name)
    _, table = seat_in(state.rounds[number - 1], name)
    if name not in table.absent:
        raise TournamentRefused(f"{name} is not recorded as a no-show in round {number}")
    return facts.NoShowWithdrawn(by, number, name, require_reason(reason, "the withdrawal of a no-show"))


def require_idle_bot(event: Tournament, match: Match, round_table: RoundTable, name: str) -> None:
    """Raise `TournamentRefused` if the bot in an absent player's seat has acted, so that the absence cannot end.

    By standings rule 2 everything the bot did would count for the entry; under rule 1 nothing is refused. An
    arbiter can rule on the table.
    """
    if event.plan.standings == 1 or not round_table.bot_of(name) or not match.starters:
        return
    starter = match.starters[round_table.entries.index(name)]
    if is_bot(starter.actor) and starter.rounds:
        raise TournamentRefused(f"a bot has already played for {name}, who stays a no-show; rule on the table")


def require_bounded_luck(event: Tournament, match: Match) -> None:
    """Raise `TournamentRefused` if another player in a seat would replace the luck of a table once more than allowed.

    A table that has closed opens again for a new player, with other luck, which the service can foresee. From format 2
    of the records on, this happens at most `REOPENED_MAX` times.
    """
    if event.format > 1 and match.status == "open" and match.closed and match.reopened >= REOPENED_MAX:
        raise TournamentRefused(
            f"the luck of match {match.id} was replaced {match.reopened} times; change the seat once it has started"
        )


def require_not_begun(match: Match | None, at: int, number: int) -> None:
    """Raise `TournamentRefused` at a table whose match has started or is over; a table without a match passes."""
    if match is not None and (match.started_version is not None or match.is_over):
        raise TournamentRefused(
            f"table {at} of round {number} has started: an absent player loses on time or is replaced by a"
            " substitute, or the organiser rules on the table"
        )


def record_no_show(
    matches: MatchWriter, event_id: UUID, number: int, name: str, bot: Actor, reason: str, by: Actor, *, at: datetime
) -> TournamentStream:
    """Record a no-show, with a reason; a bot takes the seat now, or when the table is opened.

    Raise `TournamentRefused` if the match has begun or the player is ready, and as `decide_no_show`: for bots,
    results, repetitions and forbidden bots; `NoSuchRound` unless the round is the latest, `NoSuchEntry` for an
    unknown entry.
    """

    def compose(batch: Transaction) -> TournamentStream:
        event = batch.get(TOURNAMENT, event_id).state
        fact = decide_no_show(event, number, name, bot, reason, by)
        table_number, round_table = seat_in(event.rounds[-1], name)
        match, seat = match_at(batch, round_table), round_table.entries.index(name)
        require_not_begun(match, table_number, number)
        entry_actor = entry_named(event, name).actor
        if (
            match is not None
            and match.seats[seat].ready
            and match.seats[seat].actor == player_of(event, round_table, seat)
        ):
            raise TournamentRefused(f"{name} is present and ready at table {table_number} of round {number}")
        stream = record_acts(batch, event_id, fact)
        if bot and match is not None:
            require_bounded_luck(event, match)
            seat_substitute(batch, match, seat, bot, entry_actor)
        return stream

    return matches.transact(compose, at=at)


def withdraw_no_show(
    matches: MatchWriter, event_id: UUID, number: int, name: str, reason: str, by: Actor, *, at: datetime
) -> TournamentStream:
    """Withdraw a no-show, with a reason; the player or substitute takes the seat back from the bot.

    Raise `TournamentRefused` without a reason, if the player is not noted as absent, or once the bot has acted or
    finished the match, `NoSuchRound` unless the round is public, `NoSuchEntry` for an unknown entry.
    """

    def compose(batch: Transaction) -> TournamentStream:
        event = batch.get(TOURNAMENT, event_id).state
        fact = decide_no_show_withdrawal(event, number, name, reason, by)
        table_number, round_table = seat_in(event.rounds[number - 1], name)
        match, seat = match_at(batch, round_table), round_table.entries.index(name)
        actor = "" if match is None else match.seats[seat].actor or ""
        if match is not None and is_bot(actor):
            if match.is_over:
                raise TournamentRefused(
                    f"a bot has finished table {table_number} of round {number} for {name}; rule on it"
                )
            require_idle_bot(event, match, round_table, name)
            require_bounded_luck(event, match)
            entry_actor = entry_named(event, name).actor
            player = round_table.stand_in_of(name) or entry_actor
            seat_substitute(batch, match, seat, player, "" if player == entry_actor else entry_actor)
        return record_acts(batch, event_id, fact)

    return matches.transact(compose, at=at)
