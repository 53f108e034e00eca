"""The benchmark's readers accept the service's streams and recognise versions in them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ops.dev.bench.readers import Reader, ReadersTask, Versions, compute_delays, listen
from tests.api.service import Sockets, behind_sockets


def task_at(sockets: Sockets, match_id: str, kind: str) -> ReadersTask:
    path = f"/tables/{match_id}" if kind == "page" else f"/api/matches/{match_id}"
    return ReadersTask("127.0.0.1", sockets.port, path if kind == "page" else "", f"{path}/stream", 3)


@pytest.mark.parametrize("kind", ["page", "program"])
def test_readers_receive_every_version(tmp_path: Path, kind: str) -> None:
    async def read_until_current(sockets: Sockets, match_id: str, token: str) -> tuple[list[Reader], int]:
        readers = await listen(task_at(sockets, match_id, kind))
        _, match = await asyncio.to_thread(sockets.ask, "POST", f"/matches/{match_id}/seats", {"seat": 0}, token)
        version = int(match["version"])
        while not all(version in reader.came for reader in readers):
            await asyncio.sleep(0)
        for reader in readers:
            reader.close()
        return readers, version

    with behind_sockets(tmp_path) as sockets:
        token = sockets.token_of("Ann")
        match_id = str(sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"])
        readers, version = asyncio.run(read_until_current(sockets, match_id, token))

    first = min(reader.came[version] for reader in readers)
    delays = compute_delays(readers, {version: first, version + 1: first})
    assert delays.missing == 3, "nobody has heard of a version that never came"
    assert 0 <= delays.median <= delays.slowest == max(reader.came[version] for reader in readers) - first


def test_a_chunk_with_several_events_gives_the_latest_version() -> None:
    versions = Versions()

    assert versions.find(b"id: 4\r\nevent: entry\r\ndata: {}\r\n\r\nid: 5\r\ndata: {}\r\n\r\n", is_packed=False) == 5
    assert versions.find(b": still here\r\n\r\n", is_packed=False) == 0
