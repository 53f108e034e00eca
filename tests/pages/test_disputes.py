"""A whole dispute in a browser: raised, inspected, ruled on, continued by a fork; the result counts once."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic
from uuid import UUID

import pytest
from playwright.sync_api import expect

from domain.matches.rulings.outcome import Outcome
from ops.stores import settings_for
from projections.matches import outcomes
from projections.platform.store import ReadStore
from tests.pages.browsing import PHONE, RESULT, Player
from tests.pages.conftest import OPERATOR
from tests.pages.page_checks import AXE, FIND
from tests.workers.serving import DEADLINE_SECONDS, Client, Serving

pytestmark = pytest.mark.chromium


def presses(player: Player, button: str) -> None:
    """Press a button that leads to a page, by its name."""
    player.follows(player.page.get_by_role("button", name=button, exact=True))


def is_sound(player: Player, path: str = "") -> None:
    """Check that axe finds nothing and that the page fits a phone."""
    if path:
        player.goes(path)
    player.page.evaluate(AXE)
    assert player.page.evaluate(FIND, None) == []
    before = player.page.viewport_size
    player.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert not player.is_wider_than_the_window
    assert before is not None
    player.page.set_viewport_size(before)


def until_ended(folder: Path, match_id: UUID, service: Serving) -> Outcome:
    """Return the outcome of the match once the read models have its end."""
    with closing(ReadStore(settings_for(folder).reads_url)) as store:
        deadline = monotonic() + DEADLINE_SECONDS
        while monotonic() < deadline:
            outcome = outcomes.get(store, match_id)
            if outcome is not None and outcome.status == "ended":
                return outcome
            Client(service.started.url).ask("GET", "/health")
    raise AssertionError("the outcome never came")


def rules_on(arbiter: Player, path: str) -> None:
    """Inspect as an arbiter, try a variation, and let the match continue from an earlier entry."""
    arbiter.signs_in(**OPERATOR)
    arbiter.goes(path)
    presses(arbiter, "Accept dispute")
    presses(arbiter, "Show")
    arbiter.page.wait_for_selector("text=The log is valid")
    arbiter.follows(arbiter.page.locator("nav.tabs a").nth(1))
    arbiter.page.wait_for_selector("#board")
    presses(arbiter, "Play from here")
    arbiter.page.wait_for_selector("#what-ifs li a")
    arbiter.page.locator("#what-ifs select").first.select_option("me")
    presses(arbiter, "Play from here")
    arbiter.page.wait_for_url("**/tables/*")
    arbiter.has_choice()
    arbiter.presses(0)
    is_sound(arbiter, f"{path}?look=true&eyes=1")
    arbiter.page.locator("input[value=resume]").check()
    number = int(arbiter.page.locator("#resume-version").get_attribute("value") or 0) - 1
    arbiter.page.locator("#resume-version").fill(str(number))
    arbiter.page.locator("#rule").fill("EG-4.2")
    arbiter.page.locator("#reasons").fill("So it was.")
    presses(arbiter, "Give ruling")
    arbiter.page.wait_for_selector("text=Open resumed match")


@pytest.mark.walk
def test_a_dispute_from_raising_to_the_result(
    new_player: Callable[..., Player], operator: Client, service: Serving, service_folder: Path
) -> None:
    assert operator.get("/me")["role"] == "operator"
    player, arbiter = new_player(), new_player()
    table = player.plays_against(1, "el_grande")
    for index in range(3):
        player.has_choice()
        player.presses(index)
    player.has_choice()
    match_id = UUID(table.rsplit("/", maxsplit=1)[-1])

    # Raise.
    player.goes(f"{table}/replay")
    player.page.locator("#beside-dispute summary").click()
    player.page.locator("#beside-reason").fill("The bot acted twice.")
    # The seat signs its actions, so the dispute must be signed too; the form that asks for it has an error status.
    player.follows("#beside-dispute button")
    expect(player.page.locator("pre.order")).to_contain_text("The bot acted twice.")
    player.follows(player.page.get_by_role("button", name="Sign and send"), "**/disputes/*")
    player.complaints.clear()
    path = player.here

    rules_on(arbiter, path)

    # Continue.
    player.page.reload()
    player.follows(player.page.get_by_role("link", name="Open resumed match"), "**/tables/*")
    resumed_id = UUID(player.page.url.rsplit("/", maxsplit=1)[-1])
    assert resumed_id != match_id
    for index in range(2):
        player.has_choice()
        player.presses(index)
    player.page.evaluate("document.querySelector(\"form[action$='/resign']\").requestSubmit()")
    player.page.wait_for_selector(RESULT)

    # The result counts once.
    outcome = until_ended(service_folder, match_id, service)
    assert (outcome.match_id, outcome.line_id) == (match_id, resumed_id)
    with closing(ReadStore(settings_for(service_folder).reads_url)) as store:
        assert sum(match_id in (each.match_id, each.line_id) for each in outcomes.list_ended(store)) == 1
    player.goes(table)
    player.page.wait_for_selector("text=The match continues here by ruling")
    player.goes(f"{table}/forks")
    player.page.wait_for_selector("text=by a ruling")
    is_sound(player)
    is_sound(player, path)
    for page in ("/desk", "/desk/roles", "/desk/audit", "/disputes"):
        is_sound(arbiter, page)
