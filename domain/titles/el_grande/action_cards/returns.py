"""Special actions that send caballeros to the Province or make opponents move them, directly or by secret choice."""

from typing import Final

from domain.titles.el_grande.action_cards.kinds import CHOOSE, NAME, Choices, Special, no_offers
from domain.titles.el_grande.actions import Action, ChooseSource
from domain.titles.el_grande.cards import Council, CoupParams, OpponentsReturn, Params, ReturnOneEach, SecretReturn
from domain.titles.el_grande.components import COURT, PLACE_INDEX, PLACES, REGION_COUNT, REGIONS
from domain.titles.el_grande.effects import AreaScored, CaballerosMoved, Effect, StepBegun
from domain.titles.el_grande.scoring import area_points
from domain.titles.el_grande.state import Announcement, DraftLine, State, clockwise, in_regions, opponents


def demand_return(state: State, seat: int, params: OpponentsReturn, _: Announcement) -> tuple[Effect, ...]:
    """Return the effects of a return.

    Court cards move caballeros at once; Withdrawal asks the seats in turn. The dummy is left out (EG-12.6, EG-16.10).
    """
    if params.chooser == "owner":
        assert params.count != "all"
        return (StepBegun("send_back", subject=clockwise(state, seat)[0], remaining=params.count),)
    court = state.pieces[COURT]
    lines = []
    for other in clockwise(state, seat):
        count = court[other] if params.count == "all" else min(params.count, court[other])
        if count:
            lines.append(DraftLine(other, "court", "province", count))
    return (CaballerosMoved(seat, tuple(lines)),) if lines else ()


def arrested_colours(state: State, seat: int) -> tuple[int, ...]:
    """Return the colours of which a caballero must still be chosen: opponents clockwise, then the dummy (EG-12.7).

    Colours without a caballero outside the king's region are left out.
    """
    drafted_colours = {line.colour for line in state.draft}
    order = (*clockwise(state, seat), *(colour for colour in opponents(state, seat) if colour >= state.setting.seats))
    return tuple(colour for colour in order if colour not in drafted_colours and in_regions(state, colour))


def arrest_offers(state: State, seat: int, _params: ReturnOneEach) -> tuple[Action, ...]:
    """Return the regions with a caballero of the next opponent to arrest, the king's region excluded (EG-12.7)."""
    colours = arrested_colours(state, seat)
    return tuple(CHOOSE[colours[0]][region] for region, _ in in_regions(state, colours[0])) if colours else ()


def arrest_closable(state: State, seat: int, _params: ReturnOneEach) -> bool:
    """Return whether a caballero of every opponent concerned is chosen."""
    return not arrested_colours(state, seat)


def arrest_line(action: ChooseSource) -> DraftLine:
    """Return the draft line that sends the chosen caballero to the Province."""
    return DraftLine(action.colour, action.source, "province", 1)


def carry_arrest(_state: State, seat: int, _params: Params, announced: Announcement) -> tuple[Effect, ...]:
    """Return the effect that sends all chosen caballeros to the Province."""
    return (CaballerosMoved(seat, announced.lines),) if announced.lines else ()


def ask_secretly(_state: State, _seat: int, _params: Params, _announced: Announcement) -> tuple[Effect, ...]:
    """Return the step that collects secret choices (EG-13.1, EG-13.4)."""
    return (StepBegun("secret"),)


def returning(state: State, seat: int, params: SecretReturn) -> Choices:
    """Return (seat, regions) of the secret choices of a return: of the opponents or, for some cards, of all seats.

    Seats without a region are left out. The regions hold at least `min_presence` caballeros of the seat, or any number
    if none has enough. The king's region is excluded (EG-12.8).
    """
    seats = range(state.setting.seats) if params.who == "all" else clockwise(state, seat)
    choices = []
    for each in sorted(seats):
        presence = in_regions(state, each)
        crowded = tuple(region for region, count in presence if count >= params.min_presence)
        regions = crowded or tuple(region for region, _ in presence)
        if regions:
            choices.append((each, regions))
    return tuple(choices)


def send_chosen(state: State, seat: int, params: SecretReturn, chosen: dict[int, int]) -> tuple[Effect, ...]:
    """Return the effect that sends all chosen caballeros to the Province at once, counted at the reveal (EG-13.5).

    `chosen` maps seat to region.
    """
    lines = []
    for each, region in chosen.items():
        present = state.pieces[region][each]
        count = present if params.count == "all" else min(params.count, present)
        lines.append(DraftLine(each, PLACES[region], "province", count))
    return (CaballerosMoved(seat, tuple(lines)),) if lines else ()


def coup_offers(state: State, _seat: int, _params: CoupParams) -> tuple[Action, ...]:
    """Return the regions that a Coup may name: all but the king's (EG-12.17)."""
    return tuple(NAME[region] for region in range(REGION_COUNT) if region != state.king)


def coup_choices(state: State, seat: int, _params: CoupParams) -> Choices:
    """Return (seat, regions) for the opponents in the named region: any other region but the king's (EG-12.17)."""
    assert state.announced is not None
    named_region = PLACE_INDEX[state.announced.place]
    regions = tuple(region for region in range(REGION_COUNT) if region not in {named_region, state.king})
    return tuple((each, regions) for each in sorted(clockwise(state, seat)) if state.pieces[named_region][each])


def coup_moves(state: State, seat: int, _params: CoupParams, chosen: dict[int, int]) -> tuple[Effect, ...]:
    """Return the effect that moves all caballeros of each opponent from the named to the chosen region (EG-12.17)."""
    assert state.announced is not None
    named_region = PLACE_INDEX[state.announced.place]
    lines = tuple(
        DraftLine(each, PLACES[named_region], PLACES[region], state.pieces[named_region][each])
        for each, region in chosen.items()
    )
    return (CaballerosMoved(seat, lines),) if lines else ()


def council_choices(state: State, _seat: int, _params: Council) -> Choices:
    """Return every region as a choice for every player, the acting one included (EG-19.6)."""
    return tuple((each, tuple(range(REGION_COUNT))) for each in range(state.setting.seats))


def council_scores(state: State, _seat: int, _params: Council, chosen: dict[int, int]) -> tuple[Effect, ...]:
    """Return the scoring of every region that exactly one player chose, in board order (EG-19.6)."""
    regions = list(chosen.values())
    return tuple(
        AreaScored(REGIONS[region], area_points(state, region))
        for region in sorted(set(regions))
        if regions.count(region) == 1
    )


OPPONENTS_RETURN: Final = Special(no_offers, demand_return)
RETURN_ONE_EACH: Final = Special(arrest_offers, carry_arrest, arrest_closable, arrest_line)
SECRET_RETURN: Final = Special(no_offers, ask_secretly, choices=returning, reveal=send_chosen)
COUP: Final = Special(coup_offers, ask_secretly, choices=coup_choices, reveal=coup_moves)
SECRET_UNIQUE_SCORING: Final = Special(no_offers, ask_secretly, choices=council_choices, reveal=council_scores)
