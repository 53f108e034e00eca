"""Contests recorded before `standings: 2` verify, count and display as before."""

from __future__ import annotations

import json
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from domain.kernel.values import replace
from domain.leagues.standings import Champion, Fixture, LeagueLine, fixtures, group_table, hall_of_fame
from domain.leagues.state import LEAGUE, League
from domain.matches.log.entries import NO_DIGEST
from domain.matches.log.log_files import parse_log
from domain.matches.log.record_lines import read_record
from domain.matches.log.records import record_digest
from domain.matches.rulings.outcome import outcome_of
from domain.matches.verification.verify import examine_log
from domain.proofs.event import EventReport, read_event, results_of, verify_event
from domain.proofs.event_file import parse_event, parts_of
from domain.proofs.event_matches import examine_match
from domain.standings.crosstable import CrosstableLine, crosstable
from domain.standings.ranking import Standing, standings
from domain.standings.results import Results, table_result
from domain.tournaments.challonge import bracket_file
from domain.tournaments.state import Tournament
from domain.tournaments.trf import tournament_report
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.golden.rulings import load_recorded, no_show_file

NAMES: Final = {"e1": "anna", "e2": "bea", "e3": "carl", "e4": "dora"}


class Recorded(NamedTuple):
    state: Tournament
    results: Results
    report: EventReport


def recorded_cup() -> Recorded:
    content = no_show_file()
    event = parse_event(content)
    state = read_event(event).state
    parts = parts_of(content, event.header)
    examined = [examine_match(content[start:end], ALL_TITLES, None) for start, end in parts]
    tables = [table for last in state.rounds for table in last.tables]
    results = results_of(zip(tables, examined, strict=True))
    return Recorded(state, results, verify_event(content, titles=ALL_TITLES))


def test_a_recorded_tournament_verifies_and_counts_as_before() -> None:
    state, results, report = recorded_cup()
    recorded = load_recorded("no-show-format-1")
    rows = standings(state, results)

    assert report.fault is None
    assert rows == msgspec.convert(recorded["standings"], tuple[Standing, ...])
    assert (rows[0].entry, rows[0].wins) == ("e2", 1), "the bot won the final for e2"
    assert crosstable(state, results, rows) == msgspec.convert(recorded["crosstable"], tuple[CrosstableLine, ...])


def test_a_recorded_tournament_is_exported_unchanged() -> None:
    state, results, _ = recorded_cup()
    recorded = load_recorded("no-show-format-1")

    assert tournament_report(state, results, NAMES).decode() == recorded["trf"]
    assert json.loads(json.dumps(bracket_file(state, results, NAMES))) == recorded["bracket"]


class RecordedLeague(NamedTuple):
    league: League
    results: Results


def recorded_league() -> RecordedLeague:
    recorded = load_recorded("absent-league")
    league: League | None = None
    head = NO_DIGEST
    for number, line in enumerate(recorded["records"].encode().splitlines(), start=1):
        record = read_record(number, line, UUID(int=9), head, "league")
        league, head = LEAGUE.evolve(league, record, LEAGUE.read(record)), record_digest(record)
    assert league is not None
    results = {}
    for log in recorded["logs"]:
        examined = examine_log(parse_log(log.encode()), titles=ALL_TITLES)
        assert examined.report.is_good
        assert examined.match is not None
        root = examined.match.id
        counted = table_result(outcome_of(examined.match, root, root, examined.times))
        assert counted is not None
        results[root] = counted
    return RecordedLeague(league, results)


def test_a_recorded_league_counts_as_before() -> None:
    league, results = recorded_league()
    recorded, season = load_recorded("absent-league"), league.seasons[0]
    table = group_table(league, season, 0, results)

    assert table == msgspec.convert(recorded["table"], tuple[LeagueLine, ...])
    assert [line.actor for line in table] == ["ann", "cat", "bot:random@1", "ben"], "cat never came"
    recorded_fixtures = msgspec.convert(recorded["fixtures"], tuple[Fixture, ...])
    expected = tuple(replace(each, counted_scores=each.scores) for each in recorded_fixtures)
    assert fixtures(league, season, results) == expected, "by rule 1 the points of a bot count too"
    assert hall_of_fame(league, results) == msgspec.convert(recorded["fame"], tuple[Champion, ...])
