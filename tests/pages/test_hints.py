"""Hints at a table against a bot, in a browser: a request, the verdict on a choice, and a blunder."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
import pytest
from playwright.sync_api import expect

from domain.analyses.report import Choice
from domain.hints import Advice, Marked
from domain.kernel.messages import Message
from ops.stores import settings_for
from projections.hints import Hints
from tests.pages.browsing import BUTTONS, Player
from tests.workers.serving import DEADLINE_SECONDS, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.xdist_group("chromium")]

SETTLED: Final = """() => {
  const told = document.querySelector("#hint [data-hint-state=ready]");
  return told && told.dataset.hintVersion === document.querySelector(".table").dataset.version;
}"""
"""Whether the panel shows the hint for the page's version."""
FOR_EVER_US: Final = 2**62
"""Time for which bots wait for a decision about a verdict."""
BLUNDER: Final = msgspec.json.encode(
    Advice(
        (Marked(Choice(msgspec.Raw(b'"that"'), Message("that"), 900, 6_000, 8), ()),),
        Choice(msgspec.Raw(b'"this"'), Message("this"), -900, 1_000, 8),
        100,
    )
)
"""A worker's certain verdict."""


@pytest.fixture
def hints(service: Serving, service_folder: Path) -> Iterator[Hints]:
    with closing(Hints(settings_for(service_folder).analyses_place)) as hints:
        yield hints


def opens_with_hints(player: Player) -> None:
    player.goes("/open/el_grande")
    form = player.page.locator("form.set-up")
    form.locator("select[name=seat_2]").select_option("greedy")
    form.locator("input[name=hints]").check()
    player.opens_the_table()
    player.awaits_the_start()


def blunders(player: Player, hints: Hints) -> int:
    """Press the last button, for which a verdict is prepared; return the version before it."""
    assert player.has_choice()
    version, match_id = player.version, UUID(player.here.removeprefix("/tables/"))
    hints.request_hint(match_id, version, "verdict", 0)
    hints.store_hint(match_id, version, "verdict", BLUNDER, FOR_EVER_US)
    player.presses(-1)
    warning = player.page.locator("#hint .notice")
    expect(warning).to_contain_text(
        "That was a blunder: this. It lowers your chance of winning by 50.0 percentage points. Better: that."
    )
    expect(warning).to_contain_text("The bots wait for up to 30 seconds.")
    assert player.version == version + 1, "the bots hold on"
    return version


@pytest.mark.walk
def test_a_hint_marks_choices_and_a_blunder_can_be_taken_back_or_kept(
    new_player: Callable[..., Player], hints: Hints
) -> None:
    player = new_player()
    player.sign_in_as_guest()
    opens_with_hints(player)
    page, hint = player.page, player.page.locator("#hint")

    assert player.has_choice()
    hint.get_by_role("button", name="Suggest a move").click()
    lines = hint.locator("[data-hinted]")
    expect(lines.first).to_be_visible()
    assert 2 <= lines.count() <= 3
    ranked = page.locator(f"{BUTTONS}[data-place]")
    expect(ranked.first).to_be_visible()
    assert {button.get_attribute("data-place") for button in ranked.all()} <= {"1", "2", "3"}
    expect(page.locator(BUTTONS + "[data-place='1'] .words")).to_have_text(lines.first.locator("b").inner_text())

    choices = page.locator(f"{BUTTONS} .words").all_inner_texts()
    first_blunder = blunders(player, hints)
    hint.get_by_role("button", name="Take back move").click()
    player.sees(first_blunder + 2)
    expect(page.locator(f"{BUTTONS} .words")).to_have_text(choices)
    expect(hint.locator(".notice")).to_have_count(0)

    second_blunder = blunders(player, hints)
    hint.get_by_role("button", name="Play on").click()
    player.sees(second_blunder + 2)
    match_url = page.url
    player.follows(hint.get_by_role("button", name="Retry this move"), "**/tables/*")
    assert page.url != match_url

    assert player.has_choice()
    expect(page.locator(f"{BUTTONS} .words")).to_have_text(choices)
    player.presses(-1)
    page.wait_for_function(SETTLED, timeout=1_000 * DEADLINE_SECONDS)
