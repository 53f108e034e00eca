"""Who plays at a table: substitutes whom the organiser names, and the start without those who have not come."""

from datetime import datetime
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.batch import Batch
from domain.matches.facts import Actor, is_bot
from domain.matches.opening import check_player
from domain.matches.seating import seat_substitute, start_without
from domain.tournaments import facts
from domain.tournaments.acts import keep
from domain.tournaments.commands import TournamentStream, match_at, require_version
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.registration import entry_named, require_reason
from domain.tournaments.rounds import newest, table_of
from domain.tournaments.state import TOURNAMENT, Tournament


def stand_in_named(
    state: Tournament, number: int, name: str, actor: Actor, by: Actor, reason: str
) -> tuple[facts.SubstituteNamed, ...]:
    """Somebody plays for an entry at its table of a round; named is its own player again when they come after all."""
    last, entry = newest(state, number, "published", "opened"), entry_named(state, name)
    check_player(actor)
    table = next((table for table in last.tables if name in table.entries), None)
    if table is None:
        raise TournamentRefused(f"{name} does not sit at a table of round {number}")
    if is_bot(actor):
        raise TournamentRefused(f"{actor!r} is a bot: a bot takes the place of somebody who did not come")
    wanted = "" if actor == entry.actor else actor
    if name in table.absent and not wanted:
        raise TournamentRefused(f"{name} is noted as absent; withdraw that when they have come after all")
    if table.stand_in_of(name) == wanted:
        return ()
    if wanted and state.entry_of(actor) is not None:
        raise TournamentRefused(f"{actor!r} takes part in this event, and nobody plays for two")
    for each in (each for table in last.tables for each in table.stand_ins):
        if each.actor == wanted:
            raise TournamentRefused(f"{actor!r} stands in for {each.entry} already")
    return (facts.SubstituteNamed(by, number, name, wanted, require_reason(reason, "a substitute")),)


def name(
    matches: Matches, event_id: UUID, number: int, entry: str, actor: Actor, by: Actor, reason: str, *, at: datetime
) -> TournamentStream:
    """The substitute sits at the table from now on, before the match has begun or while it goes on."""

    def compose(batch: Batch) -> TournamentStream:
        found = batch.get(TOURNAMENT, event_id)
        event = found.state
        named = stand_in_named(event, number, entry, actor, by, reason)
        if not named:
            return found
        seated = next(table for table in event.rounds[-1].tables if entry in table.entries)
        match = match_at(batch, seated)
        if match is not None:
            if match.is_over:
                raise TournamentRefused(f"the match {match.id} of {entry} is over")
            own = entry_named(event, entry).actor
            seat_substitute(batch, match, seated.entries.index(entry), actor, "" if actor == own else own)
        return keep(batch, event_id, *named)

    return matches.transact(compose, at=at)


def start_table(
    matches: Matches, event_id: UUID, number: int, table: int, *, at: datetime, expected_version: int | None = None
) -> Match | None:
    """The match of a table begins, with the service's share of luck for those who are not ready."""

    def compose(batch: Batch) -> Match | None:
        stream = batch.get(TOURNAMENT, event_id)
        require_version(stream, expected_version)
        event = stream.state
        newest(event, number, "opened")
        require_due(event, at)
        match = match_at(batch, table_of(event, number, table))
        return None if match is None else start_without(batch, match, matches.standing)

    return matches.transact(compose, at=at)


def require_begun(matches: Matches, event: Tournament) -> None:
    """Every table of the newest round has begun. Whoever has brought a share of luck has, once the table is closed, the
    usual time to open it: only then does the service's stand in."""
    last = event.round
    assert last is not None, "the tables have been opened"
    for number, table in enumerate(last.tables, 1):
        if table.match is not None and matches.lines.has(table.match) and matches.get(table.match).status == "open":
            raise TournamentRefused(f"table {number} waits for its players to open their shares of luck")


def require_due(event: Tournament, at: datetime) -> None:
    """Whoever has not come by now has had the time to."""
    due = event.start_due
    assert due is not None, "the tables have been opened"
    if at < due:
        raise TournamentRefused(f"the tables wait for their players until {due.isoformat()}")
