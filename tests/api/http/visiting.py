"""Somebody at a browser without scripts, at a service behind sockets: pages, and the forms that stand on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from html import unescape
from http.client import HTTPResponse
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import urlencode

import msgspec

from api.http.clock import now
from api.http.cookies import SESSION as SESSION_COOKIE
from tests.api.house import Sockets
from tests.api.tournaments.running import Running

TOKEN: Final = re.compile(r'name="_csrf_token" value="([^"]+)"')
DATA: Final = b"data: "
ID: Final = b"id: "


class Visitor:
    """A guest, or somebody who is known, with a session."""

    def __init__(self, house: Running | Sockets, known: str = "") -> None:
        self.sockets = house if isinstance(house, Sockets) else house.sockets
        person = house.people.find(known) or house.people.create_guest(now())
        self.id = person.id
        self.cookies = {SESSION_COOKIE: house.people.start_session(person, now())}

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def asks(self, method: str, path: str, body: str | None = None) -> tuple[int, str, str]:
        """One request; status, where it leads, and the page."""
        with closing(self.sockets.connection()) as connection:
            headers = {"Cookie": self.cookie}
            if body is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            self.keeps(answer)
            return answer.status, answer.headers.get("Location", ""), answer.read().decode()

    def keeps(self, answer: HTTPResponse) -> None:
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}

    def sees(self, path: str, status: int = 200) -> str:
        """A page, as it is read: without the escapes of HTML."""
        found, _, page = self.asks("GET", path)
        assert found == status, page
        return unescape(page)

    def sends(self, path: str, **fields: object) -> str:
        """A form; where it leads."""
        status, place, page = self._sent(path, fields)
        assert status == 303, page
        return place

    def is_asked(self, path: str, **fields: object) -> str:
        """A form whose page asks once more; the page, with the question."""
        status, _, page = self._sent(path, fields)
        assert status == 200, page
        return unescape(page)

    def is_refused(self, path: str, **fields: object) -> tuple[int, str]:
        """A form that is refused: the status, and the page that says so."""
        status, _, page = self._sent(path, fields)
        assert status >= 400, page
        return status, unescape(page)

    def _sent(self, path: str, fields: dict[str, object]) -> tuple[int, str, str]:
        token = TOKEN.search(self.asks("GET", "/leagues")[2])
        assert token is not None
        return self.asks("POST", path, urlencode({"_csrf_token": token[1], **fields}, doseq=True))

    @contextmanager
    def listens(self, path: str) -> Iterator[Iterator[dict[str, str]]]:
        """The pieces that come by the stream of a page, event after event, until the end of the block."""
        with closing(self.sockets.connection()) as connection:
            connection.request("GET", path, headers={"Cookie": self.cookie})
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            events = (msgspec.json.decode(line.removeprefix(DATA)) for line in answer if line.startswith(DATA))
            yield (event["parts"] for event in events if "parts" in event)

    def hears(self, path: str, have: str = "") -> tuple[dict[str, str], str]:
        """The pieces of a page that the first event of its stream brings to one who has some of them, by the ids of
        their places; and what the page has then."""
        with closing(self.sockets.connection()) as connection:
            connection.request("GET", f"{path}?{urlencode({'have': have})}", headers={"Cookie": self.cookie})
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            while not (line := answer.readline()).startswith((ID, DATA)):
                assert line, f"the stream of {path} has ended"
            if line.startswith(ID):
                have = line.decode().strip().partition("~")[2]
                while not (line := answer.readline()).startswith(DATA):
                    assert line, f"the stream of {path} has ended"
            pieces: dict[str, str] = msgspec.json.decode(line.removeprefix(DATA)).get("parts", {})
            return pieces, have
