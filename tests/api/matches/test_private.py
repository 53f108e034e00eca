"""Private tables: hidden from others, accessible by invitation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE, People
from api.http.app_state import SETTINGS
from api.http.cookies import SESSION as SESSION_COOKIE
from api.matches.invitations import INVITATIONS_MAX
from projections.platform.clock import now
from tests.api.http.forms import TOKEN
from tests.api.service import Person, catch_up, make_operator, start_match

PRIVATE: Final[Any] = {"table": {"public": False}}
NOBODY: Final = "00000000-0000-4000-8000-000000000000"
READ: Final = ("", "/at/5", "/entries", "/log", "/proof", "/forks", "/rulings", "/annotations", "/stream")
PAGES: Final = ("", "/replay", "/forks", "/studies", "/stream", "/invitations")


@pytest.fixture
def ended_private_match(ann: Person, ben: Person) -> str:
    """Return the id of a finished private match."""
    match_id = start_match(ann, ben, **PRIVATE)
    ben.post(f"/matches/{match_id}/resignation", {})
    return match_id


@pytest.fixture
def outsider(ann: Person) -> Person:
    return Person(ann.client)


@pytest.mark.parametrize("path", READ)
def test_a_private_match_is_hidden_from_strangers(ended_private_match: str, outsider: Person, path: str) -> None:
    """The response does not reveal that it exists: it is the same as for an unknown id."""
    unknown = outsider.get(f"/matches/{NOBODY}{path}")

    assert outsider.get(f"/matches/{ended_private_match}{path}")[0] == 404
    known = outsider.client.get(f"/api/matches/{ended_private_match}{path}")
    assert (known.status_code, known.json()["code"]) == (404, "match/unknown")
    own = {"detail": "", "instance": ""}
    assert known.json() | own == {**unknown[1], **own}


@pytest.mark.parametrize("path", PAGES)
def test_the_pages_of_a_private_match_are_hidden_from_strangers(
    ended_private_match: str, outsider: Person, path: str
) -> None:
    outsider.client.cookies.clear()
    assert outsider.client.get(f"/tables/{ended_private_match}{path}").status_code in (
        {401, 404} if path == "/invitations" else {404}
    )


def test_a_stranger_changes_nothing_at_a_private_table(ann: Person, outsider: Person) -> None:
    """Knowing the id gives no access."""
    match_id = ann.opens(2, **PRIVATE)

    for path, wanted in (("seats", {"seat": 1}), ("ready", {}), ("disputes", {"entry": 1, "reason": "So"})):
        assert outsider.post(f"/matches/{match_id}/{path}", wanted)[1]["code"] == "match/unknown"
    assert outsider.post(f"/matches/{match_id}/forks", {"at": 1})[1]["code"] == "match/unknown"
    assert outsider.post(f"/matches/{match_id}/invitations", {})[1]["code"] == "match/unknown"


def test_players_and_operators_see_a_private_match(
    client: TestClient[Any], ended_private_match: str, ann: Person, ben: Person
) -> None:
    olga = Person(client)
    make_operator(client, olga.id)

    assert [person.get(f"/matches/{ended_private_match}")[0] for person in (ann, ben, olga)] == [200, 200, 200]


def test_an_arbiter_sees_a_private_match_with_a_dispute(client: TestClient[Any], ann: Person, ben: Person) -> None:
    olga, arbiter = Person(client), Person(client)
    make_operator(client, olga.id)
    assert olga.post("/roles", {"person": arbiter.id, "role": "arbiter", "granted": True})[0] in {200, 201}
    match_id = start_match(ann, ben, **PRIVATE)

    before = arbiter.get(f"/matches/{match_id}")[0]
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    assert ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "Wrong"})[0] == 201

    assert (before, arbiter.get(f"/matches/{match_id}")[0]) == (404, 200)


def test_a_fork_of_a_private_match_is_private(
    ended_private_match: str, ann: Person, ben: Person, outsider: Person
) -> None:
    """Even for people with the address of another line of the tree."""
    last = ann.get(f"/matches/{ended_private_match}")[1]["version"]
    status, fork = ann.post(f"/matches/{ended_private_match}/forks", {"at": last - 2})
    assert status == 201, fork

    assert [person.get(f"/matches/{fork['matchId']}")[0] for person in (ann, outsider)] == [200, 404]


def test_an_invitation_gives_access_and_a_seat(ann: Person, outsider: Person) -> None:
    match_id = ann.opens(2, **PRIVATE)
    secret = ann.invites(match_id)

    assert outsider.post("/invitations", {"secret": secret}) == (201, {"matchId": match_id})
    assert outsider.get(f"/matches/{match_id}")[0] == 200
    outsider.sits(match_id, 1)
    assert ann.get(f"/matches/{match_id}/invitations")[1]["invitations"][0]["used"] == 1


def test_a_revoked_invitation_gives_no_access(ann: Person, outsider: Person) -> None:
    match_id = ann.opens(2, **PRIVATE)
    secret, other = ann.invites(match_id), Person(ann.client)
    outsider.post("/invitations", {"secret": secret})
    invitation = ann.get(f"/matches/{match_id}/invitations")[1]["invitations"][0]["id"]

    assert ann.delete(f"/matches/{match_id}/invitations/{invitation}")[0] == 204

    assert outsider.get(f"/matches/{match_id}")[0] == 404
    assert other.post("/invitations", {"secret": secret})[1]["code"] == "invitation/unknown"
    assert ann.delete(f"/matches/{match_id}/invitations/{invitation}")[1]["code"] == "invitation/unknown"


def test_only_players_and_the_opener_invite(ann: Person, outsider: Person) -> None:
    """People who accepted an invitation can neither invite others nor list invitations."""
    match_id = ann.opens(2, **PRIVATE)
    outsider.post("/invitations", {"secret": ann.invites(match_id)})

    assert outsider.post(f"/matches/{match_id}/invitations", {})[1]["code"] == "seat/not_yours"
    assert outsider.get(f"/matches/{match_id}/invitations")[1]["code"] == "seat/not_yours"


def test_invitations_require_a_private_table(ann: Person) -> None:
    public, private = ann.opens(2), ann.opens(2, **PRIVATE)
    for _ in range(INVITATIONS_MAX):
        ann.invites(private)

    assert ann.post(f"/matches/{public}/invitations", {})[1]["code"] == "invitation/refused"
    assert ann.post(f"/matches/{private}/invitations", {})[1]["code"] == "invitation/refused"
    assert ann.post("/invitations", {"secret": "no such secret"})[1]["code"] == "invitation/unknown"
    assert ann.post("/invitations", {"secret": "x" * 81})[0] == 400


def test_the_secret_is_stored_hashed_and_erased_with_its_creator(client: TestClient[Any], ann: Person) -> None:
    match_id = ann.opens(2, **PRIVATE)
    secret = ann.invites(match_id)
    database, bea = SETTINGS.of(client).people_place, Person(client)
    assert isinstance(database, Path)

    assert secret.encode() not in database.read_bytes()
    ann.delete("/me")
    assert bea.post("/invitations", {"secret": secret})[1]["code"] == "invitation/unknown"


def test_a_study_does_not_reveal_a_private_match(ended_private_match: str, ann: Person, outsider: Person) -> None:
    """Even a public study shows its match only to people with access to it."""
    study = ann.post(f"/matches/{ended_private_match}/annotations", {"title": "Mine", "visibility": "public"})[1]["id"]
    catch_up(ann.client)

    for path in ("", "/position?entry=3", "/file", "/report"):
        assert outsider.get(f"/studies/{study}{path}")[0] == 404
    assert outsider.client.patch(f"/api/studies/{study}", json={}, headers=outsider.headers).status_code == 404


def test_a_private_study_is_not_handed_out_for_an_empty_change(ann: Person, ben: Person, outsider: Person) -> None:
    match_id = start_match(ann, ben)
    ben.post(f"/matches/{match_id}/resignation", {})
    study = ann.post(f"/matches/{match_id}/annotations", {"title": "Mine"})[1]["id"]

    response = outsider.client.patch(f"/api/studies/{study}", json={}, headers=outsider.headers)

    assert (response.status_code, response.json()["detail"]) == (403, "the study is private")


class Reader:
    """A person with a browser without scripts."""

    def __init__(self, client: TestClient[Any], person: Person | None) -> None:
        people: People = PEOPLE.of(client)
        self.client = client
        self.session = ""
        if person is not None and (found := people.find(person.id)) is not None:
            self.session = people.access.start_session(found, now())

    def goes(self, path: str) -> Any:
        self.client.cookies.clear()
        if self.session:
            self.client.cookies.set(SESSION_COOKIE, self.session)
        return self.client.get(path)

    def sends(self, page: str, path: str, **fields: str) -> Any:
        """Return a form of the page."""
        token = TOKEN.search(self.goes(page).text)
        assert token is not None
        response = self.client.post(path, data={"_csrf_token": token[1], **fields}, follow_redirects=False)
        self.session = response.cookies.get(SESSION_COOKIE) or self.session
        return response


def test_a_link_is_made_on_a_page_and_opens_the_table_to_a_guest(client: TestClient[Any], ann: Person) -> None:
    match_id = ann.opens(2, **PRIVATE)
    host, guest = Reader(client, ann), Reader(client, None)
    page = f"/tables/{match_id}/invitations"

    response = host.sends(page, page)
    link = re.search(r'value="([^"]+/invitation)#([^"]+)"', response.text)
    assert link is not None
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert link[2] not in host.goes(page).text

    assert guest.goes("/invitation").status_code == 200
    arrived = guest.sends("/invitation", "/invitation", secret=f"{link[1]}#{link[2]}")
    assert (arrived.status_code, arrived.headers["Location"]) == (303, f"/tables/{match_id}")
    assert guest.goes(f"/tables/{match_id}").status_code == 200

    invitation = re.search(r'name="invitation" value="([^"]+)"', host.goes(page).text)
    assert invitation is not None
    assert host.sends(page, f"{page}/taking-back", invitation=invitation[1]).status_code == 200
    assert guest.goes(f"/tables/{match_id}").status_code == 404


def test_a_wrong_code_is_reported_in_the_form_and_creates_no_guest(client: TestClient[Any]) -> None:
    guest = Reader(client, None)

    response = guest.sends("/invitation", "/invitation", secret="wrong")

    assert response.status_code == 404
    assert "This invitation does not exist or was withdrawn. Ask for a new one." in response.text
    assert guest.session == ""
