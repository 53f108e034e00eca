"""Rendered tables shared by readers with the same view.

With a reader's values inserted, the shared HTML equals the HTML for that reader; it contains no seat's secrets and no
token.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import RequestFactory, TestClient

from api.accounts.people import PEOPLE
from api.accounts.service import ACCOUNTS
from api.http.channels import CHANNELS, Source
from api.http.guards import NOBODY, Caller
from api.http.languages import language_of, use_language
from api.http.page_responses import PageRequest
from api.http.preferences import LANGUAGE_COOKIE as COOKIE
from api.http.stream_access import StreamAccess, require_nothing
from api.http.stream_responses import StreamOutput
from api.matches.service import MATCHES
from api.site.pages.fragments import load_page_data
from api.site.pages.live import draw_fragments, placeholder_values
from api.site.pages.pictures import (
    PICTURES,
    PLACEHOLDER_START,
    Picture,
    PictureCache,
    PictureKey,
    PlaceholderValues,
    picture_key,
)
from api.site.pages.table_stream import TableReader, encode_parts, fill_placeholders
from domain.kernel.chance import SeededChance
from domain.kernel.values import replace
from domain.matches.aggregate import Match, view
from tests.api.service import Member, Person, catch_up, start_match

Client = TestClient[Any]
PATIENCE_SECONDS = 180.0


def request_of(client: Client, match_id: str, caller: Caller, language: str) -> PageRequest:
    request = RequestFactory(app=client.app).get(
        f"/tables/{match_id}",
        headers={"Cookie": f"{COOKIE}={language}"},
        user=caller,
        state={"forms_token": f"token-{id(caller)}"},
    )
    return PageRequest(request.scope)


def callers(client: Client, *people: Person) -> Iterator[Caller]:
    yield NOBODY
    for person in people:
        yield Caller(PEOPLE.of(client).find(person.id))


async def both(
    client: Client, match_id: str, caller: Caller, language: str
) -> tuple[Picture, PlaceholderValues, dict[str, str]]:
    """Return the shared picture, the reader's values, and the HTML rendered for the reader."""
    request = request_of(client, match_id, caller, language)
    tables = MATCHES.of(client)
    pictures = PICTURES.of(client)
    match = await tables.reading.get_current(UUID(match_id))
    picture = await pictures.get_current(match.id, picture_key(match, caller, language_of(request)))
    with use_language(language):
        alone = await draw_fragments(request, await load_page_data(tables, ACCOUNTS.of(client), match.id, caller))
    return picture, placeholder_values(request), alone


@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_shared_picture_with_inserted_values_equals_the_readers_html(
    client: Client, ann: Person, ben: Person, language: str
) -> None:
    """With free seats, running, paused and ended; for several readers."""
    member, guest = Member(client, f"Cid {language}"), Person(client)
    match_id = ann.opens(2)
    steps: list[Any] = [
        lambda: None,
        lambda: [ben.post(f"/matches/{match_id}/seats", {"seat": 1})],
        lambda: [ann.post(f"/matches/{match_id}/seats", {"seat": 0})],
        lambda: [ann.is_ready(match_id), ben.is_ready(match_id)],
        lambda: [(ann, ben)[ann.get(f"/matches/{match_id}")[1]["toAct"][0]].acts(match_id) for _ in range(3)],
        lambda: [ann.post(f"/matches/{match_id}/pause", {}), ben.post(f"/matches/{match_id}/pause", {})],
        lambda: [ann.post(f"/matches/{match_id}/resume", {}), ben.post(f"/matches/{match_id}/resignation", {})],
    ]
    with client.portal() as portal:
        for step in steps:
            step()
            catch_up(client)
            for caller in callers(client, ann, ben, member, guest):

                async def look(caller: Caller = caller) -> tuple[Picture, PlaceholderValues, dict[str, str]]:
                    return await both(client, match_id, caller, language)

                picture, own, alone = portal.call(look)
                assert picture.fill(own) == alone
                assert list(picture.made) == list(alone), "in the same order: pieces before their parts"
                assert own.token not in "".join(picture.made.values())
    assert ann.get(f"/matches/{match_id}")[1]["status"] == "ended"


def test_a_shared_picture_does_not_depend_on_hidden_state(client: Client, ann: Person, ben: Person) -> None:
    """Positions that look the same in a view give the same bytes."""
    match_id = start_match(ann, ben)
    for _ in range(6):
        (ann, ben)[ann.get(f"/matches/{match_id}")[1]["toAct"][0]].acts(match_id)
    catch_up(client)
    tables = MATCHES.of(client)
    pictures = PICTURES.of(client)

    async def draw(match: Match, sight: PictureKey, picture: Picture) -> Picture:
        return await asyncio.to_thread(pictures.draw, match, sight, picture.made_of, picture.followed, None, None)

    async def look(seat: int | None) -> tuple[Match, Match, Picture, Picture]:
        match, sight = await tables.reading.get_current(UUID(match_id)), PictureKey(seat, "en")
        rules = match.definition.rules
        other = replace(match, state=rules.imagine(view(match, seat), SeededChance(b"\1" * 32)))
        picture = await pictures.get_current(match.id, sight)
        return match, other, picture, await draw(other, sight, picture)

    with client.portal() as portal:
        for seat in (None, 0, 1):
            match, other, picture, imagined = portal.call(look, seat)
            assert other.state != match.state, "something is hidden"
            assert picture.made == imagined.made
            assert picture.word == imagined.word


def test_only_events_for_all_spectators_are_compressed() -> None:
    spectator, seat = PictureKey(None, "en"), PictureKey(1, "en")

    assert encode_parts(spectator, 3, {"seats": "names"}, "word").packed
    assert not encode_parts(seat, 3, {"hand": "cards"}, "word").packed
    assert not encode_parts(spectator._replace(alone=NOBODY), 3, {"seats": "names"}, "word").packed
    assert not encode_parts(spectator, 3, {"actions": f"<input value='{PLACEHOLDER_START}token\x03'>"}, "word").packed


def test_a_readers_values_are_inserted_when_sending() -> None:
    chunk = encode_parts(
        PictureKey(None, "en"),
        3,
        {"actions": f"{PLACEHOLDER_START}token\x03 and {PLACEHOLDER_START}person\x03"},
        "word",
    )

    (data,) = [
        line
        for line in fill_placeholders(chunk, PlaceholderValues("t0", 'p"1')).plain.split(b"\r\n")
        if line.startswith(b"data: ")
    ]

    assert msgspec.json.decode(data.removeprefix(b"data: "))["parts"] == {"actions": 't0 and p"1'}
    assert (
        PlaceholderValues("t0", "p1").digest
        != PlaceholderValues("t1", "p1").digest
        != PlaceholderValues("t1", "p2").digest
    )


def none_made() -> Source[Any]:
    raise AssertionError("the channel of the table is open")


def test_changes_during_a_slow_first_event_are_sent_afterwards(client: Client, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    chunks = list[bytes]()

    def acts() -> None:
        (ann, ben)[ann.get(f"/matches/{match_id}")[1]["toAct"][0]].acts(match_id)

    async def send(message: Any) -> None:
        chunks.append(message["body"])
        if len(chunks) == 1:
            (key,) = CHANNELS.of(client).readers_by_key
            await asyncio.to_thread(acts)

            with CHANNELS.of(client).join(key, none_made) as channel:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while not channel.number:
                        await asyncio.sleep(0)

    async def looks() -> None:
        request = request_of(client, match_id, NOBODY, "en")
        request.scope |= {"path_params": {}, "route_handler": None}  # type: ignore[typeddict-item]
        StreamAccess(request, require_nothing)
        reader = TableReader(request, MATCHES.of(client), UUID(match_id), {}, "", NOBODY)
        following = asyncio.create_task(reader.follow(StreamOutput(send, is_packed=False)))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(chunks) < 2:
                await asyncio.sleep(0)
        following.cancel()

    with client.portal() as portal:
        portal.call(looks)
    version = ann.get(f"/matches/{match_id}")[1]["version"]
    assert chunks[1].startswith(f"id: {version}~".encode())


def test_a_table_is_rendered_once_per_view(client: Client, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    catch_up(client)
    member, guest = Member(client, "Dag"), Person(client)

    async def look(caller: Caller, language: str = "en") -> Picture:
        return (await both(client, match_id, caller, language))[0]

    with client.portal() as portal:
        shared = [portal.call(look, caller) for caller in callers(client, member, guest)]
        assert all(picture is shared[0] for picture in shared)
        assert portal.call(look, NOBODY, "cs") is not shared[0]
        own = [portal.call(look, caller) for caller in callers(client, ann, ben)][1:]
        assert len({id(picture) for picture in (*own, shared[0])}) == 3
        assert len({picture.word for picture in (*own, shared[0])}) == 3


def test_narration_is_sent_once_available(client: Client, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    catch_up(client)

    async def look() -> Picture:
        return (await both(client, match_id, NOBODY, "en"))[0]

    with client.portal() as portal:
        before = portal.call(look)
        actor = next(person for person in (ann, ben) if person.legal(match_id)["actions"])
        assert actor.acts(match_id)[0] in {200, 201}
        at_once = portal.call(look)
        catch_up(client)
        later = portal.call(look)

    assert at_once.page.shown.version == later.page.shown.version > before.page.shown.version
    assert at_once.made["narration"] == before.made["narration"]
    assert later.made["narration"] != before.made["narration"]


def test_a_full_cache_drops_the_picture_used_longest_ago(client: Client, ann: Person, ben: Person) -> None:
    match_id = UUID(start_match(ann, ben))
    catch_up(client)
    pictures = PictureCache(client.app, MATCHES.of(client), size=2)
    first, second, third = (PictureKey(None, language) for language in ("en", "cs", "de"))

    async def look() -> list[bool]:
        hits = list[bool]()
        for sight in (first, second, first, third, first, second):
            before = pictures.count_uses()[0]
            await pictures.get_current(match_id, sight)
            hits.append(pictures.count_uses()[0] > before)
        return hits

    with client.portal() as portal:
        hits = portal.call(look)

    assert hits == [False, False, True, False, True, False]
