"""The value of a position of El Grande to a seat, in hundredths of a point."""

from functools import cache, lru_cache
from typing import Final

from domain.kernel.chance import SeededChance
from domain.kernel.rules import Seat
from domain.titles.el_grande.action_cards import SPECIALS
from domain.titles.el_grande.actions import Action, AllowSpecial, CorrectDraft, DropDraft
from domain.titles.el_grande.components import (
    BOARD_PRICES,
    CALLS,
    CASTILLO,
    COURT,
    PLACES,
    PRINTED,
    PROVINCE,
    REGION_COUNT,
    REGIONS,
    SCORING_ROUNDS,
    Prices,
)
from domain.titles.el_grande.decide import decide, legal_actions
from domain.titles.el_grande.effects import CaballerosMoved, Effect
from domain.titles.el_grande.evolve import evolve
from domain.titles.el_grande.phases.special import chosen_kind
from domain.titles.el_grande.phases.turns import placement_left
from domain.titles.el_grande.scoring import majority
from domain.titles.el_grande.state import UNCLEAR, DraftLine, State, active
from workers.bots.evaluation import Weights

POINT: Final = 100
AREAS: Final = range(CASTILLO + 1)
"""The regions and the Castillo."""

SCORING: Final = (88, 70, 56, 45, 36, 28, 22, 17, 13)
"""Per cent of a majority's points that a general scoring brings, by the number of rounds until then."""

ON_BOARD: Final = 14
IN_CASTILLO: Final = 26
IN_COURT: Final = (24, 22, 20, 17, 14, 11, 8, 6)
IN_COURT_SPARE: Final = 4
IN_PROVINCE: Final = 3

CARD_IN_HAND: Final = 4
"""Per point of the card's value; worth saving for a later round."""
EARLY: Final = 7
"""Per point of the result; choosing before others."""
CALL: Final = ((4, 30), (8, 15), (31, 3))
"""(Court below this number, value of a caballero that may be called)."""

SPECIAL_TO_USE: Final = 60
CABALLERO_TO_PLACE: Final = 30
VETO_HELD: Final = 130


def follow(state: State, seat: Seat) -> tuple[Action, ...]:
    """Return the legal actions during a draft, a call or the start of a turn; else none, to evaluate the position.

    None either unless the seat alone has to act.
    """
    if state.to_act != (seat,):
        return ()
    is_open = state.step == "turn" and not state.placed and not state.special_used
    return legal_actions(state, seat) if state.drafting or is_open or state.step == "make_up" else ()


def closes(_state: State, _seat: Seat, _action: Action) -> bool:
    """Return False: even the end of a turn may trigger a general scoring."""
    return False


def goes_back(action: Action) -> bool:
    """Return whether the action corrects a draft; drafts are searched before they start (EG-12.2)."""
    return isinstance(action, CorrectDraft | DropDraft)


def worth(state: State, seat: Seat) -> int:
    """Return the value of scored points, expected majorities and unused options, relative to the other seats."""
    state = hoped_position(state, seat)
    opponent_count = 1 if state.setting.seats == 2 else state.setting.seats - 1
    opponents_total = sum(state.scores) - state.scores[seat]
    total = POINT * state.scores[seat] - POINT * opponents_total // opponent_count
    weight = _scorings(state)
    if weight:
        total += _majorities(state, seat, weight)
    return total + _caballeros(state, seat) + _cards(state, seat)


def _majorities(state: State, seat: Seat, weight: int) -> int:
    """Return the value of the current majorities in all areas, weighted by the scorings to come."""
    setting, boards, grandes, king, pieces = state.setting, state.boards, state.grandes, state.king, state.pieces
    has_third, seats, total = setting.third_place_counts, setting.seats, 0
    for area in AREAS:
        table = BOARD_PRICES[boards.index(area)] if area in boards else PRINTED[area]
        standing = tuple([grande == area for grande in grandes]) if area in grandes else ()
        total += _area(pieces[area], table, has_third, seats, king == area, standing, seat, weight)
    return total


@lru_cache(maxsize=65_536)
def _area(
    counts: tuple[int, ...],
    table: Prices,
    has_third: bool,
    seats: int,
    has_king: bool,
    grandes: tuple[bool, ...],
    seat: Seat,
    weight: int,
) -> int:
    """Return the value of one area to a seat: its points minus a half share of the others', times the weight.

    Cached, because most areas do not change between two evaluations.
    """
    first, second, third = table
    points = majority(counts, (first, second, third if has_third else 0), seats, has_king, grandes)
    opponent_count = 1 if seats == 2 else seats - 1
    return weight * points[seat] - weight * (sum(points) - points[seat]) // (2 * opponent_count)


def _castillo(state: State, seat: Seat, weight: int) -> int:
    """Return the value of the Castillo, which has neither Grandes nor scoreboards."""
    setting, counts = state.setting, state.pieces[CASTILLO]
    return _area(counts, PRINTED[CASTILLO], setting.third_place_counts, setting.seats, False, (), seat, weight)


def hoped_position(state: State, seat: Seat) -> State:
    """Return the position after the seat's draft, announced special action or secret choice takes effect.

    A veto is not expected; other positions are returned unchanged.
    """
    if state.drafting and active(state) == seat:
        return evolve(state, CaballerosMoved(seat, state.draft))
    if state.step == "veto" and state.subject == seat:
        for holder in state.to_act:
            state = _after(state, decide(state, Seat(holder), AllowSpecial(), SeededChance(b"hoped")))
        return hoped_position(state, seat)
    if state.secrets[seat] < 0 or state.step not in {"secret", "discs"}:
        return state
    region = state.secrets[seat]
    if state.step == "discs":
        target = PLACES[COURT] if region in {UNCLEAR, state.king} else REGIONS[region]
        count = state.pieces[CASTILLO][seat]
        return evolve(state, CaballerosMoved(seat, (DraftLine(seat, "castillo", target, count),)))
    kind, params = chosen_kind(state, active(state))
    reveal = SPECIALS[kind].reveal
    assert reveal is not None
    return _after(state, reveal(state, active(state), params, {int(seat): region}))


def _after(state: State, effects: tuple[Effect, ...]) -> State:
    for effect in effects:
        state = evolve(state, effect)
    return state


def _scorings(state: State) -> int:
    """Return the weight of a majority's points, given the general scorings to come."""
    now = max(state.round_index, 0)
    return _scorings_from(state.setting.rounds, now, state.step in {"next_round", "over"})


@cache
def _scorings_from(rounds: tuple[int, ...], now: int, is_past: bool) -> int:
    first = now + 1 if is_past else now
    return sum(SCORING[index - now] for index in range(first, len(rounds)) if rounds[index] in SCORING_ROUNDS)


def _caballeros(state: State, seat: Seat) -> int:
    """Return the value of caballeros by location; a full Court is worth less per caballero."""
    pieces = state.pieces
    court = pieces[COURT][seat]
    total = ON_BOARD * sum([region[seat] for region in pieces[:REGION_COUNT]])
    total += IN_CASTILLO * pieces[CASTILLO][seat] + IN_PROVINCE * pieces[PROVINCE][seat]
    return total + sum(IN_COURT[:court]) + IN_COURT_SPARE * max(0, court - len(IN_COURT))


def _cards(state: State, seat: Seat) -> int:
    """Return the value of power cards in hand and in play, of a Veto, and of the options left this turn."""
    total = CARD_IN_HAND * sum([card for card in state.hands[seat] if card < len(CALLS)])
    total += VETO_HELD * sum([veto.seat == seat for veto in state.vetoes])
    power = state.powers[seat]
    if power and state.step in {"power", "order", "call"}:
        court = state.pieces[COURT][seat]
        call = next(value for below, value in CALL if court < below)
        total += EARLY * state.results[seat] + call * CALLS[power]
    if state.step == "turn" and state.to_act == (seat,) and not state.drafting:
        total += CABALLERO_TO_PLACE * placement_left(state, seat)
        total += 0 if state.special_used else SPECIAL_TO_USE
    return total


PARTS: Final = ("points", "others", "majorities", "castillo", "board", "court", "province", "cards", "vetoes", "turn")
"""Names of the parts of a value."""


def parts(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the value split by `PARTS`; the parts add up to `worth`."""
    state = hoped_position(state, seat)
    opponent_count = 1 if state.setting.seats == 2 else state.setting.seats - 1
    opponents_total, weight, pieces = sum(state.scores) - state.scores[seat], _scorings(state), state.pieces
    castillo = _castillo(state, seat, weight) if weight else 0
    court = pieces[COURT][seat]
    hand = CARD_IN_HAND * sum(card for card in state.hands[seat] if card < len(CALLS))
    vetoes = VETO_HELD * sum(veto.seat == seat for veto in state.vetoes)
    return (
        POINT * state.scores[seat],
        -(POINT * opponents_total // opponent_count),
        _majorities(state, seat, weight) - castillo if weight else 0,
        castillo + IN_CASTILLO * pieces[CASTILLO][seat],
        ON_BOARD * sum(pieces[region][seat] for region in range(REGION_COUNT)),
        sum(IN_COURT[:court]) + IN_COURT_SPARE * max(0, court - len(IN_COURT)),
        IN_PROVINCE * pieces[PROVINCE][seat],
        hand,
        vetoes,
        _cards(state, seat) - hand - vetoes,
    )


WEIGHTS: Final = Weights(worth, follow, closes, goes_back, PARTS, parts)
