"""The position of a match: counts in tuples of ints, so that a change copies little."""

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
"""What is going on; those without seats to act pass by themselves."""

SEATS_MAX: Final = 5
CORRECTIONS_MAX: Final = 10
"""How often the drafts of a turn may be corrected, so that every way through a turn ends: the longest has ten steps."""
NO_CHOICE: Final = -1
HIDDEN_CHOICE: Final = -2
UNCLEAR: Final = COURT
"""A disc left unclear: its owner's Castillo caballeros go to the Court (EG-9.3)."""


class Setting(Value, frozen=True):
    """What the table chose; it never changes in a match."""

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
        """The seats' colours, and the dummy's in the two-player game (EG-16.2)."""
        return 3 if self.seats == 2 else self.seats

    @property
    def dummy(self) -> int:
        """The dummy's colour, or -1."""
        return 2 if self.seats == 2 else NOWHERE

    @property
    def rounds(self) -> tuple[int, ...]:
        return SHORT_ROUNDS if self.short else ROUNDS

    @property
    def third_place_counts(self) -> bool:
        """With two or three players only first and second place score (EG-16.12, EG-17.1)."""
        return self.seats >= 4


class DraftLine(Value, frozen=True, gc=False):
    """So many caballeros of a colour, from here to there."""

    colour: int
    source: Place
    target: Place
    count: int


class Announcement(Value, frozen=True, omit_defaults=True, gc=False):
    """All that a player decides about a special action before others decide anything (EG-19.4f)."""

    kind: str
    lines: tuple[DraftLine, ...] = ()
    place: str = ""
    board: Board | None = None


class Veto(Value, frozen=True, gc=False):
    """A Veto lying open: its card, before whom, and the last round (counted from 0) in which it may be used."""

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
    """Every card a seat has played, in order: what all could follow (EG-21.3)."""
    recoveries: tuple[tuple[int, ...], ...]
    """How many cards the seat had shown whenever it took one back."""
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
    """Colour and place of the caballeros taken up in a draft."""
    draft: tuple[DraftLine, ...]
    corrections: int
    """How often drafts were corrected or dropped in this turn."""
    announced: Announcement | None
    chosen_card: int
    secrets: tuple[int, ...]


def initial(setting: Setting) -> State:
    """The empty board of EG-1: everything in the Province, all power cards in hand."""
    seats, colours = check_bounds("the seats", setting.seats, SEATS_MAX), setting.colours
    nothing, none = (0,) * colours, (NO_CHOICE,) * seats
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
        passed=none,
        first=0,
        round_index=NOWHERE,
        powers=nothing,
        greys=nothing,
        results=nothing,
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
        secrets=none,
    )


def active(state: State) -> int:
    """The colour whose turn it is."""
    return state.order[state.turn]


def clockwise(state: State, seat: int) -> tuple[int, ...]:
    """The other seats, beginning with the left neighbour (EG-0.7)."""
    seats = state.setting.seats
    return tuple((seat + step) % seats for step in range(1, seats))


def opponents(state: State, seat: int) -> tuple[int, ...]:
    """The other colours, the dummy included (EG-0.6)."""
    return tuple(colour for colour in range(state.setting.colours) if colour != seat)


def king_region(state: State) -> int:
    """The area that is taboo: a region, the Castillo under Revolt, or -1 in exile (EG-0.4, EG-6.1)."""
    return state.king if state.king <= CASTILLO else NOWHERE


def placeable(state: State) -> tuple[int, ...]:
    """Where a placement may go: next to the king and the Castillo, never the king's (EG-5.9, EG-5.10, EG-18.9)."""
    areas = NEIGHBOURS[state.king]
    if state.king != CASTILLO:
        areas = (*areas, CASTILLO)
    if state.infiltrating and state.king <= CASTILLO:
        areas = tuple(sorted((*areas, state.king)))
    return areas


def in_regions(state: State, colour: int) -> tuple[tuple[int, int], ...]:
    """(region, caballeros) of a colour wherever they may be taken from: not in the king's region (EG-6.1)."""
    pieces, king = state.pieces, state.king
    return tuple(
        (region, count) for region in range(REGION_COUNT) if (count := pieces[region][colour]) and region != king
    )


def round_number(state: State) -> int:
    """The number the round marker shows."""
    return state.setting.rounds[state.round_index]
