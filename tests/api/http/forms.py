"""Clients without JavaScript that send forms, and a walk over the types of all requests and forms."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from types import MappingProxyType
from typing import Any, Final

import msgspec
from litestar.testing import TestClient
from msgspec import inspect

import api
from api.accounts.people import PEOPLE
from api.http.cookies import SESSION as SESSION_COOKIE
from api.http.forms import Form
from api.matches.service import MATCHES
from api.notifications.tokens import SECRET, Tokens
from domain.puzzles.puzzle_file import load_puzzles
from projections.platform.clock import now
from tests.api.service import Member, Person, catch_up, make_operator, start_match

TOKEN: Final = re.compile(r'name="_csrf_token" value="([0-9a-f]+)"')
CIRCUIT: Final = {"name": "Tour", "table": [{"size": 1, "points": [1]}], "qualify": 1}
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Visitor:
    """A client without JavaScript; `text` is the current page."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.text = client.get("/").text

    def goes(self, path: str) -> str:
        self.text = self.client.get(path).text
        return self.text

    def sends(self, path: str, fields: Mapping[str, str] = NOTHING, headers: Mapping[str, str] = NOTHING) -> Any:
        """Send a form with the token of the current page; the response becomes the current page."""
        token = TOKEN.search(self.text)
        data = {"_csrf_token": token[1] if token else self.client.cookies["csrftoken"]} | dict(fields)
        response = self.client.post(path, data=data, headers=headers)
        self.text = response.text
        return response


class Walker:
    """A client of an operator, without JavaScript."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.ann, self.ben, olga = Person(client), Person(client), Person(client)
        self.olga = olga
        make_operator(client, olga.id)
        match_id = start_match(self.ann, self.ben, table={"pauseOnDispute": False})
        for _ in range(6):
            act = self.ann.get(f"/matches/{match_id}")[1]["toAct"][0]
            (self.ann, self.ben)[act].acts(match_id)
        plan = {"name": "Cup", "title": "la_granja", "size": 2}
        last = self.ann.get(f"/matches/{match_id}")[1]["version"]
        dispute = self.ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "Wrong"})[1]["id"]
        assert olga.post(f"/disputes/{dispute}/arbiter", {})[0] in {200, 201}
        ended = start_match(self.ann, self.ben)
        self.ann.post(f"/matches/{ended}/resignation", {})
        self.ids = {
            "event_id": olga.post("/tournaments", {"plan": plan})[1]["eventId"],
            "club_id": Member(client, "Cleo").post("/clubs", {"name": "Palma"})[1]["id"],
            "league_id": olga.post("/leagues", {"plan": {**plan, "name": "League"}})[1]["leagueId"],
            "circuit_id": olga.post("/circuits", {"plan": CIRCUIT})[1]["circuitId"],
            "match_id": match_id,
            "study_id": olga.post(f"/matches/{ended}/annotations", {"title": "Mine"})[1]["id"],
            "dispute_id": dispute,
            "kind": "players",
            "division": "1",
            "about_id": match_id,
            "challenge_id": match_id,
            "message_id": self.ann.post(f"/talk/players/{match_id}", {"phrase": "hello"})[1]["id"],
            "number": "1",
            "table": "1",
            "title": "la_granja",
            "name": "first",
            "key": "la-granja-2",
            "puzzle_id": load_puzzles().puzzles[0].id,
            "token": Tokens(PEOPLE.of(client).secret(SECRET)).make("unsubscribe", "gone", "turn"),
        }
        self.ids["contest_id"] = self.ids["event_id"]
        catch_up(client)
        people = PEOPLE.of(client)
        person = people.find(olga.id)
        assert person is not None
        self.session = people.access.start_session(person, now())
        self.enter()
        token = TOKEN.search(client.get("/").text)
        assert token is not None
        self.token = token[1]

    def enter(self) -> None:
        self.client.cookies.set(SESSION_COOKIE, self.session)

    def position(self) -> int:
        position: int = MATCHES.of(self.client).writer.matches.last_position()
        return position

    def sends(self, form: str, fields: Mapping[str, Any]) -> tuple[int, str]:
        """Send a form; return the status and the unescaped page."""
        path = re.sub(r"\{(\w+):\w+\}", lambda parameter: self.ids[parameter[1]], form)
        response = self.client.post(path, data={"_csrf_token": self.token, **fields}, follow_redirects=False)
        assert "<wrong>" not in response.text
        return response.status_code, unescape(response.text)


Visit = Callable[[inspect.StructType, str, inspect.Type, str], None]
"""A function of a struct, a field name, a type in the field, and the description of that type."""


def forms() -> Iterator[Form[Any]]:
    """Return every form defined in a module of `api`."""
    found: dict[int, Form[Any]] = {}
    for module in pkgutil.walk_packages(api.__path__, "api."):
        values = vars(importlib.import_module(module.name)).values()
        found |= {id(value): value for value in values if isinstance(value, Form)}
    yield from found.values()


def visit(kind: Any, do: Visit) -> None:
    """Call `do` with every type below a struct, except actions of titles."""
    walk(inspect.type_info(kind), None, "", do, ())


def walk(
    kind: inspect.Type,
    holder: inspect.StructType | None,
    name: str,
    do: Visit,
    above: tuple[type[msgspec.Struct], ...],
) -> None:
    description = ""
    while isinstance(kind, inspect.Metadata):
        description = (kind.extra_json_schema or {}).get("description", description)
        kind = kind.type
    if holder is not None:
        do(holder, name, kind, description)
    for inner in inner_types(kind):
        walk(inner, holder, name, do, above)
    if isinstance(kind, inspect.StructType) and kind.cls not in above and ".titles." not in kind.cls.__module__:
        for each in kind.fields:
            walk(each.type, kind, each.encode_name, do, (*above, kind.cls))


def inner_types(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types of alternatives, items, keys and values."""
    if isinstance(kind, inspect.UnionType):
        return tuple(kind.types)
    if isinstance(kind, inspect.TupleType):
        return tuple(kind.item_types)
    if isinstance(kind, inspect.DictType):
        return kind.key_type, kind.value_type
    if isinstance(kind, inspect.VarTupleType | inspect.ListType | inspect.SetType | inspect.FrozenSetType):
        return (kind.item_type,)
    return ()
