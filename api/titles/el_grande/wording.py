"""Texts of El Grande's pages: the one-line summary of a match, and the headings of buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from api.http.languages import say
from api.titles.drawing import Brief
from domain.kernel.messages import N_, Message
from domain.titles.el_grande import actions
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.components import AREA_NAMES, CALLS
from domain.titles.el_grande.state import Step
from domain.titles.el_grande.view import View
from domain.titles.el_grande.words import result_of

STEP_NAMES: Final[Mapping[Step, Message]] = {
    "pass_grey": Message("pass a grey card"),
    "power": Message("play a power card"),
    "call": Message("call caballeros"),
    "make_up": Message("call caballeros from regions"),
    "grey": Message("use the grey card"),
    "take": Message("take an action card"),
    "turn": Message("use the action card"),
    "veto": Message("decide on a veto"),
    "send_back": Message("send caballeros back"),
    "secret": Message("choose a region in secret"),
    "discs": Message("set the secret disc"),
    "over": Message("over"),
}
"""The steps with decisions, in words."""

PHASES: Final[Mapping[str, str]] = {
    "setup": N_("setup"),
    "power": N_("power cards"),
    "turns": N_("turns"),
    "scoring": N_("general scoring"),
    "over": N_("the end"),
}
"""The phases of a round, as named in the page's navigation."""

CONTINUE: Final = Message("Continue")
CHANGES_DRAFT: Final = Message("Change the moves")

HEADINGS: Final[Mapping[type[Any], Message]] = {
    actions.PassGreyCard: Message("Pass a grey card"),
    actions.PlayPowerCard: Message("Play a power card"),
    actions.CallCaballeros: Message("Call caballeros"),
    actions.CallFromRegion: Message("Call caballeros"),
    actions.EndCall: CONTINUE,
    actions.DeclineGrey: CONTINUE,
    actions.TakeActionCard: Message("Take an action card"),
    actions.PlaceCaballeros: Message("Place caballeros, here or on the map"),
    actions.EndTurn: CONTINUE,
    actions.ChooseSource: Message("Special action: pick up caballeros, here or on the map"),
    actions.SendCaballeros: Message("Special action: send caballeros"),
    actions.CloseDraft: CONTINUE,
    actions.CorrectDraft: CHANGES_DRAFT,
    actions.DropDraft: CHANGES_DRAFT,
    actions.UseSpecial: Message("Special action"),
    actions.MoveKing: Message("Special action: the king"),
    actions.MoveGrande: Message("Special action: your Grande"),
    actions.NameArea: Message("Special action: choose an area"),
    actions.PlaceScoreboard: Message("Special action: a scoreboard"),
    actions.TakeBackCard: Message("Special action: take back a card"),
    actions.AllowSpecial: CONTINUE,
    actions.UseVeto: Message("Veto"),
    actions.SendBack: Message("Send caballeros back"),
    actions.ChooseRegion: Message("Choose in secret"),
    actions.SetDisc: Message("Set the secret disc"),
}


def closes(action: object) -> bool:
    """Return whether the action leaves the board unchanged: it ends a step, declines, or corrects a draft."""
    heading = HEADINGS[type(action)]
    return heading is CONTINUE or heading is CHANGES_DRAFT


COUNTS_MAX: Final = 5
"""The maximum number of buttons in a row after a region's name."""


def brief(_: View, action: object) -> Brief | None:
    """Return a short button for a power card, or for up to `COUNTS_MAX` caballeros sent to an area; otherwise None."""
    match action:
        case actions.PlayPowerCard(power=power, grey=None):
            calls = CALLS[power]
            return Brief((power, Message("calls {count}", {"count": calls}, plural="calls {count}", count=calls)))
        case actions.PlayPowerCard(power=power):
            return Brief((power, Message("{result} in all", {"result": result_of(action)})))
        case actions.PlaceCaballeros(area=area, count=count) | actions.SendCaballeros(target=area, count=count) if (
            count <= COUNTS_MAX and area in AREA_NAMES
        ):
            return Brief((count,), Message(AREA_NAMES[area]))
    return None


def heading(action: object) -> str:
    """Return the heading for the button of an action."""
    if isinstance(action, actions.PlayPowerCard) and action.grey is not None:
        return say(Message("Play a power card with the {card}", {"card": terms.grey(action.grey)}))
    return say(HEADINGS[type(action)])


def match_summary(view: View) -> str:
    """Return a one-line summary of the match: round and step, before the first round "setup" and step."""
    step = STEP_NAMES.get(view.step, Message(view.step))
    if not view.round:
        return say(Message("setup · {step}", {"step": step}))
    args: terms.Args = {"round": view.round, "last": view.rounds[-1], "step": step}
    return say(Message("round {round} of {last} · {step}", args))
