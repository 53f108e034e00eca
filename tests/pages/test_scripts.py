"""Scripts typed into every text field are shown as text and do not run."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec
import pytest
from litestar.routes import HTTPRoute
from playwright.sync_api import Dialog, Locator, expect

from api import pages as site
from tests.pages.browsing import Player
from tests.pages.conftest import OPERATOR
from tests.pages.sample_content import addresses
from tests.seeding import IS_EXPLORING, derive_number

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]

SCRIPTS: Final = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}'><svg onload=alert(1)>")
TEXT: Final = '"><script>alert(2)</script>'
ROUTES: Final = {
    route.path: re.compile(re.sub(r"\{\w+:\w+\}", "[^/]+", route.path))
    for route in sorted(site.ROUTER.routes, key=lambda route: "{" in route.path)
}
DOORS: Final = (
    *("/events/{event}", "/events/{announced}", "/events/{event}/desk", "/events/{byhand}/desk"),
    *("/leagues/{league}", "/studies/{study}", "/disputes/{dispute}", "/disputes/{ruled}"),
)
NUMBER: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
WRITTEN: Final = "input:not([type]), input[type=text], input[type=search], textarea"
CHOSEN: Final = "select, input[type=number], input[type=checkbox], input[type=radio], input[name=title], [name=ownLuck]"
MADE: Final = "main script, main img[onerror], main svg[onload]"
TYPE_ANYTHING: Final = """(field, text) => {
  if (field.tagName === 'SELECT') field.add(new Option(text, text));
  else if (field.tagName === 'INPUT') field.type = 'text';
  field.value = text;
}"""
FORMS: Final = """written => Array.from(document.querySelectorAll('main form[method=post]'), form => [
  form.getAttribute('action'), Array.from(form.elements, field => field.name), form.querySelector(written) !== null])"""
CHOSEN_MAX: Final = 8
"""Number of fields of a form tried in a plain run."""
SUBMIT: Final = "form => HTMLFormElement.prototype.submit.call(form)"


@pytest.fixture
def alarms(new_player: NewPlayer) -> Iterator[tuple[Callable[[], Player], list[str]]]:
    """Return a function that creates people at browsers, and the list of dialogs that scripts have opened."""
    heard: list[str] = []
    players: list[Player] = []

    def record_dialog(dialog: Dialog) -> None:
        heard.append(dialog.message)
        dialog.dismiss()

    def new() -> Player:
        players.append(new_player())
        players[-1].page.on("dialog", record_dialog)
        return players[-1]

    yield new, heard
    for player in players:
        heard += [complaint for complaint in player.complaints if "Content Security Policy" in complaint]
        player.complaints.clear()
    assert heard == []


def is_sent(player: Player, form: Locator) -> None:
    """Submit the form, without the page's validation."""
    with player.page.expect_navigation():
        form.evaluate(SUBMIT)
    expect(player.page.locator("main h1").first).to_be_visible()
    assert player.page.query_selector(MADE) is None


def is_drawn(address: str) -> bool:
    """Return whether a plain run starts at this page.

    It starts at one page in five, by the seed, and at the first pages of tournaments, leagues, studies and disputes.
    Forms of the other pages are submitted directly.
    """
    return address in DOORS or derive_number(address) % 5 == 0


def route_of(path: str) -> str:
    """Return the route that a form is sent to."""
    return next(route for route, pattern in ROUTES.items() if pattern.fullmatch(path.partition("?")[0]))


def fills_every_form(player: Player, path: str, filled: dict[str, set[str]]) -> Iterator[str]:
    """Fill in every new form of a page one after the other and yield the page each leads to."""
    player.goes(path)
    forms: list[tuple[str, list[str], bool]] = player.page.evaluate(FORMS, WRITTEN)
    for action, names, is_written in {form[0]: form for form in forms}.values():
        known = filled.setdefault(route_of(action), set())
        if {*names} - known and is_written:
            player.goes(path)
            form = player.page.locator(f"main form[action='{action}']").first
            if not form.count():
                continue
            for field in form.locator(WRITTEN).all():
                field.evaluate(TYPE_ANYTHING, TEXT)
            for field in form.locator("input[type=password]").all():
                field.evaluate(TYPE_ANYTHING, OPERATOR["password"])
            is_sent(player, form)
            yield player.here
        known.update(names)


def text_fields() -> dict[str, set[str]]:
    """Return every text field of every form by route, from the handlers."""
    found = dict[str, set[str]]()
    for route in site.ROUTER.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            data = handler.parsed_fn_signature.parameters.get("data")
            if "POST" in handler.http_methods and data is not None:
                fields = msgspec.structs.fields(data.annotation)
                found[route.path] = {field.encode_name for field in fields if field.type is str}
    return found


@pytest.mark.walk
def test_scripts_in_names_are_shown_as_text(alarms: tuple[Callable[[], Player], list[str]]) -> None:
    new = alarms[0]
    player, watcher = new(), new()
    for name in SCRIPTS:
        player.goes("/sign-in")
        player.page.locator("form[action='/sign-up'] [name=name]").fill(name)
        player.page.locator("form[action='/sign-up'] [name=password]").fill(OPERATOR["password"])
        player.follows("form[action='/sign-up'] button")
        player.plays_against(1)
        player.has_choice()
        player.presses(1)
        expect(player.page.locator("#seats")).to_contain_text(name)
        watcher.goes(player.here)
        expect(watcher.page.locator("#seats")).to_contain_text(name)
        assert player.page.query_selector(MADE) is watcher.page.query_selector(MADE) is None
        player.page.click("header .account summary")
        player.follows("text=Sign out")


@pytest.mark.walk(one_in=2)
def test_scripts_in_any_text_field_are_shown_as_text(
    alarms: tuple[Callable[[], Player], list[str]], content_ids: dict[str, str]
) -> None:
    """Every form is submitted as an operator, a party to a dispute, and signed out; the pages it leads to are checked.

    Forms that no page shows at present are submitted directly.
    """
    keeper, party, nobody = alarms[0](), alarms[0](), alarms[0]()
    keeper.signs_in(**OPERATOR)
    party.signs_in(content_ids["plaintiff"], OPERATOR["password"])
    filled, shown = dict[str, set[str]](), set[str]()
    own = [f"/disputes/{content_ids[which]}" for which in ("dispute", "ruled")]
    rooms = [address.format_map(content_ids) for address in addresses() if IS_EXPLORING or is_drawn(address)]
    for player, doors in ((nobody, ["/sign-in"]), (party, own), (keeper, rooms)):
        waiting, seen = [*doors], set[str]()
        while waiting:
            path = waiting.pop()
            if (kind := NUMBER.sub("", path.partition("?")[0])) not in seen or path in doors:
                seen.add(kind)
                for led_to in fills_every_form(player, path, filled):
                    waiting.append(led_to)
                    if TEXT in player.page.inner_text("main"):
                        shown.add(led_to.split("/")[1])

    assert shown >= {"events", "leagues", "studies", "disputes"}
    for route, fields in text_fields().items():
        if left := fields - filled.get(route, set()):
            is_sent_all_the_same(keeper, route, left, content_ids)


def is_sent_all_the_same(player: Player, route: str, fields: set[str], content_ids: dict[str, str]) -> None:
    ids = {f"{kind}_id": content_ids[kind] for kind in ("event", "league", "study", "dispute")}
    path = re.sub(r":\w+}", "}", route).format(match_id=content_ids["grande"], **ids)
    player.goes("/")
    token = player.page.locator("[name=_csrf_token]").first.input_value()
    form: dict[str, str | float | bool] = {"_csrf_token": token, **dict.fromkeys(fields, TEXT)}
    answer = player.page.context.request.post(player.url.rstrip("/") + path, form=form)
    assert answer.status < 500, (path, answer.status)
    assert TEXT not in answer.text(), path


@pytest.mark.parametrize("title", ["la_granja", "el_grande"])
def test_scripts_in_place_of_options_are_refused(alarms: tuple[Callable[[], Player], list[str]], title: str) -> None:
    player = alarms[0]()
    player.goes(f"/open/{title}")
    count = player.page.locator("main form").locator(CHOSEN).count()
    tried = count if IS_EXPLORING else min(count, CHOSEN_MAX)
    for nth in Random(derive_number(f"/open/{title}")).sample(range(count), tried):
        player.goes(f"/open/{title}")
        form = player.page.locator("main form")
        form.locator(CHOSEN).nth(nth).evaluate(TYPE_ANYTHING, SCRIPTS[0])
        is_sent(player, form)
