"""Values are frozen and strict; tags, sentences and the legality check behave as documented."""

import gc
from typing import Any

import msgspec
import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.messages import Message, join_terms, player, say
from domain.kernel.rules import SERVICE_SEAT, IllegalAction, Options, Seat
from domain.kernel.values import Value, replace, tagger
from tests.domain.matches import toy


class TilePlaced(Value, frozen=True, tag_field="type", tag=tagger("some_title")):
    tile_number: int = 1


def test_a_tag_is_the_title_and_the_name_in_small_letters() -> None:
    assert tagger("el_grande")("PlayPowerCard") == "el_grande.play_power_card"
    assert msgspec.json.encode(TilePlaced(3)) == b'{"type":"some_title.tile_placed","tileNumber":3}'


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `colour`"):
        msgspec.json.decode(b'{"type":"some_title.tile_placed","colour":1}', type=TilePlaced)


def test_a_value_is_changed_by_replacing_it() -> None:
    tile: Any = TilePlaced(3)

    assert replace(tile, tile_number=4) == TilePlaced(4)
    with pytest.raises(AttributeError):
        tile.tile_number = 5


def test_a_message_is_rendered_with_its_arguments_and_terms() -> None:
    crop = Message("an olive")

    assert say(Message("{seat} takes {good}", {"seat": "Anna", "good": crop})) == "Anna takes an olive"
    assert say(Message("100 % of it")) == "100 % of it"
    many = Message("one card", {"count": 3}, plural="{count} cards", count=3)
    assert say(many) == "3 cards"
    assert say(Message("one card", plural="{count} cards", count=1)) == "one card"


def test_terms_are_listed_and_players_counted_from_one() -> None:
    """Each part is a separate message, so that a page can substitute a player's name."""
    term = join_terms([player(0), player(1), Message("the dummy")])

    assert say(term) == "Player 1, Player 2, the dummy"
    assert join_terms([player(2)]) == Message("Player {number}", {"number": 3})


def test_a_message_is_rendered_in_another_language() -> None:
    translations = {"{seat} takes {good}": "{good} für {seat}", "an olive": "eine Olive"}

    text = say(
        Message("{seat} takes {good}", {"seat": "Anna", "good": Message("an olive")}),
        lambda sentence, _plural, _count, _case: translations[sentence],
    )

    assert text == "eine Olive für Anna"


def test_a_term_is_rendered_in_the_case_of_its_placeholder() -> None:
    """Each of several terms has the case; arguments without cases keep their form."""
    translations = {
        ("{seat} takes {goods}", ""): "{seat} bierze {goods:accusative}",
        ("{seat} has {goods}", ""): "{seat}: {goods}",
        ("{first}, {second}", ""): "{first}, {second}",
        ("{first}, {second}", "accusative"): "{first}, {second}",
        ("a pig", ""): "świnia",
        ("a pig", "accusative"): "świnię",
        ("an olive", ""): "oliwka",
        ("an olive", "accusative"): "oliwkę",
    }
    goods = join_terms([Message("a pig"), Message("an olive")])

    def render(sentence: str) -> str:
        message = Message(sentence, {"seat": "Anna", "goods": goods})
        return say(message, lambda text, _plural, _count, case: translations[text, case])

    assert render("{seat} takes {goods}") == "Anna bierze świnię, oliwkę"
    assert render("{seat} has {goods}") == "Anna: świnia, oliwka"


def test_the_gate_lets_legal_actions_pass_and_names_the_others() -> None:
    chance = SeededChance(bytes(32))
    effects = toy.start(Options({"rounds": "5"}, 2, 4), 2, chance)
    state = None
    for effect in effects:
        state = toy.evolve(state, effect)
    assert state is not None
    rules: Any = toy
    card = state.hands[0][0]

    assert checked_decide(rules, state, Seat(0), toy.Play(card), chance)[0].seat == 0
    with pytest.raises(IllegalAction, match=r"CountUp\(\) is not a legal action of seat 0"):
        checked_decide(rules, state, Seat(0), toy.CountUp(), chance)
    with pytest.raises(IllegalAction, match="seat -1"):
        checked_decide(rules, state, SERVICE_SEAT, toy.CountUp(), chance)


def test_the_garbage_collector_skips_values() -> None:
    """Full collections pause the process: states in memory must not prolong them."""

    class Place(Value, frozen=True):
        name: str

    class Board(Value, frozen=True):
        places: tuple[Place, ...]

    board = Board((Place("a"), Place("b")))
    gc.collect()

    assert not any(map(gc.is_tracked, (board, board.places, *board.places)))
