"""Reasons against a place in a draft, as a source or as a destination (EG-12)."""

from typing import Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.action_cards.moves import allowance, leaving
from domain.titles.el_grande.cards import FromCourt, Move, MoveAll, Muster
from domain.titles.el_grande.components import AREAS, COURT, PLACES, PROVINCE, REGIONS
from domain.titles.el_grande.refusals.places import CASTILLO_SHUT, FAR_FROM_KING, TABOO, is_taboo, none_of
from domain.titles.el_grande.state import State

NOT_THERE: Final = Refusal("EG-12.1", Message("Caballeros can only move to a region or into the Castillo."))
NOT_FROM_THERE: Final = Refusal("EG-12.1", Message("You can only move caballeros out of regions."))


def target(state: State, source: str, area: str) -> Refusal:
    """Return why an area is no destination for picked-up caballeros (EG-12.1, EG-12.2)."""
    if area not in AREAS:
        return NOT_THERE
    if area == source:
        return Refusal("EG-12.2", Message("They are already there."))
    assert is_taboo(state, area), "everything else is a destination"
    return TABOO


def source(state: State, area: str) -> Refusal | None:
    """Return why an area is no source for any colour, or None (EG-6.1, EG-7.3, EG-12.1)."""
    if area == "castillo":
        return CASTILLO_SHUT
    if area not in REGIONS:
        return NOT_FROM_THERE
    return TABOO if is_taboo(state, area) else None


def move(state: State, seat: int, params: Move, area: str) -> Refusal | None:
    """Return why a move action cannot use an area: destination after a pick-up, otherwise source (EG-12.2, EG-12.3)."""
    if state.picked is not None:
        return target(state, PLACES[state.picked[1]], area)
    if all(allowance(state, seat, params, colour) <= 0 for colour in range(state.setting.colours)):
        return Refusal("EG-12.3", Message("The card cannot move any more caballeros."))
    if (refusal := source(state, area)) is not None:
        return refusal
    if state.draft and params.source == "one_region" and area != state.draft[0].source:
        args: terms.Args = {"place": terms.place(state.draft[0].source)}
        return Refusal("EG-12.3", Message("This card moves caballeros out of one region only: {place}.", args))
    return Refusal("EG-12.3", Message("There are no caballeros there that the card may move."))


def evacuation(state: State, seat: int, _params: MoveAll, area: str) -> Refusal | None:
    """Return why an evacuation cannot use an area: as destination once begun, otherwise as source (EG-12.4)."""
    source_index, remaining = leaving(state, seat)
    if source_index >= 0:
        return (
            target(state, PLACES[source_index], area)
            if remaining
            else Refusal("EG-12.4", Message("All your caballeros have left."))
        )
    return source(state, area) or none_of("EG-12.4", state, seat)


def from_court(state: State, seat: int, params: FromCourt, area: str) -> Refusal | None:
    """Return why caballeros from the Court cannot go to an area (EG-12.5)."""
    count = sum(line.count for line in state.draft)
    if count == params.up_to:
        return Refusal("EG-12.5", Message("The card cannot send any more caballeros."))
    if count == state.pieces[COURT][seat]:
        return Refusal("EG-12.5", Message("You have no caballeros left in your Court to send."))
    if is_taboo(state, area):
        return TABOO
    if params.to == "king_neighbors+castillo" and area in REGIONS:
        return FAR_FROM_KING
    return Refusal("EG-12.5", Message("The card only sends caballeros to regions."))


def muster(state: State, seat: int, params: Muster, area: str) -> Refusal | None:
    """Return why a muster cannot use an area (EG-12.18, EG-5.5)."""
    if sum(line.count for line in state.draft) == params.up_to:
        return Refusal("EG-12.18", Message("The card cannot call any more caballeros."))
    if state.picked is not None:
        return Refusal("EG-12.18", Message("They can only go to your Court."))
    drafted_from_province = sum(line.count for line in state.draft if line.source == "province")
    if drafted_from_province < state.pieces[PROVINCE][seat]:
        return Refusal("EG-5.5", Message("You can call caballeros from regions only when your Province is empty."))
    return source(state, area) or none_of("EG-5.5", state, seat)
