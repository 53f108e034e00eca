"""The part of the drawn board that each action belongs to; clicking that part triggers the action's button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.titles.el_grande import actions as a

NOTHING: Final = ""
"""The part of actions that belong to no part of the drawing, such as closing and declining."""


def area(place: str) -> str:
    """Return the part for a region, the Castillo, France, Portugal, or the player's Court or Province."""
    return place if place in {"court", "province"} else f"area-{place}"


def power(value: int) -> str:
    """Return the part for a power card in the player's hand."""
    return f"power-{value}"


def grey(id: str) -> str:
    """Return the part for a grey card in the player's hand."""
    return f"hand-{id}"


def offered_card(id: str) -> str:
    """Return the part for an action card on offer."""
    return f"card-{id}"


def played_card(card: int | str) -> str:
    """Return the part for a card that the player has played in this round or before."""
    return f"played-{card}"


IN_PLAY: Final = "in-play"
"""The action card of this turn, or the grey card whose effect may be used."""
UNCLEAR: Final = "disc-unclear"
VETO: Final = "veto"
"""The player's Veto on the table."""

PART_OF: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    a.PassGreyCard: lambda action: grey(action.card),
    a.PlayPowerCard: lambda action: power(action.power),
    a.CallCaballeros: lambda _: area("province"),
    a.CallFromRegion: lambda action: area(action.region),
    a.EndCall: lambda _: NOTHING,
    a.DeclineGrey: lambda _: NOTHING,
    a.TakeActionCard: lambda action: offered_card(action.card),
    a.PlaceCaballeros: lambda action: area(action.area),
    a.EndTurn: lambda _: NOTHING,
    a.ChooseSource: lambda action: area(action.source),
    a.SendCaballeros: lambda action: area(action.target),
    a.CloseDraft: lambda _: NOTHING,
    a.CorrectDraft: lambda _: NOTHING,
    a.DropDraft: lambda _: NOTHING,
    a.UseSpecial: lambda _: IN_PLAY,
    a.MoveKing: lambda action: area(action.place),
    a.MoveGrande: lambda action: area(action.region),
    a.NameArea: lambda action: area(action.area),
    a.PlaceScoreboard: lambda action: area(action.area),
    a.TakeBackCard: lambda action: played_card(action.card),
    a.AllowSpecial: lambda _: NOTHING,
    a.UseVeto: lambda _: VETO,
    a.SendBack: lambda action: area(action.source),
    a.ChooseRegion: lambda action: area(action.region),
    a.SetDisc: lambda action: UNCLEAR if action.region is None else area(action.region),
}


def part_of(action: object) -> str:
    """Return the part of the board that the action belongs to, or an empty string."""
    return PART_OF[type(action)](action)


def area_at(part: str) -> str:
    """Return the place that a part shows: an area, France, Portugal, the Court or the Province; "" for other parts."""
    return part if part in {"court", "province"} else name_in_part(part, "area")


def name_in_part(part: str, kind: str) -> str:
    """Return the name in a part of the given kind; "" for a part of another kind."""
    prefix, _, name = part.partition("-")
    return name if prefix == kind else ""
