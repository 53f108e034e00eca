"""How the archive is searched: by everything at once, the newest first, a page at a time."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import Actor
from projections.archive.kept import ENDS, KEPT, End, Kept, thing_key
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.store import ReadStore

THINGS_MAX: Final = 5
"""So many cards and buildings can be asked for at once."""

COLUMNS: Final = "line_id, archive_lines.place, title, seats, entries, ended_at, how"
BY_PLAYER: Final = "SELECT place FROM archive_players WHERE player = ?"
BY_TITLE: Final = (
    "SELECT title, COUNT(*) FROM archive_lines JOIN archive_players ON archive_players.place = archive_lines.place"
    " WHERE player = ? GROUP BY title ORDER BY COUNT(*) DESC, title"
)
BY_THING: Final = "SELECT place FROM archive_things WHERE title = ? AND thing = ?"
BY_OPENING: Final = "SELECT place FROM archive_openings WHERE path = ?"
BY_RATING: Final = (
    "EXISTS (SELECT 1 FROM rating_results AS results JOIN rating_changes AS changes ON changes.title = results.title"
    " AND changes.seats = results.seats AND changes.ended = results.ended AND changes.match_id = results.match_id"
    " WHERE results.match_id = archive_lines.line_id AND changes.best >= ?)"
)


class Wanted(Value, frozen=True, kw_only=True):
    """What is looked for; what is left out matters not. Days are seconds since 1970, things `(kind, thing)` of the
    title. `rating`: somebody at the table had so many points after it; `score`: the highest one."""

    players: tuple[Actor, ...] = ()
    title: str = ""
    seats: int | None = None
    edition: str = ""
    events: tuple[str, ...] | None = None
    people: bool | None = None
    rated: bool | None = None
    since: int | None = None
    until: int | None = None
    rating: int | None = None
    score: int | None = None
    entries_min: int | None = None
    entries_max: int | None = None
    things: tuple[tuple[str, str], ...] = ()
    opening: str = ""
    end: End | None = None


class Found(Value, frozen=True):
    """A match in the archive; `place` is its key."""

    line_id: UUID
    place: int
    title: str
    seats: int
    entries: int
    ended_at: int
    end: End


def search(store: ReadStore, wanted: Wanted, limit: int = LIMIT, before: int | None = None) -> Page[Found]:
    """Those that are all that is wanted, the newest first."""
    conditions, values = conditions_of(wanted)
    told = " AND ".join(("archive_lines.place < ?", *conditions))
    sql = f"SELECT {COLUMNS} FROM archive_lines WHERE {told} ORDER BY archive_lines.place DESC LIMIT ?"  # noqa: S608
    rows = store.rows(sql, end_of(before), *values, limit + 1)
    found = [
        Found(UUID(line), place, title, seats, entries, at, how) for line, place, title, seats, entries, at, how in rows
    ]
    return page_of(found, limit, lambda each: each.place)


def kept_of(store: ReadStore, line_ids: Sequence[UUID]) -> dict[UUID, Kept]:
    """What is kept of these matches; nothing of those the archive has not."""
    if not line_ids:
        return {}
    marks = ", ".join("?" * len(line_ids))
    sql = f"SELECT detail FROM archive_kept WHERE detail IS NOT NULL AND line_id IN ({marks})"  # noqa: S608
    found = (KEPT.decode(row[0]) for row in store.rows(sql, *map(str, line_ids)))
    return {kept.line_id: kept for kept in found}


def titles_of(store: ReadStore, player: Actor) -> tuple[tuple[str, int], ...]:
    """How often somebody has played each title, the favourite one first."""
    return tuple((title, int(times)) for title, times in store.rows(BY_TITLE, player))


def conditions_of(wanted: Wanted) -> tuple[list[str], list[Any]]:
    """The conditions with marks for values, and these."""
    conditions, values = list[str](), list[Any]()

    def ask(condition: str, *asked: Any) -> None:
        conditions.append(condition)
        values.extend(asked)

    for column, value in columns_of(wanted):
        if value is not None:
            ask(f"{column} ?", value)
    for player in wanted.players:
        ask(f"archive_lines.place IN ({BY_PLAYER})", player)
    for kind, thing in wanted.things[:THINGS_MAX]:
        ask(f"archive_lines.place IN ({BY_THING})", wanted.title, thing_key(kind, thing))
    if wanted.opening:
        ask(f"archive_lines.place IN ({BY_OPENING})", wanted.opening)
    if wanted.events is not None:
        ask(f"event IN ({', '.join('?' * len(wanted.events)) or 'NULL'})", *wanted.events)
    if wanted.rating is not None:
        ask(BY_RATING, wanted.rating)
    return conditions, values


def columns_of(wanted: Wanted) -> tuple[tuple[str, Any], ...]:
    """What stands in a column of its own: how it is compared, and with what."""
    assert wanted.end is None or wanted.end in ENDS
    return (
        ("title =", wanted.title or None),
        ("seats =", wanted.seats),
        ("edition =", wanted.edition or None),
        ("people =", None if wanted.people is None else int(wanted.people)),
        ("rated =", None if wanted.rated is None else int(wanted.rated)),
        ("ended_at >=", wanted.since),
        ("ended_at <", wanted.until),
        ("score >=", wanted.score),
        ("entries >=", wanted.entries_min),
        ("entries <=", wanted.entries_max),
        ("how =", wanted.end),
    )
