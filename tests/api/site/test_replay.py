"""Replays: access to entries and views, forks, comparisons and charts."""

import re
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.charts import MARK_HEIGHT, MATCH, ChartRound, draw_match, spread_labels, x_of_entry
from api.http.guards import OPERATOR
from api.matches.pages.replay_chapters import chapters, rounds
from api.matches.service import MATCHES
from api.titles.drawing import load_drawings
from domain.kernel.messages import say
from domain.titles import TITLES, el_grande
from domain.titles.la_granja.state import PHASE_OF
from projections.matches.replay import ReplayLine
from tests.api.matches.test_logs import end_match, follow, imports
from tests.api.service import Person, catch_up, start_match

GOLDEN: Final = Path(__file__).parents[2] / "golden"
TOKEN: Final = re.compile(r'name="_csrf_token" value="([0-9a-f]+)"')
HAND: Final = "lg-mine"
"""A word in every page with a hand of La Granja."""


def page_of(person: Person, path: str, **headers: str) -> tuple[int, str]:
    response = person.client.get(path, headers=person.headers | headers)
    return response.status_code, response.text


def sends(person: Person, path: str, **fields: str) -> Any:
    """Send a form with its token and follow the redirect."""
    token = TOKEN.findall(page_of(person, "/")[1])[0]
    return person.client.post(path, data={"_csrf_token": token, **fields}, headers=person.headers)


@pytest.fixture
def imported_grande(client: TestClient[Any]) -> tuple[Person, str]:
    """Return an operator and an imported match of El Grande."""
    person = Person(client)
    PEOPLE.of(client).set_role(person.id, OPERATOR)
    status, body = imports(person, (GOLDEN / "el_grande-3-greedy-9.jsonl").read_bytes())
    assert status == 201
    follow(person)
    PEOPLE.of(client).set_role(person.id, "")
    return person, str(body["matchId"])


def test_a_running_match_is_replayed_as_ones_seat_or_as_spectator(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    follow(ann)
    base = f"/tables/{match_id}/replay"

    own, open_eyes, others = page_of(ann, base), page_of(ann, f"{base}?seat=all"), page_of(ann, f"{base}?seat=1")
    watcher = page_of(Person(ann.client), base)

    assert [answer[0] for answer in (own, open_eyes, others, watcher)] == [200, 200, 403, 200]
    assert [HAND in text for _, text in (own, open_eyes, watcher)] == [True, False, False]
    assert 'name="luck"' not in own[1]
    assert "in progress" in watcher[1]


@pytest.mark.parametrize(
    ("query", "status"),
    [("?at=0", 404), ("?at=99999", 404), ("?at=x", 400), ("?seat=9", 422), ("?seat=-1", 400), ("?seat=queen", 400)],
)
def test_unknown_entries_and_seats_are_rejected(ann: Person, ben: Person, query: str, status: int) -> None:
    match_id = start_match(ann, ben)

    assert page_of(ann, f"/tables/{match_id}/replay{query}")[0] == status


def test_the_replay_of_an_ended_match_starts_at_the_beginning_with_open_hands(
    imported_grande: tuple[Person, str],
) -> None:
    person, match_id = imported_grande
    base = f"/tables/{match_id}/replay"
    match = person.get(f"/matches/{match_id}")[1]

    first, hand = page_of(person, base)[1], page_of(person, f"{base}?at=60&seat=2")[1]
    last = page_of(person, f"{base}?at={match['version']}")[1]

    begun = int(re.findall(r'data-first="(\d+)"', first)[0])
    assert re.findall(r'data-at="(\d+)"', first) == [str(begun)]
    assert "Your hand" not in first
    assert 'data-part="power-' in hand
    assert str(match["head"])[:12] in last
    assert "replay-chart" in first
    assert 'name="luck"' in hand
    assert 'name="luck"' not in last


def test_a_step_is_sent_as_fragments_and_works_as_a_link(imported_grande: tuple[Person, str]) -> None:
    person, match_id = imported_grande
    address = f"/tables/{match_id}/replay?at=61&amp;seat=all"

    whole = page_of(person, f"/tables/{match_id}/replay?at=60")[1]
    part = page_of(person, f"/tables/{match_id}/replay?at=61", **{"HX-Request": "true"})[1]

    assert f'href="{address}" data-to="61"' in whole
    pieces = re.findall(r'<div id="([\w-]+)" hx-swap-oob', part)
    assert {"replay-entry", "replay-steps", "replay-fork", "seats", "trust", "board"} <= set(pieces)
    assert "replay-told" not in pieces
    assert "<html" not in part


def test_the_list_of_entries_is_sent_on_request(imported_grande: tuple[Person, str]) -> None:
    person, match_id = imported_grande
    last = person.get(f"/matches/{match_id}")[1]["version"]

    part = page_of(person, f"/tables/{match_id}/replay?at=61&whole=true", **{"HX-Request": "true"})[1]

    assert re.findall(r'<li id="told-(\d+)" class="now[^"]*"', part) == ["61"]
    assert len(re.findall(r'<li id="told-\d+"', part)) == last
    kinds = set(" ".join(re.findall(r'data-kind="([^"]+)"', part)).split())
    assert kinds == {"action", "service", "points", "silent"}
    silent = re.findall(r'data-kind="action silent"[^>]*><a [^>]*>\d+</a><div><p>([^<]*)</p></div>', part)
    assert silent
    assert all(sentence.endswith(" continues") for sentence in silent)


def test_two_entries_are_compared_point_by_point(imported_grande: tuple[Person, str]) -> None:
    person, match_id = imported_grande
    now, then = (person.get(f"/matches/{match_id}/at/{version}")[1]["scores"] for version in (120, 61))

    page = page_of(person, f"/tables/{match_id}/replay?at=120&against=61")[1]

    compared = re.findall(r'<td class="number">([+-]\d+)</td>', page)
    assert compared == [f"{late - early:+d}" for late, early in zip(now, then, strict=True)]
    assert f"/tables/{match_id}/replay?at=61&amp;seat=all&amp;against=120" in page
    assert page_of(person, f"/tables/{match_id}/replay?at=120&against=9999")[0] == 404


def test_the_replay_of_a_fork_includes_shared_entries(ann: Person, ben: Person) -> None:
    match_id = end_match(ann, ben)
    answer = sends(
        ann, f"/tables/{match_id}/replay/fork", at="6", luck="same", **{"seats.0": "me", "seats.1": "greedy"}
    )
    follow(ann)
    fork_id = re.findall(r"/tables/([0-9a-f-]{36})", str(answer.url))[0]

    early, late = (page_of(ann, f"/tables/{fork_id}/replay?at={version}") for version in (5, 7))

    assert (early[0], late[0]) == (200, 200)
    assert f'data-base="/tables/{fork_id}/replay"' in early[1]
    assert f"/tables/{match_id}/replay?at=6" in late[1]


def test_a_fork_has_the_requested_players_and_luck(ann: Person, ben: Person) -> None:
    match_id = end_match(ann, ben)

    answer = sends(ben, f"/tables/{match_id}/replay/fork", at="6", luck="fresh", **{"seats.0": "free", "seats.1": "me"})

    assert answer.status_code == 200
    fork_id = re.findall(r"/tables/([0-9a-f-]{36})", str(answer.url))[0]
    fork = ben.get(f"/matches/{fork_id}")[1]
    assert fork["parent"] == {"matchId": match_id, "version": 6}
    assert [seat["player"] and seat["player"]["id"] for seat in fork["seats"]] == [None, ben.id]
    seated = sends(ann, f"/tables/{fork_id}/sit-in", seat="0")
    assert seated.status_code == 200
    assert ann.get(f"/matches/{fork_id}")[1]["seat"] == 0


def test_a_fork_is_no_result_of_its_players(ann: Person, ben: Person) -> None:
    match_id = end_match(ann, ben)
    seats = {"seats.0": "free", "seats.1": "me"}
    answer = sends(ben, f"/tables/{match_id}/replay/fork", at="6", luck="fresh", **seats)
    fork_id = re.findall(r"/tables/([0-9a-f-]{36})", str(answer.url))[0]
    sends(ann, f"/tables/{fork_id}/sit-in", seat="0")
    assert ben.post(f"/matches/{fork_id}/resignation", {})[1]["status"] == "ended"
    catch_up(ann.client)
    page = ann.client.get(f"/players/{ann.id}").text

    assert f"/tables/{match_id}" in page
    assert f"/tables/{fork_id}" not in page


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"at": "x"}, 400),
        ({"at": "9" * 30}, 400),
        ({"at": "1"}, 422),
        ({"at": "6", "luck": "good"}, 400),
        ({"at": "6", "seats.0": "me"}, 422),
        ({"at": "6", "seats.0": "me", "seats.1": "me"}, 409),
        ({"at": "6", "seats.0": "me", "seats.1": "<b>"}, 422),
    ],
)
def test_an_invalid_form_creates_no_fork(ann: Person, ben: Person, fields: dict[str, str], status: int) -> None:
    match_id = end_match(ann, ben)
    before = MATCHES.of(ann.client).writer.matches.last_position()

    answer = sends(ann, f"/tables/{match_id}/replay/fork", **fields)

    assert answer.status_code == status
    assert "'<b>'" not in answer.text
    assert MATCHES.of(ann.client).writer.matches.last_position() == before


def test_a_running_match_cannot_be_forked(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    answer = sends(ann, f"/tables/{match_id}/replay/fork", at="6", **{"seats.0": "me", "seats.1": "greedy"})

    assert answer.status_code == 422
    assert "still running" in answer.text


def lines_of(*phases: str) -> list[ReplayLine]:
    at, match_id = datetime(2000, 1, 1, tzinfo=UTC), UUID(int=1)
    return [
        ReplayLine(match_id, version, at, "action_taken", 0, None, phase, (version,), ())
        for version, phase in enumerate(phases, 1)
    ]


def test_chapters_are_the_phases_of_the_rounds() -> None:
    lines = lines_of("", "", "0/setup/pass_grey", "1/power/power", "1/power/power", "1/turns/take", "2/power/power")

    parts = chapters(lines, load_drawings(TITLES)["el_grande"].phases)

    assert [(part.version, say(part.label)) for part in parts] == [
        (1, "Before the start"),
        (3, "setup"),
        (4, "Round 1: power cards"),
        (6, "Round 1: turns"),
        (7, "Round 2: power cards"),
    ]
    assert rounds(parts, [line.scores for line in lines]) == (ChartRound(1, 4, 6, (6,)), ChartRound(2, 7, 7, (7,)))
    assert say(chapters(lines_of("3/dusk/x"), {})[0].label) == "Round 3: dusk"


def test_every_phase_of_a_title_has_a_name() -> None:
    assert set(load_drawings(TITLES)["la_granja"].phases) == set(PHASE_OF.values())
    assert set(load_drawings(TITLES)["el_grande"].phases) == {*el_grande.PHASE_OF.values(), "turns"}


def test_the_chart_spans_all_entries() -> None:
    scores = [(), (), (0, 0), (0, 3), (0, 3), (7, 3)]

    chart = draw_match(scores, (ChartRound(1, 3, 4, (0, 3)), ChartRound(2, 5, 6, (7, 3))), 3)

    assert chart is not None
    assert [trace.path for trace in chart.traces] == [
        f"M{MATCH.left} {MATCH.bottom}H{MATCH.right}V{chart.traces[0].mark_y:g}H{MATCH.right}",
        chart.traces[1].path,
    ]
    assert chart.grid[-1].points == 8
    assert [band.round.number for band in chart.bands] == [1, 2]
    assert (chart.x_of(1), chart.x_of(3), chart.x_of(6)) == (MATCH.left, MATCH.left, MATCH.right)
    assert x_of_entry(3, 3, 3) == MATCH.left
    assert draw_match([()], (), 1) is None


def test_chart_marks_do_not_overlap() -> None:
    marks = spread_labels([100.0, 100.0, 101.0, MATCH.height], MARK_HEIGHT, MATCH.bottom)

    ordered = sorted(marks)
    assert all(later - earlier >= MARK_HEIGHT for earlier, later in pairwise(ordered))
    assert max(marks) <= MATCH.bottom


def test_the_replay_of_an_open_table_is_empty(ann: Person) -> None:
    match_id = ann.opens()

    status, text = page_of(ann, f"/tables/{match_id}/replay")

    assert status == 200
    assert "has not started yet" in text
    assert 'id="step-on" role="link" aria-disabled="true"' in text


def test_secret_points_are_shown_only_after_the_end(ann: Person, ben: Person) -> None:
    """LG-12.3: in the first edition points of others are hidden until the end."""
    running = start_match(ann, ben, options={"edition": "original"})
    log = next(
        path for path in sorted(GOLDEN.glob("la_granja-3-*.jsonl")) if b'"edition":"original"' in path.read_bytes()
    )
    PEOPLE.of(ann.client).set_role(ann.id, OPERATOR)
    over = imports(ann, log.read_bytes())[1]["matchId"]
    follow(ann)

    during, after = (page_of(ben, f"/tables/{match_id}/replay")[1] for match_id in (running, over))

    assert "data-chart" not in during
    assert "data-chart" in after
    points = ben.get(f"/matches/{over}")[1]["scores"]
    last = re.findall(r'<tr><th scope="row">.*?</tr>', after, re.DOTALL)[-1]
    assert [int(cell) for cell in re.findall(r'<td class="number">(\d+)</td>', last)] == points
