"""Organisers who run events of bots one after the other and post announcements."""

import asyncio
import secrets
from typing import Final

from ops.dev.load.client import Client, NoResponse
from ops.dev.load.journal import Heard, Journal, OpenedEvent, Told
from ops.dev.load.tables import CREATED, OK, Load, LoadEnded, reason

BOTS: Final = 4
ANNOUNCE_SECONDS: Final = 1.0


class Organiser:
    """Runs events of one round. An announcement whose response was lost is not retried, so it occurs at most once."""

    def __init__(
        self, client: Client, direct_client: Client, token: str, title: str, load: Load, journal: Journal
    ) -> None:
        """`direct_client` is a client without retries."""
        self._client, self._direct_client, self._token, self._title = client, direct_client, token, title
        self._load, self._journal = load, journal
        self.event = ""
        self.announced = 0
        self.is_last, self.is_over = False, False
        """`is_last`: open no further event. `is_over`: the last event has ended."""

    async def run(self) -> None:
        """Open an event whenever the last has ended, and post an announcement every second.

        Ends with the last event, or when cancelled; raises `LoadEnded` if an event is refused.
        """
        loop = asyncio.get_running_loop()
        while True:
            due_at = loop.time() + ANNOUNCE_SECONDS
            if not self.event or await self._is_over():
                if self.is_last:
                    self.is_over = True
                    return
                await self._open()
            await self._announce()
            await asyncio.sleep(max(0.0, due_at - loop.time()))

    async def _open(self) -> None:
        """Open an event of bots with its first pairing; raise `LoadEnded` if it is refused."""
        plan = {"name": f"Load {secrets.token_hex(4)}", "title": self._title, "size": 2, "auto": True}
        plan |= {"stages": [{"kind": "swiss", "rounds": 1}]}
        key = f"Idempotency-Key: {secrets.token_hex(12)}"
        status, event = await self._client.ask("POST", "/api/tournaments", {"plan": plan}, self._token, key)
        if status != CREATED:
            raise LoadEnded(f"POST /api/tournaments returned {status}: {reason(event)}")
        path = f"/api/tournaments/{event['eventId']}"
        while event["status"] == "registering" and not event["rounds"]:
            if len(event["entries"]) < BOTS:
                content = {"bot": "random", "count": BOTS - len(event["entries"])}
                await self._client.ask("POST", f"{path}/entries", content, self._token)
            else:
                await self._client.ask("POST", f"{path}/pairings", {}, self._token)
            status, event = await self._client.ask("GET", path, token=self._token)
        self.event = event["eventId"]
        self._journal.write(OpenedEvent(self.event))

    async def _is_over(self) -> bool:
        status, event = await self._client.ask("GET", f"/api/tournaments/{self.event}", token=self._token)
        return bool(status == OK and event["status"] == "ended")

    async def _announce(self) -> None:
        """Post a unique announcement once, with journal lines before and after its acknowledgement.

        A refusal or a lost response has no second line.
        """
        text = f"load {secrets.token_hex(8)}"
        self._journal.write(Told(self.event, text))
        path = f"/api/tournaments/{self.event}/announcements"
        try:
            status, _ = await self._direct_client.ask("POST", path, {"text": text}, self._token)
        except NoResponse:
            return
        if status == CREATED:
            self.announced += 1
            self._journal.write(Heard(self.event, text))
