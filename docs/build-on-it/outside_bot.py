"""A complete Esporles bot in one file without dependencies. It takes a seat and plays the match to its end.

    ESPORLES_TOKEN=… python outside_bot.py https://esporles.example MATCH

Without MATCH it searches for an open public table that accepts bots, again after each match. The token belongs to an
account that is marked as a bot (`docs/build-on-it/bots.md`). Replace `choose` by your own strategy.
"""

import json
import os
import random
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

LOOK_SECONDS = 15
SILENT_SECONDS = 60
"""A stream sends a heartbeat every few seconds; after this silence the connection is lost."""
TRIES_MAX = 20
OVER = {"ended", "void", "superseded"}
GONE_ON = {409, 422}
"""Statuses of an action that is no longer legal: the bot reads the match again."""


def choose(view: dict[str, Any], actions: list[dict[str, Any]]) -> Any:
    """Return an action, given the view of the seat and its legal actions with a description of each.

    This strategy is random, but ends a turn only if nothing else is legal.
    """
    goes_on = [
        each for each in actions if each["action"]["type"].rpartition(".")[2] not in {"pass", "end_turn", "decline"}
    ]
    return random.choice(goes_on or actions)["action"]


class Server:
    """The API of a server, for the holder of a token."""

    def __init__(self, url: str, token: str) -> None:
        self.base = url.rstrip("/") + "/api"
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the decoded response; retry while the server is unavailable."""
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(TRIES_MAX):
            try:
                with urlopen(
                    Request(self.base + path, data, self.headers, method=method), timeout=SILENT_SECONDS
                ) as answer:
                    return json.load(answer)
            except HTTPError as refused:
                if refused.code not in {429, 502, 503}:
                    raise
                time.sleep(float(refused.headers.get("Retry-After") or 1))
            except (URLError, TimeoutError, ConnectionError):
                time.sleep(min(30, 0.5 * 2**attempt))
        raise SystemExit(f"{self.base} does not respond")

    def versions(self, match: str, after: int) -> Iterator[int]:
        """Yield each version of a match as it is reached, until the stream ends."""
        address = f"{self.base}/matches/{match}/stream?after={after}"
        try:
            with urlopen(Request(address, headers=self.headers), timeout=SILENT_SECONDS) as stream:
                for line in stream:
                    if line.startswith(b"id:"):
                        yield int(line[3:])
        except (URLError, TimeoutError, ConnectionError):
            return


def sit_down(server: Server, match: str, name: str) -> int:
    """Take a free seat unless the bot has one, confirm it, and return it."""
    shown = server.ask("GET", f"/matches/{match}")
    if shown["seat"] is None:
        free = next((seat["seat"] for seat in shown["seats"] if seat["player"] is None), None)
        if free is None:
            raise SystemExit(f"no seat is free at {match}")
        shown = server.ask("POST", f"/matches/{match}/seats", {"seat": free})
    if shown["status"] == "open" and not shown["seats"][shown["seat"]]["ready"]:
        shown = server.ask("POST", f"/matches/{match}/ready", {})
    print(f"{name} sits on seat {shown['seat'] + 1} of {match}", flush=True)
    return int(shown["seat"])


def act(server: Server, match: str, seat: int) -> dict[str, Any]:
    """Act while it is the bot's turn, and return the current match."""
    while True:
        shown = server.ask("GET", f"/matches/{match}")
        if shown["status"] in OVER or seat not in shown["toAct"]:
            return dict(shown)
        legal = server.ask("GET", f"/matches/{match}/legal-actions")
        if not legal["actions"]:
            # Another player acted first, or the service acts next. The stream reports the next version.
            return dict(shown)
        wanted = {"expectedVersion": legal["version"], "action": choose(shown["view"], legal["actions"])}
        try:
            server.ask("POST", f"/matches/{match}/actions", wanted)
        except HTTPError as refused:
            if refused.code not in GONE_ON:
                raise


def play(server: Server, match: str, name: str) -> None:
    """Play a match from taking a seat to its end."""
    seat = sit_down(server, match, name)
    shown = act(server, match, seat)
    while shown["status"] not in OVER:
        for version in server.versions(match, shown["version"]):
            if version > shown["version"]:
                shown = act(server, match, seat)
            if shown["status"] in OVER:
                break
    places = shown["ranking"]
    print(
        f"{match} is over: " + (f"place {places[seat]}, points {shown['scores']}" if places else shown["status"]),
        flush=True,
    )


def reason_of(refused: HTTPError) -> str:
    """Return the status, the error code and the message of a rejected request in one line."""
    try:
        problem = json.load(refused)
        return f"{refused.code} {problem['code']}: {problem['detail']}"
    except (ValueError, KeyError, TypeError):
        return str(refused)


def open_table(server: Server) -> str | None:
    """Return a public table that accepts bots and has a free seat, or None."""
    for match in server.ask("GET", "/matches?status=open&limit=50")["matches"]:
        if match["table"].get("programs") and any(seat["player"] is None for seat in match["seats"]):
            return str(match["matchId"])
    return None


def main() -> None:
    """Play one match, or one after the other."""
    if len(sys.argv) not in {2, 3} or not os.environ.get("ESPORLES_TOKEN"):
        raise SystemExit(__doc__)
    server = Server(sys.argv[1], os.environ["ESPORLES_TOKEN"])
    name = server.ask("GET", "/me")["person"]["name"]
    if len(sys.argv) == 3:
        play(server, sys.argv[2], name)
        return
    while True:
        match = open_table(server)
        if match:
            play(server, match, name)
        else:
            time.sleep(LOOK_SECONDS)


if __name__ == "__main__":
    try:
        main()
    except HTTPError as refused:
        raise SystemExit(f"refused: {urlsplit(refused.url).path}: {reason_of(refused)}") from None
