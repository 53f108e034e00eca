"""Lists of titles, and the parts of titles that other floors find by name."""

import dataclasses

import pytest

from domain.kernel.loading import find_part
from domain.kernel.messages import Message
from domain.kernel.title import Habits, default_title, titles_by_name
from domain.matches.errors import BotCannotPlay
from domain.matches.seats.bots import can_play, check_bot
from domain.titles import TITLES
from domain.titles.el_grande.decks import CARDS
from domain.titles.el_grande.title import EL_GRANDE, thing_name
from domain.titles.el_grande.words_terms import place
from domain.titles.la_granja.tables import DEFAULT_DECK
from domain.titles.la_granja.title import LA_GRANJA, card_name
from domain.titles.la_granja.words_terms import helper
from tests.domain.matches.match_helpers import TOY


def test_titles_are_found_by_their_names_in_the_order_of_the_list() -> None:
    assert list(titles_by_name(EL_GRANDE, TOY, LA_GRANJA)) == ["el_grande", "toy", "la_granja"]


def test_a_name_is_given_once() -> None:
    with pytest.raises(AssertionError, match="two titles have the same name"):
        titles_by_name(TOY, TOY)


def test_the_default_title_is_the_marked_one_or_the_first() -> None:
    assert default_title(TITLES) is LA_GRANJA
    assert default_title(titles_by_name(EL_GRANDE, TOY)) is EL_GRANDE


def test_a_title_has_its_numbers_of_players() -> None:
    assert TOY.players == range(2, 5)
    assert EL_GRANDE.players == range(2, 6)


def test_a_part_is_found_by_its_module_or_missing() -> None:
    assert find_part("domain.titles.la_granja.title", "LA_GRANJA") is LA_GRANJA
    assert find_part("domain.titles.la_granja.drawing", "DRAWING") is None
    assert find_part("domain.titles.whist.title", "WHIST") is None


def test_a_part_that_fails_to_import_raises() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        find_part("tests.domain.kernel.broken.part", "PART")
    with pytest.raises(AttributeError):
        find_part("domain.titles.la_granja.title", "DRAWING")


def test_a_thing_without_words_of_its_title_keeps_its_id() -> None:
    assert Habits().name("ship", "12") == "12"
    assert card_name("helper", "999") == "999"
    assert thing_name("action_card", "no-such-card") == "no-such-card"


def test_only_a_bot_that_plans_needs_an_evaluation() -> None:
    assert can_play(LA_GRANJA, "bot:greedy@2")
    assert can_play(TOY, "bot:random@1")
    assert can_play(TOY, "anna")
    with pytest.raises(BotCannotPlay, match="the bot 'greedy' cannot play toy"):
        check_bot(TOY, "bot:greedy@2")


def test_titles_are_equal_by_identity() -> None:
    """Titles with the same rules are distinct cache keys."""
    assert dataclasses.replace(TOY) != TOY


def test_an_option_with_default_and_alternative_is_a_checkbox() -> None:
    assert [choice.is_checkbox for choice in (*LA_GRANJA.choices, EL_GRANDE.choices[0])] == [False, True, True]


def test_actions_reveal_preferences() -> None:
    granja, grande = LA_GRANJA.habits, EL_GRANDE.habits
    assert granja.choices["la_granja.play_card"]({"side": "helper", "card": 7}) == ("helper", "7", 1)
    assert grande.choices["el_grande.take_action_card"]({"card": "veto"}) == ("action_card", "veto", 1)
    assert grande.choices["el_grande.place_caballeros"]({"area": "castilla", "count": 3}) == ("region", "castilla", 3)


def test_things_are_named_in_the_words_of_their_title() -> None:
    card = next(iter(CARDS["2006"].values()))
    assert EL_GRANDE.habits.name("action_card", card.id) == Message(card.name)
    assert EL_GRANDE.habits.name("region", "castilla") == place("castilla")
    assert LA_GRANJA.habits.name("helper", "1") == helper(1, DEFAULT_DECK)
