"""Puzzles are served one by one, of one title or all, until all are answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from api.puzzles.scores import PUZZLE_SCORES
from domain.puzzles.puzzle_file import load_puzzles
from domain.titles import TITLES
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, settings_in
from tests.seeding import entropy
from tests.service_app import create_app


def test_other_titles_are_offered_when_one_is_finished(service: TestClient[Any], ann: Person) -> None:
    shelf = load_puzzles()
    heads = {each.head for each in shelf.matches if each.title == "la_granja"}
    for puzzle in shelf.puzzles:
        if puzzle.match in heads:
            PUZZLE_SCORES.of(service).record_answer(ann.id, puzzle.id, puzzle.rating, solved=True)

    page = Reader(service, ann).goes("/puzzles?title=la_granja")

    assert "You have answered all La Granja puzzles." in page
    assert service.get("/puzzles", headers=ann.headers, follow_redirects=False).status_code == 303


def test_skipping_visits_all_puzzles_of_a_title_and_returns(service: TestClient[Any], ann: Person) -> None:
    shelf, path = load_puzzles(), "/puzzles?title=la_granja"
    heads = {each.head for each in shelf.matches if each.title == "la_granja"}
    shown = list[str]()
    while path not in shown:
        shown.append(path)
        puzzle = service.get(path, headers=ann.headers, follow_redirects=False).headers["location"]
        path = f"/puzzles?title=la_granja&skipped={puzzle.rpartition('/')[2]}"
        if len(shown) == 2:
            page = Reader(service, ann).goes(puzzle)
            assert path.replace("&", "&amp;") in page

    assert len(shown) == 1 + sum(puzzle.match in heads for puzzle in shelf.puzzles)
    assert path == shown[1]


def test_a_title_without_puzzles_gives_404(service: TestClient[Any], ann: Person) -> None:
    response = service.get("/puzzles?title=chess", headers=ann.headers)

    assert response.status_code == 404
    assert "chess" in response.text


def test_only_puzzles_of_the_titles_of_the_service_are_offered(tmp_path: Path) -> None:
    shelf = load_puzzles()
    heads = {each.head: each.title for each in shelf.matches}
    foreign, own = (
        next(each.id for each in shelf.puzzles if heads[each.match] == title) for title in ("la_granja", "el_grande")
    )
    titles = {"el_grande": TITLES["el_grande"]}
    with TestClient(create_app(settings_in(tmp_path), entropy(), titles)) as client:
        ann = Person(client)
        first = client.get("/puzzles", headers=ann.headers, follow_redirects=False).headers["location"]
        statuses = [
            client.get(path, headers=ann.headers).status_code
            for path in ("/puzzles?title=la_granja", f"/puzzles/{foreign}", f"/puzzles/{own}")
        ]

    assert heads[next(each.match for each in shelf.puzzles if each.id == first.rpartition("/")[2])] == "el_grande"
    assert statuses == [404, 404, 200]
