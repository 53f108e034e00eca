"""Unverified results of face-to-face tables in a league, entered one by one or from a file."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from domain.kernel.values import Value
from domain.leagues import facts
from domain.leagues.season_state import TableKey
from domain.leagues.seasons import current_season, fixture_text, table_text, undecided_table
from domain.leagues.standings import Fixture
from domain.leagues.state import League
from domain.matches.facts import Actor
from domain.standings.errors import ImportRefused, PlacesContradict, WrongResult
from domain.standings.results import SCORE_MAX, Results, check_order, check_result


class ResultRow(Value, frozen=True):
    """The result of one player at a table, numbers from 1; `player` is the name or the id of the account."""

    group: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    round: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    table: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    player: str
    score: Annotated[int, msgspec.Meta(ge=-SCORE_MAX, le=SCORE_MAX)]
    place: Annotated[int, msgspec.Meta(ge=1, le=5)]


TableRows = dict[Actor, tuple[int, ResultRow]]
"""The rows of a table, with their numbers in the file."""


def enter_result(
    league: League,
    by: Actor,
    at: TableKey,
    scores: Sequence[int],
    places: Sequence[int],
    results: Results,
    reason: str = "",
    *,
    sure: bool = False,
) -> facts.ResultEntered:
    """Enter the result of a table by seat, also to replace one.

    Raise `WrongResult` for invalid places or scores, `PlacesContradict` for places that contradict the scores
    without `sure`, and `LeagueRefused` if the round is not open or the match was played to the end on this
    server.
    """
    table = undecided_table(league, at, results)
    try:
        check_result(len(table.players), scores, places)
        if not sure:
            check_order(scores, places)
    except (WrongResult, PlacesContradict) as refusal:
        raise type(refusal)(f"{fixture_text(table)}: {refusal}") from refusal
    return facts.ResultEntered(by, table.round, table.group, table.table, tuple(places), tuple(scores), reason)


def enter_results(
    league: League,
    rows: Sequence[ResultRow],
    actors: Mapping[str, Actor],
    names: Mapping[Actor, str],
    digest: str,
    by: Actor,
    results: Results,
    reason: str = "",
    *,
    sure: bool = False,
) -> tuple[facts.Fact, ...]:
    """Enter the results of a file, all or none, with a note of the import; a file imported before gives no facts.

    `actors` maps the players in the rows to accounts; `names` holds their names for messages. Raise
    `ImportRefused` for rows that do not fit the players of a table, and `WrongResult`, `PlacesContradict` or
    `LeagueRefused` as `enter_result`.
    """
    if digest in current_season(league).imports:
        return ()
    decided: list[facts.Fact] = []
    for at, table_rows in rows_by_table(rows, actors).items():
        players = players_of(undecided_table(league, at, results), table_rows, names)
        scores = [table_rows[player][1].score for player in players]
        places = [table_rows[player][1].place for player in players]
        decided.append(enter_result(league, by, at, scores, places, results, reason, sure=sure))
    return (*decided, facts.ImportNoted(by, "results", digest, len(decided)))


def missing_facts(
    league: League, decided: Sequence[facts.Fact], digest: str, results: Results
) -> tuple[facts.Fact, ...]:
    """Return the facts of one part of a file that are still missing; none if the file was imported before.

    Results that are recorded already are left out, so that an interrupted import continues where it stopped.
    Raise `LeagueRefused` for a table whose match has since been played to the end.
    """
    if digest in current_season(league).imports:
        return ()
    entered = [fact for fact in decided if isinstance(fact, facts.ResultEntered)]
    for fact in entered:
        undecided_table(league, (fact.group, fact.round, fact.table), results)
    return tuple(
        fact for fact in decided if not (isinstance(fact, facts.ResultEntered) and is_latest_result(league, fact))
    )


def is_latest_result(league: League, fact: facts.ResultEntered) -> bool:
    """Return whether this result is the latest about its table."""
    latest = current_season(league).groups[fact.group].ruling(fact.round, fact.table)
    return latest is not None and latest.unverified and (latest.places, latest.scores) == (fact.places, fact.scores)


def rows_by_table(rows: Sequence[ResultRow], actors: Mapping[str, Actor]) -> dict[TableKey, TableRows]:
    """Return the rows grouped by table, then by player, with their row number from 1.

    Raise `ImportRefused` for an unknown player, or one repeated at a table.
    """
    tables: dict[TableKey, TableRows] = {}
    for number, row in enumerate(rows, start=1):
        if row.player not in actors:
            raise ImportRefused(f"row {number}: no account with the id or name {row.player!r}")
        at, actor = (row.group - 1, row.round, row.table), actors[row.player]
        table_rows = tables.setdefault(at, {})
        if actor in table_rows:
            raise ImportRefused(f"row {number}: {row.player!r} is listed twice at {table_text(*at)}")
        table_rows[actor] = number, row
    return tables


def players_of(table: Fixture, table_rows: TableRows, names: Mapping[Actor, str]) -> tuple[Actor, ...]:
    """Return the players of a table by seat; raise `ImportRefused` unless the rows name exactly these."""
    for actor, (number, row) in table_rows.items():
        if actor not in table.players:
            raise ImportRefused(f"row {number}: {row.player!r} does not play at {fixture_text(table)}")
    for actor in table.players:
        if actor not in table_rows:
            raise ImportRefused(f"{names.get(actor, actor)!r} is missing at {fixture_text(table)}")
    return table.players
