"""axe-core finds no violation on any page: light and dark, desktop and phone; every page with --all.

No page is wider than a phone, and none has untranslated text.
"""

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.pages.browsing import BUTTONS, Player
from tests.pages.conftest import OPERATOR
from tests.pages.page_checks import Reader, left_in_english, violations
from tests.pages.sample_content import ADDRESSES, addresses, page_routes
from tests.seeding import one_in
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

TABLES: Final = (
    "a table that waits for players",
    "a table of La Granja",
    "a table of El Grande",
    "a table of La Granja, watched",
    "a replay of a match that goes on",
)
"""Tables of a guest; other tables and ended matches are part of `content_ids`."""

OUTSIDE: Final = ("/", "/sign-in", "/disputes", "/events/{event}", "/leagues/{league}", "/studies/{study}")
"""Pages that look different when signed out."""

EXAMINED: Final = frozenset(one_in(2, addresses(), "axe"))
"""Pages that axe examines in this run, because axe takes most of the time; text and width are checked on all."""

SEVERAL: Final = "[data-part].legal[aria-haspopup=dialog]"
"""A part of the board with more than one action."""

SUBMIT: Final = """(version) => {
  const form = document.getElementById('choices'), pressed = document.createElement('input');
  Object.assign(pressed, { type: 'hidden', name: 'action', value: form.querySelector('button[name=action]').value });
  form.append(pressed);
  if (version) form.elements.version.value = version;
  form.submit();
}"""


@pytest.fixture(scope="module")
def operator_reader(browser: Browser, service: Serving, operator: Client) -> Iterator[Reader]:
    """Sign in a reader with an operator's role."""
    assert operator.get("/me")["role"] == "operator"
    operator_reader = Reader(browser, service.started.url)
    operator_reader.signs_in(**OPERATOR)
    yield operator_reader
    operator_reader.page.context.close()


@pytest.fixture(scope="module")
def signed_out_reader(browser: Browser, service: Serving) -> Iterator[Reader]:
    signed_out_reader = Reader(browser, service.started.url)
    yield signed_out_reader
    signed_out_reader.page.context.close()


@pytest.fixture(scope="module")
def guest(browser: Browser, service: Serving) -> Iterator[Reader]:
    guest = Reader(browser, service.started.url)
    yield guest
    guest.page.context.close()


@pytest.fixture(scope="module")
def tables(guest: Reader, signed_out_reader: Reader) -> dict[str, tuple[Reader, str]]:
    """Kinds of tables with a reader for each."""
    granja, grande = guest.plays_against(1), guest.plays_against(1, "el_grande")
    guest.goes("/open/el_grande")
    waiting = guest.opens_the_table()
    watched = ((signed_out_reader, granja), (signed_out_reader, f"{granja}/replay"))
    return dict(zip(TABLES, ((guest, waiting), (guest, granja), (guest, grande), *watched), strict=True))


def test_every_page_route_has_addresses() -> None:
    """Every new page needs a line in `ADDRESSES`."""
    assert page_routes() == set(ADDRESSES)


@pytest.mark.walk(one_in=3)
@pytest.mark.parametrize("address", addresses())
def test_a_page_has_no_faults(operator_reader: Reader, content_ids: dict[str, str], address: str) -> None:
    assert violations(operator_reader, address.format_map(content_ids), with_axe=address in EXAMINED) == {}


@pytest.mark.walk(one_in=2)
@pytest.mark.parametrize("address", OUTSIDE)
def test_axe_finds_nothing_on_pages_of_a_signed_out_reader(
    signed_out_reader: Reader, content_ids: dict[str, str], address: str
) -> None:
    assert violations(signed_out_reader, address.format_map(content_ids)) == {}


@pytest.mark.walk(one_in=2)
@pytest.mark.parametrize("name", TABLES)
def test_axe_finds_nothing_at_a_table(tables: dict[str, tuple[Reader, str]], name: str) -> None:
    reader, path = tables[name]
    reader.speaks("en")
    reader.goes(path)
    if name in TABLES[1:3]:
        reader.looks_until(BUTTONS)

    assert violations(reader, path) == {}


def test_axe_finds_nothing_where_a_guest_signs_up(tables: dict[str, object], guest: Reader) -> None:
    assert violations(guest, "/sign-in") == {}


def sends(reader: Reader, form: str) -> None:
    """Submit a form of the table, as a browser without scripts does."""
    with reader.page.expect_navigation():
        reader.page.evaluate("end => document.querySelector(`form[action$='${end}']`).submit()", form)


@pytest.fixture(scope="module")
def choosing_player(browser: Browser, service: Serving) -> Iterator[Reader]:
    """Bring a player to a choice among several actions on one part of the board."""
    player = Reader(browser, service.started.url)
    player.path = player.plays_against(1, "el_grande")
    player.looks_until(BUTTONS)
    # Signing needs scripts.
    sends(player, "/unsigned")
    while not player.page.query_selector(SEVERAL):
        player.looks_until(BUTTONS)
        if not player.page.query_selector(SEVERAL):
            with player.page.expect_navigation():
                player.page.evaluate(SUBMIT, 0)
    yield player
    player.page.context.close()


def acts_late(reader: Player) -> None:
    """Submit a form made for an earlier version, as a browser without scripts does."""
    with reader.page.expect_navigation():
        reader.page.evaluate(SUBMIT, 1)
    reader.page.wait_for_selector("#notice .notice")


def opens_the_chooser(reader: Player) -> None:
    reader.page.locator(SEVERAL).first.focus()
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector("#chooser[open]")


@pytest.mark.parametrize("act", [acts_late, opens_the_chooser], ids=["too late", "the chooser"])
def test_axe_finds_nothing_while_a_player_acts(choosing_player: Reader, act: Callable[[Player], None]) -> None:
    assert violations(choosing_player, choosing_player.path, act) == {}


def test_axe_finds_nothing_at_a_paused_table(choosing_player: Reader) -> None:
    path = choosing_player.path
    choosing_player.goes(path)
    sends(choosing_player, "/pause")
    choosing_player.looks_until("form[action$='/resume']")

    assert violations(choosing_player, path) == {}
    sends(choosing_player, "/resume")


def test_untranslated_text_is_found() -> None:
    said = ["Nobody asked you.", "Take back last move", "Seat 3", "Tisch", "4 days", "Ann, Ben"]

    assert left_in_english("de", said) == [said[0], said[1], said[4]]
    assert left_in_english("en", said) == []
