"""The study next to a replay: the one its reader created, imported or chose last."""

from __future__ import annotations

from typing import Any

from litestar.testing import TestClient

from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, catch_up, start_match


def test_a_new_study_is_open_next_to_the_replay(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    ben.post(f"/matches/{match_id}/annotations", {"title": "By an annotator", "visibility": "public"})
    catch_up(client)
    replay, writer = f"/tables/{match_id}/replay", Reader(client, ann)
    assert "By an annotator</a>" in writer.goes(replay)

    writer.sends(replay, f"/tables/{match_id}/studies", title="My own", at="6")
    catch_up(client)

    assert "My own</a>" in writer.goes(replay)


def test_a_variation_without_study_and_entry_is_refused_with_their_names(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    match_id = start_match(ann, ben)

    answer = client.get(f"/tables/{match_id}/replay?variation=7")

    assert answer.status_code == 422
    assert "`variation=7` requires `study` and `at`" in answer.text


def test_an_imported_study_is_open_next_to_the_replay(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    ann.post(f"/matches/{match_id}/annotations", {"title": "Newer", "visibility": "public"})
    study = ben.post(f"/matches/{match_id}/annotations", {"title": "Brought in"})[1]["id"]
    content = client.get(f"/api/studies/{study}/file", headers=ben.headers).content
    catch_up(client)
    replay, reader = f"/tables/{match_id}/replay", Reader(client, ann)
    assert "Newer</a>" in reader.goes(replay)

    reader.uploads("/studies", "/studies/import", content)
    catch_up(client)

    assert "Brought in</a>" in reader.goes(replay)
