"""The view of a seat or spectator, built field by field from the state and never by removing fields (EG-21)."""

from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import Value
from domain.titles.el_grande.cards import GREYS, Card
from domain.titles.el_grande.components import (
    AREAS,
    BOARD_TABLE,
    BOARDS,
    CASTILLO,
    COURT,
    KING_PLACES,
    NOWHERE,
    PLACES,
    PROVINCE,
    REGIONS,
    Area,
    Board,
    KingPlace,
    Place,
    Region,
)
from domain.titles.el_grande.decks import card_of
from domain.titles.el_grande.scoring import prices
from domain.titles.el_grande.state import (
    NO_CHOICE,
    UNCLEAR,
    Announcement,
    DraftLine,
    Setting,
    State,
    Step,
    Veto,
    round_number,
)

HandCard = int | str
"""A power card by its value, a grey card by its id."""

AREA_TITLES: Final = (*(row.name for row in BOARD_TABLE.regions), BOARD_TABLE.castillo.name)


class AreaView(Value, frozen=True):
    """A region or the Castillo: caballeros by colour (None while hidden) and the table in force."""

    id: Area
    name: str
    counts: tuple[int, ...] | None
    prices: tuple[int, int, int]
    scoreboard: Board | None
    is_kings: bool
    grandes: tuple[int, ...]


class CardView(Value, frozen=True):
    """An action card as printed; a working title is this project's name for an undocumented card."""

    id: str
    name: str
    stack: int
    caballeros: int
    kind: str
    text: str
    is_working_title: bool


class PlayerView(Value, frozen=True):
    """A player as the reader sees them; `hand`, `choice` and `passed` are None for other players."""

    seat: int
    score: int
    court: int
    province: int
    grande: Area | None
    power: int
    grey: str | None
    result: int
    hand_count: int
    hand: tuple[HandCard, ...] | None
    shown: tuple[HandCard, ...]
    """Every card the seat has played, in order."""
    recoveries: tuple[int, ...]
    """For each card the seat took back, the number of cards it had played by then."""
    passed: str | None
    has_chosen: bool
    """Whether a secret choice is made, even if the reader may not see it (EG-13.3)."""
    choice: str | None
    """The reader's secret choice: a region, a grey card, or `unclear`."""


class DummyView(Value, frozen=True):
    """The third colour of the two-player game (EG-16)."""

    colour: int
    supply: int
    power: int
    powers: tuple[int, ...]
    regions: tuple[Region, ...]
    """Region cards drawn since the last shuffle."""


class DraftView(Value, frozen=True):
    """The reader's draft: the picked-up caballeros and the lines so far (EG-12.2)."""

    colour: int
    source: Place | None
    lines: tuple[DraftLine, ...]


class View(Value, frozen=True):
    """The match as one seat, or a spectator (`seat` None), sees it."""

    seat: Seat | None
    setting: Setting
    round: int
    round_index: int
    rounds: tuple[int, ...]
    step: Step
    to_act: tuple[Seat, ...]
    asked: tuple[int, ...]
    subject: int
    remaining: int
    first: int
    order: tuple[int, ...]
    turn: int
    active: int | None
    """The colour whose turn it is."""
    king: KingPlace
    areas: tuple[AreaView, ...]
    players: tuple[PlayerView, ...]
    dummy: DummyView | None
    offer: tuple[CardView, ...]
    card: CardView | None
    """The action card of this turn."""
    turned: tuple[str, ...]
    """Every action card turned up from the shuffled stacks, in order."""
    placed: int
    special_used: bool
    infiltrating: bool
    vetoes: tuple[Veto, ...]
    announced: Announcement | None
    chosen_card: HandCard | None
    """The card that the reader has announced to take back."""
    draft: DraftView | None
    corrections: int = 0
    """The number of draft corrections and discarded drafts of the reader in this turn."""


def view(state: State, seat: Seat | None) -> View:
    """Return the state as the seat sees it; None is a spectator. The Castillo is closed unless the option opens it.

    Draft, corrections and a card taken back are included for the acting seat only; hand and secret choice for their
    owner.
    """
    setting = state.setting
    is_acting = 0 <= state.turn < len(state.order) and state.order[state.turn] == seat
    return View(
        seat=seat,
        setting=setting,
        round=round_number(state) if state.round_index >= 0 else 0,
        round_index=state.round_index,
        rounds=setting.rounds,
        step=state.step,
        to_act=state.to_act,  # type: ignore[arg-type]  # plain ints in the state, Seat to the outside
        asked=state.asked,
        subject=state.subject,
        remaining=state.remaining,
        first=state.first,
        order=state.order,
        turn=state.turn,
        active=state.order[state.turn] if 0 <= state.turn < len(state.order) else None,
        king=KING_PLACES[state.king],
        areas=tuple(_area(state, area) for area in range(len(AREAS))),
        players=tuple(_player(state, each, is_own=each == seat) for each in range(setting.seats)),
        dummy=_dummy(state),
        offer=tuple(view_card(card_of(state, id)) for id in state.offer),
        card=view_card(card_of(state, state.card)) if state.card else None,
        turned=state.turned,
        placed=state.placed,
        special_used=state.special_used,
        infiltrating=state.infiltrating,
        vetoes=state.vetoes,
        announced=state.announced,
        chosen_card=card_name(state.chosen_card) if is_acting and state.chosen_card else None,
        draft=_draft(state) if is_acting and state.drafting else None,
        corrections=state.corrections if is_acting else 0,
    )


def card_name(card: int) -> HandCard:
    """Return the public name of a card in hand: a power card's value or a grey card's id."""
    return GREYS[card].id if card in GREYS else card


def view_card(card: Card) -> CardView:
    """Return an action card as views show it."""
    return CardView(card.id, card.name, card.stack, card.caballeros, card.kind, card.text, card.working_title)


def _area(state: State, area: int) -> AreaView:
    """Return an area; hide the contents of the Castillo unless the option makes them public (EG-21.4)."""
    is_hidden = area == CASTILLO and state.setting.castillo != "open"
    return AreaView(
        id=AREAS[area],
        name=AREA_TITLES[area],
        counts=None if is_hidden else state.pieces[area],
        prices=prices(state, area),
        scoreboard=BOARDS[state.boards.index(area)] if area in state.boards else None,
        is_kings=state.king == area,
        grandes=tuple(seat for seat, place in enumerate(state.grandes) if place == area),
    )


def _player(state: State, seat: int, *, is_own: bool) -> PlayerView:
    """Return a player; hand, passed grey card and secret choice are included for its owner only."""
    hand, secret, passed = state.hands[seat], state.secrets[seat], state.passed[seat]
    return PlayerView(
        seat=seat,
        score=state.scores[seat],
        court=state.pieces[COURT][seat],
        province=state.pieces[PROVINCE][seat],
        grande=AREAS[state.grandes[seat]] if state.grandes[seat] != NOWHERE else None,
        power=state.powers[seat],
        grey=GREYS[state.greys[seat]].id if state.greys[seat] else None,
        result=state.results[seat],
        hand_count=len(hand),
        hand=tuple(map(card_name, hand)) if is_own else None,
        shown=tuple(map(card_name, state.shown[seat])),
        recoveries=state.recoveries[seat],
        passed=GREYS[passed].id if is_own and passed != NO_CHOICE else None,
        has_chosen=secret != NO_CHOICE,
        choice=_choice(secret) if is_own and secret != NO_CHOICE else None,
    )


def _choice(secret: int) -> str:
    if secret in GREYS:
        return GREYS[secret].id
    return "unclear" if secret == UNCLEAR else PLACES[secret]


def _dummy(state: State) -> DummyView | None:
    """Return the dummy with its supply and cards shown so far, or None in a match without one."""
    dummy = state.setting.dummy
    if dummy < 0:
        return None
    return DummyView(
        colour=dummy,
        supply=state.pieces[PROVINCE][dummy],
        power=state.powers[dummy],
        powers=state.dummy_powers,
        regions=tuple(REGIONS[region] for region in state.dummy_regions),
    )


def _draft(state: State) -> DraftView:
    """Return the lines of the draft and the picked-up caballeros, if any."""
    if state.picked is None:
        return DraftView(NOWHERE, None, state.draft)
    colour, place = state.picked
    return DraftView(colour, PLACES[place], state.draft)
