"""Builders for positions of El Grande, and random play with a fixed seed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from domain.kernel.chance import SeededChance, below, numbers
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.actions import Action
from domain.titles.el_grande.components import PLACE_INDEX, REGIONS
from domain.titles.el_grande.decks import KING_CARD
from domain.titles.el_grande.options import options, setting_of
from domain.titles.el_grande.state import DraftLine, State
from tests.scenario import Position, position_after

A: Final = 0
B: Final = 1
C: Final = 2
D: Final = 3
E: Final = 4

UNTOLD: Final = (
    e.StepBegun,
    e.TurnBegun,
    e.TurnEnded,
    e.SpecialAnnounced,
    e.SpecialEnded,
    e.SourceChosen,
    e.LineDrafted,
    e.DraftCorrected,
    e.DraftDropped,
)

TABLE_2023: Final = {"cards": "2023"}


def rows(text: str) -> dict[str, tuple[int, ...]]:
    """Parse a text table: a place on each line, followed by its counts by colour."""
    lines = [line.split() for line in text.strip().splitlines() if line.strip()]
    return {name: tuple(map(int, counts)) for name, *counts in lines}


def table(
    *effects: Any,
    seats: int = 4,
    king: str = "castilla",
    pieces: str = "",
    grandes: Mapping[int, str] | None = None,
    chosen: Mapping[str, str] | None = None,
) -> Position:
    """Return a position in the first round with these pieces on the board, after these effects; lists are flattened."""
    setting = setting_of(options(chosen or TABLE_2023), seats)
    laid: list[Any] = [e.BoardLaid(setting)]
    laid.append(e.KingStood(king) if king in REGIONS else e.KingMoved(king))  # type: ignore[arg-type]  # places of the test
    for place, counts in rows(pieces).items():
        lines = tuple(DraftLine(colour, "province", place, count) for colour, count in enumerate(counts) if count)  # type: ignore[arg-type]  # places of the text
        if lines:
            laid.append(e.CaballerosMoved(-1, lines))
    for seat, area in (grandes or {}).items():
        laid.append(e.GrandeMoved(seat, area))  # type: ignore[arg-type]  # areas of the test
    laid += [e.FirstPlayerSet(A), e.RoundBegun(setting.rounds[0], 0)]
    for effect in effects:
        laid += effect if isinstance(effect, list) else [effect]
    return position_after(el_grande, *laid, untold=UNTOLD)


def turn_cards(*cards: str) -> list[Any]:
    """Return the effects that put cards on offer."""
    return [e.ActionCardTurned(card, from_stack=card != KING_CARD) for card in cards]


def acting(seat: int, card: str, *, seats: int = 4, offer: Iterable[str] = (KING_CARD,)) -> list[Any]:
    """Return the effects after which the seat, first in the turn order, has taken the card and may use it."""
    order = tuple((seat + step) % seats for step in range(seats))
    return [
        e.TurnOrderSet(order),
        e.TurnBegun(0, seat),
        *turn_cards(card, *offer),
        e.ActionCardTaken(seat, card),
        e.StepBegun("turn", (seat,)),
    ]


def to_take(seat: int, *offer: str, seats: int = 4) -> list[Any]:
    """Return the effects after which the seat, first in the turn order, must take one of the cards."""
    order = tuple((seat + step) % seats for step in range(seats))
    return [e.TurnOrderSet(order), e.TurnBegun(0, seat), *turn_cards(*offer), e.StepBegun("take", (seat,))]


def calling(seat: int, power: int, *, seats: int = 4, grey: str | None = None) -> list[Any]:
    """Return the effects after which the seat has played the power card and begins its turn with the call."""
    order = tuple((seat + step) % seats for step in range(seats))
    return [
        *turn_cards(KING_CARD),
        e.PowerCardPlayed(seat, power, power, grey),
        e.TurnOrderSet(order),
        e.TurnBegun(0, seat),
        e.StepBegun("call", (seat,)),
    ]


def go(colour: int, source: str, target: str, count: int = 1) -> tuple[a.Action, ...]:
    """Return the two actions that draft a line."""
    return a.ChooseSource(colour, source), a.SendCaballeros(target, count)  # type: ignore[arg-type]  # places of the test


def line(colour: int, source: str, target: str, count: int = 1) -> DraftLine:
    return DraftLine(colour, source, target, count)  # type: ignore[arg-type]  # places of the test


def counts(state: Any, place: str) -> tuple[int, ...]:
    """Return the caballeros of a place by colour."""
    pieces_by_colour: tuple[int, ...] = state.pieces[PLACE_INDEX[place]]
    return pieces_by_colour


def areas(actions: Iterable[Any], kind: type, name: str) -> set[Any]:
    """Return the named attribute of all actions of a kind."""
    return {getattr(action, name) for action in actions if isinstance(action, kind)}


def play_randomly(seats: int, seed: int, chosen: Mapping[str, str]) -> Iterator[tuple[State, Action]]:
    """Play a random match; yield every position with a decision and the chosen action."""
    key = seed.to_bytes(32, "big")
    state: State | None = None
    for effect in el_grande.start(el_grande.options(chosen), seats, SeededChance(key)):
        state = el_grande.evolve(state, effect)
    assert state is not None
    for node in range(10_000):
        to_act = el_grande.seats_to_act(state)
        if not to_act:
            return
        stream = numbers(key, str(node))
        seat = to_act[below(stream, len(to_act))]
        legal = el_grande.legal_actions(state, seat)
        action = legal[below(stream, len(legal))]
        yield state, action
        for effect in el_grande.decide(state, seat, action, SeededChance(key)):
            state = el_grande.evolve(state, effect)
