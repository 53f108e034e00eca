"""Searchable and countable traits of El Grande matches."""

import pytest

from domain.kernel.messages import say
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.traits import Trait
from domain.titles.el_grande.actions import Action, EndTurn, MoveKing, PlaceCaballeros, PlayPowerCard, TakeActionCard
from domain.titles.el_grande.decks import CARDS
from domain.titles.el_grande.effects import (
    ActionCardTaken,
    CaballerosMoved,
    HomeTaken,
    PowerCardPlayed,
    RoundBegun,
    RoundEnded,
)
from domain.titles.el_grande.state import DraftLine
from domain.titles.el_grande.traits import KINDS, TRAITS

CARD = next(iter(next(iter(CARDS.values()))))


def test_an_entry_that_begins_a_round_belongs_to_the_previous_one() -> None:
    into = DraftLine(1, "court", "castillo", 2)
    elsewhere = (DraftLine(0, "court", "castillo", 1), DraftLine(1, "court", "granada", 3))
    effects = (
        CaballerosMoved(1, (into, *elsewhere)),
        CaballerosMoved(1, elsewhere),
        RoundEnded(),
        RoundBegun(3, 2),
        PowerCardPlayed(0, 13, 13),
        ActionCardTaken(0, CARD),
    )

    assert tuple(TRAITS.read(Seat(1), EndTurn(), effects, 3)) == (
        Trait(1, "castillo", "2", 2),
        Trait(0, "power", "13", 3),
        Trait(0, "action_card", CARD),
    )
    assert tuple(TRAITS.read(SERVICE_SEAT, None, (HomeTaken(1, "granada"),), 0)) == (Trait(1, "home", "granada"),)
    assert tuple(TRAITS.read(Seat(1), MoveKing("granada"), (), 2)) == (Trait(1, "king", "granada"),)


@pytest.mark.parametrize(
    ("action", "counted"),
    [
        (PlayPowerCard(4), ("power", "4")),
        (TakeActionCard(CARD), ("action_card", CARD)),
        (MoveKing("granada"), ("king", "granada")),
        (PlaceCaballeros("castillo", 2), ("castillo", "2")),
        (PlaceCaballeros("granada", 2), None),
        (EndTurn(), None),
    ],
)
def test_a_choice_names_the_trait_it_will_be_counted_as(action: Action, counted: tuple[str, str] | None) -> None:
    assert TRAITS.choice(action) == counted


def test_every_kind_has_names() -> None:
    things = {"power": "13", "home": "granada", "king": "granada", "castillo": "2", "action_card": CARD}
    named = {kind: TRAITS.name(kind, thing) for kind, thing in things.items()}

    assert set(named) == set(KINDS)
    assert all(each if isinstance(each, str) else say(each) for each in named.values())
    assert TRAITS.name("power", "13") == "13"
    assert TRAITS.name("action_card", "unheard-of") == "unheard-of"
