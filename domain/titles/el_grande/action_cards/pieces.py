"""Special actions on the king, Grandes, scoreboards and power cards, and the Veto."""

from functools import lru_cache
from typing import Final

from domain.kernel.hidden import Hidden
from domain.titles.el_grande.action_cards.kinds import CHOOSE, MOVE_KING, Special, drafted_count, no_offers
from domain.titles.el_grande.actions import Action, ChooseSource, MoveGrande, PlaceScoreboard, TakeBackCard
from domain.titles.el_grande.cards import GREYS, MoveTheKing, Own, Params
from domain.titles.el_grande.components import (
    AREAS,
    BOARDS,
    CASTILLO,
    FRANCE,
    KING_INDEX,
    KING_PLACES,
    NEIGHBOURS,
    PLACE_INDEX,
    PLACES,
    PORTUGAL,
    POWERS,
    REGION_COUNT,
    REGIONS,
)
from domain.titles.el_grande.effects import (
    CaballerosMoved,
    CardTakenBack,
    Effect,
    GrandeMoved,
    InfiltrationAllowed,
    KingMoved,
    ScoreboardPlaced,
    VetoLaid,
)
from domain.titles.el_grande.scoring import extreme_regions
from domain.titles.el_grande.state import Announcement, DraftLine, State, king_region


def king_targets(state: State, seat: int, params: MoveTheKing) -> tuple[int, ...]:
    """Return the places to which the card may send the king (EG-12.19, EG-18.4, EG-18.11, EG-18.12).

    Never his present place, except among several regions with the fewest caballeros.
    """
    king = state.king
    if params.range == "exile":
        return tuple(place for place in (FRANCE, PORTUGAL) if place != king)
    if params.range == "adjacent":
        return NEIGHBOURS[king]
    if params.range == "fewest_caballeros":
        regions = extreme_regions(state, "fewest", params.min_total)
        return () if regions == (king,) else regions
    if params.range == "own_grande_region":
        home = state.grandes[seat]
        return (home,) if home < REGION_COUNT and home != king else ()
    return tuple(region for region in range(REGION_COUNT) if region != king)


def escort_choices(state: State, params: MoveTheKing) -> tuple[int, ...]:
    """Return the colours that may still join the escort; empty if the king has none or no choice is left (EG-18.5)."""
    if not params.escort or state.king >= REGION_COUNT:
        return ()
    row, place = state.pieces[state.king], PLACES[state.king]
    is_forced = sum(row) <= params.escort or max(row) == sum(row)
    if is_forced or len(state.draft) == params.escort:
        return ()
    return tuple(colour for colour, count in enumerate(row) if count > drafted_count(state, colour, place))


def king_offers(state: State, seat: int, params: MoveTheKing) -> tuple[Action, ...]:
    """Return the escort choices while some are left, then the king's destinations."""
    colours = escort_choices(state, params)
    if colours:
        return tuple(CHOOSE[colour][state.king] for colour in colours)
    return tuple(MOVE_KING[place] for place in king_targets(state, seat, params))


def never(_state: State, _seat: int, _params: Params) -> bool:
    """Return False: choosing the king's destination already announces the action."""
    return False


def escort_line(action: ChooseSource) -> DraftLine:
    """Return the draft line of an escort; the destination is a placeholder until the king's is known."""
    return DraftLine(action.colour, action.source, action.source, 1)


def escort_lines(state: State, params: MoveTheKing, target: str) -> tuple[DraftLine, ...]:
    """Return the lines of the escort: the chosen caballeros, or all of them without a choice (EG-18.5).

    Empty from or to a place that is no region.
    """
    if not params.escort or state.king >= REGION_COUNT or target not in REGIONS:
        return ()
    row, source, destination = state.pieces[state.king], PLACES[state.king], REGIONS[KING_INDEX[target]]
    counts = [0] * len(row)
    for line in state.draft:
        counts[line.colour] += 1
    if not state.draft:
        counts = [min(count, params.escort) for count in row]
    return tuple(DraftLine(colour, source, destination, count) for colour, count in enumerate(counts) if count)


def move_king(_state: State, seat: int, _params: MoveTheKing, announced: Announcement) -> tuple[Effect, ...]:
    """Return the effects that move the king and his escort (EG-12.19, EG-18.5); none without an announced place."""
    if not announced.place:
        return ()
    king_moved = KingMoved(KING_PLACES[KING_INDEX[announced.place]])
    return (king_moved, CaballerosMoved(seat, announced.lines)) if announced.lines else (king_moved,)


def revolt(_state: State, _seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """Return the effect that moves the king next to the Castillo, which becomes his region (EG-18.8)."""
    return (KingMoved("castillo"),)


def joust(state: State, seat: int, _params: Own, _: Announcement) -> tuple[Effect, ...]:
    """Return the effect that moves the player's Grande into the Castillo, if no taboo forbids it (EG-18.6, EG-6.1)."""
    home = state.grandes[seat]
    is_free = home < REGION_COUNT and state.king not in {home, CASTILLO}
    return (GrandeMoved(seat, "castillo"),) if is_free else ()


def viceroy(state: State, seat: int, _params: Own, _: Announcement) -> tuple[Effect, ...]:
    """Return the effects that swap the king and the player's Grande, if they are in two regions (EG-18.10)."""
    home, king = state.grandes[seat], state.king
    if home >= REGION_COUNT or king >= REGION_COUNT or home == king:
        return ()
    return KingMoved(REGIONS[home]), GrandeMoved(seat, REGIONS[king])


def infiltration(_state: State, seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """Return the effect that opens the king's region to this turn's placement (EG-18.9)."""
    return (InfiltrationAllowed(seat),)


def grande_offers(state: State, seat: int, _params: Params) -> tuple[Action, ...]:
    """Return the moves of the Grande to other regions but the king's (EG-12.16, EG-6.1).

    Empty if it is in the king's region or the Castillo.
    """
    home = state.grandes[seat]
    if home == king_region(state) or home == CASTILLO:
        return ()
    return tuple(MoveGrande(REGIONS[region]) for region in range(REGION_COUNT) if region not in {home, state.king})


def move_grande(_state: State, seat: int, _params: Params, announced: Announcement) -> tuple[Effect, ...]:
    """Return the effect that moves the player's Grande to the announced region, if one was announced."""
    return (GrandeMoved(seat, REGIONS[PLACE_INDEX[announced.place]]),) if announced.place else ()


@lru_cache(maxsize=2048)
def board_actions(boards: tuple[int, ...], taboo: int) -> tuple[Action, ...]:
    """Return the moves of a scoreboard to an area without one, never from or to the taboo area (EG-12.14, EG-11.2)."""
    return tuple(
        PlaceScoreboard(BOARDS[board], AREAS[area])
        for board, place in enumerate(boards)
        if place < 0 or place != taboo
        for area in range(CASTILLO + 1)
        if area != taboo and area not in boards
    )


def board_offers(state: State, _seat: int, _params: Params) -> tuple[Action, ...]:
    """Return the possible moves of a scoreboard in this position."""
    return board_actions(state.boards, king_region(state))


def place_board(_state: State, _seat: int, _params: Params, announced: Announcement) -> tuple[Effect, ...]:
    """Return the effect that places the announced scoreboard."""
    assert announced.board is not None, "there is always another area without a scoreboard"
    return (ScoreboardPlaced(announced.board, AREAS[PLACE_INDEX[announced.place]]),)


TAKE_BACK: Final = tuple(TakeBackCard(power) for power in POWERS)
TAKE_BACK_GREY: Final = {number: TakeBackCard(card.id) for number, card in GREYS.items()}


def recover_offers(state: State, seat: int, _params: Params) -> tuple[Action, ...]:
    """Return the cards that the player has shown and not in hand: power cards and grey cards (EG-12.15, EG-20.7)."""
    hand = state.hands[seat]
    powers = tuple(action for power, action in zip(POWERS, TAKE_BACK, strict=True) if power not in hand)
    if not state.setting.shift_of_power:
        return powers
    shown = state.shown[seat]
    return (*powers, *(action for grey, action in TAKE_BACK_GREY.items() if grey in shown and grey not in hand))


def recover(state: State, seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """Return the effect that takes the chosen card back to the hand, visible to its owner only."""
    number = state.chosen_card
    card: int | str = GREYS[number].id if number in GREYS else number
    return (CardTakenBack(seat, Hidden(card, (seat,))),)


def lay_veto(state: State, seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """Return the effect that lays the Veto open for this round and the next (EG-19.4)."""
    return (VetoLaid(seat, state.card, state.round_index + 1),)


MOVE_KING_KIND: Final = Special(king_offers, move_king, never, escort_line)
KING_TO_CASTILLO: Final = Special(no_offers, revolt)
GRANDE_TO_CASTILLO: Final = Special(no_offers, joust)
SWAP_KING_GRANDE: Final = Special(no_offers, viceroy)
PLACE_IN_KING_REGION: Final = Special(no_offers, infiltration)
MOVE_GRANDE: Final = Special(grande_offers, move_grande)
PLACE_SCOREBOARD: Final = Special(board_offers, place_board)
RECOVER_POWER_CARD: Final = Special(recover_offers, recover)
VETO: Final = Special(no_offers, lay_veto)
