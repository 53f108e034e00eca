"""The stream of a match: all entries, resumable, redacted once per view."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from litestar import Litestar

from api.accounts.people import PEOPLE
from api.http.channels import CHANNELS, Channels
from api.http.identity import CALLER_ACCOUNTS, Accounts, Bearer
from api.matches.presence import PRESENCE, Attendance
from api.matches.service import MATCHES, MatchService
from api.matches.stream import BUFFER_MAX
from api.site.pages.pictures import PICTURES, Picture, PictureCache, PictureKey
from tests.api.service import Sockets, behind_sockets, entries, listening


class Table:
    """A match of Ann and Ben behind sockets."""

    def __init__(self, sockets: Sockets, *, begins: bool = True) -> None:
        self.sockets = sockets
        self.tokens = [sockets.token_of(name) for name in ("Ann", "Ben")]
        wanted = {"title": "la_granja", "seats": 2}
        self.id = str(sockets.ask("POST", "/matches", wanted, self.tokens[0])[1]["matchId"])
        self.path = f"/api/matches/{self.id}/stream"
        if begins:
            self.begin()

    def begin(self) -> None:
        for seat, token in enumerate(self.tokens):
            self.posts("seats", {"seat": seat}, token)
        for token in self.tokens:
            self.posts("ready", {}, token)

    def posts(self, path: str, wanted: Any, token: str) -> Any:
        status, body = self.sockets.ask("POST", f"/matches/{self.id}/{path}", wanted, token)
        assert status == 201, body
        return body

    def grows(self) -> int:
        """Play an action and return the new version."""
        seat = self.sockets.ask("GET", f"/matches/{self.id}")[1]["toAct"][0]
        legal = self.sockets.ask("GET", f"/matches/{self.id}/legal-actions", token=self.tokens[seat])[1]
        wanted = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
        return int(self.posts("actions", wanted, self.tokens[seat])["version"])

    @property
    def version(self) -> int:
        return int(self.sockets.ask("GET", f"/matches/{self.id}")[1]["version"])

    @property
    def channels(self) -> Channels:
        return CHANNELS.of(self.sockets)

    def bearer(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}


class ChangingPictures(PictureCache):
    """Pictures where something happens while a seat's picture is first rendered."""

    def __init__(self, app: Litestar, matches: MatchService, happens: Callable[[], object]) -> None:
        super().__init__(app, matches)
        self._happens = [happens]

    async def get_current(self, match_id: UUID, sight: PictureKey) -> Picture:
        picture = await super().get_current(match_id, sight)
        if sight.seat is not None and self._happens:
            await asyncio.to_thread(self._happens.pop())
        return picture


class SlowAccounts:
    """Slow accounts where something happens during the third query."""

    def __init__(self, accounts: Accounts, happens: Callable[[], object]) -> None:
        self._accounts = accounts
        self._happens = happens
        self._left = 3

    def __getattr__(self, name: str) -> Any:
        return getattr(self._accounts, name)

    async def by_token(self, secret: str) -> Bearer | None:
        self._left -= 1
        if self._left == 0:
            await asyncio.to_thread(self._happens)
        return await self._accounts.by_token(secret)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with behind_sockets(tmp_path) as sockets:
        yield Table(sockets)


def test_a_stream_sends_every_entry_with_its_version(table: Table) -> None:
    version = table.version

    with listening(table.sockets, table.path) as events:
        assert [event.id for event in entries(events, version)] == [str(number) for number in range(1, version + 1)]


def test_a_player_who_reads_the_stream_is_present(table: Table) -> None:
    """API clients have no page; spectators by API and hidden players are not reported."""
    presence = PRESENCE.of(table.sockets)
    ann, ben = (str(seat["player"]["id"]) for seat in table.sockets.ask("GET", f"/matches/{table.id}")[1]["seats"])
    people = PEOPLE.of(table.sockets)
    people.store_preferences(ben, "presence-hidden")

    with ExitStack() as stack:
        for headers in (table.bearer(0), table.bearer(1), {}):
            events = stack.enter_context(listening(table.sockets, table.path, **headers))
            assert next(iter(entries(events, 1)))
        assert presence.of(UUID(table.id)) == Attendance(players=(ann,))


@pytest.mark.parametrize("when", ["it is drawn", "accounts are asked"])
def test_a_player_who_loses_the_seat_gets_the_spectators_view(table: Table, when: str) -> None:
    def loses_it() -> None:
        table.posts("seats/0/player", {"bot": "greedy"}, table.tokens[0])

    if when == "it is drawn":
        PICTURES.replace(table.sockets, ChangingPictures(table.sockets.app, MATCHES.of(table.sockets), loses_it))
    else:
        CALLER_ACCOUNTS.replace(table.sockets, SlowAccounts(CALLER_ACCOUNTS.of(table.sockets), loses_it))
    with listening(table.sockets, f"/tables/{table.id}/stream", **table.bearer(0)) as events:
        first = next(event for event in events if event.kind == "table").content

    assert first["version"] == table.version
    assert "You are watching" in first["parts"]["actions"]


def test_a_stream_continues_after_a_version(table: Table) -> None:
    version = table.version

    with listening(table.sockets, f"{table.path}?after={version - 2}") as events:
        assert [event.id for event in entries(events, 2)] == [str(version - 1), str(version)]


@pytest.mark.parametrize("accepted", ["", "gzip"])
def test_streamed_entries_equal_the_readers_entries(table: Table, accepted: str) -> None:
    """Streamed entries equal the entries of the API."""
    version = table.version
    for headers, is_open in ((table.bearer(0), True), (table.bearer(1), True), ({}, False)):
        with listening(table.sockets, table.path, **headers, Accept_Encoding=accepted) as events:
            streamed = [event.content for event in entries(events, version)]
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        fetched = table.sockets.ask("GET", f"/matches/{table.id}/entries", token=token)[1]["entries"]
        assert streamed == fetched
        assert any(line.get("secrets") for line in streamed) == is_open


def test_a_new_entry_is_encoded_once_for_all_readers(table: Table) -> None:
    with ExitStack() as stack:
        after = f"{table.path}?after={table.version}"
        readers = [stack.enter_context(listening(table.sockets, after)) for _ in range(3)]
        own = stack.enter_context(listening(table.sockets, after, **table.bearer(0)))
        for events in (*readers, own):
            assert next(events).kind == "", "nothing is new"
        assert len(table.channels.readers_by_key.values()) == 2, "one for spectators, one for the seat"
        assert sorted(table.channels.readers_by_key.values()) == [1, 3]
        version = table.grows()
        found = [entries(events, 1)[0] for events in (*readers, own)]

    assert {event.id for event in found} == {str(version)}
    assert found[0].content["body"]["type"] == "action_taken"


@pytest.mark.parametrize("seed", range(3))
def test_reconnecting_readers_receive_every_entry_once(table: Table, seed: int) -> None:
    """Connections are cut at random: entries are read from the store, from memory, and live."""
    random, received = Random(seed), list[str]()
    for _ in range(8):
        for _ in range(random.randrange(3)):
            table.grows()
        version = table.version
        headers = {"Last-Event-ID": received[-1]} if received else {}
        with listening(table.sockets, table.path, **headers, Accept_Encoding=random.choice(["", "gzip"])) as events:
            remaining = version - len(received)
            received += [event.id for event in entries(events, random.randint(0, remaining))]
            if len(received) == version and random.random() < 0.7:
                table.grows()
                received += [event.id for event in entries(events, 1)]

    assert received == [str(number) for number in range(1, len(received) + 1)]


def test_taking_a_seat_changes_the_view_of_an_open_stream(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        table = Table(sockets, begins=False)
        with listening(sockets, table.path, **table.bearer(0)) as own, listening(sockets, table.path) as others:
            assert [next(own).id, next(others).id] == ["1", "1"]
            table.begin()
            version = table.version
            received, shown = entries(own, version - 1), entries(others, version - 1)

    assert [event.id for event in received] == [event.id for event in shown] == [str(n) for n in range(2, version + 1)]
    assert any(event.content.get("secrets") for event in received)
    assert not any(event.content.get("secrets") for event in shown)


def test_a_reader_beyond_the_buffer_reconnects_without_loss(table: Table) -> None:
    """The buffer is limited; slower readers continue from the store."""
    version = table.version
    with listening(table.sockets, f"{table.path}?after={version}") as others:
        next(others)
        for _ in range(BUFFER_MAX + 1):
            table.grows()
        with listening(table.sockets, f"{table.path}?after={version}") as late:
            newest = table.version
            assert newest - version > BUFFER_MAX
            received = [event.id for event in entries(late, newest - version)]

    assert received == [str(number) for number in range(version + 1, newest + 1)]


def test_channels_close_without_readers(table: Table) -> None:
    with listening(table.sockets, table.path) as events:
        entries(events, 1)
        assert not table.channels.is_empty
    while table.channels.readers_by_key:
        assert table.version, "the service goes on, and this ends"


@pytest.mark.parametrize(("last_seen", "first"), [("2", 3), ("9" * 30, 1), ("9" * 5_000, 1), ("two", 1)])
def test_last_event_id_resumes_a_stream(table: Table, last_seen: str, first: int) -> None:
    """An unknown version is ignored."""
    with listening(table.sockets, table.path, Last_Event_ID=last_seen) as events:
        event = next(events)

    assert (event.id, event.kind) == (str(first), "entry")


def test_revoking_a_token_ends_its_streams(tmp_path: Path) -> None:
    """A revoked token ends open streams."""
    with behind_sockets(tmp_path) as sockets:
        token = sockets.token_of("Ann")
        match_id = sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        with closing(sockets.connection()) as connection:
            connection.request("GET", f"/api/matches/{match_id}/stream", headers={"Authorization": f"Bearer {token}"})
            response = connection.getresponse()
            assert response.readline().strip() == b"id: 1"
            (known,) = sockets.ask("GET", "/tokens", token=token)[1]["tokens"]
            other = sockets.token_of("Ben")

            sockets.ask("DELETE", f"/tokens/{known['id']}", token=token)
            sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": 0}, other)
            rest = response.read()

    assert b"event: entry" in rest
    assert b"seat_taken" not in rest
