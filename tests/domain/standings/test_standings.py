"""Points, tie-breaks and standings, compared with tables worked out by hand."""

from uuid import UUID

import pytest

from domain.standings.contest import Scoring, SizePoints, Stage, TieBreak
from domain.standings.crosstable import CrosstableCell, crosstable
from domain.standings.points import default_points, points_text, share_points
from domain.standings.ranking import standings
from domain.standings.results import TableResult, margins
from domain.standings.tie_breaks import EXPLANATIONS, INDEPENDENT_TIE_BREAKS, NAMES
from domain.tournaments import registration
from tests.domain.tournaments.building import BY, Story

A, B, C, D = "e1", "e2", "e3", "e4"


def list_rows(story: Story) -> list[tuple[int, str, str]]:
    return [(row.rank, row.entry, points_text(row.points)) for row in standings(story.state, story.results)]


def tie_break(story: Story, name: TieBreak) -> dict[str, int]:
    """Return the values of a tie-break for all entries, whether it decided or not."""
    at = story.state.plan.scoring.tie_breaks.index(name)
    return {row.entry: row.tie_breaks[at] for row in standings(story.state, story.results)}


@pytest.mark.parametrize(
    ("size", "points"), [(2, (720, 0)), (3, (720, 360, 0)), (4, (720, 480, 240, 0)), (5, (720, 540, 360, 180, 0))]
)
def test_default_points_fall_evenly_from_twelve_to_none(size: int, points: tuple[int, ...]) -> None:
    assert default_points(size) == points


def test_shared_places_divide_the_points_of_the_places_covered() -> None:
    assert share_points((720, 480, 240, 0), (1, 1, 3, 4)) == (600, 600, 240, 0)
    assert share_points((720, 480, 240, 0), (1, 2, 2, 2)) == (720, 240, 240, 240)
    assert share_points((600,), (2, 1)) == (0, 600)


@pytest.mark.parametrize(
    ("sixtieths", "text"), [(0, "0"), (60, "1"), (90, "1.5"), (20, "0.33"), (-75, "-1.25"), (540, "9"), (600, "10")]
)
def test_points_are_formatted_for_readers(sixtieths: int, text: str) -> None:
    assert points_text(sixtieths) == text


def two_rounds(**plan: object) -> Story:
    """Return a story of two rounds. Round 1: A 50, B 40, C 30, D 20. Round 2: B 60, A and C 30, D 15."""
    scoring = plan.pop("scoring", Scoring(tie_breaks=("victory_points",)))
    story = Story(4, stages=(Stage("swiss", 2),), scoring=scoring, **plan)
    story.set((A, B, C, D)).result(1, 50, 40, 30, 20).close()
    return story.set((B, A, D, C)).result(1, 60, 30, 15, 30)


def test_the_list_is_by_points_then_by_the_first_tie_break_that_decides() -> None:
    """A: 12 + (8 + 4) / 2 = 18. B: 8 + 12 = 20. C: 4 + 6 = 10. D: 0."""
    assert list_rows(two_rounds()) == [(1, B, "20"), (2, A, "18"), (3, C, "10"), (4, D, "0")]


def test_finished_tables_of_a_running_round_count() -> None:
    story = Story(4).set((A, B), (C, D)).result(1, 10, 5)

    assert list_rows(story)[0] == (1, A, "12")
    assert {row.played for row in standings(story.state, story.results)} == {0, 1}


def test_an_event_may_define_points_for_places() -> None:
    scoring = Scoring(points=(SizePoints(4, (300, 180, 60)),), tie_breaks=())
    assert list_rows(two_rounds(scoring=scoring)) == [(1, B, "8"), (2, A, "7"), (3, C, "3"), (4, D, "0")]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("victory_points", [(1, B, "100"), (2, A, "80"), (3, C, "60"), (4, D, "35")]),
        ("wins", [(1, A, "1"), (1, B, "1"), (3, C, "0"), (3, D, "0")]),
        ("margin", [(1, B, "20"), (2, A, "-20"), (3, C, "-50"), (4, D, "-75")]),
    ],
)
def test_an_event_may_use_another_measure(measure: str, expected: list[tuple[int, str, str]]) -> None:
    scoring = Scoring(measure=measure, tie_breaks=())  # type: ignore[arg-type]
    assert list_rows(two_rounds(scoring=scoring)) == expected


def test_a_shared_win_is_divided() -> None:
    story = Story(2, size=2, scoring=Scoring(measure="wins", tie_breaks=())).set((A, B)).result(1, 7, 7)

    assert list_rows(story) == [(1, A, "0.5"), (1, B, "0.5")]


# Each tie-break by a worked example. After two rounds: A 50 + 30, B 40 + 60, C 30 + 30, D 20 + 15 victory points.


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("victory_points", {A: 80, B: 100, C: 60, D: 35}),
        # A: 50/50 and 30/60; B: 40/50 and 60/60; C: 30/50 and 30/60; D: 20/50 and 15/60, on average.
        ("share", {A: 750_000, B: 900_000, C: 550_000, D: 325_000}),
        # To the best of the others. A: +10, -30; B: -10, +30; C: -20, -30; D: -30, -45.
        ("margin", {A: -20, B: 20, C: -50, D: -75}),
        ("wins", {A: 1, B: 1, C: 0, D: 0}),
        # All met the three others twice. Points: A 18, B 20, C 10, D 0, in sixtieths, on average of three.
        ("opponents", {A: 600_000_000, B: 560_000_000, C: 760_000_000, D: 960_000_000}),
        # Seat 1 brought 12 and 12, seat 2 8 and 6, seat 3 4 and 0, seat 4 0 and 6.
        ("seat_adjusted", {A: -60_000_000, B: 60_000_000, C: 300_000_000, D: -300_000_000}),
        ("head_to_head", {A: 0, B: 0, C: 0, D: 0}),
    ],
)
def test_a_tie_break_matches_its_explanation(name: TieBreak, expected: dict[str, int]) -> None:
    story = two_rounds(scoring=Scoring(tie_breaks=(name,)))
    # No entries are tied here, so each is alone and head to head decides nothing.
    assert tie_break(story, name) == expected
    assert EXPLANATIONS[name]
    assert NAMES[name]


def test_every_tie_break_has_a_name_and_an_explanation() -> None:
    assert set(NAMES) == set(EXPLANATIONS) == {*INDEPENDENT_TIE_BREAKS, "head_to_head"}


def equals(*tie_breaks: TieBreak, met: bool = True) -> Story:
    """Return A and B with 12 points each; B won the table they shared, if they met."""
    story = Story(4, size=2, stages=(Stage("swiss", 2),), scoring=Scoring(tie_breaks=tie_breaks))
    if met:
        story.set((A, B), (C, D)).result(1, 10, 20).result(2, 5, 10).close()
        return story.set((A, C), (B, D)).result(1, 30, 1).result(2, 1, 2)
    story.set((A, C), (B, D)).result(1, 9, 1).result(2, 9, 1).close()
    return story.set((A, D), (B, C)).result(1, 1, 9).result(2, 1, 9)


def test_head_to_head_decides_if_all_tied_entries_have_met() -> None:
    """12 points each: A (beat C), B (beat A); D has two wins. B is before A, because of their table."""
    assert [(rank, name) for rank, name, _ in list_rows(equals("head_to_head"))] == [(1, D), (2, B), (3, A), (4, C)]


def test_head_to_head_decides_nothing_without_a_meeting() -> None:
    assert {rank for rank, _, _ in list_rows(equals("head_to_head", met=False))} == {1}


def test_seeding_and_lot_are_the_last_tie_breaks() -> None:
    story = Story(scoring=Scoring(tie_breaks=("seeding", "lot")))
    story.enter("p1").enter("p2", seeding=2).enter("p3", seeding=1).enter("p4")

    rows = standings(story.state, story.results)
    assert [row.entry for row in rows[:2]] == ["e3", "e2"]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert rows == standings(story.state, story.results)


def test_penalties_byes_and_absence_are_counted() -> None:
    story = Story(3, size=2, stages=(Stage("swiss", 2),), scoring=Scoring(tie_breaks=()))
    story.set((A, B), byes=(C,)).result(1, 5, 10).close()
    story.take(registration.penalise(story.state, B, 120, "came late", BY))

    assert list_rows(story) == [(1, B, "10"), (2, C, "6"), (3, A, "0")]
    assert {row.entry: (row.played, row.byes, row.penalty) for row in standings(story.state, {})} == {
        A: (0, 0, 0),
        B: (0, 0, 120),
        C: (0, 1, 0),
    }


def test_a_voided_match_counts_for_nothing() -> None:
    """The same event without that table has the same standings."""
    story = two_rounds()
    void = dict(story.results)
    first = story.state.rounds[0].tables[0].match
    assert first is not None
    void[first] = TableResult((), (), void=True)
    again = Story(4, stages=(Stage("swiss", 2),), scoring=Scoring(tie_breaks=("victory_points",)))
    again.set((A, B, C, D))
    again.results[first] = TableResult((), (), void=True)
    again.close().set((B, A, D, C)).result(1, 60, 30, 15, 30)

    assert standings(story.state, void) == standings(again.state, again.results)
    assert standings(story.state, void) != standings(story.state, story.results)


def test_the_crosstable_shows_the_rounds_of_every_entry() -> None:
    story = Story(5, size=2, stages=(Stage("swiss", 3),), scoring=Scoring(tie_breaks=()))
    story.set((A, B), (C, D), byes=("e5",)).result(1, 9, 1)
    lines = {line.entry: line for line in crosstable(story.state, story.results, standings(story.state, story.results))}

    assert lines[A].cells == (CrosstableCell(1, (lines[B].rank,), 1, 720),)
    assert lines["e5"].cells == (CrosstableCell(None, (), None, 360, is_bye=True),)
    assert lines[C].cells == (CrosstableCell(2, (lines[D].rank,), None, None),)


def test_an_entry_outside_a_round_has_an_empty_cell() -> None:
    story = Story(4, size=2, stages=(Stage("swiss", 2),), scoring=Scoring(tie_breaks=()))
    story.set((A, B), (C, D)).result(1, 9, 1).result(2, 9, 1).close()
    story.enter("late").set((A, C), (B, D), byes=("e5",))
    line = crosstable(story.state, story.results, standings(story.state, story.results))

    assert next(each for each in line if each.entry == "e5").cells[0] == CrosstableCell(None, (), None, None)


def test_margins_are_relative_to_the_best_other_score() -> None:
    assert margins((10, 7, 12)) == (-2, -5, 2)
    assert margins((12, 7, 12)) == (0, -5, 0)


def test_a_shortened_crosstable_keeps_its_first_lines() -> None:
    story = Story(5, size=2, stages=(Stage("swiss", 3),), scoring=Scoring(tie_breaks=()))
    story.set((A, B), (C, D), byes=("e5",)).result(1, 9, 1)
    rows = standings(story.state, story.results)

    assert crosstable(story.state, story.results, rows, 2) == crosstable(story.state, story.results, rows)[:2]


def test_a_thousand_players_are_listed_after_a_correction() -> None:
    """The benchmark measures the time; this test checks that nothing is lost at that size."""
    story = Story(size=4, stages=(Stage("swiss", 2),))
    for _ in range(200):
        story.enter("bot:random@1")
    names = [f"e{number}" for number in range(1, 201)]
    story.set(*(tuple(names[at : at + 4]) for at in range(0, 200, 4)))
    for number in range(1, 51):
        story.result(number, 4, 3, 2, 1)

    rows = standings(story.state, story.results)
    assert len(rows) == 200
    assert sum(row.points for row in rows) == 50 * sum(default_points(4))


def test_ids_of_matches_follow_from_event_round_and_table() -> None:
    story = Story(4, size=2).set((A, B), (C, D))
    again = Story(4, size=2).set((A, B), (C, D))

    ids = [table.match for table in story.state.rounds[0].tables]
    assert ids == [table.match for table in again.state.rounds[0].tables]
    assert all(isinstance(each, UUID) for each in ids)
    assert len(set(ids)) == 2
