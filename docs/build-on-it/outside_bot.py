"""A whole bot for Esporles in one file, without any package: it sits down at a table and plays to the end.

    ESPORLES_TOKEN=… python outside_bot.py https://esporles.example MATCH

Without MATCH it looks for an open public table that takes bots, and after each match for the next. The token is one
of the bot's own account, which is marked as a bot (`docs/build-on-it/bots.md`). How it chooses stands in `choose`; make
that your own.
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
"""A stream beats every few seconds: one that is silent for so long has broken off."""
TRIES_MAX = 20
OVER = {"ended", "void", "superseded"}
GONE_ON = {409, 422}
"""Refused because the match has gone on meanwhile: the bot looks again."""


def choose(view: dict[str, Any], actions: list[dict[str, Any]]) -> Any:
    """What the bot does: `view` is what its seat sees, `actions` all it may do, each with the sentence that says it.
    This one plays anything, but ends its turn only when there is nothing else."""
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
        """One request and its answer; asked again where nobody answers. `HTTPError` where it is refused."""
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
        raise SystemExit(f"{self.base} does not answer")

    def versions(self, match: str, after: int) -> Iterator[int]:
        """Every version of a match as it comes; ends when the stream does."""
        address = f"{self.base}/matches/{match}/stream?after={after}"
        try:
            with urlopen(Request(address, headers=self.headers), timeout=SILENT_SECONDS) as stream:
                for line in stream:
                    if line.startswith(b"id:"):
                        yield int(line[3:])
        except (URLError, TimeoutError, ConnectionError):
            return


def sit_down(server: Server, match: str, name: str) -> int:
    """Takes a free seat, if the bot has none yet, and is ready; the seat."""
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
    """Acts as long as it is the bot's turn; the match as it stands then."""
    while True:
        shown = server.ask("GET", f"/matches/{match}")
        if shown["status"] in OVER or seat not in shown["toAct"]:
            return dict(shown)
        legal = server.ask("GET", f"/matches/{match}/legal-actions")
        if not legal["actions"]:
            # Somebody was quicker, or the service has a step of its own to take: the stream tells.
            return dict(shown)
        wanted = {"expectedVersion": legal["version"], "action": choose(shown["view"], legal["actions"])}
        try:
            server.ask("POST", f"/matches/{match}/actions", wanted)
        except HTTPError as refused:
            if refused.code not in GONE_ON:
                raise


def play(server: Server, match: str, name: str) -> None:
    """A match from the free seat to its end."""
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
    """Why the server refuses something, in a line: the status, the code to look up, a sentence."""
    try:
        problem = json.load(refused)
        return f"{refused.code} {problem['code']}: {problem['detail']}"
    except (ValueError, KeyError, TypeError):
        return str(refused)


def open_table(server: Server) -> str | None:
    """A public table that takes bots and has a free seat."""
    for match in server.ask("GET", "/matches?status=open&limit=50")["matches"]:
        if match["table"].get("programs") and any(seat["player"] is None for seat in match["seats"]):
            return str(match["matchId"])
    return None


def main() -> None:
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
