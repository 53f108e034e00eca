"""Signing by API clients: registered keys, and signed and unsigned changes of a match."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.matches.service import MATCHES
from domain.eventstore.application import Matches
from domain.kernel.ed25519 import SMALL_ORDER
from domain.keys.commands import register_key, retire_key
from domain.matches.log.log_files import parse_log
from domain.matches.verification.verify import verify
from projections.platform.clock import now
from tests.api.http.forms import Visitor
from tests.api.service import Answer, Person, behind_sockets
from tests.signing import Pen
from tests.test_tidy import ROOT


class Signer(Person):
    """A person with a token and a key."""

    pen: Pen

    def brings(self, pen: Pen) -> Answer:
        """Register a key and use it from now."""
        self.pen = pen
        return self.post("/me/keys", {"key": pen.key})

    def signs(self, match_id: str, act: Any, version: int = 0, head: str = "") -> dict[str, Any]:
        """Return the signature of an act over the latest entry, or over the given one."""
        if not version:
            match = self.get(f"/matches/{match_id}")[1]
            version, head = match["version"], match["head"]
        payload = json.dumps(act, separators=(",", ":"), ensure_ascii=False).encode()
        text = b"esporles.act/2\0" + UUID(match_id).bytes + version.to_bytes(8, "big") + bytes.fromhex(head) + payload
        return {"key": self.pen.key, "signature": self.pen.sign(text), "version": version, "head": head}

    def is_ready_signed(self, match_id: str, seat: int) -> Answer:
        act = {"type": "seat_ready", "seat": seat, "by": self.id}
        return self.post(f"/matches/{match_id}/ready", {"signed": self.signs(match_id, act)})

    def acts_signed(self, match_id: str, index: int = 0) -> Answer:
        legal = self.legal(match_id)
        action = legal["actions"][index]["action"]
        signed = self.signs(match_id, action, legal["version"], legal["head"])
        wanted = {"expectedVersion": legal["version"], "action": action, "signed": signed}
        return self.post(f"/matches/{match_id}/actions", wanted)

    def sends(self, method: str, path: str, signed: dict[str, Any]) -> Answer:
        """Send a request without a body, with the signature in a header."""
        headers = self.headers | {"Esporles-Signed": json.dumps(signed)}
        response = self.client.request(method, f"/api{path}", headers=headers)
        return response.status_code, response.json()


FIRST, SECOND = Pen("first"), Pen("second")


@pytest.fixture
def table(client: TestClient[Any]) -> tuple[Signer, Signer, str]:
    """Return two people with keys at a running table."""
    anna, bea = Signer(client), Signer(client)
    assert anna.brings(FIRST)[0] == bea.brings(SECOND)[0] == 201
    match_id = anna.opens()
    anna.sits(match_id, 0)
    bea.sits(match_id, 1)
    assert anna.is_ready_signed(match_id, 0)[0] == bea.is_ready_signed(match_id, 1)[0] == 201
    return anna, bea, match_id


def log_of(person: Signer, match_id: str) -> Any:
    response = person.client.get(f"/api/matches/{match_id}/log", headers=person.headers)
    return parse_log(response.content)


def test_signed_actions_verify(table: tuple[Signer, Signer, str]) -> None:
    anna, bea, match_id = table
    for person in (anna, bea):
        status, legal = person.get(f"/matches/{match_id}/legal-actions")
        if status == 200 and legal["actions"]:
            assert person.acts_signed(match_id)[0] == 201
    report = verify(log_of(anna, match_id))

    assert report.is_good, report
    assert report.signatures.seats[0].signed + report.signatures.seats[1].signed >= 3
    assert all(seat.unsigned == 0 for seat in report.signatures.seats)


def test_unsigned_requests_and_invalid_signatures_are_rejected(table: tuple[Signer, Signer, str]) -> None:
    anna, bea, match_id = table
    actor = anna if anna.legal(match_id)["actions"] else bea
    before = actor.get(f"/matches/{match_id}")[1]["version"]
    status, problem = actor.acts(match_id)
    assert (status, problem["code"]) == (422, "signature/missing")
    legal = actor.legal(match_id)
    action = legal["actions"][0]["action"]
    good = actor.signs(match_id, action, legal["version"], legal["head"])
    wanted = {"expectedVersion": legal["version"], "action": action}
    for changed in (
        {"signature": "0" * 128},
        {"key": Pen("other").key},
        {"head": "0" * 64},
        {"version": legal["version"] - 1},
    ):
        status, problem = actor.post(f"/matches/{match_id}/actions", wanted | {"signed": good | changed})
        assert (status, problem["code"]) == (422, "signature/wrong")
    status, problem = actor.post(f"/matches/{match_id}/actions", wanted | {"signed": good | {"key": "nonsense"}})
    assert (status, problem["code"]) == (400, "request/malformed")
    assert actor.get(f"/matches/{match_id}")[1]["version"] == before


def test_a_request_without_a_body_has_its_signature_in_a_header(table: tuple[Signer, Signer, str]) -> None:
    anna, bea, match_id = table
    for seat, person in enumerate((anna, bea)):
        signed = person.signs(match_id, {"type": "pause_asked", "seat": seat, "by": person.id})
        assert person.sends("POST", f"/matches/{match_id}/pause", signed)[0] == 201
    assert anna.delete(f"/matches/{match_id}/pause")[1]["code"] == "signature/missing"
    resumed = anna.signs(match_id, {"type": "resumed", "by": anna.id})
    assert anna.sends("DELETE", f"/matches/{match_id}/pause", resumed)[0] == 200
    refusal = anna.client.post(
        f"/api/matches/{match_id}/resignation", headers=anna.headers | {"Esporles-Signed": "nonsense"}
    )
    assert (refusal.status_code, refusal.json()["errors"][0]["path"]) == (400, "Esporles-Signed")
    resigned = anna.signs(match_id, {"type": "resigned", "seat": 0, "by": anna.id})
    status, match = anna.sends("POST", f"/matches/{match_id}/resignation", resigned)

    assert (status, match["status"]) == (201, "ended")
    assert verify(log_of(anna, match_id)).is_good


def test_a_player_can_continue_after_losing_the_key(table: tuple[Signer, Signer, str]) -> None:
    """Another browser registers its key by sign-in alone; a player without keys remains unsigned in the log."""
    anna, bea, match_id = table
    assert anna.post(f"/matches/{match_id}/keys", {"key": Pen("telephone").key})[0] == 201
    assert bea.delete(f"/matches/{match_id}/keys")[0] == 200
    anna.pen = Pen("telephone")
    for person in (anna, bea):
        if person.legal(match_id)["actions"]:
            assert (person.acts_signed if person is anna else person.acts)(match_id)[0] == 201
    report = verify(log_of(anna, match_id))

    assert report.is_good, report
    assert any("by sign-in only" in each for each in report.unchecked)


def test_keys_are_listed_vouched_for_and_given_up(client: TestClient[Any]) -> None:
    anna = Signer(client)
    anna.brings(FIRST)
    vouched = FIRST.vouches_for(SECOND, anna.id)
    status, body = anna.post("/me/keys", {"key": SECOND.key, "by": FIRST.key, "signature": vouched.signature})
    assert status == 201
    assert body["keys"] == [{"key": FIRST.key, "by": None}, {"key": SECOND.key, "by": FIRST.key}]
    status, problem = anna.post("/me/keys", {"key": Pen("x").key, "by": FIRST.key, "signature": vouched.signature})
    assert (status, problem["code"]) == (422, "signature/wrong")
    assert anna.delete(f"/me/keys/{FIRST.key}")[1]["keys"] == [{"key": SECOND.key, "by": None}]
    assert anna.get("/me/keys")[1]["keys"] == [{"key": SECOND.key, "by": None}]
    assert anna.delete(f"/me/keys/{FIRST.key}")[1]["code"] == "key/unknown"


def test_a_table_can_require_signatures(client: TestClient[Any]) -> None:
    anna, bea = Signer(client), Signer(client)
    anna.brings(FIRST)
    match_id = anna.opens(table={"signed": True})
    anna.sits(match_id, 0)

    status, problem = bea.post(f"/matches/{match_id}/seats", {"seat": 1})
    assert (status, problem["code"]) == (422, "signature/missing")


def test_the_documented_program_plays_signed(tmp_path: Path) -> None:
    """Run the program in docs/specifications/signatures.md unchanged against a service on a socket."""
    page = ROOT / "docs" / "specifications" / "signatures.md"
    (program,) = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    with behind_sockets(tmp_path) as sockets:
        people = PEOPLE.of(sockets)
        token = people.access.issue_token(people.create_guest(now()), "", now())[1]
        names: dict[str, Any] = {"HOUSE": f"http://127.0.0.1:{sockets.port}", "TOKEN": token}
        exec(program, names)
        call = names["call"]
        match_id = call("/api/matches", {"title": "la_granja", "seats": 1})["matchId"]
        call(f"/api/matches/{match_id}/seats", {"seat": 0})
        match = call(f"/api/matches/{match_id}")
        ready = {"type": "seat_ready", "seat": 0, "by": match["seats"][0]["player"]["id"]}
        payload = json.dumps(ready, separators=(",", ":")).encode()
        prefix = UUID(match_id).bytes + match["version"].to_bytes(8, "big") + bytes.fromhex(match["head"])
        signature = names["private"].sign(b"esporles.act/2\0" + prefix + payload).hex()
        signed = {"key": names["key"], "signature": signature, "version": match["version"], "head": match["head"]}
        call(f"/api/matches/{match_id}/ready", {"signed": signed})
        legal = call(f"/api/matches/{match_id}/legal-actions")
        after = names["act"](match_id, legal, legal["actions"][0]["action"])

    assert after["version"] > legal["version"]


def test_a_rejected_key_discards_the_commitment_too(client: TestClient[Any]) -> None:
    """A browser sends both in one form, which is one transaction."""
    visitor = Visitor(client)
    visitor.goes("/")
    visitor.sends("/tables", {"seats": "2", "title": "la_granja"})
    match_id = UUID(re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0])
    log: Matches = MATCHES.of(client).writer.matches
    actor = log.get(match_id).seats[0].actor
    register_key(log, str(actor), FIRST.named_key, at=now())
    retire_key(log, str(actor), FIRST.key, at=now())
    before = log.get(match_id)

    refusal = visitor.sends(f"/tables/{match_id}/share", {"commitment": "ab" * 32, "key": FIRST.key})

    assert refusal.status_code == 422
    assert log.get(match_id) == before
    assert visitor.sends(f"/tables/{match_id}/share", {"commitment": "ab" * 32, "key": SECOND.key}).status_code == 200
    (seat, *_) = log.get(match_id).seats
    assert (seat.share_by, seat.share_commitment, seat.keys) == ("client", "ab" * 32, (SECOND.named_key,))


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/play", {"title": "la_granja"}),
        ("/tables", {"title": "la_granja"}),
        ("/quick", {"pool": "la_granja.2.match-600-20.casual"}),
        ("/tables/{}/sit", {"seat": "0"}),
    ],
)
def test_a_visitor_with_a_weak_key_becomes_no_guest(client: TestClient[Any], path: str, fields: dict[str, str]) -> None:
    people = PEOPLE.of(client.app)
    _, table = Person(client).post("/matches", {"title": "la_granja", "seats": 2})
    visitor = Visitor(client)
    before = people.rows("SELECT id FROM people")

    refusal = visitor.sends(path.format(table["matchId"]), {**fields, "key": min(SMALL_ORDER).hex()})

    assert refusal.status_code == 422
    assert people.rows("SELECT id FROM people") == before
