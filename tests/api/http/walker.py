"""Somebody who sends forms of pages, where there is something of every kind to send them about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.clock import now
from api.http.cookies import SESSION as SESSION_COOKIE
from api.matches.service import MATCHES
from api.notifications.tokens import SECRET, Tokens
from domain.puzzles.shelf import load_shelf
from tests.api.house import Person, catch_up, make_operator, started
from tests.api.http.forms import TOKEN


class Walker:
    """Somebody who may do everything, at a browser without scripts."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.ann, self.ben, olga = Person(client), Person(client), Person(client)
        self.olga = olga
        make_operator(client, olga.id)
        match_id = started(self.ann, self.ben, table={"pauseOnDispute": False})
        for _ in range(6):
            act = self.ann.get(f"/matches/{match_id}")[1]["toAct"][0]
            (self.ann, self.ben)[act].acts(match_id)
        plan = {"name": "Cup", "title": "la_granja", "size": 2}
        last = self.ann.get(f"/matches/{match_id}")[1]["version"]
        dispute = self.ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "Wrong"})[1]["id"]
        assert olga.post(f"/disputes/{dispute}/arbiter", {})[0] in {200, 201}
        ended = started(self.ann, self.ben)
        self.ann.post(f"/matches/{ended}/resignation", {})
        self.ids = {
            "event_id": olga.post("/tournaments", {"plan": plan})[1]["eventId"],
            "league_id": olga.post("/leagues", {"plan": {**plan, "name": "League"}})[1]["leagueId"],
            "match_id": match_id,
            "study_id": olga.post(f"/matches/{ended}/annotations", {"title": "Mine"})[1]["id"],
            "dispute_id": dispute,
            "kind": "players",
            "about_id": match_id,
            "challenge_id": match_id,
            "message_id": self.ann.post(f"/talk/players/{match_id}", {"phrase": "hello"})[1]["id"],
            "number": "1",
            "table": "1",
            "title": "la_granja",
            "name": "first",
            "puzzle_id": load_shelf().puzzles[0].id,
            "token": Tokens(PEOPLE.of(client).secret(SECRET)).make("unsubscribe", "gone", "turn"),
        }
        catch_up(client)
        people = PEOPLE.of(client)
        person = people.find(olga.id)
        assert person is not None
        self.session = people.start_session(person, now())
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
        """The answer: its status, and its page as it is read."""
        path = re.sub(r"\{(\w+):\w+\}", lambda place: self.ids[place[1]], form)
        answer = self.client.post(path, data={"_csrf_token": self.token, **fields}, follow_redirects=False)
        assert "<wrong>" not in answer.text
        return answer.status_code, unescape(answer.text)
