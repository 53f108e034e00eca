"""Special actions on king, Grandes, scoreboards, power cards, and the Veto."""

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
    """Where the card lets the king go (EG-12.19, EG-18.4, EG-18.11, EG-18.12)."""
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
    """The colours of which one more may come along; empty when nothing is left to choose (EG-18.5)."""
    if not params.escort or state.king >= REGION_COUNT:
        return ()
    row, place = state.pieces[state.king], PLACES[state.king]
    forced = sum(row) <= params.escort or max(row) == sum(row)
    if forced or len(state.draft) == params.escort:
        return ()
    return tuple(colour for colour, count in enumerate(row) if count > drafted_count(state, colour, place))


def king_offers(state: State, seat: int, params: MoveTheKing) -> tuple[Action, ...]:
    """First who comes along, where there is a choice, then where the king goes."""
    colours = escort_choices(state, params)
    if colours:
        return tuple(CHOOSE[colour][state.king] for colour in colours)
    return tuple(MOVE_KING[place] for place in king_targets(state, seat, params))


def never(_state: State, _seat: int, _params: Params) -> bool:
    """Naming the king's destination announces; there is nothing to close."""
    return False


def escort_line(action: ChooseSource) -> DraftLine:
    """Who comes along goes where the king will go: that is not known yet."""
    return DraftLine(action.colour, action.source, action.source, 1)


def escort_lines(state: State, params: MoveTheKing, target: str) -> tuple[DraftLine, ...]:
    """The escort's way: those chosen, or all that there are (EG-18.5)."""
    if not params.escort or state.king >= REGION_COUNT or target not in REGIONS:
        return ()
    row, source, to = state.pieces[state.king], PLACES[state.king], REGIONS[KING_INDEX[target]]
    counts = [0] * len(row)
    for line in state.draft:
        counts[line.colour] += 1
    if not state.draft:
        counts = [min(count, params.escort) for count in row]
    return tuple(DraftLine(colour, source, to, count) for colour, count in enumerate(counts) if count)


def move_king(_state: State, seat: int, _params: MoveTheKing, announced: Announcement) -> tuple[Effect, ...]:
    """The king goes, his escort with him (EG-12.19, EG-18.5)."""
    if not announced.place:
        return ()
    moved = KingMoved(KING_PLACES[KING_INDEX[announced.place]])
    return (moved, CaballerosMoved(seat, announced.lines)) if announced.lines else (moved,)


def revolt(_state: State, _seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """The Castillo becomes the king's region (EG-18.8)."""
    return (KingMoved("castillo"),)


def joust(state: State, seat: int, _params: Own, _: Announcement) -> tuple[Effect, ...]:
    """The own Grande goes into the Castillo, from a region and past no taboo (EG-18.6, EG-6.1)."""
    home = state.grandes[seat]
    free = home < REGION_COUNT and state.king not in {home, CASTILLO}
    return (GrandeMoved(seat, "castillo"),) if free else ()


def viceroy(state: State, seat: int, _params: Own, _: Announcement) -> tuple[Effect, ...]:
    """King and own Grande change places, if both stand in regions (EG-18.10)."""
    home, king = state.grandes[seat], state.king
    if home >= REGION_COUNT or king >= REGION_COUNT or home == king:
        return ()
    return KingMoved(REGIONS[home]), GrandeMoved(seat, REGIONS[king])


def infiltration(_state: State, seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    return (InfiltrationAllowed(seat),)


def grande_offers(state: State, seat: int, _params: Params) -> tuple[Action, ...]:
    """Any other region but the king's, unless the Grande stands there or in the Castillo (EG-12.16, EG-6.1)."""
    home = state.grandes[seat]
    if home == king_region(state) or home == CASTILLO:
        return ()
    return tuple(MoveGrande(REGIONS[region]) for region in range(REGION_COUNT) if region not in {home, state.king})


def move_grande(_state: State, seat: int, _params: Params, announced: Announcement) -> tuple[Effect, ...]:
    return (GrandeMoved(seat, REGIONS[PLACE_INDEX[announced.place]]),) if announced.place else ()


@lru_cache(maxsize=2048)
def board_actions(boards: tuple[int, ...], taboo: int) -> tuple[Action, ...]:
    """Either scoreboard to another area that has none, past no taboo (EG-12.14, EG-11.2)."""
    return tuple(
        PlaceScoreboard(BOARDS[board], AREAS[area])
        for board, place in enumerate(boards)
        if place < 0 or place != taboo
        for area in range(CASTILLO + 1)
        if area != taboo and area not in boards
    )


def board_offers(state: State, _seat: int, _params: Params) -> tuple[Action, ...]:
    return board_actions(state.boards, king_region(state))


def place_board(_state: State, _seat: int, _params: Params, announced: Announcement) -> tuple[Effect, ...]:
    assert announced.board is not None, "there is always another area without a scoreboard"
    return (ScoreboardPlaced(announced.board, AREAS[PLACE_INDEX[announced.place]]),)


TAKE_BACK: Final = tuple(TakeBackCard(power) for power in POWERS)
TAKE_BACK_GREY: Final = {number: TakeBackCard(card.id) for number, card in GREYS.items()}


def recover_offers(state: State, seat: int, _params: Params) -> tuple[Action, ...]:
    """Any card of the own pile: power cards that are not in hand, and grey cards played so far (EG-12.15, EG-20.7)."""
    hand = state.hands[seat]
    powers = tuple(action for power, action in zip(POWERS, TAKE_BACK, strict=True) if power not in hand)
    if not state.setting.shift_of_power:
        return powers
    shown = state.shown[seat]
    return (*powers, *(action for grey, action in TAKE_BACK_GREY.items() if grey in shown and grey not in hand))


def recover(state: State, seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    number = state.chosen_card
    card: int | str = GREYS[number].id if number in GREYS else number
    return (CardTakenBack(seat, Hidden(card, (seat,))),)


def lay_veto(state: State, seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """The card stays open before the player for this round and the next (EG-19.4)."""
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
