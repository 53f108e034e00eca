"""Files in the data folder are accessible only to their owner."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.service import behind_sockets, settings_in


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Set a umask that keeps the mode of new files."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_only_the_owner_can_access_the_data_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with behind_sockets(tmp_path, settings_in(data)) as sockets:
        token = sockets.token_of("Ann")
        assert sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[0] == 201
        found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (data, *data.rglob("*"))}

    assert {"data", "writer.lock", "tree.lock", "log.db", "reads.db"} <= found.keys()
    assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}
