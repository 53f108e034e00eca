"""El Grande: what the templates of board and players need beside the view, and the headings of the action buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from domain.el_grande import actions
from domain.el_grande import words_terms as terms
from domain.el_grande.cards import GREY_NUMBER, GREYS
from domain.el_grande.components import AREA_NAMES, CALLS, KING_INDEX, NEIGHBOURS, PLACE_INDEX, REGIONS, THE_BOARD
from domain.el_grande.state import Line, Step
from domain.el_grande.view import AreaView, HandCard, PlayerView, View
from domain.kernel.messages import say

STEP_NAMES: Final[Mapping[Step, str]] = {
    "pass_grey": "pass a grey card",
    "power": "play a power card",
    "call": "call caballeros",
    "make_up": "call caballeros from regions",
    "grey": "use the grey card",
    "take": "take an action card",
    "turn": "use the action card",
    "veto": "veto or not",
    "send_back": "send caballeros back",
    "secret": "choose a region in secret",
    "discs": "set the secret disc",
    "over": "over",
}
"""Steps in which somebody is to act, in words."""

HEADINGS: Final[Mapping[type[Any], str]] = {
    actions.PassGreyCard: "Pass a grey card",
    actions.PlayPowerCard: "Play a power card",
    actions.CallCaballeros: "Call caballeros",
    actions.CallFromRegion: "Call caballeros",
    actions.EndCall: "Go on",
    actions.DeclineGrey: "Go on",
    actions.TakeActionCard: "Take an action card",
    actions.PlaceCaballeros: "Place caballeros",
    actions.EndTurn: "Go on",
    actions.ChooseSource: "Special action: take up",
    actions.SendCaballeros: "Special action: send",
    actions.CloseDraft: "Go on",
    actions.DropDraft: "Go on",
    actions.UseSpecial: "Special action",
    actions.MoveKing: "Special action: the king",
    actions.MoveGrande: "Special action: your Grande",
    actions.NameArea: "Special action: name an area",
    actions.PlaceScoreboard: "Special action: a scoreboard",
    actions.TakeBackCard: "Special action: take back a card",
    actions.AllowSpecial: "Go on",
    actions.UseVeto: "Veto",
    actions.SendBack: "Send caballeros back",
    actions.ChooseRegion: "Choose in secret",
    actions.SetDisc: "Set the secret disc",
}


class Region(msgspec.Struct, frozen=True):
    """A region or the Castillo as it is drawn."""

    area: AreaView
    prices: tuple[int, ...]
    """Those places that score with so many players."""
    pieces: tuple[tuple[int, int], ...]
    """Colour and caballeros, the most first."""
    neighbours: tuple[str, ...]
    is_next_to_king: bool


class Move(msgspec.Struct, frozen=True):
    """A line of a draft or an announcement, in the words of the table."""

    count: int
    colour: int
    source: str
    target: str


class HeldCard(msgspec.Struct, frozen=True):
    """A card of the reader's own hand."""

    value: int
    text: str
    is_grey: bool


def heading(action: Any) -> str:
    if isinstance(action, actions.PlayPowerCard) and action.grey is not None:
        return f"Play a power card with the {say(terms.grey(action.grey))}"
    return HEADINGS[type(action)]


def regions(view: View) -> tuple[Region, ...]:
    """The nine regions, and the Castillo last."""
    near = NEIGHBOURS[KING_INDEX[view.king]]
    return tuple(_region(view, area, near) for area in view.areas)


def _region(view: View, area: AreaView, near: tuple[int, ...]) -> Region:
    index = PLACE_INDEX[area.id]
    counted = sorted(enumerate(area.counts or ()), key=lambda pair: -pair[1])
    names = THE_BOARD.regions[index].neighbors if area.id in REGIONS else ()
    return Region(
        area=area,
        prices=area.prices if view.setting.third_place_counts else area.prices[:2],
        pieces=tuple((colour, count) for colour, count in counted if count),
        neighbours=tuple(AREA_NAMES[name] for name in names),
        is_next_to_king=index in near,
    )


def players(view: View) -> tuple[PlayerView, ...]:
    """The reader first, then clockwise."""
    first = view.seat or 0
    return view.players[first:] + view.players[:first]


def held(view: View) -> tuple[HeldCard, ...]:
    """The reader's own hand, the highest card first."""
    hand = (view.players[view.seat].hand or ()) if view.seat is not None else ()
    return tuple(sorted(map(_held, hand), key=lambda card: (card.is_grey, -card.value)))


def _held(card: HandCard) -> HeldCard:
    if isinstance(card, str):
        grey = GREYS[GREY_NUMBER[card]]
        return HeldCard(grey.value, grey.text, is_grey=True)
    return HeldCard(card, f"calls {CALLS[card]}", is_grey=False)


def card_word(card: HandCard) -> str:
    """A card in a list of those played: its value, grey ones with a plus."""
    return f"+{GREYS[GREY_NUMBER[card]].value}" if isinstance(card, str) else str(card)


def moves(lines: tuple[Line, ...]) -> tuple[Move, ...]:
    return tuple(Move(line.count, line.colour, place(line.source), place(line.target)) for line in lines)


def place(name: str) -> str:
    return say(terms.place(name))


def scoreboards_left(view: View) -> tuple[str, ...]:
    """The alternative scoreboards that lie beside the board."""
    lying = {area.scoreboard for area in view.areas}
    return tuple(say(terms.scoreboard(board.id)) for board in THE_BOARD.scoreboards if board.id not in lying)


def standing(view: View) -> str:
    """Where the match stands, in one line."""
    number = f"round {view.round} of {view.rounds[-1]}" if view.round else "setup"
    step = STEP_NAMES.get(view.step, view.step)
    return f"{number} · {step}"


def picture(view: View) -> Mapping[str, Any]:
    """All that board and players are drawn from."""
    word: Callable[[HandCard], str] = card_word
    return {
        "standing": standing(view),
        "regions": regions(view),
        "king_place": place(view.king),
        "seated": players(view),
        "hand": held(view),
        "drafted": moves(view.draft.lines) if view.draft else (),
        "taken_up": place(view.draft.source) if view.draft and view.draft.source else "",
        "announced": moves(view.announced.lines) if view.announced else (),
        "announced_place": place(view.announced.place) if view.announced and view.announced.place else "",
        "scoreboards": scoreboards_left(view),
        "calls": CALLS,
        "card_word": word,
        "place": place,
    }
