"""Talk in a browser: of players, of spectators, and reports to an arbiter."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.conftest import OPERATOR, at_a_browser
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
MARKUP = "<img src=x onerror=alert(1)> & <b>bold</b>"


def table_of(*people: Client) -> str:
    """Begin a match of these people and return its id."""
    match_id = str(people[0].post("/matches", {"title": "la_granja", "seats": len(people)})["matchId"])
    for seat, person in enumerate(people):
        person.post(f"/matches/{match_id}/seats", {"seat": seat})
    for person in people:
        person.post(f"/matches/{match_id}/ready", {})
    return match_id


def opens_the_talk(player: Player) -> None:
    player.page.locator("#talk > summary").click()
    expect(player.page.locator("#talk .said")).to_have_attribute("aria-busy", "false")


def says(player: Player, text: str) -> None:
    player.page.locator("#talk textarea").fill(text)
    player.page.keyboard.press("Enter")
    expect(player.page.locator("#talk textarea")).to_have_value("")


@pytest.mark.walk
def test_players_talk_and_spectators_talk_separately(service: Serving, operator: Client, new_player: NewPlayer) -> None:
    first, second, third = (service.player() for _ in range(3))
    match_id = table_of(first, second)
    ann = at_a_browser(first, new_player())
    ben = at_a_browser(second, new_player(PHONE))
    eve = at_a_browser(third, new_player())
    for player in (ann, ben, eve):
        player.goes(f"/tables/{match_id}")

    # Markup is shown as text; a new message is counted if the panel is closed.
    opens_the_talk(ann)
    says(ann, MARKUP)
    expect(ben.page.locator("#talk .talk-new")).to_have_text("1 new")
    opens_the_talk(ben)
    log = ben.page.get_by_role("log", name="Chat")
    expect(log).to_contain_text(MARKUP)
    expect(log.locator("img, .said-words b")).to_have_count(0)
    assert not ben.is_wider_than_the_window

    # A ready-made sentence; a key closes the panel and returns the focus to its button.
    ben.page.get_by_text("Quick messages").click()
    ben.page.get_by_role("button", name="Well played!").click()
    expect(ann.page.locator("#talk .said")).to_contain_text("Well played!")
    ben.page.locator("#talk textarea").focus()
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator("#talk > summary")).to_be_focused()

    # Players do not see what spectators write.
    opens_the_talk(eve)
    says(eve, "Ann wins this")
    expect(eve.page.locator("#talk .said")).to_contain_text("Ann wins this")
    expect(eve.page.locator("#talk .said")).not_to_contain_text("Well played!")
    ann.goes(f"/talk/spectators/{match_id}")
    expect(ann.page.locator("main")).to_contain_text("You do not have access to this chat.")
    assert second.ask("DELETE", f"/matches/{match_id}/keys")[0] == 200, "the browser has brought a key"
    second.post(f"/matches/{match_id}/resignation", {})
    ann.goes(f"/talk/spectators/{match_id}")
    expect(ann.page.locator(".said")).to_contain_text("Ann wins this")
    ann.complaints.clear()  # the page that was refused


@pytest.mark.walk
def test_a_reported_message_is_removed_live(service: Serving, operator: Client, new_player: NewPlayer) -> None:
    first, second = service.player(), service.player()
    match_id = table_of(first, second)
    ann, arbiter = at_a_browser(first, new_player()), new_player()
    arbiter.signs_in(**OPERATOR)
    arbiter.goes("/disputes/queue")
    ann.goes(f"/talk/players/{match_id}")
    second.post(f"/talk/players/{match_id}", {"words": "Something unspeakable"})

    line = ann.page.locator(".said-line", has_text="Something unspeakable")
    ann.follows(line.get_by_role("link", name="Mute or report"))
    ann.page.get_by_label("Reason (optional)").fill("It insults me")
    ann.follows(ann.page.get_by_role("button", name="Report message"))
    expect(ann.page.get_by_role("status")).to_contain_text("An official will review it.")
    ann.follows(ann.page.get_by_role("link", name="Back"))

    report = arbiter.page.locator("#queue .card", has_text="Something unspeakable")
    expect(report).to_contain_text("It insults me")
    arbiter.follows(report.get_by_role("link", name="Review"))
    arbiter.page.get_by_label("Reason for removal").fill("An insult")
    arbiter.follows(arbiter.page.get_by_role("button", name="Remove message"))

    expect(ann.page.locator(".said")).to_contain_text("removed by an arbiter")
    expect(ann.page.locator(".said")).not_to_contain_text("unspeakable")

    # Messages of muted people are not shown.
    second.post(f"/talk/players/{match_id}", {"words": "And again"})
    line = ann.page.locator(".said-line", has_text="And again")
    ann.follows(line.get_by_role("link", name="Mute or report"))
    ann.follows(ann.page.get_by_role("button", name="Mute"))
    ann.goes(f"/talk/players/{match_id}")
    expect(ann.page.locator(".said")).to_have_attribute("aria-busy", "false")
    expect(ann.page.locator(".said")).not_to_contain_text("And again")
