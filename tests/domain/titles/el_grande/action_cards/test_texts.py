"""Card texts about the Castillo and the acting player agree with the rules, in both card sets."""

from collections.abc import Iterator

import pytest

from domain.kernel.component_data import DataFault
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande.cards import BOX, load_cards, load_grey_cards
from domain.titles.el_grande.components import FILE, TABLE
from domain.titles.el_grande.decks import CARDS, OLDER, load_older
from domain.titles.el_grande.texts import TEXTS, load_texts
from tests.domain.titles.el_grande.table import A, B, acting, areas, table
from tests.scenario import Position

PIECES = """
galicia 3 3 3 3
granada 3 3 3 3
court   4 4 4 4
"""
CHOSEN = {"move_caballeros", "move_all_from_region", "place_from_court", "score_chosen_region", "choose_one"}
EDITIONS = [(edition, id) for edition, box in CARDS.items() for id in box]


def position_with(edition: str, card: str) -> Position:
    return table(acting(A, card), pieces=PIECES, chosen={"cards": edition})


def find_reachable(position: Position) -> Iterator[str]:
    """Yield every area that can be chosen for the special action, as a first choice or as a destination."""
    for action in position.legal(A, a.ChooseSource, a.SendCaballeros, a.NameArea):
        if isinstance(action, a.ChooseSource):
            sent = position.when(A, action).position.legal(A, a.SendCaballeros)
            yield from (f"{action.source} to {each.target}" for each in sent)
        else:
            yield action.area if isinstance(action, a.NameArea) else f"court to {action.target}"


def allows_castillo(text: str) -> bool:
    return "Castillo" in text.replace("never the Castillo", "")


@pytest.mark.parametrize(
    ("edition", "id"), [(edition, id) for edition, id in EDITIONS if CARDS[edition][id].kind in CHOSEN]
)
def test_a_text_mentions_the_castillo_if_it_can_be_chosen(edition: str, id: str) -> None:
    """EG-12.1, EG-12.5, EG-12.9, EG-26.1: of a card with two alternatives, each half of the text is checked."""
    card = CARDS[edition][id]
    places = set(find_reachable(position_with(edition, id)))
    board, _, court = card.text.partition(";") if card.kind == "choose_one" else (card.text, "", card.text)

    assert places
    from_board = {place for place in places if not place.startswith("court")}
    for text, found in ((board, from_board), (court, places - from_board)):
        assert not found or allows_castillo(text) == any(place.endswith("castillo") for place in found)


@pytest.mark.parametrize(
    ("edition", "id"), [(edition, id) for edition, id in EDITIONS if CARDS[edition][id].kind.startswith("secret_")]
)
def test_a_text_states_whether_the_acting_player_chooses_too(edition: str, id: str) -> None:
    """EG-12.8, EG-19.6, EG-26.1: every opponent, or every player."""
    pending = position_with(edition, id).when(A, a.UseSpecial()).state
    text = CARDS[edition][id].text

    assert (A in el_grande.seats_to_act(pending)) == text.startswith("Every player, you included,")
    assert (A in el_grande.seats_to_act(pending)) != text.startswith("Every opponent")


@pytest.mark.parametrize(("edition", "asked"), [("2023", (B,)), ("2006", (A, B))])
def test_desertion_takes_one_if_no_region_has_two(edition: str, asked: tuple[int, ...]) -> None:
    """EG-12.8: as the text states, for opponents in 2023 and every player in 2006."""
    acted = acting(A, "s2-secret-return-two")
    position = table(acted, pieces="galicia 1 1 3 0\ngranada 1 1 1 0", chosen={"cards": edition})
    after = position.when(A, a.UseSpecial()).position

    assert "or, if there is none, one where they have 1;" in CARDS[edition]["s2-secret-return-two"].text
    assert el_grande.seats_to_act(after.state) == asked
    assert all(areas(after.legal(seat), a.ChooseRegion, "region") == {"galicia", "granada"} for seat in asked)


def test_the_component_tables_text_is_the_default() -> None:
    """EG-26.1: the 2006 set uses the texts of 2023 except for its own lines."""
    assert load_cards(TABLE, FILE, {})[0].text == BOX["s1-intrigue-1"].text
    assert OLDER["s1-own-four"].text == BOX["s1-own-four"].text == TEXTS.cards["s1-own-four"]
    assert OLDER["s1-militia"].text == TEXTS.older["s1-militia"] != BOX["s1-militia"].text
    assert {OLDER[f"s2-choose-region-{copy}"].text for copy in (1, 2, 3, 4)} == {TEXTS.older["s2-choose-region"]}


def test_a_text_of_an_unknown_card_is_refused() -> None:
    for part, load in (("cards", load_cards), ("older", load_older), ("grey", load_grey_cards)):
        with pytest.raises(DataFault, match=rf"texts\.toml, {part}: key `s9-dance`: unknown card"):
            load(TABLE, FILE, {"s9-dance": "Dance."})
    with pytest.raises(DataFault, match=r"texts\.toml: key `grey`: missing key"):
        load_texts({"cards": {}, "older": {}}, "texts.toml")
