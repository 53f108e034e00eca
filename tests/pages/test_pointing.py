"""Decorations let the pointer through: arrows, pieces and marks over the parts of both boards."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

import api
from api.titles.el_grande.drawing import plates
from domain.kernel.rules import Seat
from domain.titles import el_grande
from domain.titles.el_grande.view import View
from tests.domain.titles.el_grande.table import play_randomly as el_grande_played
from tests.domain.titles.la_granja.table import random_match
from tests.pages.browsing import DESK, PHONE, covering, find_missed_parts
from tests.pages.titles.test_el_grande_drawing import EVERYTHING
from tests.pages.titles.test_el_grande_drawing import render as el_grande_drawn
from tests.pages.titles.test_la_granja_drawing import render_all as la_granja_drawn
from tests.seeding import one_in

pytestmark = pytest.mark.chromium

API: Final = Path(api.__file__).parent
SHEETS: Final = ("esporles", "table", "el_grande", "la_granja")
SHOWN_OVER: Final[Mapping[str, Callable[[View], object]]] = {
    "arrows of a draft": lambda view: view.draft and view.draft.lines,
    "arrows of an announced move": lambda view: view.announced and view.announced.lines,
    "a disc that is set": lambda view: view.seat is not None and view.players[view.seat].choice,
    "scoreboards that a card can add to a region": plates,
    "the king beside the Castillo": lambda view: view.king == "castillo",
}
"""Drawings of El Grande that lie over parts of its board."""
ENOUGH: Final = 2
"""Number of boards examined with each of these."""
MATCHES: Final[tuple[tuple[int, int, Mapping[str, str]], ...]] = tuple((5, seed, EVERYTHING) for seed in range(5, 15))
EVERY: Final = 60
"""Of La Granja, one position in this many."""


@cache
def el_grande_boards() -> tuple[str, ...]:
    """Return boards with everything that can lie over a part, as the player to act sees them."""
    counts, boards = dict.fromkeys(SHOWN_OVER, 0), list[str]()
    for state, seat in ((state, seat) for match in MATCHES for state, _ in el_grande_played(*match) for seat in (0, 1)):
        view = el_grande.view(state, Seat(seat))
        new_drawings = [
            drawing for drawing, is_shown in SHOWN_OVER.items() if counts[drawing] < ENOUGH and is_shown(view)
        ]
        counts |= {drawing: counts[drawing] + 1 for drawing in new_drawings}
        if new_drawings:
            boards.append(el_grande_drawn(state, seat))
    assert set(counts.values()) == {ENOUGH}, counts
    return tuple(boards)


@cache
def la_granja_boards() -> tuple[str, ...]:
    return tuple(
        la_granja_drawn(state, 0) for number, (state, _) in enumerate(random_match(3, 7)) if number % EVERY == 0
    )


BOARDS: Final = {"el_grande": el_grande_boards, "la_granja": la_granja_boards}


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    """Open an empty page with the style sheets of the tables."""
    page = browser.new_context().new_page()
    styles = "".join(f"<style>{next(API.rglob(f'static/{name}.css')).read_text()}</style>" for name in SHEETS)
    page.set_content(f'<!doctype html>{styles}<main class="wide"><div class="table"><div class="field"></div></div>')
    yield page
    page.context.close()


@pytest.mark.walk
@pytest.mark.parametrize(("title", "size"), one_in(2, product(BOARDS, (DESK, PHONE)), "boards"))
def test_decorations_over_a_part_do_not_intercept_its_click(sheet: Page, title: str, size: Any) -> None:
    sheet.set_viewport_size(size)
    for board in BOARDS[title]():
        sheet.evaluate("html => { document.querySelector('.field').innerHTML = html }", board)

        assert find_missed_parts(sheet) == []
        assert covering(sheet) == []
