"""The analysis of final scores: points by source, and points over time."""

from itertools import pairwise
from typing import Any, Final

from litestar.testing import TestClient

from api.matches.score_analysis import HEIGHT, MARK_HEIGHT, WIDTH, analyse_gains
from domain.kernel.title import Gain
from domain.titles import TITLES
from tests.api.service import Person, catch_up
from tests.api.site.test_table_pages import Guest

GAINS: Final = (
    Gain(2, 0, "cards", 4, "granada"),
    Gain(6, 1, "scoring_1", 20, "granada"),
    Gain(6, 0, "scoring_1", 3, "toledo"),
    Gain(8, 0, "scoring_3", 3, "toledo"),
)


def test_points_are_listed_by_source_and_place_in_the_order_of_the_title() -> None:
    analysis = analyse_gains(TITLES["el_grande"], GAINS, 2, 10)

    sources = [(row.heading.id, row.points, row.best) for row in analysis.sources]
    assert sources == [
        ("First general scoring", (3, 20), 20),
        ("Third general scoring", (3, 0), 3),
        ("Scoring from action cards", (4, 0), 4),
    ]
    assert [(row.points, row.best) for row in analysis.places] == [((4, 20), 20), ((6, 0), 6)]
    assert [row and row.heading.id for row in analysis.bests] == ["Scoring from action cards", "First general scoring"]
    assert [row and row.heading.id for row in analysis.mosts] == ["Scoring from action cards", "First general scoring"]


def test_a_seat_without_a_lead_gets_its_largest_source() -> None:
    gains = (Gain(2, 0, "cards", 4), Gain(3, 1, "cards", 2), Gain(6, 0, "scoring_1", 8), Gain(6, 1, "scoring_1", 3))
    analysis = analyse_gains(TITLES["el_grande"], gains, 3, 10)

    assert [row and row.heading.id for row in analysis.bests] == ["First general scoring", None, None]
    assert [row and row.heading.id for row in analysis.mosts] == [
        "First general scoring",
        "First general scoring",
        None,
    ]


def test_points_over_time_form_steps_up_to_the_end() -> None:
    analysis = analyse_gains(TITLES["el_grande"], GAINS, 2, 10)

    assert analysis.top == 20
    second = [tuple(map(float, corner.split(","))) for corner in analysis.lines[1].split()]
    assert second == [(0, HEIGHT), (0.6 * WIDTH, HEIGHT), (0.6 * WIDTH, 0), (WIDTH, 0), (WIDTH, 0)]
    even = analyse_gains(
        TITLES["el_grande"], (Gain(2, 0, "cards", 9), Gain(2, 1, "cards", 9), Gain(3, 2, "cards", 8)), 3, 4
    )
    heights = sorted(even.marks)
    assert [later - sooner >= MARK_HEIGHT for sooner, later in pairwise(heights)] == [True, True]


def test_the_page_of_a_match_that_has_ended_shows_both(client: TestClient[Any], ann: Person) -> None:
    visitor = Guest(client)
    match_id = visitor.plays_against(ann)
    assert "Points by source" not in visitor.text
    visitor.sends(f"/tables/{match_id}/resign")
    catch_up(visitor.client)

    page = visitor.goes(f"/tables/{match_id}")

    assert "Points by source" in page
    assert page.count("<polyline") == 2
