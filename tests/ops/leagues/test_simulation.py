"""`esporles league simulate`: a season that runs itself, and faults that its checks find."""

import json
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import pytest

from ops.cli import main
from ops.leagues.simulation.checks import Evidence, failed_sentence, run_checks
from ops.leagues.simulation.count import faults_of_draw, faults_of_group
from ops.leagues.simulation.tables import PlayedMatch
from ops.leagues.simulation.waiting import Watch
from tests.seeding import IS_EXPLORING

SEASON: Final = ("--divisions", "2", "--people", "16", "--seasons", "1", "--rounds", "2", "--size", "4")
YEAR: Final = ()
"""The defaults: four divisions of fifty, which takes minutes."""


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def player(id: str) -> dict[str, str]:
    return {"id": id, "name": id.upper()}


def fixture(at: int, ids: str, **changes: Any) -> dict[str, Any]:
    """Return a table that was played; its match is `m` and the number of the table."""
    places, scores = [*range(1, len(ids) + 1)], [40 - 10 * seat for seat in range(len(ids))]
    table = {"group": 1, "round": at, "table": 1, "players": [player(id) for id in ids], "matchId": f"m{at}"}
    state = {"isOver": True, "ruled": False, "void": False, "absent": [], "handedOver": []}
    return {**table, **state, "places": places, "scores": scores, **changes}


def match(scores: list[int], status: str = "ended") -> PlayedMatch:
    return PlayedMatch(status, 9, [], scores, [1 + sum(other > score for other in scores) for score in scores])


def line(id: str, rank: int, points: int, moves: int = 0, tables: int = 1) -> dict[str, Any]:
    cells = [{"table": 1, "place": 1}] * tables
    return {"player": player(id), "drawn": player(id), "rank": rank, "points": points, "moves": moves, "cells": cells}


def season(*fixtures: dict[str, Any], lines: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    groups = [{"group": 1, "division": "A", "lines": lines or []}]
    listed = {"number": 1, "name": "Season 1", "status": "closed"}
    return {"season": listed, "fixtures": [*fixtures], "groups": groups, "deadlines": [], "nextRound": None, **changes}


def act(kind: str = "result_ruled", reason: str = "by lot", by: str = "service", **at: int) -> dict[str, Any]:
    place = {"season": 1, "group": 1, "round": 1, "table": 1, **at}
    return {"version": 7, "by": by, "byName": by, "at": "2031-02-01T08:00:00Z", "kind": kind, "reason": reason, **place}


GOOD: Final = Evidence(
    seasons=[season(fixture(1, "ab"))],
    next_season=season() | {"season": {"status": "running"}},
    acts=[],
    matches={"m1": match([40, 30])},
    waiting={},
    count_faults=(),
    failures=(),
)


def sentence_of(**changes: Any) -> str:
    return failed_sentence(run_checks(msgspec.structs.replace(GOOD, **changes)))


@pytest.mark.parametrize("shape", [SEASON, YEAR] if IS_EXPLORING else [SEASON])
def test_a_league_runs_itself_until_the_next_season_is_drawn(
    shape: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["league", "simulate", "--json", *shape]) == 0

    report = json.loads(capsys.readouterr().out)
    assert [check["faults"] for check in report["checks"]] == [[]] * 6
    assert report["left"] > 0
    assert report["disputes"] > 0
    assert report["tables"] == sum(report["decisions"].values())
    assert "the deadline is over; by the scores as they stood" in report["decisions"]


def test_a_year_without_faults_fails_no_check() -> None:
    assert sentence_of() == ""


def test_a_ruling_without_a_reason_is_found() -> None:
    ruled = [season(fixture(1, "ab", ruled=True))]

    assert sentence_of(seasons=ruled, acts=[act()]) == ""
    assert "season 1, group 1, round 1, table 1: its ruling has no reason" in sentence_of(
        seasons=ruled, acts=[act(reason=" ")]
    )
    assert "its ruling has no reason" in sentence_of(seasons=ruled, acts=[act(round=2)])


@pytest.mark.parametrize(
    ("table", "matches", "fault"),
    [
        (fixture(1, "ab", isOver=False), {}, "it has no result"),
        (fixture(1, "ab"), {}, "it has neither a match nor a ruling"),
        (fixture(1, "ab"), {"m1": match([40, 30], "running")}, "it has a result, but its match is running"),
        (fixture(1, "ab"), {"m1": match([40, 31])}, "its result differs from that of its match"),
        (fixture(1, "ab", void=True), {"m1": match([40, 30])}, "it does not count, but its match is ended"),
    ],
)
def test_a_table_without_a_recorded_decision_is_found(table: Any, matches: Any, fault: str) -> None:
    assert fault in sentence_of(seasons=[season(table)], matches=matches)


def test_a_press_of_an_organiser_is_found_unless_it_is_a_ruling() -> None:
    assert sentence_of(acts=[act(by="olga")]) == ""
    assert "presses of an organiser other than rulings: 1, expected 0 (olga round_opened" in sentence_of(
        acts=[act("round_opened", by="olga")]
    )


def test_a_season_that_was_not_drawn_is_found() -> None:
    assert "season drawn after the last one: 0, expected 1" in sentence_of(next_season=None)


def test_a_round_that_waits_for_a_person_is_found() -> None:
    watch = Watch()
    deadline = "2031-02-11T08:00:00+00:00"
    running = season(fixture(1, "ab", isOver=False), deadlines=[deadline], nextRound="2031-02-11T09:00:00+00:00")

    looks = watch.look(running, at("2031-02-11T08:09:00"), ())
    assert (watch.waiting, len(looks)) == ({}, 2)
    watch.look(running, at("2031-02-11T09:15:00"), {"m1"})
    assert list(watch.waiting) == [(1, 2)], "a disputed table waits for its ruling, the next round for nothing"
    watch.look(running, at("2031-02-11T09:15:00"), ())
    assert list(watch.waiting) == [(1, 2), (1, 1)]
    assert "rounds that waited for a person: 2, expected 0 (season 1, round 1: 1 tables" in sentence_of(
        waiting=watch.waiting
    )


def test_a_season_that_is_not_closed_is_found() -> None:
    watch, over = Watch(), season(fixture(1, "ab"))

    assert watch.look(over, at("2031-02-11T08:00:00"), ()) == [at("2031-02-11T08:10:00")]
    watch.look(over, at("2031-02-11T08:09:00"), ())
    assert watch.waiting == {}
    watch.look(over, at("2031-02-11T08:10:00"), ())
    assert list(watch.waiting) == [(1, 0)]


PLAN: Final = {"divisions": [{"name": "A", "groups": 1, "places": 2, "down": 1}, {"name": "B", "groups": 0, "up": 1}]}


def test_wrong_points_and_places_are_found() -> None:
    table, results = fixture(1, "abc"), {"m1": match([40, 40, 10])}
    lines = [line("a", 1, 540), line("b", 2, 540), line("c", 3, 0)]

    def faults(*lines: Any) -> list[str]:
        played = season(table, lines=[*lines])
        return faults_of_group(played["groups"][0], played, PLAN, results)

    assert faults(*lines) == []
    assert "A has 720 sixtieths, counted are 540" in faults(lines[0] | {"points": 720}, *lines[1:])[0]
    assert "the order of the table differs" in faults(lines[2], lines[0], lines[1])[0]
    assert "promotion and relegation differ" in faults(*lines[:2], lines[2] | {"moves": 1})[0]


def test_bots_and_absent_players_do_not_count() -> None:
    """A bot plays for `d`, and `a` never acted: `b` and `c` are counted as a table of two."""
    table = fixture(1, "abc", absent=[0])
    table["players"].append({"id": "bot:random@1", "name": "Bot"})
    played = season(table, lines=[line("b", 1, 720), line("c", 2, 0), line("a", 3, 0), line("d", 3, 0)])

    assert faults_of_group(played["groups"][0], played, PLAN, {"m1": match([90, 20, 10, 95])}) == []


def test_a_draw_against_the_promotion_is_found() -> None:
    """`b` was relegated and `d` promoted; `e` is new."""
    before = season() | {
        "groups": [
            {"group": 1, "division": "A", "lines": [line("a", 1, 720), line("b", 2, 0, 1)]},
            {"group": 2, "division": "B", "lines": [line("d", 1, 720, -1), line("c", 2, 0)]},
        ]
    }

    def faults(first: str, second: str) -> list[str]:
        groups = [{"division": "A", "players": map(player, first)}, {"division": "B", "players": map(player, second)}]
        return faults_of_draw(before, season() | {"proposed": groups}, "edcba", PLAN)

    assert faults("ad", "bce") == []
    assert faults("ab", "dce") == [
        "Season 1, A: the players differ from the independent count",
        "Season 1, B: the players differ from the independent count",
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--people", "3"), "invalid --people 3: expected a number from 20 to 400"),
        (("--people", "203"), "invalid --people 203: 4 divisions cannot have equal numbers"),
        (("--on-holiday", "101"), "invalid --on-holiday 101: expected a number from 0 to 100"),
        (("--leaving", "90"), "the shares of --leaving, --absent, --disputing and --slow together are 110 per cent"),
    ],
)
def test_leagues_that_cannot_be_simulated_are_refused(
    options: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["league", "simulate", *options]) == 2
    assert sentence in capsys.readouterr().err
