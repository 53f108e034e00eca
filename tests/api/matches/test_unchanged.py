"""Conditional requests: ETags depend on head, reader and language, and are never valid for another reader."""

from __future__ import annotations

from typing import Any

import pytest
from httpx import Response
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from tests.api.service import Person, catch_up, start_match

Client = TestClient[Any]


def ask(client: Client, path: str, tag: str = "", **headers: str) -> Response:
    """Send a request with the given cookies only."""
    client.cookies.clear()
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get(path, headers=sent | ({"If-None-Match": tag} if tag else {}))


def end_match(*people: Person) -> str:
    match_id = start_match(*people)
    assert people[0].post(f"/matches/{match_id}/resignation", {})[0] == 201
    catch_up(people[0].client)
    return match_id


def cookies_of(response: Response, **more: str) -> str:
    return "; ".join(f"{name}={value}" for name, value in {**response.cookies, **more}.items())


def test_the_page_of_a_match_that_is_over_is_sent_once(client: Client, ann: Person, ben: Person) -> None:
    path = f"/tables/{end_match(ann, ben)}"
    cookie = cookies_of(ask(client, path))
    whole = ask(client, path, Cookie=cookie)

    again = ask(client, path, whole.headers["ETag"], Cookie=cookie)

    assert (whole.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["ETag"] == whole.headers["ETag"]
    assert again.headers["Cache-Control"] == whole.headers["Cache-Control"] == "private, no-cache"
    assert ask(client, path, f'"another", W/{whole.headers["ETag"]}', Cookie=cookie).status_code == 304


@pytest.mark.parametrize("other", ["language=cs", "theme=dark", ""])
def test_the_tag_of_a_page_depends_on_language_colours_and_reader(
    client: Client, ann: Person, ben: Person, other: str
) -> None:
    path = f"/tables/{end_match(ann, ben)}"
    cookie = cookies_of(ask(client, path))
    tag = ask(client, path, Cookie=cookie).headers["ETag"]

    response = ask(client, path, tag, Cookie=f"{cookie}; {other}" if other else cookies_of(ask(client, path)))

    assert response.status_code == 200
    assert response.headers["ETag"] != tag


def test_a_page_of_a_running_match_has_no_tag(client: Client, ann: Person, ben: Person) -> None:
    assert "ETag" not in ask(client, f"/tables/{start_match(ann, ben)}").headers


@pytest.mark.parametrize("headers", [{}, {"HX_Request": "true"}])
def test_the_replay_of_a_match_that_is_over_is_sent_once_for_every_entry(
    client: Client, ann: Person, ben: Person, headers: dict[str, str]
) -> None:
    path = f"/tables/{end_match(ann, ben)}/replay"
    reader = {"Cookie": cookies_of(ask(client, path)), **headers}
    whole = ask(client, f"{path}?at=4&seat=0", **reader)

    again = ask(client, f"{path}?at=4&seat=0", whole.headers["ETag"], **reader)

    assert (whole.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["Cache-Control"] == whole.headers["Cache-Control"] == "private, no-cache"
    assert "HX-Request" in again.headers["Vary"]
    assert again.headers["Vary"] == whole.headers["Vary"]
    for other in ("?at=5&seat=0", "?at=4&seat=1", "?at=4&seat=all"):
        assert ask(client, path + other, whole.headers["ETag"], **reader).status_code == 200


def test_the_tag_of_a_replay_depends_on_script_language_and_reader(client: Client, ann: Person, ben: Person) -> None:
    path = f"/tables/{end_match(ann, ben)}/replay?at=4"
    cookie = cookies_of(ask(client, path))
    tag = ask(client, path, Cookie=cookie).headers["ETag"]

    answers = [
        ask(client, path, tag, Cookie=cookie, HX_Request="true"),
        ask(client, path, tag, Cookie=f"{cookie}; language=cs"),
        ask(client, path, tag, Cookie=f"{cookie}; theme=dark"),
        ask(client, path, tag, Cookie=cookie, **ann.headers),
        ask(client, path, tag, Cookie=cookies_of(ask(client, path))),
    ]

    assert [answer.status_code for answer in answers] == [200] * 5
    assert len({tag, *(answer.headers["ETag"] for answer in answers)}) == 6


def test_the_tag_of_a_replay_changes_with_its_study_and_names(client: Client, ann: Person, ben: Person) -> None:
    match_id = end_match(ann, ben)
    path = f"/tables/{match_id}/replay?at=4"
    cookie = cookies_of(ask(client, path))
    tags = [ask(client, path, Cookie=cookie).headers["ETag"]]

    study = ann.post(f"/matches/{match_id}/annotations", {"title": "Read again", "visibility": "public"})[1]["id"]
    catch_up(client)
    tags.append(ask(client, path, tags[0], Cookie=cookie).headers["ETag"])
    assert ann.post(f"/studies/{study}/comments", {"entry": 4, "text": "A good one."})[0] == 201
    tags.append(ask(client, path, tags[1], Cookie=cookie).headers["ETag"])
    PEOPLE.of(client).erase(ben.id)
    tags.append(ask(client, path, tags[2], Cookie=cookie).headers["ETag"])

    assert len(set(tags)) == 4
    assert ask(client, path, tags[3], Cookie=cookie).status_code == 304


def test_the_replay_of_a_running_match_has_no_tag(client: Client, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    catch_up(client)

    assert "ETag" not in ask(client, f"/tables/{match_id}/replay?at=2", HX_Request="true").headers


def test_a_match_at_an_entry_is_sent_once_to_everybody_who_sees_the_same(
    client: Client, ann: Person, ben: Person
) -> None:
    match_id = start_match(ann, ben)
    path, later = (f"/api/matches/{match_id}/at/{version}" for version in (3, 4))
    tag = ask(client, path).headers["ETag"]
    tags = {
        tag,
        ask(client, later).headers["ETag"],
        *(ask(client, path, **p.headers).headers["ETag"] for p in (ann, ben)),
    }

    assert len(tags) == 4
    assert ask(client, path, tag).status_code == 304
    assert ask(client, path, tag, **ann.headers).json()["seat"] == 0
    ann.post(f"/matches/{match_id}/resignation", {})
    assert ask(client, path, tag).status_code == 304, "what was played stays as it was"


def test_a_match_that_goes_on_and_its_entries_are_sent_again_when_they_have_changed(
    client: Client, ann: Person, ben: Person
) -> None:
    match_id = start_match(ann, ben)
    for path in (f"/api/matches/{match_id}", f"/api/matches/{match_id}/entries?after=1"):
        tags = [ask(client, path, **headers).headers["ETag"] for headers in ({}, ann.headers, ben.headers)]
        assert len(set(tags)) == 3, "each seat is told something else"
        assert ask(client, path, tags[0]).status_code == 304
        assert ask(client, path, tags[1], **ann.headers).status_code == 304
        assert ask(client, path, tags[1], **ben.headers).status_code == 200
        assert ask(client, path, tags[1], **ann.headers).headers["Cache-Control"] == "private, no-cache"
    before = [ask(client, f"/api/matches/{match_id}{part}").headers["ETag"] for part in ("", "/entries")]
    ann.post(f"/matches/{match_id}/resignation", {})
    for part, tag in zip(("", "/entries"), before, strict=True):
        assert ask(client, f"/api/matches/{match_id}{part}", tag).status_code == 200


def test_the_tag_of_a_match_changes_with_names(client: Client, ann: Person, ben: Person) -> None:
    path = f"/api/matches/{start_match(ann, ben)}"
    tag = ask(client, path).headers["ETag"]
    PEOPLE.of(client).erase(ann.id)

    response = ask(client, path, tag)

    assert response.status_code == 200
    assert response.headers["ETag"] != tag


def test_the_tag_of_a_log_depends_on_its_head_and_reader(client: Client, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    path = f"/api/matches/{match_id}/log"
    whole = ask(client, path)
    tag = whole.headers["ETag"]

    assert ask(client, path, tag).status_code == 304
    assert ask(client, path, tag, **ann.headers).status_code == 200
    ann.post(f"/matches/{match_id}/resignation", {})
    grown = ask(client, path, tag)
    assert grown.status_code == 200
    assert len(grown.content) > len(whole.content)
    assert ask(client, path, grown.headers["ETag"]).status_code == 304


def test_tags_do_not_confirm_private_matches(client: Client, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben, table={"public": False})
    ann.post(f"/matches/{match_id}/resignation", {})
    catch_up(client)
    paths = [f"/api/matches/{match_id}{part}" for part in ("", "/at/3", "/log", "/entries")]
    cookie = cookies_of(ask(client, "/"))
    for path in (*paths, f"/tables/{match_id}/replay?at=3"):
        tag = ask(client, path, **ann.headers, Cookie=cookie).headers["ETag"]
        assert ask(client, path, tag, **ann.headers, Cookie=cookie).status_code == 304
        assert ask(client, path, tag, Cookie=cookie).status_code == 404
