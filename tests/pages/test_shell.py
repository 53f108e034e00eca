"""Features of every table, independent of the title, in a real browser."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from api.http.languages import LANGUAGES
from api.http.preferences import LANGUAGE_COOKIE as COOKIE
from tests.pages.browsing import BUTTONS, DESK, PHONE, STANDING, Player, begin_together, whoever_is_asked

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

NewPlayer = Callable[..., Player]
LEGAL: Final = "[data-part].legal"
OWN_LOOK: Final = "() => { window.sameDocument = true }"


def several_choices(player: Player) -> str | None:
    """Return the selector of a board part with more than one action, or None."""
    part = player.page.evaluate(
        "() => (document.querySelector('[data-part].legal[aria-haspopup=dialog]') || {dataset: {}}).dataset.part"
    )
    return f"[data-part='{part}']" if part else None


def chooses_by_keys(player: Player, index: int) -> None:
    """Choose a part of the board by keyboard, and the first of its actions if there are several."""
    parts = player.page.locator(LEGAL)
    parts.nth(index % parts.count()).press("Enter")
    if player.page.query_selector("#chooser[open]"):
        player.page.keyboard.press("Enter")


@pytest.mark.walk
@pytest.mark.parametrize("title", ["la_granja", "el_grande"])
def test_a_round_is_played_by_keyboard_alone(new_player: NewPlayer, title: str) -> None:
    player = new_player()
    player.plays_against(1, title)
    keyboard, count = player.page.keyboard, 0
    player.has_choice()
    first_round = player.page.inner_text("#status .standing").split("·")[0]

    while player.has_choice() and player.page.inner_text("#status .standing").split("·")[0] == first_round:
        if count % 3 == 0 and player.page.query_selector(LEGAL):
            player.acts(partial(chooses_by_keys, player, count))
        elif count % 3 == 1:
            player.acts(lambda: keyboard.press(str(player.page.locator(BUTTONS).first.get_attribute("data-key"))))
        else:
            player.acts(lambda: player.page.locator(BUTTONS).last.press("Enter"))
        count += 1

    assert count >= 3
    assert player.match["status"] == "running"


def tabs_to(player: Player, selector: str) -> None:
    """Press Tab until the element has the focus, which must be visible."""
    for _ in range(60):
        player.page.keyboard.press("Tab")
        if player.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            assert player.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_the_site_is_navigated_by_keyboard_alone(new_player: NewPlayer) -> None:
    player = new_player()
    page, keyboard = player.page, player.page.keyboard
    player.goes("/tables")
    keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.skip')")
    assert page.evaluate("document.activeElement.getBoundingClientRect().left >= 0")
    keyboard.press("Enter")
    page.wait_for_url("**#main")

    player.goes("/open/el_grande")
    tabs_to(player, ".languages summary")
    keyboard.press("Enter")
    keyboard.press("Tab")
    keyboard.press("Escape")
    assert page.locator(".languages[open]").count() == 0
    assert page.evaluate("document.activeElement.matches('.languages summary')")
    keyboard.press("Enter")
    tabs_to(player, ".languages button[value=pl]")
    with page.expect_navigation():
        keyboard.press("Enter")
    assert page.get_attribute("html", "lang") == "pl"

    tabs_to(player, "[name=seat_2]")
    keyboard.press("ArrowDown")
    tabs_to(player, "[name='options.short']")
    keyboard.press("Space")
    tabs_to(player, "[name=pauses]")
    keyboard.press("ArrowDown")
    tabs_to(player, "form.set-up button")
    with page.expect_navigation(url="**/tables/*"):
        keyboard.press("Enter")

    match = player.match
    assert (match["options"]["short"], match["table"]["pauses"]) == ("yes", 0)
    assert match["seats"][1]["player"]["kind"] == "bot"


def test_reduced_motion_is_respected(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    player.presses(0)
    player.has_choice()

    moving = "() => document.getAnimations().filter(each => each.playState === 'running').length"
    assert player.page.evaluate(moving) == 0
    assert player.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_one_of_several_actions_is_chosen_on_the_board_or_none(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande", "short")
    while (part := several_choices(player) if player.has_choice() else None) is None:
        player.presses(-1)
    player.wait_until_settled()
    before, chooser = player.version, player.page.locator("#chooser")

    player.points_at(player.page.locator(part).first)
    expect(chooser).to_be_visible()
    choice_count = chooser.locator(".choices button").count()
    player.page.evaluate(
        "() => { document.querySelector('.choices button').isSame = true;"
        " document.dispatchEvent(new Event('esporles:changed')) }"
    )
    assert player.page.evaluate("document.querySelector('.choices button').isSame"), "no click is lost on it"
    chooser.locator("[data-cancel]").click()
    expect(chooser).to_be_hidden()
    player.page.locator(part).first.focus()
    player.page.keyboard.press("Enter")
    expect(chooser).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(chooser).to_be_hidden()
    assert player.version == before
    player.chooses(lambda: player.points_at(player.page.locator(part).first))

    assert choice_count > 1


def box(player: Player, selector: str) -> Any:
    return player.page.locator(selector).bounding_box()


def test_two_play_at_a_table_and_a_third_watches(new_player: NewPlayer) -> None:
    first, second, third = new_player(), new_player(PHONE), new_player()
    first.goes("/open/el_grande")
    first.page.check("input[name='options.short']")
    path = first.opens_the_table()
    second.sign_in_as_guest()
    second.goes(path)
    second.follows("button:text('Join')")
    third.goes(path)
    assert box(first, "#actions .gathering")["x"] == box(first, "#status")["x"]
    begin_together(first, second)
    expect(third.page.locator("#announce")).to_contain_text("The match begins A match of El Grande begins")

    for _ in range(6):
        active = whoever_is_asked(first, second)
        active.presses(1)
        for player in (first, second, third):
            player.sees(active.version)

    assert third.page.query_selector(BUTTONS) is None
    dock, narration = box(third, "#actions .dock"), box(third, "#narration")
    assert narration["y"] - dock["y"] - dock["height"] < DESK["height"] / 20
    assert first.head == second.head == third.head == first.match["head"]
    expect(third.page.locator("#announce")).not_to_be_empty()


def test_a_lost_connection_is_shown_and_resumes_without_a_gap(new_player: NewPlayer) -> None:
    player, watcher = new_player(), new_player()
    path = player.plays_against(1)
    player.has_choice()
    watcher.goes(path)
    watcher.page.wait_for_function("() => document.querySelector('[data-told]')")
    watcher.page.evaluate(OWN_LOOK)
    watcher.page.context.set_offline(True)
    expect(watcher.page.locator("#connection")).to_contain_text("lost")
    for _ in range(2):
        assert player.has_choice()
        player.presses(1)

    player.has_choice()
    watcher.page.context.set_offline(False)
    watcher.sees(player.version)

    assert watcher.page.evaluate("window.sameDocument")
    expect(watcher.page.locator("#connection")).not_to_contain_text("lost")
    version, head = watcher.read_position()
    assert head == watcher.head_at(version)
    watcher.complaints.clear()


def test_actions_keep_their_place_on_a_phone_without_connection(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.plays_against(1)
    player.has_choice()
    player.wait_until_settled()
    before = player.page.locator("#actions .dock").bounding_box()

    player.page.context.set_offline(True)
    connection = player.page.locator("#connection")
    expect(connection).to_contain_text("lost")
    after, message_box = player.page.locator("#actions .dock").bounding_box(), connection.bounding_box()

    assert after == before
    assert message_box
    assert message_box["height"] < PHONE["height"] / 10
    find_message = "([x, y]) => document.elementFromPoint(x, y).closest('#connection')"
    covered = player.page.evaluate(
        find_message, [message_box["x"] + message_box["width"] / 2, message_box["y"] + message_box["height"] / 2]
    )
    assert covered is None, "what is said over the table takes no click from it"
    player.complaints.clear()


def test_a_stale_action_is_answered_with_the_changes_and_a_fresh_board(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    stale_page = player.page.context.new_page()
    # With a stream that is connected but silent, the page still sends the form; if the stream failed, it would not.
    stale_page.route("**/stream?*", lambda _: None)
    stale_page.goto(player.page.url)
    while stale_page.get_attribute(".table", "data-version") != str(player.version):
        stale_page.reload()
    player.presses(1)
    player.has_choice()
    player.wait_until_settled()

    stale_page.locator(BUTTONS).first.click()

    expect(stale_page.locator("#notice")).to_contain_text("The match has moved on")
    expect(stale_page.locator("#notice li").first).to_be_visible()
    version, head = stale_page.evaluate(STANDING)
    assert version >= player.version
    assert head == player.head_at(version)
    stale_page.unroute("**/stream?*")
    stale_page.close()


def test_a_tampered_form_is_refused_and_harmless(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    player.wait_until_settled()
    before = player.version

    for action in ('{"type":"la_granja.take_die","pips":9}', "nonsense"):
        player.page.locator(BUTTONS).first.evaluate("(button, value) => { button.value = value }", action)
        player.page.locator(BUTTONS).first.click()
        expect(player.page.locator("#notice .notice")).to_be_visible()
        player.page.reload()
        player.has_choice()
        player.wait_until_settled()

    assert player.version == before
    assert all("400" in complaint or "422" in complaint for complaint in player.complaints)
    player.complaints.clear()


def test_light_and_dark_are_switched_without_a_reload_and_remembered(new_player: NewPlayer) -> None:
    player = new_player()
    player.goes("/tables")
    player.page.evaluate(OWN_LOOK)

    player.page.click(".appearance summary")
    player.page.click(".appearance button[value=dark]")
    dark = player.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert player.page.evaluate("window.sameDocument")
    player.goes("/sign-in")

    assert player.page.get_attribute("html", "data-theme") == "dark"
    assert player.page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_the_language_is_switched_at_the_table(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    prompt = player.page.inner_text("#actions .prompt")

    player.page.click(".languages summary")
    player.follows(".languages button[value=de]")

    assert player.page.get_attribute("html", "lang") == "de"
    assert player.has_choice()
    assert player.page.inner_text("#actions .prompt") != prompt
    player.presses(1)
    player.has_choice()
    assert player.page.inner_text("#actions .prompt") != prompt


def test_a_table_is_opened_with_every_option(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.goes("/open/la_granja")
    player.page.select_option("[name=seats]", "3")
    player.page.select_option("[name=seat_2]", "random")
    player.page.select_option("[name=seat_3]", "greedy")
    player.page.select_option("[name='options.edition']", "original")
    player.page.select_option("[name=clock]", "match-1500-30")
    player.page.check("[name=private]")
    player.opens_the_table()
    player.has_choice()

    match = player.own_match
    assert match["options"]["edition"] == "original"
    assert match["table"]["clock"] == {"kind": "increment", "seconds": 1500, "increment": 30}
    assert not match["table"]["public"]
    assert [seat["player"]["id"].partition("@")[0] for seat in match["seats"][1:]] == ["bot:random", "bot:greedy"]
    clock = player.page.locator("#seats .clock.runs")
    clock_text = clock.inner_text()
    player.page.wait_for_function(
        "shown => document.querySelector('#seats .clock.runs').innerText !== shown", arg=clock_text
    )
    assert not player.is_wider_than_the_window


def test_the_forms_of_a_table_fit_a_phone_in_every_language(new_player: NewPlayer) -> None:
    player, too_wide = new_player(PHONE), []
    for language in LANGUAGES:
        player.page.context.add_cookies([{"name": COOKIE, "value": language, "url": player.url}])
        for title in ("la_granja", "el_grande"):
            player.goes(f"/open/{title}")
            too_wide += [(language, title)] if player.is_wider_than_the_window else []

    assert too_wide == []


def test_the_solo_game_is_played_alone(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(0)

    assert player.has_choice()
    player.presses(1)
    assert len(player.match["seats"]) == 1


def test_an_action_is_taken_back_paused_and_resigned(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    while not player.page.query_selector(".take-back"):
        player.presses(1)
        player.has_choice()

    player.acts(player.page.locator(".take-back").click)
    player.has_choice()
    player.wait_until_settled()
    player.page.click("text=Pause or leave")
    player.acts(player.page.locator("text=Request pause").click)
    player.page.wait_for_selector("#actions >> text=Paused")
    player.acts(player.page.locator("#actions").get_by_role("button", name="Continue").click)
    player.has_choice()
    player.wait_until_settled()
    player.page.click("text=Pause or leave")
    expect(player.page.locator("#actions button.danger:visible")).to_have_count(0)
    player.page.click("#leave-by-resigning summary")
    player.acts(player.page.locator("#actions button.danger:visible").click)
    player.page.wait_for_selector("#actions .result")

    expect(player.page.locator(".places-list li").last).to_contain_text("resigned")
    assert player.match["seats"][0]["resigned"]


def test_the_list_of_tables_shows_a_new_one_without_a_reload(new_player: NewPlayer) -> None:
    reader, host = new_player(), new_player()
    reader.goes("/tables")
    reader.page.evaluate(OWN_LOOK)

    host.goes("/open/la_granja")
    path = host.opens_the_table()

    expect(reader.page.locator(f"#listed a[href='{path}']").first).to_be_visible()
    assert reader.page.evaluate("window.sameDocument")
