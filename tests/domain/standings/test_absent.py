"""Rule 2: a bot's actions for an absent entrant count for no entry and lower no opponent's rank."""

from __future__ import annotations

from random import Random
from typing import Any, Final
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.values import replace
from domain.leagues.standings import GroupContest, GroupEntry, GroupPlan, GroupRound, group_table
from domain.matches.facts import SERVICE
from domain.standings.contest import (
    GivenResult,
    Measure,
    RoundTable,
    Scoring,
    SizePoints,
    Stage,
    StandIn,
    StandingsRule,
    TieBreak,
)
from domain.standings.counted import counted_table, rounds_of_entries
from domain.standings.crosstable import crosstable
from domain.standings.ranking import standings
from domain.standings.results import TableResult, missing_from
from domain.tournaments import no_shows
from domain.tournaments.challonge import bracket_file
from domain.tournaments.preparation import surviving_players
from domain.tournaments.trf import tournament_report
from tests.domain.standings.test_recorded_contests import NAMES, recorded_cup, recorded_league
from tests.domain.tournaments.building import BY, Story

BOT: Final = "bot:random@1"
ID: Final = UUID(int=5)
MEASURES: Final[tuple[Measure, ...]] = ("points", "victory_points", "wins", "margin")
SUMS: Final[tuple[TieBreak, ...]] = ("victory_points", "share", "margin", "wins", "opponents", "seat_adjusted", "lot")
"""Tie-breaks that do not depend on groups of tied entries."""


def with_absent(*scores: int, names: tuple[str, ...] = ("e1",), rule: StandingsRule = 2, **plan: Any) -> Story:
    """Return a story with one table in round 1 and bots in the seats of some entries; higher scores rank better."""
    size = len(scores)
    story = Story(size, rule=rule, size=size, smallest=2, bot=BOT, **plan).set(
        tuple(f"e{number}" for number in range(1, size + 1))
    )
    for name in names:
        story.take(no_shows.decide_no_show(story.state, 1, name, BOT, "Not there.", BY))
    return story.result(1, *scores)


def ranks(story: Story) -> list[tuple[str, int, int, int]]:
    """Return entry, rank, points and wins of all entries, the best first."""
    return [(row.entry, row.rank, row.points // 60, row.wins) for row in standings(story.state, story.results)]


def test_the_bot_of_an_absent_entrant_wins_no_final() -> None:
    """By rule 1 e1 is champion with 0 points."""
    before = with_absent(90, 10, 20, 30, rule=1, stages=(Stage("final", 1),))
    story = with_absent(90, 10, 20, 30, stages=(Stage("final", 1),))

    assert ranks(before)[0] == ("e1", 1, 0, 1)
    assert ranks(story) == [("e4", 1, 12, 1), ("e3", 2, 6, 0), ("e2", 3, 0, 0), ("e1", 4, 0, 0)]


def test_a_bots_results_do_not_affect_tie_breaks() -> None:
    story = with_absent(90, 10, 20, 30, scoring=Scoring(tie_breaks=SUMS[:-1]))
    rows = {row.entry: row for row in standings(story.state, story.results)}
    cells = {line.entry: line.cells[0] for line in crosstable(story.state, story.results, tuple(rows.values()))}

    assert rows["e1"].tie_breaks == (0, 0, -30, 0, 0, 0)
    assert rows["e4"].tie_breaks == (30, 1_000_000, 10, 1, 180_000_000, 0)
    assert rows["e2"].tie_breaks == (10, 333_333, -20, 0, 540_000_000, 0)
    assert [(rows[name].played, cells[name].place) for name in ("e1", "e2", "e3", "e4")] == [
        (0, 4), (1, 3), (1, 2), (1, 1),
    ]  # fmt: skip
    assert [cells[name].absent for name in ("e1", "e4")] == [True, False]


def test_the_only_present_entrant_wins() -> None:
    story = with_absent(90, 10, 20, names=("e1", "e3"))

    assert ranks(story)[0] == ("e2", 1, 12, 1)
    assert {name: (points, wins) for name, _, points, wins in ranks(story)[1:]} == {"e1": (0, 0), "e3": (0, 0)}
    assert {row.entry: row.tie_breaks[1] for row in standings(story.state, story.results)}["e2"] == 1_000_000


def test_a_table_without_present_entrants_has_no_winner() -> None:
    story = with_absent(90, 10, names=("e1", "e2"), stages=(Stage("elimination"),))

    assert [(points, wins) for _, _, points, wins in ranks(story)] == [(0, 0), (0, 0)]
    assert surviving_players(story.state, 0, story.results) == ()


def test_an_absent_entrant_ranks_behind_all_present_in_its_round() -> None:
    """At tables of two its place is 2; the last player at the table of three has place 3."""
    story = Story(5, size=3, smallest=2, bot=BOT, stages=(Stage("elimination"),)).set(("e1", "e2", "e3"), ("e4", "e5"))
    story.take(no_shows.decide_no_show(story.state, 1, "e4", BOT, "Not there.", BY)).result(1, 9, 5, 1).result(2, 9, 1)

    assert [row.entry for row in standings(story.state, story.results)][-2:] == ["e3", "e4"]
    assert surviving_players(story.state, 0, story.results) == ("e1", "e5")


def test_points_depend_on_the_number_of_present_entrants() -> None:
    fours, threes = SizePoints(4, (300, 200, 100, 60)), SizePoints(3, (240, 120, 60))
    both = with_absent(90, 10, 20, 30, scoring=Scoring(points=(fours, threes)))
    one = with_absent(90, 10, 20, 30, scoring=Scoring(points=(fours,)))

    assert [points for _, _, points, _ in ranks(both)] == [4, 2, 1, 0]
    assert [points for _, _, points, _ in ranks(one)] == [5, 3, 1, 0]


def test_only_an_organisers_result_counts_for_absent_entrants() -> None:
    table = RoundTable(("a", "b"), absent=("a",), given=GivenResult((1, 2), (0, 0), SERVICE, "lot", ruled=True))
    assert table.given is not None
    by_organiser = replace(table, given=replace(table.given, by="olga"))

    assert [missing_from(table, None, rule) for rule in (1, 2)] == [frozenset(), {"a"}]
    assert [missing_from(by_organiser, None, rule) for rule in (1, 2)] == [frozenset(), frozenset()]


def test_a_no_show_is_absent_without_a_record() -> None:
    table, result = RoundTable(("a", "b")), TableResult((1, 2), (9, 4), no_shows=(0,))

    assert [counted_table(table, result, rule).places for rule in (1, 2)] == [(1, 2), (2, 1)]


def test_a_seat_handed_over_by_choice_is_last_and_scores_nothing() -> None:
    table = RoundTable(("a", "b", "c"))
    result = TableResult((1, 2, 3), (76, 40, 10), placed=(3, 1, 2), handed_over=(0,))
    old, new = (counted_table(table, result, rule) for rule in (1, 2))

    assert (old.places, old.scores) == ((1, 2, 3), (76, 40, 10))
    assert (new.places, new.scores, new.missing) == ((3, 1, 2), (0, 40, 10), frozenset())


# Exchanged files.


def test_files_contain_walkovers_for_absent_entrants() -> None:
    names = {"e1": "Ann", "e2": "Ben"}
    story = with_absent(90, 10)
    lines = tournament_report(story.state, story.results, names).decode().splitlines()
    (match,) = bracket_file(story.state, story.results, names)["tournament"]["matches"]

    assert [line[-20:].split() for line in lines if line.startswith("001")] == [
        ["0.0", "2", "2", "w", "-"],
        ["1.0", "1", "1", "b", "+"],
    ]
    assert (match["match"]["winner_id"], match["match"]["loser_id"]) == (2, 1)
    assert (match["match"]["scores_csv"], match["match"]["places"]) == ("0-10", [2, 1])


# Recorded contests by rule 2.


def test_the_recorded_tournament_has_another_winner_by_rule_2() -> None:
    state, results, _ = recorded_cup()
    newer = replace(state, plan=replace(state.plan, standings=2))
    rows = standings(newer, results)

    assert [row.entry for row in rows[:2]] == ["e3", "e2"]
    assert (rows[0].wins, rows[1].wins, rows[1].played) == (1, 0, 0)
    finals = [each["match"] for each in bracket_file(newer, results, NAMES)["tournament"]["matches"]][-1]
    assert (finals["winner_id"], finals["loser_id"]) == (3, 2)


def test_the_recorded_league_ignores_no_shows_and_bots() -> None:
    league, results = recorded_league()
    season = league.seasons[0]
    assert season.plan is not None
    table = group_table(league, replace(season, plan=replace(season.plan, standings=2)), 0, results)

    assert [line.actor for line in table] == ["ann", "ben", BOT, "cat"]
    assert [line.standing.points // 60 for line in table] == [36, 24, 0, 0]


# Laws.


def contest_of(seed: int, measure: Measure, rule: StandingsRule, *, absent: bool = True) -> tuple[GroupContest, Any]:
    """Return a random contest, with bots in some seats, and its results."""
    rng = Random(seed)
    names = [f"e{number}" for number in range(rng.randint(4, 9))]
    rounds, results = [], {}
    for number in range(1, rng.randint(2, 5)):
        remaining, tables = rng.sample(names, len(names)), list[RoundTable]()
        while len(remaining) > 1:
            size = min(rng.randint(2, 5), len(remaining))
            size -= len(remaining) - size == 1 and size > 2
            seated, remaining = tuple(remaining[:size]), remaining[size:]
            away = rng.sample(seated, rng.randint(0, size - 2)) if absent else []
            match = UUID(int=number * 100 + len(tables))
            bots = tuple(StandIn(name, BOT) for name in away)
            tables.append(RoundTable(seated, match, absent=tuple(sorted(away)), bots=bots))
            results[match] = result_of_scores([rng.randint(-5, 90) for _ in seated])
        rounds.append(GroupRound(number, tuple(tables), byes=tuple(remaining)))
    plan = GroupPlan(Scoring(measure, tie_breaks=SUMS), rule)
    entries = tuple(GroupEntry(name) for name in names)
    return GroupContest(ID, plan, entries, tuple(rounds)), results


def result_of_scores(scores: list[int]) -> TableResult:
    return TableResult(tuple(1 + sum(other > score for other in scores) for score in scores), tuple(scores))


def always_present(contest: GroupContest) -> set[str]:
    away = {name for each in contest.played_rounds for table in each.tables for name in table.has_bots}
    return {entry.id for entry in contest.entries} - away


@given(seed=st.integers(0, 2**32), measure=st.sampled_from(MEASURES))
def test_the_score_of_a_bot_for_an_absent_entrant_has_no_effect(seed: int, measure: Measure) -> None:
    contest, results = contest_of(seed, measure, 2)
    rng, changed = Random(seed + 1), {}
    for each in contest.played_rounds:
        for table in each.tables:
            assert table.match is not None
            scores = results[table.match].scores
            own = zip(table.entries, scores, strict=True)
            changed[table.match] = result_of_scores(
                [rng.randint(-50, 200) if name in table.has_bots else score for name, score in own]
            )

    assert standings(contest, changed) == standings(contest, results)


@given(seed=st.integers(0, 2**32), measure=st.sampled_from(MEASURES))
def test_present_entrants_are_counted_as_a_separate_table(seed: int, measure: Measure) -> None:
    contest, results = contest_of(seed, measure, 2)
    rounds, without = [], {}
    for each in contest.played_rounds:
        tables = []
        for table in each.tables:
            assert table.match is not None
            scores = results[table.match].scores
            seated = [(n, s) for n, s in zip(table.entries, scores, strict=True) if n not in table.has_bots]
            tables.append(RoundTable(tuple(name for name, _ in seated), table.match))
            without[table.match] = result_of_scores([score for _, score in seated])
        rounds.append(replace(each, tables=tuple(tables)))
    present = always_present(contest)
    was = {row.entry: row for row in standings(contest, results)}
    now = {row.entry: row for row in standings(replace(contest, played_rounds=tuple(rounds)), without)}

    for name in present:
        assert (was[name].points, was[name].wins) == (now[name].points, now[name].wins)
        both = zip(SUMS, was[name].tie_breaks, now[name].tie_breaks, strict=True)
        # If margins are points, an entrant absent elsewhere has fewer of them, as an opponent too.
        assert all(old == new or (measure in MEASURES[1::2] and kind == "opponents") for kind, old, new in both)


@given(seed=st.integers(0, 2**32), measure=st.sampled_from(MEASURES))
def test_an_absent_entrant_is_never_ahead_of_a_present_one(seed: int, measure: Measure) -> None:
    contest, results = contest_of(seed, measure, 2)
    rows = rounds_of_entries(contest, results)
    for each in contest.played_rounds:
        for table in each.tables:
            own = {name: next(row for row in rows[name] if row.round == each.number) for name in table.entries}
            seated = [row for row in own.values() if not row.is_absent]
            for gone in (row for row in own.values() if row.is_absent):
                assert gone.place == len(table.entries)
                for row in seated:
                    assert row.place < gone.place
                    pairs = ((gone.points, row.points), (gone.scores, row.scores), (gone.margin, row.margin))
                    assert all(of_absent <= of_present for of_absent, of_present in pairs)
                    assert gone.share == 0


@given(seed=st.integers(0, 2**32), measure=st.sampled_from(MEASURES))
def test_both_rules_agree_without_absences(seed: int, measure: Measure) -> None:
    old, results = contest_of(seed, measure, 1, absent=False)
    new, _ = contest_of(seed, measure, 2, absent=False)

    assert standings(new, results) == standings(old, results)


def test_a_table_without_a_meeting_compares_no_entries() -> None:
    """Head to head decides nothing between two entries if one was absent when they were paired."""
    story = with_absent(90, 10, scoring=Scoring(points=(SizePoints(2, (60, 60)),), tie_breaks=("head_to_head", "lot")))
    story.close()
    rows = standings(story.state, story.results)

    assert {row.tie_breaks[0] for row in rows} == {0}


@pytest.mark.parametrize("rule", [1, 2])
def test_a_bye_is_no_absence(rule: StandingsRule) -> None:
    story = Story(3, rule=rule, size=2, leftover="bye").set(("e1", "e2"), byes=("e3",)).result(1, 9, 1)

    assert [(row.entry, row.byes, row.played) for row in standings(story.state, story.results)] == [
        ("e1", 0, 1),
        ("e3", 1, 0),
        ("e2", 0, 1),
    ]
