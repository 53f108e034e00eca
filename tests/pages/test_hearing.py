"""At the table of a tournament in a browser: an arbiter's call, an appeal, and a committee's secret vote."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.conftest import at_a_browser
from tests.pages.sample_content import until
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
SECRET: Final = "Nobody was harmed by it."


class Cup:
    """A tournament whose first table has begun, with its people as API clients."""

    def __init__(self, service: Serving) -> None:
        self.organiser, self.player, self.first, self.chair, self.member, self.third = (
            service.player() for _ in range(6)
        )
        plan: Any = {"name": "Copa", "title": "el_grande", "size": 2, "stages": [{"kind": "swiss", "rounds": 1}]}
        plan["table"] = {"clock": {"kind": "none"}}
        self.event = str(self.organiser.post("/tournaments", {"plan": plan})["eventId"])
        path = f"/tournaments/{self.event}"
        self.player.post(f"{path}/entries", {})
        self.organiser.post(f"{path}/entries", {"bot": "random"})
        for role, people in (("head_arbiter", [self.chair]), ("arbiter", [self.first, self.member, self.third])):
            for person in people:
                grant = {"person": self.person_of(person)["id"], "role": role, "event": self.event}
                assert self.organiser.ask("POST", "/roles", grant)[0] == 200
        self.organiser.post(f"{path}/pairings", {})
        until(
            self.organiser,
            path,
            lambda response: bool(response["rounds"]) and response["rounds"][-1]["status"] == "proposed",
        )
        self.organiser.post(f"{path}/rounds/1/publication", {})
        response = until(
            self.organiser, path, lambda response: bool(response["rounds"][-1]["tables"][0].get("matchId"))
        )
        self.match = str(response["rounds"][-1]["tables"][0]["matchId"])
        until(self.player, f"/matches/{self.match}", lambda response: bool(response["seats"][1]["ready"]))
        self.player.post(f"/matches/{self.match}/ready", {})
        until(self.player, f"/matches/{self.match}", lambda response: response["status"] == "running")

    def person_of(self, person: Client) -> Any:
        return person.get("/me")["person"]


def presses(player: Player, button: str, url: str = "**") -> None:
    player.follows(player.page.get_by_role("button", name=button, exact=True), url)


def is_called(cup: Cup, player: Player, arbiter: Player) -> None:
    """Call an arbiter from the table; the arbiter sees the call, comes, and replies, and the table shows it."""
    arbiter.goes("/disputes/queue")
    expect(arbiter.page.locator("main")).not_to_contain_text("Who has the die?")
    player.goes(f"/tables/{cup.match}")
    player.page.locator("#desk-call summary").click()
    player.page.fill("#desk-call input[name=words]", "Who has the die?")
    player.page.get_by_role("button", name="Call an arbiter").click()
    expect(player.page.locator("#desk-call [role=status]")).to_have_text("Arbiter called")
    box = player.page.locator("#desk-call .desk-box").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    expect(arbiter.page.locator("main")).to_contain_text("Who has the die?")
    expect(arbiter.page.locator("main")).not_to_contain_text("Nothing needs your attention")
    presses(arbiter, "I'm on my way")
    expect(player.page.locator("#desk-call [role=status]")).to_contain_text("is on the way")
    presses(arbiter, "I'm at the table")
    expect(player.page.locator("#desk-call [role=status]")).to_contain_text("is at the table")
    arbiter.page.fill("form[action$='/calls/answer'] input[name=words]", "Ask the other seat.")
    presses(arbiter, "Resolved")
    expect(player.page.locator("#desk-call summary")).to_contain_text("answered the call")
    expect(player.page.locator("#desk-call blockquote")).to_have_text("Ask the other seat.", use_inner_text=False)


def is_ruled_on(cup: Cup) -> str:
    """Raise a dispute and rule on it over the API; return its path."""
    entry = cup.player.get(f"/matches/{cup.match}")["version"]
    dispute = cup.player.post(f"/matches/{cup.match}/disputes", {"entry": entry, "reason": "That was no move."})["id"]
    cup.first.post(f"/disputes/{dispute}/arbiter", {})
    ruling = {"rule": "EG-4.2", "reasons": "It was one.", "measures": []}
    cup.first.post(f"/disputes/{dispute}/rulings", ruling)
    return f"/disputes/{dispute}"


def is_heard(cup: Cup, path: str, player: Player, organiser: Player, chair: Player, member: Player) -> None:
    """Appeal, name a committee, vote two to one, and announce the decision as its chair."""
    player.goes(path)
    player.page.fill("form[action$='/appeal'] textarea", "The rule says otherwise.")
    presses(player, "Appeal", "**/disputes/*")
    organiser.goes(path)
    organiser.page.get_by_text("Appoint a committee for this appeal").click()
    names = "\n".join(cup.person_of(person)["name"] for person in (cup.chair, cup.member, cup.third))
    organiser.page.fill("form[action$='/committee'] textarea[name=members]", names)
    organiser.page.fill("form[action$='/committee'] textarea[name=reason]", "They have no part in it.")
    presses(organiser, "Appoint", "**/disputes/*")

    member.goes(f"{path}?look=true")
    form = member.page.locator("form[action$='/motions']")
    form.locator("input[name=decision][value=none]").check()
    form.locator("input[name=rule]").fill("EG-4.2")
    form.locator("textarea[name=reasons]").fill("The move was none.")
    member.follows(form.locator("button.primary"), "**/disputes/*")
    votes(member, SECRET)
    player.goes(path)
    expect(player.page.locator("#committee")).not_to_contain_text(SECRET)
    chair.goes(path)
    expect(chair.page.get_by_role("button", name="Announce decision")).to_have_count(0)
    votes(chair, "I agree.")
    presses(chair, "Announce decision", "**/disputes/*")
    player.goes(path)
    expect(player.page.locator("main")).to_contain_text("decided by the committee")
    expect(player.page.locator("#committee")).to_contain_text(SECRET)


def votes(official: Player, reason: str) -> None:
    form = official.page.locator("form[action$='/votes']")
    form.locator("input[name=motion]").first.check()
    form.locator("textarea[name=reason]").fill(reason)
    official.follows(form.locator("button"), "**/disputes/*")


@pytest.mark.walk
def test_a_called_arbiter_answers_and_a_committee_hears_an_appeal(new_player: NewPlayer, service: Serving) -> None:
    cup = Cup(service)
    path = is_ruled_on(cup)
    player = at_a_browser(cup.player, new_player(PHONE))
    organiser, chair, member = (at_a_browser(person, new_player()) for person in (cup.organiser, cup.chair, cup.member))
    is_called(cup, player, member)
    is_heard(cup, path, player, organiser, chair, member)
    for each in (player, chair):
        each.goes(path)
        assert not each.is_wider_than_the_window

    chair.page.context.new_cdp_session(chair.page).send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    chair.goes(path)
    decision_time = chair.page.locator("time").last
    expect(decision_time).to_contain_text("GMT+9")
    expect(decision_time).to_have_attribute("title", re.compile("UTC$"))
