"""Tables of people, who act at a pace or after each response, and tables of bots."""

import asyncio
import secrets
import time
from typing import Any, Final

import msgspec

from ops.dev.load.client import Client
from ops.dev.load.journal import Acked, Journal, Opened, Refused, Sent

PASSWORD: Final = secrets.token_hex(16)
"""Password of all accounts of this run; secret, because the service may be in production."""
PREFER: Final = "Prefer: return=representation"
OPENING_LOOKS_MAX: Final = 20
OK: Final = 200
CREATED: Final = 201
NOT_BEGUN: Final = ("open", "waiting")


class LoadEnded(Exception):
    """The service sent a response that ends the load; the message names request and response."""


class Load:
    """Latencies and refusals of actions."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.refused = 0

    def add(self, seconds: float, status: int) -> None:
        """Record an action."""
        self.latencies.append(seconds)
        self.refused += status != CREATED


async def create_accounts(client: Client, count: int) -> list[str]:
    """Create accounts with random names and return their tokens; raise `LoadEnded` if one is refused.

    An existing name counts as created by a lost request. Raises `NoResponse` as `Client.ask`.
    """
    tokens = []
    for _ in range(count):
        name = f"load {secrets.token_hex(6)}"
        status, response = await client.ask("POST", "/api/accounts", {"name": name, "password": PASSWORD})
        # An account that exists already was created by a request whose response was lost: the name is random.
        if status not in {CREATED, 409}:
            raise LoadEnded(f"POST /api/accounts returned {status}: {reason(response)}")
        status, token = await client.ask("POST", "/api/tokens", {"name": name, "password": PASSWORD})
        if status != CREATED:
            raise LoadEnded(f"POST /api/tokens returned {status}: {reason(token)}")
        tokens.append(token["secret"])
    return tokens


def reason(content: object) -> str:
    """Return the detail of a problem document."""
    return str(content.get("detail", content)) if isinstance(content, dict) else repr(content)


class Seating(msgspec.Struct, frozen=True):
    """The players of a new table: people by their tokens, then bots by name. The host opens it."""

    title: str
    host: str
    tokens: tuple[str, ...]
    bots: tuple[str, ...] = ()


async def open_match(client: Client, seating: Seating) -> Any:
    """Open a match and wait until it has begun; return it as its host sees it. Requests can be retried.

    Raises `LoadEnded` if it is refused or does not begin, `NoResponse` without a response.
    """
    seats, key = len(seating.tokens) + len(seating.bots), f"Idempotency-Key: {secrets.token_hex(12)}"
    content = {"title": seating.title, "seats": seats}
    status, match = await client.ask("POST", "/api/matches", content, seating.host, key)
    if status != CREATED:
        raise LoadEnded(f"POST /api/matches returned {status}: {reason(match)}")
    path = f"/api/matches/{match['matchId']}"
    for _ in range(OPENING_LOOKS_MAX):
        match = await fill_seats(client, seating, path, match)
        if match["status"] not in NOT_BEGUN:
            return match
        _, match = match_after(await client.ask("GET", path, token=seating.host), match)
    raise LoadEnded(f"{path} does not start: {match['status']} at version {match['version']}")


async def fill_seats(client: Client, seating: Seating, path: str, match: Any) -> Any:
    """Seat and ready all players who are not yet; return the latest known state of the match. Refusals are ignored.

    Raises `NoResponse` without a response.
    """
    for seat, token in enumerate(seating.tokens):
        if match["seats"][seat]["player"] is None:
            _, match = match_after(await client.ask("POST", f"{path}/seats", {"seat": seat}, token), match)
    for seat, bot in enumerate(seating.bots, len(seating.tokens)):
        if match["seats"][seat]["player"] is None:
            content = {"seat": seat, "bot": bot}
            _, match = match_after(await client.ask("POST", f"{path}/seats", content, seating.host), match)
    for seat, token in enumerate(seating.tokens):
        if match["seats"][seat]["player"] is not None and not match["seats"][seat]["ready"]:
            _, match = match_after(await client.ask("POST", f"{path}/ready", {}, token), match)
    return match


def match_after(response: tuple[int, Any], previous: object) -> tuple[int, Any]:
    """Return an accepted response's match; for a refusal, the match known before."""
    return response if response[0] in {OK, CREATED} else (response[0], previous)


class PlayedTable:
    """A table of people and bots, followed by another one when its match has ended.

    An action takes three requests: the match, the legal actions, the action. With `is_whole` it takes one, whose
    response contains the other two, except when another player is to act next.
    """

    def __init__(
        self, client: Client, seating: Seating, load: Load, journal: Journal | None = None, *, is_whole: bool = False
    ) -> None:
        self._client, self._seating, self._load, self._journal = client, seating, load, journal
        self._is_whole = is_whole
        self._match: Any = None
        self.path, self.version, self._number = "", 0, 0
        self.match_id = ""
        self.is_last, self.is_over = False, False
        """`is_last`: open no further match. `is_over`: the last match has ended."""
        self.asked_at = 0.0
        """When the last action was sent, by the monotonic clock."""

    async def open(self) -> None:
        """Open a match and record it in the journal; raise `LoadEnded` if it is refused or does not begin."""
        match = await open_match(self._client, self._seating)
        self.match_id, self._match, self.version = match["matchId"], None, match["version"]
        self.path = f"/api/matches/{self.match_id}"
        if self._journal is not None:
            self._journal.write(Opened(self.match_id))

    async def act(self, not_before: float = 0.0) -> bool:
        """Play one action, not before that time of the loop's clock; return False if none was sent.

        At the end of a match another one is opened, unless it is the last.
        """
        tokens, match = self._seating.tokens, self._match
        if match is None or not self._is_whole:
            path = f"{self.path}?atLeast={self.version}"
            status, match = await self._client.ask("GET", path, token=self._seating.host)
            if status != OK:
                return False
        if not match["toAct"] or match["status"] != "running":
            self.is_over = self.is_last
            if not self.is_last:
                await self.open()
            return False
        seat = next((seat for seat in reversed(match["toAct"]) if 0 <= seat < len(tokens)), None)
        if seat is None:
            # The service or a bot is next; wait for its entry.
            self._match, self.version = None, match["version"] + 1
            return False
        legal = match.get("legalActions") if self._is_whole and match["seat"] == seat else None
        if legal is None:
            status, legal = await self._client.ask("GET", f"{self.path}/legal-actions", token=tokens[seat])
            if status != OK or not legal["actions"]:
                self._match = None
                return False
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, not_before - loop.time()))
        await self._send(seat, legal, max(0.0, loop.time() - not_before) if not_before else 0.0)
        return True

    async def _send(self, seat: int, legal: Any, delay: float) -> None:
        """Send the action, with journal lines before and after; its latency starts when it was due."""
        self._number += 1
        match_id, expected = legal["matchId"], legal["version"]
        action = legal["actions"][self._number % len(legal["actions"])]["action"]
        if self._journal is not None:
            self._journal.write(Sent(match_id, seat, expected, msgspec.Raw(msgspec.json.encode(action))))
        self.asked_at, self._match = time.monotonic(), None
        status, content = await self._client.ask(
            "POST",
            f"{self.path}/actions",
            {"expectedVersion": expected, "action": action},
            self._seating.tokens[seat],
            PREFER if self._is_whole else "",
        )
        self._load.add(time.monotonic() - self.asked_at + delay, status)
        if status == CREATED:
            self._match, self.version = content, content["version"]
            if self._journal is not None:
                self._journal.write(Acked(match_id, expected, content["version"], content["head"]))
        elif self._journal is not None and isinstance(content, dict):
            self._journal.write(Refused(match_id, expected, status, content.get("code", "")))


class BotTable:
    """A table of bots, followed by another one when its match has ended."""

    def __init__(self, client: Client, seating: Seating, journal: Journal | None = None) -> None:
        self._client, self._seating, self._journal = client, seating, journal
        self.match_id, self.has_ended = "", False

    async def open(self) -> None:
        """Open a match and record it in the journal; raise `LoadEnded` if it is refused or does not begin."""
        match = await open_match(self._client, self._seating)
        self.match_id, self.has_ended = match["matchId"], False
        if self._journal is not None:
            self._journal.write(Opened(self.match_id, bots=True))

    async def is_over(self) -> bool:
        """Ask whether the match has ended; store and return the answer."""
        _, match = await self._client.ask("GET", f"/api/matches/{self.match_id}", token=self._seating.host)
        self.has_ended = match["status"] == "ended"
        return self.has_ended
