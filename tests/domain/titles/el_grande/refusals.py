"""Positions in which something cannot be chosen, by name; `test_why_not` says what each part answers."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.hidden import Hidden
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from tests.domain.titles.el_grande.table import A, B, C, D, acting, calling, go, table, to_take, turned
from tests.scenario import Position

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
"""Nobody is in a Court."""
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
    """The turn has come to the effect of the grey card."""
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
    """The card is in play and the seat has done this with it."""
    before = table(acting(A, card), pieces=pieces, king=king, chosen=chosen)
    return before.when(A, *actions).position if actions else before


CIVIL_WAR: Final = after(
    "s2-civil-war", a.UseSpecial(), pieces="granada 4 2 2 0\naragon 1 2 2 2\ntoledo 0 1 3 2\ncastilla 0 3 3 3"
)

POSITIONS: Final[Mapping[str, Position]] = {
    "powers": table(e.PowerCardPlayed(B, 9, 9), e.StepBegun("power", (A,)), *turned("s1-militia")),
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
"""A is the seat that acts, where nothing else is said."""
