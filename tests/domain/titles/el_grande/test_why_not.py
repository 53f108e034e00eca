"""Why nothing can be chosen at a part: the laws of the answers, and a hundred refusals with the rule each names."""

from collections.abc import Mapping
from typing import Final, get_args

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande.cards import GREYS
from domain.titles.el_grande.components import KING_PLACES, POWERS
from domain.titles.el_grande.parts import PART_OF, part_of
from domain.titles.el_grande.state import State
from tests.domain.titles.el_grande.play import played
from tests.domain.titles.el_grande.refusals import POSITIONS

EVERYTHING: Final = {"cards": "2023", "veterans": "all", "new_regency": "yes", "shift_of_power": "yes"}
TABLES: Final[tuple[tuple[int, int, Mapping[str, str]], ...]] = (
    (2, 1, {}),
    (3, 3, EVERYTHING),
    (4, 7, {"cards": "2006", "new_regency": "yes"}),
    (5, 5, EVERYTHING),
)


def parts_of(state: State) -> list[str]:
    """Every part a table of this state can have, and one it never has."""
    return [
        *(f"area-{place}" for place in KING_PLACES),
        *("court", "province", "in-play", "veto", "disc-unclear", "moon"),
        *(f"power-{power}" for power in POWERS),
        *(f"hand-{card.id}" for card in GREYS.values()),
        *(f"card-{card}" for card in state.offer),
        *("played-3", "card-gone"),
    ]


def test_every_action_belongs_to_a_part_or_to_none() -> None:
    assert set(PART_OF) == set(get_args(a.Action))


@pytest.mark.parametrize(("seats", "seed", "chosen"), TABLES)
def test_a_part_has_a_reason_against_it_exactly_where_no_legal_action_belongs_to_it(
    seats: int, seed: int, chosen: Mapping[str, str]
) -> None:
    for state, _ in played(seats, seed, chosen):
        for seat in map(Seat, range(seats)):
            legal = {part_of(action) for action in el_grande.legal_actions(state, seat)}
            for part in parts_of(state):
                assert (el_grande.why_not(state, seat, part) is None) == (part in legal), (state.step, part)


@pytest.mark.parametrize(("seats", "seed", "chosen"), TABLES)
def test_a_reason_says_nothing_the_seat_cannot_know(seats: int, seed: int, chosen: Mapping[str, str]) -> None:
    for state, _ in played(seats, seed, chosen):
        for seat in map(Seat, range(seats)):
            imagined = el_grande.imagine(el_grande.view(state, seat), SeededChance(bytes(32)))
            for part in parts_of(state):
                assert el_grande.why_not(imagined, seat, part) == el_grande.why_not(state, seat, part)


REFUSALS: Final = """
powers           A power-9                EG-4.2
powers           A area-toledo            EG-4.1
powers           A card-s1-militia        EG-4.1
powers           B power-8                EG-4.1
own 4 gone       A power-4                EG-8.3
sums             A power-9                EG-20.3
sums             A hand-grey-1-own        EG-20.2
passing          A power-3                EG-20.1
calling          A area-toledo            EG-5.2
calling          A power-3                EG-5.2
calling          B province               EG-5.1
make up          A province               EG-5.5
make up          A area-castillo          EG-5.5
make up          A area-castilla          EG-6.1
make up          A area-toledo            EG-5.5
make up          A court                  EG-5.5
taking           A card-s3-most           EG-5.7
taking           A area-toledo            EG-5.7
far              A area-granada           EG-5.9
far              A area-galicia           EG-6.1
far              A area-france            EG-5.10
far              A power-3                EG-4.1
far              A hand-grey-1-own        EG-4.1
far              A card-s1-militia        EG-2.2
far              A played-5               EG-12.15
far              A veto                   EG-19.4
far              A province               EG-5.3
far              A moon                   EG-5.8
exile            A area-granada           EG-5.9
beside           A area-castillo          EG-6.1
poor             A area-toledo            EG-5.9
placed           A area-castillo          EG-7.3
used             A in-play                EG-5.8
any four         A in-play                EG-5.12
any four         A area-castilla          EG-6.1
any four         A area-toledo            EG-12.3
any four         A area-castillo          EG-7.3
any four         A area-france            EG-12.1
taken up         A area-granada           EG-12.2
taken up         A area-castilla          EG-6.1
taken up         A area-portugal          EG-12.1
taken up         A in-play                EG-12.2
all moved        A area-aragon            EG-12.3
one region       A area-aragon            EG-12.3
own four         A area-granada           EG-12.3
evacuation       A area-toledo            EG-12.4
evacuation       A area-castilla          EG-6.1
evacuation       A area-castillo          EG-7.3
leaving          A area-granada           EG-12.2
leaving          A area-castilla          EG-6.1
left             A area-toledo            EG-12.4
militia          A area-castilla          EG-6.1
militia          A area-castillo          EG-12.5
militia sent     A area-aragon            EG-12.5
militia alone    A area-aragon            EG-12.5
recruits         A area-granada           EG-5.5
recruited        A area-granada           EG-12.18
few recruits     A area-toledo            EG-5.5
recruit taken up A area-granada           EG-12.18
arrest           A area-toledo            EG-12.7
arrest           A area-castilla          EG-6.1
arrest           A area-castillo          EG-12.7
arrested         A area-granada           EG-12.7
coup             A area-castillo          EG-12.17
score one        A area-castillo          EG-6.1
decree           A area-toledo            EG-11.2
new home         A area-granada           EG-12.16
new home         A area-castillo          EG-12.16
kept home        A area-toledo            EG-12.16
jousted          A area-toledo            EG-12.16
adviser          A area-castilla          EG-12.19
majesty          A area-castilla          EG-12.19
majesty          A area-castillo          EG-6.4
majesty          A area-france            EG-6.4
sent abroad      A area-toledo            EG-18.4
escort           A area-toledo            EG-18.5
residence        A area-granada           EG-18.11
to the Grande    A area-toledo            EG-18.12
grey place       A area-granada           EG-5.9
grey place       A card-s1-militia        EG-20.5
grey own         A area-castillo          EG-7.3
veto             A area-toledo            EG-19.4
veto             B area-toledo            EG-19.4
withdrawal       B area-castilla          EG-6.1
withdrawal       B area-toledo            EG-12.6
withdrawal       B area-castillo          EG-7.3
withdrawal       B province               EG-12.6
withdrawal       A area-granada           EG-12.6
civil war        B area-navarra           EG-12.8
civil war        B area-castilla          EG-6.1
civil war        B area-castillo          EG-13.2
civil war        B court                  EG-13.2
civil war        A area-granada           EG-13.4
chosen           B area-granada           EG-13.3
coup asked       B area-granada           EG-12.17
discs            A area-castillo          EG-9.1
discs            A court                  EG-9.1
discs            B area-granada           EG-9.2
over             A area-granada           EG-14.1
"""


@pytest.mark.parametrize("row", [line for line in REFUSALS.splitlines() if line])
def test_a_refusal_names_the_rule_that_stands_against_the_choice(row: str) -> None:
    name, (seat, part, rule) = row[:17].strip(), row[17:].split()
    state = POSITIONS[name].state

    refusal = el_grande.why_not(state, Seat("AB".index(seat)), part)

    assert refusal is not None
    assert refusal.rule == rule, say(refusal.words)
    assert say(refusal.words).endswith(".")
