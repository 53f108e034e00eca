"""Every league as it stands, and what the matches of its tables came to."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec

from domain.leagues.state import LEAGUE, League
from domain.matches.facts import Actor
from domain.matches.log import microseconds
from domain.standings.results import Results, TableResult
from projections.follow import Happening, Recorded
from projections.matches import outcomes
from projections.matches.outcomes import Outcome
from projections.store import ReadStore, Transaction

NAME: Final = "leagues"
SHAPE: Final = "1"
TABLES: Final = {
    "leagues": """CREATE TABLE {leagues} (league_id TEXT PRIMARY KEY, opened INTEGER NOT NULL,
        version INTEGER NOT NULL, detail BLOB NOT NULL)""",
}
INDEXES: Final = ()

STATE: Final = msgspec.json.Decoder(League)
WRITE: Final = (
    "INSERT INTO {leagues} (league_id, opened, version, detail) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (league_id) DO UPDATE SET version = excluded.version, detail = excluded.detail"
)


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """Keeps the state of every league."""
    for happening in happenings:
        if not isinstance(happening, Recorded) or not LEAGUE.owns(happening.record):
            continue
        record = happening.record
        rows = transaction.rows("SELECT detail FROM {leagues} WHERE league_id = ?", str(record.stream_id))
        known = STATE.decode(rows[0][0]) if rows else None
        state = LEAGUE.evolve(known, record, LEAGUE.read(record))
        detail = msgspec.json.encode(state, order="deterministic")
        transaction.change(WRITE, str(record.stream_id), microseconds(state.opened_at), record.version, detail)


def get(store: ReadStore, league_id: UUID) -> tuple[int, League] | None:
    """A league and the version it stands at, unless it has not come this far yet."""
    rows = store.rows("SELECT version, detail FROM leagues WHERE league_id = ?", str(league_id))
    return (rows[0][0], STATE.decode(rows[0][1])) if rows else None


def every(store: ReadStore) -> tuple[League, ...]:
    """All leagues, the newest first."""
    rows = store.rows("SELECT detail FROM leagues ORDER BY opened DESC, league_id")
    return tuple(STATE.decode(row[0]) for row in rows)


def of_player(store: ReadStore, actor: Actor) -> tuple[League, ...]:
    """The leagues in whose seasons somebody has entered or played."""
    return tuple(
        league
        for league in every(store)
        if any(
            any(entry.actor == actor for entry in season.entered) or season.of_actor(actor) is not None
            for season in league.seasons
        )
    )


def results(store: ReadStore, league_id: UUID) -> Results:
    """What the tables of a league came to, after every ruling."""
    return {
        outcome.match_id: counted
        for outcome in outcomes.of_event(store, str(league_id))
        if (counted := table_result(outcome)) is not None
    }


def table_result(outcome: Outcome) -> TableResult | None:
    """The outcome of a match as the result of a table; None while it is not over."""
    if outcome.status == "void":
        return TableResult((), (), ruled=True, void=True)
    if outcome.status != "ended" or outcome.ranking is None:
        return None
    return TableResult(outcome.ranking, outcome.scores, ruled=outcome.ruled)
