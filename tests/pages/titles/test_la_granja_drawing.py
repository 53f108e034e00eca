"""The drawing of La Granja's table: a part for every legal action, every symbol, and no secret."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from jinja2 import Environment

from api.http.fragments import changed_parts, digests
from api.http.languages import add_localisation
from api.http.parts import SEPARATE_PARTS, fill_placeholders, install_part_cache, placeholder
from api.http.templating import loader_of, template_folders
from api.titles.la_granja import crafts, glyphs, prompts
from api.titles.la_granja.title import DRAWING
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.matches.apply import fold
from domain.matches.log.log_files import read_log
from domain.titles import TITLES, la_granja
from domain.titles.la_granja import agenda
from domain.titles.la_granja.actions import Action, Decline, FinalSale, Pass, PassOver, PlayCard
from domain.titles.la_granja.components import BUILDINGS, REVENUE_SPACES, ROOF_EFFECTS
from domain.titles.la_granja.parts import PART_OF, part_of
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import BOXES
from tests.domain.titles.la_granja.table import random_match
from tests.seeding import one_in

NAMES: Final = ("Ann", "Ben <b>", "Cleo", "Dan")
GOLDEN: Final = sorted((Path(__file__).parents[2] / "golden").glob("la_granja-[1-4]-*.jsonl"))
ENOUGH: Final = 1
"""Number of times each kind of part is examined per log."""
BYTES_MAX: Final = 150_000
PLACE: Final = re.compile(r'<div class="part" id="[^"]+">|</div>')
"""The element around a part that can be replaced separately."""


@cache
def environment() -> Environment:
    environment = Environment(loader=loader_of(template_folders()), autoescape=True)
    add_localisation(environment)
    install_part_cache(environment)
    return environment


def pieces(state: State, seat: int | None, separate_parts: dict[str, str] | None = None) -> dict[str, str]:
    """Render every fragment for a reader; replaceable parts are collected in `separate_parts` if it is given."""
    view = la_granja.view(state, None if seat is None else Seat(seat))
    context: dict[str, Any] = {
        "view": view,
        "names": NAMES[: len(view.farms)],
        **DRAWING.picture(view),
        SEPARATE_PARTS: separate_parts,
    }
    return {name: environment().get_template(template).render(context) for name, template in DRAWING.templates}


def render_all(state: State, seat: int | None) -> str:
    """Render all fragments for a reader."""
    return "".join(pieces(state, seat).values())


class Parts(HTMLParser):
    """Parser that records the parts of a page, and the parts and opaque pictures around each."""

    VOID: Final = frozenset({"br", "use", "path", "rect", "circle", "ellipse"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.around: dict[str, list[str]] = {}
        self._open: list[tuple[str, str]] = []
        self.feed(html)
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        part = attributes.get("data-part") or ""
        if part:
            self.around.setdefault(part, []).extend(label for _, label in self._open if label)
            assert tag not in {"li", "tr", "td", "th"}, part
        if tag not in self.VOID:
            self._open.append((tag, part or ("picture" if attributes.get("role") == "img" else "")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self._open.pop()[0] == tag, tag


def positions(path: Path) -> Iterator[State]:
    """Yield every position of a recorded match."""
    log, match = read_log(path), None
    for entry in log.entries:
        match = fold(TITLES, [entry], match)
        if match.state is not None:
            yield match.state


def kind_of(action: Any) -> tuple[str, str]:
    return type(action).__name__, re.sub(r"\d+", "", part_of(action))


def test_a_card_and_a_trade_have_short_buttons() -> None:
    """A sale has no short form, because its place is part of the statement."""
    labels = dict[str, tuple[str, str]]()
    for state in positions(GOLDEN[0]):
        for seat in la_granja.seats_to_act(state):
            view = la_granja.view(state, seat)
            for action in la_granja.legal_actions(state, seat):
                brief = DRAWING.brief(view, action) if DRAWING.brief else None
                labels.setdefault(type(action).__name__, brief.label if brief else ("", ""))

    use, name = labels["PlayCard"]
    assert (name in {card.helper.name for card in BOXES["standard"].cards.values()}, use) == (True, "Field")
    assert labels["SpendCommodity"] == ("4 silver", "")
    assert re.fullmatch(r"1 \w+ · \d silver", labels["BuyResource"][0])
    assert labels["SellResource"] == ("", "")


@pytest.mark.parametrize("path", one_in(6, GOLDEN, "drawn"), ids=lambda path: path.stem)
def test_every_legal_action_has_a_drawn_part_that_can_be_pressed_separately(path: Path) -> None:
    examined = Counter[tuple[str, str]]()
    for state in positions(path):
        for seat in la_granja.seats_to_act(state):
            legal = la_granja.legal_actions(state, seat)
            kinds = {kind_of(action) for action in legal}
            if all(examined[kind] >= ENOUGH for kind in kinds):
                continue
            examined.update(kinds)
            targets = {part_of(action) for action in legal} - {""}
            surroundings = Parts(render_all(state, seat if seat >= 0 else None)).around
            assert targets <= set(surroundings), state.step
            assert all(not {*surroundings[part]} & {*targets, "picture"} for part in targets)
            assert say(prompts.prompt(la_granja.view(state, seat), legal)).endswith(".") or seat < 0


def test_every_action_with_a_place_has_a_target() -> None:
    assert {*PART_OF, Pass, Decline, PassOver, FinalSale} == set(get_args(Action))


def test_every_task_of_a_player_has_a_sentence() -> None:
    choices = set(get_args(agenda.AnyTask)) - agenda.AUTOMATIC - {agenda.SaleOwed}

    assert {*prompts.SENTENCES, *prompts.BY_TASK, *prompts.BY_CHOICES} == choices


def test_every_tile_option_and_craft_marker_has_its_symbols_and_words() -> None:
    assert set(glyphs.ROOFS) == set(ROOF_EFFECTS)
    assert set(glyphs.OPTIONS) == {option for space in REVENUE_SPACES.values() for option in space.options}
    assert set(crafts.AT_ONCE) == {building.instant.kind for building in BUILDINGS.values()}
    assert set(crafts.LASTING) == {building.permanent.kind for building in BUILDINGS.values()}


@pytest.mark.parametrize(("seats", "edition"), [(1, "deluxe"), (2, "yucata"), (3, "bga"), (4, "original")])
def test_every_used_symbol_is_defined_and_the_table_is_small(seats: int, edition: str) -> None:
    html = ""
    for number, (state, _) in enumerate(random_match(seats, 5, edition=edition)):
        if number % 60 == 0:
            html = render_all(state, number // 60 % seats)
            ids = re.findall(r' id="([^"]+)"', html)
            assert set(re.findall(r'href="#(lg-[^"]+)"', html)) <= set(ids)
            assert len(ids) == len(set(ids))
            assert len(html.encode()) < BYTES_MAX

    assert ("Neutral player" in html) == (seats == 1)


def test_hands_and_secret_points_are_drawn_for_their_owner_only() -> None:
    state = next(state for number, (state, _) in enumerate(random_match(3, 8, edition="original")) if number == 40)
    hands = {card for farm in state.farms for card in farm.hand}
    assert all(farm.hand for farm in state.farms)

    for seat in (None, 0, 1, 2):
        shown_cards = {int(card) for card in re.findall(r'data-part="hand-(\d+)"', render_all(state, seat))}
        assert shown_cards == (set() if seat is None else set(state.farms[seat].hand))
    assert hands
    assert render_all(state, None).count("<b>?</b>") == 3
    assert render_all(state, 0).count("<b>?</b>") == 2


def test_every_market_space_is_labelled_with_its_place_and_owner() -> None:
    state = next(state for state, _ in random_match(3, 1))

    html = render_all(state, None)

    titles = re.findall(r"<title>Market space of value \d \((row \d+, place \d+)\): ([^<]+)</title>", html)
    assert len(dict(titles)) == len(titles) == html.count('data-part="stall-')
    assert {"Ann", "Ben &lt;b&gt;", "Cleo", "free"} == {owner for _, owner in titles}
    assert html.count("Roof tiles: nothing yet") == 3


def test_names_are_escaped() -> None:
    state = next(state for state, _ in random_match(3, 1))

    html = render_all(state, 0)

    assert "Ben <b>" not in html
    assert "Ben &lt;b&gt;" in html


def test_a_card_shows_all_its_four_uses_and_each_can_be_played() -> None:
    state = next(state for state, _ in random_match(2, 3))
    seat = la_granja.seats_to_act(state)[0]

    drawn = Parts(render_all(state, seat)).around

    for card in state.farms[seat].hand:
        for side in ("field", "barrow", "extension", "helper"):
            assert part_of(PlayCard(card, side)) in drawn


@pytest.mark.parametrize("seat", [None, 0])
def test_incremental_updates_equal_a_whole_page(seat: int | None) -> None:
    """Covers a whole match, of which only a small part is sent."""
    client_parts, update_size, page_size = dict[str, str](), 0, 0
    for state, _ in random_match(3, 7):
        parts = dict[str, str]()
        page = pieces(state, seat, parts) | parts
        client_digests = {name: digest for name, digest in digests(client_parts, "").items() if name in page}
        update = changed_parts(page, client_digests, digests(page, ""))
        client_parts = {name: html for name, html in (client_parts | update).items() if name in page}
        assert fill_placeholders(client_parts) == fill_placeholders(page)
        assert all(sum(html.count(placeholder(id)) for html in page.values()) == 1 for id in parts), (
            "each has one place"
        )
        assert PLACE.sub("", "".join(fill_placeholders(page).values())) == render_all(state, seat).replace("</div>", "")
        update_size, page_size = update_size + sum(map(len, update.values())), page_size + sum(map(len, page.values()))
    assert update_size < page_size / 5
