"""A circuit in a browser: three events of two titles, official standings, and a final by one press.

With `ESPORLES_PICTURES=docs/screenshots/circuits` it writes the pictures of `docs/organise/circuits.md` there.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.circuit_content import open_event, play_event
from tests.pages.sample_content import until
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

PICTURES: Final = os.environ.get("ESPORLES_PICTURES", "")
DESK: Final = {"width": 960, "height": 720}
QUALITY: Final = 55
PASSWORD: Final = "four islands in a year"
ORGANISER: Final = "Magdalena Riera"
PLAYERS: Final = ("Joana Mir", "Biel Oliver", "Catalina Pou", "Miquel Sastre")
EVENTS: Final = {"Copa de Sóller": "el_grande", "Copa d'Artà": "la_granja", "Copa de Felanitx": "el_grande"}


def sign_up(service: Serving, name: str) -> Client:
    """Create an account and return a client of it."""
    anonymous, account = Client(service.started.url), {"name": name, "password": PASSWORD}
    anonymous.post("/accounts", account)
    return Client(service.started.url, anonymous.post("/tokens", account)["secret"])


def check_page(player: Player, name: str, start: str = "main") -> None:
    """Check the page's width, and take a picture if wanted, from a heading on."""
    assert not player.is_wider_than_the_window, f"{player.here} is wider than the window"
    if PICTURES:
        player.page.evaluate("id => document.getElementById(id).parentElement.scrollIntoView()", start)
        picture = Image.open(io.BytesIO(player.page.screenshot()))
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        picture.save(Path(PICTURES) / f"{name}.webp", quality=QUALITY, method=6)


def presses(player: Player, name: str) -> None:
    player.follows(player.page.get_by_role("button", name=name, exact=True))


def adds(player: Player, event: str, weight: str) -> None:
    """Add an event to the circuit on the page."""
    form = player.page.locator("form[action$='/desk/contests']")
    form.locator("select").select_option(label=event)
    form.locator("input[name=weight]").fill(weight)
    player.follows(form.get_by_role("button"))


def creates(player: Player) -> None:
    """Create a circuit with the form."""
    player.goes("/circuits")
    page = player.page
    page.get_by_label("Name", exact=True).fill("Volta a Mallorca")
    page.locator("[name='table.0.points']").fill("10 6 4 2")
    page.locator("[name=best]").fill("2")
    page.locator("[name=qualify]").fill("2")
    check_page(player, "plan", "open")
    presses(player, "Create circuit")


@pytest.mark.walk
def test_a_circuit_of_three_events_in_two_titles_with_a_final(
    new_player: Callable[..., Player], service: Serving
) -> None:
    office, people = sign_up(service, ORGANISER), [sign_up(service, name) for name in PLAYERS]
    events: dict[str, Any] = {name: open_event(office, name, title) for name, title in EVENTS.items()}
    final = open_event(office, "Gran Final", "la_granja")
    for event in events.values():
        for person in people:
            person.post(f"/tournaments/{event}/entries", {})
    first, second, third = events.values()
    play_event(office, first, until)
    play_event(office, second, until)
    organiser, winner = new_player(DESK), new_player(PHONE)
    organiser.signs_in(ORGANISER, PASSWORD)
    winner.signs_in(PLAYERS[0], PASSWORD)

    creates(organiser)
    path = organiser.here
    for name, weight in zip(EVENTS, ("100", "150", "100"), strict=True):
        adds(organiser, name, weight)
    check_page(organiser, "standings")
    check_page(organiser, "desk", "desk")
    play_event(office, third, until)
    organiser.goes(path)
    presses(organiser, "Make the standings official")
    organiser.page.locator("form[action$='/desk/final'] select").select_option(label="Gran Final")
    presses(organiser, "Name the final")
    presses(organiser, "Invite the qualified players")
    expect(organiser.page.locator("main")).to_contain_text("invited")

    winner.goes(path)
    expect(winner.page.locator(".notice")).to_contain_text("You have qualified for the final.")
    check_page(winner, "phone")
    winner.follows(winner.page.locator(".notice a"))
    winner.follows(winner.page.get_by_role("button", name="Accept"))
    organiser.goes(path)
    expect(organiser.page.get_by_text("has accepted")).to_have_count(1)
    check_page(organiser, "final", "final")
    entries = office.get(f"/tournaments/{final}")["entries"]
    assert [entry["name"] for entry in entries] == [PLAYERS[0]]
