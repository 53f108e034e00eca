"""The position of a match, in tuples of integers so that changing it copies little."""

from typing import Final, Literal

from domain.kernel.bounds import check_bounds
from domain.kernel.values import Value
from domain.titles.el_grande.cards import UNKNOWN
from domain.titles.el_grande.components import (
    CASTILLO,
    COURT,
    NEIGHBOURS,
    NOWHERE,
    PROVINCE,
    REGION_COUNT,
    ROUNDS,
    SHORT_ROUNDS,
    Board,
    Place,
)

Step = Literal[
    "pass_grey",
    "power",
    "order",
    "next_turn",
    "call",
    "make_up",
    "grey",
    "take",
    "turn",
    "veto",
    "carry_out",
    "send_back",
    "secret",
    "end_round",
    "scoring",
    "discs",
    "regions",
    "next_round",
    "over",
]
"""The step of the match; a step without seats to act runs automatically."""

SEATS_MAX: Final = 5
CORRECTIONS_MAX: Final = 10
"""The maximum number of draft corrections in a turn, so that every turn ends; the longest draft has ten steps."""
NO_CHOICE: Final = -1
HIDDEN_CHOICE: Final = -2
UNCLEAR: Final = COURT
"""The value of an unclear disc: its owner's Castillo caballeros go to the Court (EG-9.3)."""


class Setting(Value, frozen=True):
    """The chosen options and number of seats; constant during a match."""

    seats: int
    cards: str
    new_regency: bool
    veterans: tuple[str, ...]
    shift_of_power: bool
    short: bool
    castillo: str
    merged_stacks: bool

    @property
    def colours(self) -> int:
        """Return the number of colours: one for each seat, and the dummy's with two players (EG-16.2)."""
        return 3 if self.seats == 2 else self.seats

    @property
    def dummy(self) -> int:
        """Return the dummy's colour, or -1 if there is no dummy."""
        return 2 if self.seats == 2 else NOWHERE

    @property
    def rounds(self) -> tuple[int, ...]:
        """Return the numbers of the rounds that are played."""
        return SHORT_ROUNDS if self.short else ROUNDS

    @property
    def third_place_counts(self) -> bool:
        """Return whether third place scores; with two or three players it does not (EG-16.12, EG-17.1)."""
        return self.seats >= 4


class DraftLine(Value, frozen=True, gc=False):
    """A move of `count` caballeros of a colour from a source to a target."""

    colour: int
    source: Place
    target: Place
    count: int


class Announcement(Value, frozen=True, omit_defaults=True, gc=False):
    """A player's choices for a special action, made before others decide anything (EG-19.4f)."""

    kind: str
    lines: tuple[DraftLine, ...] = ()
    place: str = ""
    board: Board | None = None


class Veto(Value, frozen=True, gc=False):
    """A Veto on the table: its card, its owner, and the index of the last round in which it may be used."""

    card: str
    seat: int
    until: int


class State(Value, frozen=True, gc=False):
    """A position. `pieces[place][colour]` counts caballeros; cards in hand are numbers (`cards.GREY_FIRST`)."""

    setting: Setting
    pieces: tuple[tuple[int, ...], ...]
    grandes: tuple[int, ...]
    king: int
    boards: tuple[int, ...]
    scores: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    shown: tuple[tuple[int, ...], ...]
    """Every card a seat has played, in order, as all players could observe (EG-21.3)."""
    recoveries: tuple[tuple[int, ...], ...]
    """For each card a seat took back, the number of cards it had shown by then."""
    passed: tuple[int, ...]
    """The grey card each seat gave to its left neighbour (EG-20.1)."""
    first: int
    round_index: int
    powers: tuple[int, ...]
    """The power cards on the table by colour; 0 before one is played."""
    greys: tuple[int, ...]
    results: tuple[int, ...]
    order: tuple[int, ...]
    turn: int
    offer: tuple[str, ...]
    turned: tuple[str, ...]
    """Every action card turned up from the shuffled stacks, in order."""
    vetoes: tuple[Veto, ...]
    dummy_regions: tuple[int, ...]
    dummy_powers: tuple[int, ...]
    step: Step
    to_act: tuple[int, ...]
    asked: tuple[int, ...]
    subject: int
    remaining: int
    card: str
    """The action card of this turn; empty before it is taken."""
    placed: int
    special_used: bool
    infiltrating: bool
    drafting: bool
    picked: tuple[int, int] | None
    """Colour and place of the picked-up caballeros of a draft."""
    draft: tuple[DraftLine, ...]
    corrections: int
    """The number of draft corrections and discarded drafts in this turn."""
    announced: Announcement | None
    chosen_card: int
    secrets: tuple[int, ...]


def initial(setting: Setting) -> State:
    """Return the empty board of EG-1: all caballeros in the Province, all power cards in hand."""
    seats, colours = check_bounds("the seats", setting.seats, SEATS_MAX), setting.colours
    zeros, no_choices = (0,) * colours, (NO_CHOICE,) * seats
    return State(
        setting=setting,
        pieces=((0,) * colours,) * PROVINCE + ((30,) * colours,),
        grandes=(NOWHERE,) * seats,
        king=NOWHERE,
        boards=(NOWHERE, NOWHERE),
        scores=(0,) * seats,
        hands=(tuple(range(1, 14)),) * seats,
        shown=((),) * seats,
        recoveries=((),) * seats,
        passed=no_choices,
        first=0,
        round_index=NOWHERE,
        powers=zeros,
        greys=zeros,
        results=zeros,
        order=(),
        turn=0,
        offer=(),
        turned=(),
        vetoes=(),
        dummy_regions=(),
        dummy_powers=(),
        step="next_round",
        to_act=(),
        asked=(),
        subject=NOWHERE,
        remaining=0,
        card="",
        placed=0,
        special_used=False,
        infiltrating=False,
        drafting=False,
        picked=None,
        draft=(),
        corrections=0,
        announced=None,
        chosen_card=UNKNOWN,
        secrets=no_choices,
    )


def active(state: State) -> int:
    """Return the colour whose turn it is."""
    return state.order[state.turn]


def clockwise(state: State, seat: int) -> tuple[int, ...]:
    """Return the other seats, beginning with the left neighbour (EG-0.7)."""
    seats = state.setting.seats
    return tuple((seat + step) % seats for step in range(1, seats))


def opponents(state: State, seat: int) -> tuple[int, ...]:
    """Return the other colours, the dummy included (EG-0.6)."""
    return tuple(colour for colour in range(state.setting.colours) if colour != seat)


def king_region(state: State) -> int:
    """Return the taboo area: a region, the Castillo under Revolt, or -1 in exile (EG-0.4, EG-6.1)."""
    return state.king if state.king <= CASTILLO else NOWHERE


def placeable(state: State) -> tuple[int, ...]:
    """Return the areas where a placement may go: next to the king and the Castillo (EG-5.9, EG-5.10).

    With Infiltration also the king's region (EG-18.9); not the Castillo if it is the king's region.
    """
    areas = NEIGHBOURS[state.king]
    if state.king != CASTILLO:
        areas = (*areas, CASTILLO)
    if state.infiltrating and state.king <= CASTILLO:
        areas = tuple(sorted((*areas, state.king)))
    return areas


def in_regions(state: State, colour: int) -> tuple[tuple[int, int], ...]:
    """Return (region, caballeros) of a colour for every region it may be taken from, never the king's (EG-6.1)."""
    pieces, king = state.pieces, state.king
    return tuple(
        (region, count) for region in range(REGION_COUNT) if (count := pieces[region][colour]) and region != king
    )


def round_number(state: State) -> int:
    """Return the number that the round marker shows."""
    return state.setting.rounds[state.round_index]
