"""Special actions that move caballeros by draft: between areas, out of a region, from the Court, to the Court."""

from typing import Final

from domain.titles.el_grande.action_cards.kinds import CHOOSE, Special, drafted_count, move_destinations, sends
from domain.titles.el_grande.actions import Action
from domain.titles.el_grande.cards import FromCourt, Move, MoveAll, Muster, Params
from domain.titles.el_grande.components import CASTILLO, COURT, PLACE_INDEX, PLACES, PROVINCE, REGION_COUNT
from domain.titles.el_grande.effects import CaballerosMoved, Effect
from domain.titles.el_grande.state import Announcement, State, in_regions, king_region, placeable


def carry_lines(_state: State, seat: int, _params: Params, announced: Announcement) -> tuple[Effect, ...]:
    """Return the effect that moves all announced lines at once (EG-12.2)."""
    return (CaballerosMoved(seat, announced.lines),) if announced.lines else ()


def allowance(state: State, seat: int, params: Move, colour: int) -> int:
    """Return how many more caballeros of a colour the card may move after the draft (EG-12.3); 0 if none of it."""
    for part in params.parts:
        if part.who == "any":
            return part.up_to - sum(line.count for line in state.draft)
        if (part.who == "own") == (colour == seat):
            return part.up_to - sum(line.count for line in state.draft if (line.colour == seat) == (colour == seat))
    return 0


def move_offers(state: State, seat: int, params: Move) -> tuple[Action, ...]:
    """Return the sources to pick up from, or, after a pick-up, the destinations and counts (EG-12.2).

    The king's region and colours used up are left out; with `one_region` all lines share the first source.
    """
    if state.picked is not None:
        colour, source = state.picked
        remaining = state.pieces[source][colour] - drafted_count(state, colour, PLACES[source])
        count_max = min(remaining, allowance(state, seat, params, colour))
        return sends(move_destinations(state, source), count_max)
    colours = [colour for colour in range(state.setting.colours) if allowance(state, seat, params, colour) > 0]
    regions: range | tuple[int, ...] = range(REGION_COUNT)
    if state.draft and params.source == "one_region":
        regions = (PLACE_INDEX[state.draft[0].source],)
    pieces, king, draft = state.pieces, state.king, state.draft
    return tuple(
        CHOOSE[colour][region]
        for region in regions
        if region != king
        for colour in colours
        if pieces[region][colour] > (drafted_count(state, colour, PLACES[region]) if draft else 0)
    )


def leaving(state: State, seat: int) -> tuple[int, int]:
    """Return the region being evacuated and the number of caballeros left in it; (-1, 0) before the start."""
    if state.picked is None and not state.draft:
        return -1, 0
    source = state.picked[1] if state.picked else PLACE_INDEX[state.draft[0].source]
    return source, state.pieces[source][seat] - drafted_count(state, seat, PLACES[source])


def evacuation_offers(state: State, seat: int, _params: MoveAll) -> tuple[Action, ...]:
    """Return the regions to evacuate, or, after the start, destinations until the region is empty (EG-12.4)."""
    source, remaining = leaving(state, seat)
    if source < 0:
        return tuple(CHOOSE[seat][region] for region, _ in in_regions(state, seat))
    return sends(move_destinations(state, source), remaining)


def evacuation_closable(state: State, seat: int, _params: MoveAll) -> bool:
    """Return whether all own caballeros have left the region (EG-12.4)."""
    return leaving(state, seat)[1] == 0


def court_targets(state: State, params: FromCourt) -> tuple[int, ...]:
    """Return the areas that may receive caballeros from the Court by this card (EG-12.5), never the king's region."""
    taboo = king_region(state)
    if params.to == "king_neighbors+castillo":
        return placeable(state)
    regions = tuple(region for region in range(REGION_COUNT) if region != taboo)
    return (*regions, CASTILLO) if params.to == "regions+castillo" and taboo != CASTILLO else regions


def court_offers(state: State, seat: int, params: FromCourt) -> tuple[Action, ...]:
    """Return the areas and counts for caballeros from the Court, within the card's limits (EG-12.5).

    After `max_regions` areas only these are left.
    """
    count = sum(line.count for line in state.draft)
    count_max = min(params.up_to, state.pieces[COURT][seat]) - count
    used_regions = tuple(dict.fromkeys(PLACE_INDEX[line.target] for line in state.draft))
    is_full = params.max_regions and len(used_regions) >= params.max_regions
    return sends(used_regions if is_full else court_targets(state, params), count_max)


def muster_offers(state: State, seat: int, params: Muster) -> tuple[Action, ...]:
    """Return the sources of a muster: the Province, and regions once the Province is empty (EG-12.18, EG-5.5).

    After a pick-up, and from the Province, the counts for the Court.
    """
    remaining = params.up_to - sum(line.count for line in state.draft)
    if state.picked is not None:
        region = state.picked[1]
        available = state.pieces[region][seat] - drafted_count(state, seat, PLACES[region])
        return sends((COURT,), min(remaining, available))
    supply = state.pieces[PROVINCE][seat]
    if not state.draft and supply:
        return sends((COURT,), min(remaining, supply))
    if remaining == 0 or drafted_count(state, seat, "province") < supply:
        return ()
    return tuple(
        CHOOSE[seat][region]
        for region, count in in_regions(state, seat)
        if count > drafted_count(state, seat, PLACES[region])
    )


MOVE_CABALLEROS: Final = Special(move_offers, carry_lines)
MOVE_ALL_FROM_REGION: Final = Special(evacuation_offers, carry_lines, evacuation_closable)
PLACE_FROM_COURT: Final = Special(court_offers, carry_lines)
MUSTER: Final = Special(muster_offers, carry_lines)
