"""Traits by which matches of La Granja are searched and counted."""

import pytest

from domain.kernel.messages import say
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.traits import Trait, Traits
from domain.titles.la_granja.actions import Action, ChooseDonkey, Pass, PlayCard
from domain.titles.la_granja.effects import BuildingCompleted, CardPlayed, DonkeysReturned, DonkeysRevealed, StepBegun
from domain.titles.la_granja.traits import KINDS, TRAITS


def test_traits_of_an_entry() -> None:
    seat = Seat(1)
    effects = (
        DonkeysRevealed((3, 1)),
        BuildingCompleted(seat, 5),
        CardPlayed(seat, 7, "field"),
        CardPlayed(seat, 8, "helper"),
        DonkeysReturned(),
    )

    assert tuple(TRAITS.read(SERVICE_SEAT, None, effects, 4)) == (
        Trait(0, "donkey", "3", 4),
        Trait(1, "donkey", "1", 4),
        Trait(1, "building", "5"),
        Trait(1, "card", "field/7"),
        Trait(1, "card", "helper/8"),
        Trait(1, "helper", "8"),
    )


def test_donkeys_belong_to_the_round_in_which_they_are_revealed() -> None:
    """An entry that reveals donkey tiles extends into the next round if no seat can deliver."""
    effects = (DonkeysRevealed((3, 1)), StepBegun(3, "siesta"), StepBegun(4, "cards"))

    traits = TRAITS.read(Seat(0), ChooseDonkey(3), effects, 4)

    assert tuple(traits) == (Trait(0, "donkey", "3", 3), Trait(1, "donkey", "1", 3))


@pytest.mark.parametrize(
    ("action", "counted"),
    [
        (ChooseDonkey(2), ("donkey", "2")),
        (PlayCard(7, "helper"), ("helper", "7")),
        (PlayCard(7, "field"), ("card", "field/7")),
        (Pass(), None),
    ],
)
def test_the_trait_that_an_action_adds(action: Action, counted: tuple[str, str] | None) -> None:
    assert TRAITS.choice(action) == counted


def test_every_kind_has_names() -> None:
    things = {"donkey": "2", "building": "1", "helper": "1", "card": "field/1"}
    named = {kind: TRAITS.name(kind, thing) for kind, thing in things.items()}

    assert set(named) == set(KINDS)
    texts = [each if isinstance(each, str) else say(each) for each in named.values()]
    assert all(texts)
    assert texts[3].endswith(" as a field")
    assert TRAITS.name("helper", "999") == "999"


def test_a_title_without_traits() -> None:
    nothing = Traits()

    assert tuple(nothing.read(SERVICE_SEAT, None, (), 1)) == ()
    assert nothing.choice(Pass()) is None
    assert nothing.name("kind", "thing") == "thing"
