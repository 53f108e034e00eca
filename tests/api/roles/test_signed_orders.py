"""Signed decisions of officials: an unsigned request or form returns what to sign."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.matches.service import MATCHES
from domain.roles.commands import roles_of
from domain.roles.state import official_keys
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Answer, Person, make_operator
from tests.signing import Pen

PEN: Final = Pen("an official")


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that its roles are known."""
    return own_client


@pytest.fixture
def opal(client: TestClient[Any]) -> Person:
    """Return an operator with a registered key."""
    person = Person(client)
    assert person.post("/me/keys", {"key": PEN.key})[0] == 201
    make_operator(client, person.id)
    return person


def sign_request(wanted: Any, pen: Pen = PEN) -> str:
    """Return the signature that a rejected request asks for."""
    prefix = UUID(wanted["stream"]).bytes + wanted["version"].to_bytes(8, "big") + bytes.fromhex(wanted["head"])
    signature = pen.sign(b"esporles.order/1\0" + prefix + wanted["act"].encode())
    return json.dumps({"key": pen.key, "signature": signature})


def appoints(by: Person, person: Person, **headers: str) -> Answer:
    return by.post("/roles", {"person": person.id, "role": "arbiter", "granted": True}, **headers)


def test_an_api_client_signs_the_returned_act(client: TestClient[Any], opal: Person, ann: Person) -> None:
    status, problem = appoints(opal, ann)
    assert (status, problem["code"]) == (422, "signature/order")
    assert json.loads(problem["sign"]["act"])["person"] == ann.id
    wrong = sign_request(problem["sign"], Pen("stranger"))
    assert appoints(opal, ann, **{"Esporles-Signed": wrong})[1]["code"] == "signature/order"
    assert appoints(opal, ann, **{"Esporles-Signed": "nonsense"})[0] == 400
    assert appoints(opal, ann, **{"Esporles-Signed": "x" * 2_000})[0] == 400
    assert appoints(opal, ann, **{"Esporles-Signed": sign_request(problem["sign"])})[0] == 200

    roles = roles_of(MATCHES.of(client).writer.matches)
    assert roles.find_grant(ann.id, "arbiter", "") is not None
    assert official_keys(roles, opal.id) == (PEN.key,)


def test_a_form_shows_the_act_and_continues_with_the_signature(
    client: TestClient[Any], opal: Person, ann: Person
) -> None:
    reader = Reader(client, opal)
    fields = {"person": ann.id, "role": "arbiter", "granted": "true"}
    text = reader.sends("/desk/roles", "/desk/roles", 422, fields)
    ((order, rest),) = re.findall(r'<form [^>]*data-order="([^"]*)"([^>]*)>', text)
    places = dict(re.findall(r'data-(stream|version|head)="([^"]*)"', rest))
    act = unescape(order)
    assert json.loads(act)["person"] == ann.id
    assert f'name="person" value="{ann.id}"' in text
    wanted = {**places, "version": int(places["version"]), "act": act}
    reader.sends("/desk/roles", "/desk/roles", 200, {**fields, "signed": sign_request(wanted)})

    assert roles_of(MATCHES.of(client).writer.matches).find_grant(ann.id, "arbiter", "") is not None
