"""A browser remembers the last checkpoint that it saw, and shows an alert if the tree does not continue it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from domain.transparency.keys import Signer
from tests.api.service import Sockets, behind_sockets
from tests.ops.transparency.test_key_change import change_key, key
from tests.pages.browsing import Player
from tests.transparency.outsiders import forge_beginning

pytestmark = pytest.mark.chromium

SEEN = "() => JSON.parse(localStorage.getItem('checkpoint/seen') || '{}').note"
KEY = SEEN.replace(".note", ".key")
FORGE_KEY = """key => {
  const seen = JSON.parse(localStorage.getItem("checkpoint/seen"));
  localStorage.setItem("checkpoint/seen", JSON.stringify({ ...seen, key }));
}"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "house"


def add_entries(service: Sockets, count: int) -> None:
    token = service.token_of(f"Player {count}")
    for _ in range(count):
        assert service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[0] == 201


def visit(player: Player, path: str, note: str | None) -> str:
    """Open a page and wait until the browser has seen another checkpoint than this note; return it."""
    player.goes(path)
    handle = player.page.wait_for_function(
        "(before) => { const seen = JSON.parse(localStorage.getItem('checkpoint/seen') || 'null');"
        " return seen && seen.note !== before && seen.note }",
        arg=note,
    )
    return str(handle.json_value())


def size_of(note: str) -> int:
    return int(note.splitlines()[1])


def wait_until_signed(service: Sockets, size: int) -> None:
    while (service.ask("GET", "/transparency")[1]["size"] or 0) < size:
        pass


@pytest.mark.walk(one_in=2)
def test_a_replaced_tree_is_shown_to_a_browser_that_saw_the_earlier_one(browser: Browser, data: Path) -> None:
    with behind_sockets(data) as service:
        port = service.port
        add_entries(service, 4)
        wait_until_signed(service, 4)
        player = Player(browser, f"http://127.0.0.1:{port}")
        first = visit(player, "/transparency", None)
        add_entries(service, 3)
        wait_until_signed(service, size_of(first) + 3)
        second = visit(player, "/verify", first)
        assert size_of(second) >= size_of(first) + 3
        player.goes("/transparency")
        expect(player.page.locator("#continued")).to_be_visible()
        expect(player.page.locator("[data-history]")).to_have_count(0)

    forge_beginning(data)
    with behind_sockets(data, port=port) as service:
        wait_until_signed(service, size_of(second))
        player.goes("/transparency")
        alert = player.page.locator("[data-history]")
        expect(alert).to_contain_text("two different histories")
        assert player.page.evaluate(SEEN) == second, "the earlier checkpoint is kept"
        for name, content in (("earlier", second), ("current", None)):
            with player.page.expect_download() as download:
                alert.locator(f"[data-{name}]").click()
            text = download.value.path().read_text()
            assert content in (None, text)
            assert text.startswith(second.splitlines()[0])

        # Other pages show it too, until the person dismisses it.
        player.goes("/verify")
        expect(player.page.locator("[data-history]")).to_be_visible()
        player.page.locator("[data-history] [data-forget]").click()
        visit(player, "/transparency", second)
        expect(player.page.locator("[data-history]")).to_have_count(0)


@pytest.mark.walk
def test_a_restored_folder_is_shown_on_any_page(browser: Browser, data: Path, tmp_path: Path) -> None:
    """A backup of the whole folder is restored: the service itself cannot notice it."""
    with behind_sockets(data) as service:
        port = service.port
        add_entries(service, 2)
        wait_until_signed(service, 4)
    shutil.copytree(data, tmp_path / "backup")
    with behind_sockets(data, port=port) as service:
        add_entries(service, 3)
        wait_until_signed(service, 7)
        player = Player(browser, f"http://127.0.0.1:{port}")
        visit(player, "/transparency", None)
    shutil.rmtree(data)
    shutil.copytree(tmp_path / "backup", data)
    with behind_sockets(data, port=port):
        player.page.evaluate("() => localStorage.removeItem('checkpoint/checked')")
        player.goes("/rules/la_granja")
        expect(player.page.locator("[data-history]")).to_contain_text("two different histories")


@pytest.mark.walk(one_in=2)
def test_a_key_that_follows_from_the_known_one_is_no_alert_and_another_one_is(browser: Browser, data: Path) -> None:
    key("root", "--out", data.parent / "root.key", "--name", "root.example/a")
    with behind_sockets(data) as service:
        port = service.port
        add_entries(service, 2)
        wait_until_signed(service, 4)
        player = Player(browser, f"http://127.0.0.1:{port}")
        first = visit(player, "/transparency", None)
        former = player.page.evaluate(KEY)
    change_key(data.parent, 1, "--root-key", (data.parent / "root.key").read_text().split("\n")[0])
    change_key(data.parent, 2)
    with behind_sockets(data, port=port):
        visit(player, "/transparency", first)
        expect(player.page.locator("#continued")).to_be_visible()
        expect(player.page.locator("[data-history]")).to_have_count(0)
        current = player.page.evaluate(KEY)
        assert current != former
        player.page.evaluate(FORGE_KEY, str(Signer("127.0.0.1", b"\x01" * 32).key))
        player.goes("/transparency")
        alert = player.page.locator("[data-history]")
        expect(alert).to_contain_text("a key that does not follow")
        expect(alert).not_to_contain_text("two different histories")
