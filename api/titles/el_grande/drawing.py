"""The template context of El Grande's board and players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from markupsafe import Markup

from api.http.languages import _
from api.titles.el_grande import placing, track
from api.titles.el_grande.atlas import OUTLINES
from api.titles.el_grande.dial import DIAL, Sector
from api.titles.el_grande.gallery import address_in
from api.titles.el_grande.placing import SPOTS, Piece, Placed, Spot
from api.titles.el_grande.wording import match_summary
from domain.kernel.messages import Message
from domain.titles.el_grande import parts
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.cards import GREY_NUMBER, GREYS
from domain.titles.el_grande.components import (
    AREA_NAMES,
    BOARD_PRICES,
    BOARD_TABLE,
    BOARDS,
    CALLS,
    KING_INDEX,
    NEIGHBOURS,
    PLACE_INDEX,
    REGIONS,
    SCORING_ROUNDS,
    KingPlace,
)
from domain.titles.el_grande.decks import CARDS, stacks_of
from domain.titles.el_grande.state import DraftLine
from domain.titles.el_grande.view import AreaView, HandCard, PlayerView, View

SHAPES: Final = (
    Markup('<circle r="15"/>'),
    Markup('<rect x="-14" y="-14" width="28" height="28" rx="4"/>'),
    Markup('<path d="M0-17.5 17.5 0 0 17.5-17.5 0z"/>'),
    Markup('<path d="M-14-14h28v15C14 9 7 14 0 17-7 14-14 9-14 1z"/>'),
    Markup('<path d="M-8-14.5H8L16.5 0 8 14.5H-8L-16.5 0z"/>'),
)
"""The shape of each seat's caballeros, so that seats differ not only in colour."""
DUMMY_SHAPE: Final = Markup('<path d="M0-17 16-5.5 10 14H-10L-16-5.5z"/>')
EXILES: Final[tuple[KingPlace, ...]] = ("france", "portugal")
CHOOSING: Final = frozenset({"secret", "discs"})
"""Steps in which a region is chosen secretly."""


class Land(msgspec.Struct, frozen=True):
    """A drawn region or the Castillo."""

    area: AreaView
    part: str
    outline: str
    spot: Spot
    prices: tuple[int, ...]
    """The places that score with this number of players."""
    pieces: tuple[tuple[int, int], ...]
    """Colour and number of caballeros, largest first."""
    placed: tuple[Placed, ...]
    neighbours: tuple[str, ...]
    is_next_to_king: bool


class Exile(msgspec.Struct, frozen=True):
    """France or Portugal, to which only New Regency sends the king."""

    id: str
    name: str
    part: str
    outline: str
    spot: Spot
    is_kings: bool


class Move(msgspec.Struct, frozen=True):
    """A line of a draft or announcement: count, owner, source and target, in words and as an arrow."""

    count: int
    colour: int
    source: Message
    target: Message
    path: str
    middle: tuple[float, float]


class Plate(msgspec.Struct, frozen=True):
    """An alternative scoreboard that is not on the board."""

    prices: tuple[int, ...]


class HeldCard(msgspec.Struct, frozen=True):
    """A card in the reader's hand."""

    value: int
    calls: int
    text: Message | None
    part: str
    is_grey: bool
    address: str
    """The address of its large form."""


class ShownCard(msgspec.Struct, frozen=True):
    """A power card played before; the reader's own may be a card that can be taken back."""

    word: str
    part: str


class RoundSpace(msgspec.Struct, frozen=True):
    """A space of the round track; a lily marks a general scoring."""

    number: int
    is_now: bool
    is_past: bool
    has_lily: bool


class Bid(msgspec.Struct, frozen=True):
    """The card a colour has played for the turn order; 0 before it is played."""

    colour: int
    power: int
    grey: str | None
    result: int
    calls: int
    is_active: bool
    is_done: bool


class CardStack(msgspec.Struct, frozen=True):
    """A stack of action cards: the cards turned up and the number still face down."""

    name: str
    turned: tuple[str, ...]
    left: int


def lands(view: View) -> tuple[Land, ...]:
    """Return the nine regions and the Castillo."""
    neighbours = NEIGHBOURS[KING_INDEX[view.king]]
    return tuple(_land(view, area, neighbours) for area in view.areas)


def _land(view: View, area: AreaView, neighbours: tuple[int, ...]) -> Land:
    """Return a region or the Castillo with its pieces: the king, grandes, then caballeros, most first."""
    index = PLACE_INDEX[area.id]
    colour_counts = tuple(
        (colour, count)
        for colour, count in sorted(enumerate(area.counts or ()), key=lambda pair: (-pair[1], pair[0]))
        if count
    )
    pieces = [Piece("king")] if area.is_kings and area.id != "castillo" else []
    pieces += [Piece("grande", colour) for colour in area.grandes]
    pieces += [Piece("caballeros", colour, count) for colour, count in colour_counts]
    names = BOARD_TABLE.regions[index].neighbors if area.id in REGIONS else ()
    return Land(
        area=area,
        part=parts.area(area.id),
        outline=OUTLINES.get(area.id, ""),
        spot=SPOTS[area.id],
        prices=scoring(view, area.prices),
        pieces=colour_counts,
        placed=placing.lay_out(SPOTS[area.id], pieces),
        neighbours=tuple(_(AREA_NAMES[name]) for name in names),
        is_next_to_king=index in neighbours,
    )


def scoring(view: View, prices: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of a table that score with this number of players."""
    return prices if view.setting.third_place_counts else prices[:2]


def exiles(view: View) -> tuple[Exile, ...]:
    """Return France and Portugal."""
    return tuple(Exile(id, AREA_NAMES[id], parts.area(id), OUTLINES[id], SPOTS[id], view.king == id) for id in EXILES)


def players(view: View) -> tuple[PlayerView, ...]:
    """Return the players clockwise, beginning with the reader."""
    first = view.seat or 0
    return view.players[first:] + view.players[:first]


def own_hand(view: View) -> tuple[HeldCard, ...]:
    """Return the reader's hand, highest card first."""
    hand = (view.players[view.seat].hand or ()) if view.seat is not None else ()
    return tuple(sorted(map(_hand_card, hand), key=lambda card: (card.is_grey, -card.value)))


def _hand_card(card: HandCard) -> HeldCard:
    """Return a card of the reader's hand for drawing: a grey card by its name, a power card by its number."""
    if isinstance(card, str):
        grey = GREYS[GREY_NUMBER[card]]
        return HeldCard(grey.value, 0, Message(grey.text), parts.grey(card), is_grey=True, address=f"card-{card}")
    return HeldCard(card, CALLS[card], None, parts.power(card), is_grey=False, address=f"power-{card}")


def card_word(card: HandCard) -> str:
    """Return a played card in short: its value, with a plus for grey cards."""
    return f"+{GREYS[GREY_NUMBER[card]].value}" if isinstance(card, str) else str(card)


def played_cards(cards: Sequence[HandCard]) -> tuple[ShownCard, ...]:
    """Return the cards a seat has played, in order; only the latest copy of a card is a target."""
    last_index = {card: index for index, card in enumerate(cards)}
    return tuple(
        ShownCard(card_word(card), parts.played_card(card) if last_index[card] == index else "")
        for index, card in enumerate(cards)
    )


def grey_text(card: str) -> Message:
    """Return the text of a grey card."""
    return Message(GREYS[GREY_NUMBER[card]].text)


def moves(lines: tuple[DraftLine, ...]) -> tuple[Move, ...]:
    """Return the drawn lines of a draft; an escort has no arrow before the king's destination is known."""
    drawn = list[Move]()
    for line in lines:
        path, middle = "", (0.0, 0.0)
        if line.source != line.target:
            path, middle = placing.arrow(placing.spot_of(line.source), placing.spot_of(line.target))
        drawn.append(Move(line.count, line.colour, terms.place(line.source), terms.place(line.target), path, middle))
    return tuple(drawn)


def plates(view: View) -> tuple[Plate, ...]:
    """Return the alternative scoreboards that are not on the board."""
    boards_on_areas = {area.scoreboard for area in view.areas}
    return tuple(
        Plate(scoring(view, prices))
        for board, prices in zip(BOARDS, BOARD_PRICES, strict=True)
        if board not in boards_on_areas
    )


def rounds(view: View) -> tuple[RoundSpace, ...]:
    """Return the spaces of the round track in order: number, and whether it is current, past and a scoring round."""
    return tuple(
        RoundSpace(number, index == view.round_index, index < view.round_index, number in SCORING_ROUNDS)
        for index, number in enumerate(view.rounds)
    )


def bids(view: View) -> tuple[Bid, ...]:
    """Return the power cards on the table in turn order, or in playing order before that is known."""
    seats = view.setting.seats
    order = view.order
    if not order:
        dummy = (view.dummy.colour,) if view.dummy else ()
        order = (*dummy, *((view.first + step) % seats for step in range(seats)))
    return tuple(_bid(view, colour, index) for index, colour in enumerate(order))


def _bid(view: View, colour: int, index: int) -> Bid:
    """Return the power card of a colour, at a place of the order; colours above the seats are the dummy's."""
    has_acted = bool(view.order) and index < view.turn
    if colour >= view.setting.seats:
        power = view.dummy.power if view.dummy else 0
        return Bid(colour, power, None, power, 0, view.active == colour, has_acted)
    player = view.players[colour]
    return Bid(colour, player.power, player.grey, player.result, CALLS[player.power], view.active == colour, has_acted)


def stacks(view: View) -> tuple[CardStack, ...]:
    """Return the face-down stacks, each with the cards turned up and the number left."""
    cards = CARDS[view.setting.cards]
    card_stacks = list[CardStack]()
    for stack in stacks_of(view.setting):
        names = {*stack.cards, *stack.exchanged}
        face_up_ids = tuple(id for id in view.turned if id in names)
        total = len(stack.cards) + stack.kept
        card_stacks.append(CardStack(stack.name, tuple(cards[id].name for id in face_up_ids), total - len(face_up_ids)))
    return tuple(card_stacks)


def dial(view: View) -> tuple[Sector, ...]:
    """Return the secret disc while the reader must set it or has set it; empty otherwise."""
    if view.seat is None or view.step not in CHOOSING:
        return ()
    must_choose = view.seat in view.to_act or view.players[view.seat].choice is not None
    return DIAL if must_choose else ()


def picture(view: View) -> Mapping[str, Any]:
    """Return the template context of board and players."""
    own_player = view.players[view.seat] if view.seat is not None else None
    return {
        "standing": match_summary(view),
        "lands": lands(view),
        "exiles": exiles(view),
        "king_beside": placing.KING_BESIDE_CASTILLO if view.king == "castillo" else None,
        "plates": plates(view),
        "track": track,
        "markers": track.markers([player.score for player in view.players]),
        "rounds": rounds(view),
        "bids": bids(view),
        "stacks": stacks(view),
        "dial": dial(view),
        "choice": own_player.choice if own_player else None,
        "shapes": SHAPES,
        "dummy_shape": DUMMY_SHAPE,
        "seated": players(view),
        "hand": own_hand(view),
        "drafted": moves(view.draft.lines) if view.draft else (),
        "taken_up": terms.place(view.draft.source) if view.draft and view.draft.source else None,
        "announced": moves(view.announced.lines) if view.announced else (),
        "announced_place": terms.place(view.announced.place) if view.announced and view.announced.place else None,
        "calls": CALLS,
        "card_word": card_word,
        "grey_text": grey_text,
        "shown": played_cards,
        "place": terms.place,
        "address": partial(address_in, view.setting.cards),
    }
