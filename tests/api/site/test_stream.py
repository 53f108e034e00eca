"""The stream of a match: entry after entry, resumed where it was left, redacted once for all who see the same."""

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
from api.http.identity import PEOPLE_KNOWN, Accounts, Bearer
from api.matches.presence import PRESENCE, Attendance
from api.matches.service import MATCHES, MatchService
from api.matches.stream import KEPT
from api.site.pages.pictures import PICTURES, Picture, Pictures, Sight
from tests.api.house import Sockets, behind_sockets, entries, listening


class Table:
    """A match of two behind sockets, Ann's and Ben's."""

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
        status, answer = self.sockets.ask("POST", f"/matches/{self.id}/{path}", wanted, token)
        assert status == 201, answer
        return answer

    def grows(self) -> int:
        """Somebody acts; the version then."""
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


class Overtaken(Pictures):
    """Pictures of a house in which something happens to a table while it is first drawn for a seat."""

    def __init__(self, app: Litestar, matches: MatchService, happens: Callable[[], object]) -> None:
        super().__init__(app, matches)
        self._happens = [happens]

    async def newest(self, match_id: UUID, sight: Sight) -> Picture:
        picture = await super().newest(match_id, sight)
        if sight.seat is not None and self._happens:
            await asyncio.to_thread(self._happens.pop())
        return picture


class Slow:
    """Accounts at a server that takes its time: something happens while they are asked for the third time."""

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


def test_a_stream_tells_every_entry_by_its_version(table: Table) -> None:
    version = table.version

    with listening(table.sockets, table.path) as events:
        assert [event.id for event in entries(events, version)] == [str(number) for number in range(1, version + 1)]


def test_who_follows_the_own_match_by_its_stream_is_there(table: Table) -> None:
    """A program has no page open; nobody is told of one that looks on, nor of somebody who wants not to be seen."""
    presence = PRESENCE.of(table.sockets)
    ann, ben = (str(seat["player"]["id"]) for seat in table.sockets.ask("GET", f"/matches/{table.id}")[1]["seats"])
    people = PEOPLE.of(table.sockets)
    people.keep_preferences(ben, "presence-hidden")

    with ExitStack() as stack:
        for headers in (table.bearer(0), table.bearer(1), {}):
            events = stack.enter_context(listening(table.sockets, table.path, **headers))
            assert next(iter(entries(events, 1)))
        assert presence.of(UUID(table.id)) == Attendance(players=(ann,))


@pytest.mark.parametrize("when", ["it is drawn", "accounts are asked"])
def test_whoever_loses_the_seat_before_the_page_is_sent_sees_what_spectators_see(table: Table, when: str) -> None:
    def loses_it() -> None:
        table.posts("seats/0/player", {"bot": "greedy"}, table.tokens[0])

    if when == "it is drawn":
        PICTURES.replace(table.sockets, Overtaken(table.sockets.app, MATCHES.of(table.sockets), loses_it))
    else:
        PEOPLE_KNOWN.replace(table.sockets, Slow(PEOPLE_KNOWN.of(table.sockets), loses_it))
    with listening(table.sockets, f"/tables/{table.id}/stream", **table.bearer(0)) as events:
        first = next(event for event in events if event.kind == "table").content

    assert first["version"] == table.version
    assert "You are watching" in first["parts"]["actions"]


def test_a_stream_goes_on_where_it_was_left(table: Table) -> None:
    version = table.version

    with listening(table.sockets, f"{table.path}?after={version - 2}") as events:
        assert [event.id for event in entries(events, 2)] == [str(version - 1), str(version)]


@pytest.mark.parametrize("accepted", ["", "gzip"])
def test_a_stream_brings_what_the_entries_are_for_its_reader(table: Table, accepted: str) -> None:
    """By whichever way an entry goes out, it is the one that the reader gets who asks for it."""
    version = table.version
    for headers, is_open in ((table.bearer(0), True), (table.bearer(1), True), ({}, False)):
        with listening(table.sockets, table.path, **headers, Accept_Encoding=accepted) as events:
            streamed = [event.content for event in entries(events, version)]
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        asked = table.sockets.ask("GET", f"/matches/{table.id}/entries", token=token)[1]["entries"]
        assert streamed == asked
        assert any(line.get("secrets") for line in streamed) == is_open


def test_a_new_entry_comes_to_all_who_look_on_and_is_made_once(table: Table) -> None:
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
def test_whoever_comes_back_again_and_again_has_every_entry_once(table: Table, seed: int) -> None:
    """Whenever the connection is cut: from the store, from memory, and live."""
    random, seen = Random(seed), list[str]()
    for _ in range(8):
        for _ in range(random.randrange(3)):
            table.grows()
        version = table.version
        headers = {"Last-Event-ID": seen[-1]} if seen else {}
        with listening(table.sockets, table.path, **headers, Accept_Encoding=random.choice(["", "gzip"])) as events:
            left = version - len(seen)
            seen += [event.id for event in entries(events, random.randint(0, left))]
            if len(seen) == version and random.random() < 0.7:
                table.grows()
                seen += [event.id for event in entries(events, 1)]

    assert seen == [str(number) for number in range(1, len(seen) + 1)]


def test_who_sits_down_while_the_stream_is_open_sees_what_the_seat_sees_from_then_on(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        table = Table(sockets, begins=False)
        with listening(sockets, table.path, **table.bearer(0)) as own, listening(sockets, table.path) as others:
            assert [next(own).id, next(others).id] == ["1", "1"]
            table.begin()
            version = table.version
            seen, shown = entries(own, version - 1), entries(others, version - 1)

    assert [event.id for event in seen] == [event.id for event in shown] == [str(n) for n in range(2, version + 1)]
    assert any(event.content.get("secrets") for event in seen)
    assert not any(event.content.get("secrets") for event in shown)


def test_a_reader_who_lags_behind_what_is_kept_comes_back_and_misses_nothing(table: Table) -> None:
    """What is kept in memory has an end; whoever is slower reads on from the store."""
    version = table.version
    with listening(table.sockets, f"{table.path}?after={version}") as others:
        next(others)
        for _ in range(KEPT + 1):
            table.grows()
        with listening(table.sockets, f"{table.path}?after={version}") as late:
            newest = table.version
            assert newest - version > KEPT
            seen = [event.id for event in entries(late, newest - version)]

    assert seen == [str(number) for number in range(version + 1, newest + 1)]


def test_nothing_is_kept_when_nobody_listens(table: Table) -> None:
    with listening(table.sockets, table.path) as events:
        entries(events, 1)
        assert not table.channels.is_empty
    while table.channels.readers_by_key:
        assert table.version, "the service goes on, and this ends"


@pytest.mark.parametrize(("last_seen", "first"), [("2", 3), ("9" * 30, 1), ("9" * 5_000, 1), ("two", 1)])
def test_a_browser_that_comes_back_says_what_it_has_seen(table: Table, last_seen: str, first: int) -> None:
    """What is no version we ever gave is taken for nothing."""
    with listening(table.sockets, table.path, Last_Event_ID=last_seen) as events:
        event = next(events)

    assert (event.id, event.kind) == (str(first), "entry")


def test_a_stream_ends_when_its_reader_is_no_longer_known(tmp_path: Path) -> None:
    """A token that is revoked lets nobody in, and nobody stay."""
    with behind_sockets(tmp_path) as house:
        token = house.token_of("Ann")
        match_id = house.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        with closing(house.connection()) as connection:
            connection.request("GET", f"/api/matches/{match_id}/stream", headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            assert answer.readline().strip() == b"id: 1"
            (known,) = house.ask("GET", "/tokens", token=token)[1]["tokens"]
            other = house.token_of("Ben")

            house.ask("DELETE", f"/tokens/{known['id']}", token=token)
            house.ask("POST", f"/matches/{match_id}/seats", {"seat": 0}, other)
            rest = answer.read()

    assert b"event: entry" in rest
    assert b"seat_taken" not in rest
