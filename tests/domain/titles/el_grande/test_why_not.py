"""Why a part of the board cannot be chosen: laws of the answers, and a hundred refusals with their rules."""

from collections.abc import Mapping
from typing import Final, get_args

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.hidden import Hidden
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.cards import GREYS
from domain.titles.el_grande.components import KING_PLACES, POWERS
from domain.titles.el_grande.parts import PART_OF, part_of
from domain.titles.el_grande.state import State
from tests.domain.titles.el_grande.table import (
    A,
    B,
    C,
    D,
    acting,
    calling,
    go,
    play_randomly,
    table,
    to_take,
    turn_cards,
)
from tests.scenario import Position
from tests.seeding import IS_EXPLORING

SHIFT: Final = {"cards": "2023", "shift_of_power": "yes"}
REGENCY: Final = {"cards": "2023", "new_regency": "yes"}
VETERANS: Final = {"cards": "2023", "veterans": "all"}
BOARD: Final = """
granada 4 2 0 0
toledo  0 3 1 0
aragon  1 1 1 1
court   5 0 0 0
"""
POOR: Final = "granada 4 2 0 0\naragon 1 1 1 1\ncastilla 2 1 0 0"
"""A board with empty Courts."""
DEALT: Final = [
    e.GreyCardsDealt(seat, Hidden(cards, (seat,)))
    for seat, cards in enumerate(
        (
            ("grey-1-muster", "grey-1-own", "grey-2-own"),
            ("grey-2-place", "grey-2-opp", "grey-3-own"),
            ("grey-3-muster", "grey-3-place", "grey-3-opp"),
            ("grey-4-muster", "grey-4-place", "grey-4-opp"),
        )
    )
]


def with_grey(card: str, pieces: str = BOARD) -> Position:
    """Return a position at the grey effect of a turn."""
    played = e.PowerCardPlayed(A, 5, 6, card)
    order = (e.TurnOrderSet((A, B, C, D)), e.TurnBegun(0, A), e.StepBegun("grey", (A,)))
    return table(e.GreyCardsDealt(A, Hidden((card,), (A,))), played, *order, chosen=SHIFT, pieces=pieces)


def after(
    card: str,
    *actions: a.Action,
    pieces: str = BOARD,
    king: str = "castilla",
    chosen: Mapping[str, str] | None = None,
) -> Position:
    """Return the position after the seat has taken the card and performed these actions with it."""
    before = table(acting(A, card), pieces=pieces, king=king, chosen=chosen)
    return before.when(A, *actions).position if actions else before


CIVIL_WAR: Final = after(
    "s2-civil-war", a.UseSpecial(), pieces="granada 4 2 2 0\naragon 1 2 2 2\ntoledo 0 1 3 2\ncastilla 0 3 3 3"
)

POSITIONS: Final[Mapping[str, Position]] = {
    "powers": table(e.PowerCardPlayed(B, 9, 9), e.StepBegun("power", (A,)), *turn_cards("s1-militia")),
    "own 4 gone": table(e.PowerCardPlayed(A, 4, 4), e.RoundEnded(), e.RoundBegun(2, 1), e.StepBegun("power", (A,))),
    "sums": table(
        DEALT[1:],
        e.GreyCardsDealt(A, Hidden(("grey-1-own",), (A,))),
        e.PowerCardPlayed(B, 9, 9),
        e.PowerCardPlayed(C, 10, 10),
        e.StepBegun("power", (A,)),
        chosen=SHIFT,
    ),
    "passing": table(DEALT, e.StepBegun("pass_grey", (A, B, C, D)), chosen=SHIFT),
    "calling": table(calling(A, 9)),
    "make up": table(calling(A, 1), pieces="castillo 25 0 0 0\ngranada 3 1 0 0\ncastilla 2 0 0 0")
    .when(A, a.CallCaballeros(3))
    .position,
    "taking": table(to_take(A, "s1-militia", "s4-coup")),
    "far": after("s3-most", king="galicia"),
    "poor": after("s3-most", pieces=POOR),
    "placed": after("s1-intrigue-1", a.PlaceCaballeros("aragon", 1), pieces=BOARD),
    "used": after("s3-most", a.UseSpecial()),
    "exile": after("s3-most", king="france"),
    "beside": after("s3-most", king="castillo"),
    "any four": after("s1-any-four", pieces=POOR),
    "taken up": after("s1-any-four", a.ChooseSource(A, "granada"), pieces=POOR),
    "all moved": after("s1-opponent-three", *go(B, "granada", "toledo", 2), *go(C, "aragon", "toledo", 1), pieces=POOR),
    "one region": after("s1-one-region-five-1", *go(A, "granada", "toledo", 1), pieces=POOR),
    "own four": after("s1-own-four", pieces="granada 0 2 0 0\naragon 1 1 1 1"),
    "evacuation": after("s1-evacuation", pieces=POOR),
    "leaving": after("s1-evacuation", a.ChooseSource(A, "granada"), pieces=POOR),
    "left": after("s1-evacuation", *go(A, "aragon", "toledo", 1), pieces=POOR),
    "militia": after("s1-militia", *[a.SendCaballeros("granada", 1)]),
    "militia sent": after("s1-militia", *[a.SendCaballeros("granada", 2)]),
    "militia alone": after("s1-militia", *[a.SendCaballeros("granada", 1)], pieces="court 1 0 0 0"),
    "recruits": after("s4-recruitment", pieces=POOR),
    "recruited": after("s4-recruitment", a.SendCaballeros("court", 2), pieces=POOR),
    "few recruits": after("s4-recruitment", a.SendCaballeros("court", 1), pieces="castillo 26 0 0 0\ngranada 3 0 0 0"),
    "recruit taken up": after(
        "s4-recruitment",
        a.SendCaballeros("court", 1),
        a.ChooseSource(A, "granada"),
        pieces="castillo 26 0 0 0\ngranada 3 0 0 0",
    ),
    "arrest": after("s2-return-one-each", pieces=POOR),
    "arrested": after(
        "s2-return-one-each",
        a.ChooseSource(B, "granada"),
        a.ChooseSource(C, "aragon"),
        a.ChooseSource(D, "aragon"),
        pieces=POOR,
    ),
    "coup": after("s4-coup", pieces=POOR),
    "score one": after("s2-choose-region-1", pieces=POOR, king="castillo"),
    "decree": table(e.ScoreboardPlaced("board-4", "toledo"), acting(A, "s4-decree-1"), pieces=POOR),
    "new home": table(acting(A, "s4-new-home-1"), pieces=POOR, grandes={A: "granada"}),
    "kept home": table(acting(A, "s4-new-home-1"), pieces=POOR, grandes={A: "castilla"}),
    "jousted": table(acting(A, "s4-new-home-1"), pieces=POOR, grandes={A: "castillo"}),
    "adviser": after("s4-royal-adviser", pieces=POOR, king="granada"),
    "majesty": after("s5-majesty", pieces=POOR),
    "sent abroad": after("nr-exile", chosen=REGENCY, pieces=POOR),
    "escort": after("nr-escort", chosen=REGENCY, pieces=POOR),
    "residence": after("nr-summer-residence", chosen=REGENCY, pieces=POOR),
    "to the Grande": table(acting(A, "nr-x2"), chosen=REGENCY, pieces=POOR, grandes={A: "granada"}),
    "grey place": with_grey("grey-2-place"),
    "grey own": with_grey("grey-2-own"),
    "veto": table(e.VetoLaid(B, "vet-veto-1", 1), acting(A, "s3-most"), chosen=VETERANS)
    .when(A, a.UseSpecial())
    .position,
    "withdrawal": after("s2-withdrawal", a.UseSpecial(), pieces="granada 0 2 0 0\ncourt 0 4 0 0\ncastilla 0 2 0 0"),
    "civil war": CIVIL_WAR,
    "chosen": CIVIL_WAR.when(B, a.ChooseRegion("granada")).position,
    "coup asked": after("s4-coup", a.NameArea("granada"), pieces="granada 4 2 2 0\naragon 1 2 2 2"),
    "discs": table(e.StepBegun("discs", (A,)), pieces="castillo 2 0 0 0"),
    "over": table(e.StepBegun("over")),
}
"""Positions by name; A acts unless stated otherwise."""


EVERYTHING: Final = {"cards": "2023", "veterans": "all", "new_regency": "yes", "shift_of_power": "yes"}
TABLES: Final[tuple[tuple[int, int, Mapping[str, str]], ...]] = (
    (2, 1, {}),
    (3, 3, EVERYTHING),
    (4, 7, {"cards": "2006", "new_regency": "yes"}),
    (5, 5, EVERYTHING),
)


def parts_of(state: State) -> list[str]:
    """Return every part that the board of this state can have, and an unknown one."""
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
def test_a_part_has_a_reason_exactly_if_no_legal_action_belongs_to_it(
    seats: int, seed: int, chosen: Mapping[str, str]
) -> None:
    for state, _ in list(play_randomly(seats, seed, chosen))[:: 1 if IS_EXPLORING else 4]:
        for seat in map(Seat, range(seats)):
            legal = {part_of(action) for action in el_grande.legal_actions(state, seat)}
            for part in parts_of(state):
                assert (el_grande.why_not(state, seat, part) is None) == (part in legal), (state.step, part)


@pytest.mark.parametrize(("seats", "seed", "chosen"), TABLES)
def test_a_reason_reveals_no_hidden_information(seats: int, seed: int, chosen: Mapping[str, str]) -> None:
    for state, _ in list(play_randomly(seats, seed, chosen))[:: 1 if IS_EXPLORING else 4]:
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
def test_a_refusal_names_its_rule(row: str) -> None:
    name, (seat, part, rule) = row[:17].strip(), row[17:].split()
    state = POSITIONS[name].state

    refusal = el_grande.why_not(state, Seat("AB".index(seat)), part)

    assert refusal is not None
    assert refusal.rule == rule, say(refusal.words)
    assert say(refusal.words).endswith(".")
