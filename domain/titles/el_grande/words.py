"""Actions as sentences, phrased from the acting seat's side; `words_effects` narrates effects."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.messages import Message
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.actions import Action
from domain.titles.el_grande.cards import GREY_NUMBER, GREYS
from domain.titles.el_grande.components import CALLS
from domain.titles.el_grande.decks import CARDS
from domain.titles.el_grande.state import CORRECTIONS_MAX
from domain.titles.el_grande.view import View


def describe(view: View, action: Action) -> Message:
    """Return the action as a sentence in the imperative."""
    return DESCRIBE[type(action)](view, action)


def _kind(view: View) -> str:
    return "" if view.card is None else view.card.kind


def _pass_grey(_: View, action: a.PassGreyCard) -> Message:
    return Message("Pass the {card} to the left", {"card": terms.grey(action.card)})


def _play(_: View, action: a.PlayPowerCard) -> Message:
    """Describe a power card with the caballeros it calls, or with its grey card and their sum."""
    if action.grey is None:
        return _plain_power(action.power, CALLS[action.power])
    args: terms.Args = {"power": action.power, "grey": terms.grey(action.grey), "result": result_of(action)}
    return Message("Play power card {power} with the {grey}: {result} in all", args)


def result_of(action: a.PlayPowerCard) -> int:
    """Return the sum of a power card's and its grey card's values."""
    return action.power + (GREYS[GREY_NUMBER[action.grey]].value if action.grey is not None else 0)


def _plain_power(power: int, count: int) -> Message:
    """State how many caballeros a power card calls (EG-4.4)."""
    if not count:
        return Message("Play power card {power}: calls no caballeros", {"power": power})
    return Message(
        "Play power card {power}: calls up to {count} caballero",
        {"power": power, "count": count},
        plural="Play power card {power}: calls up to {count} caballeros",
        count=count,
    )


def _call(_: View, action: a.CallCaballeros) -> Message:
    if not action.count:
        return Message("Call no caballeros to the Court")
    return Message("Call {caballeros} to the Court", {"caballeros": terms.caballeros(action.count)})


def _call_from(_: View, action: a.CallFromRegion) -> Message:
    args: terms.Args = {"caballeros": terms.caballeros(action.count), "region": terms.place(action.region)}
    return Message("Call {caballeros} from {region} to the Court", args)


def _end_call(_: View, __: a.EndCall) -> Message:
    return Message("Call no more caballeros from regions")


def _decline_grey(_: View, __: a.DeclineGrey) -> Message:
    return Message("Do not use the effect of the grey card")


def _take(view: View, action: a.TakeActionCard) -> Message:
    """Describe an action card with the number of caballeros it places."""
    card = CARDS[view.setting.cards][action.card]
    args: terms.Args = {
        "card": terms.action_card(view, action.card),
        "caballeros": terms.caballeros(card.caballeros),
    }
    return Message("Take {card} (places up to {caballeros})", args)


def _place(_: View, action: a.PlaceCaballeros) -> Message:
    """Describe a placement in a region or into the Castillo."""
    args: terms.Args = {"caballeros": terms.caballeros(action.count), "area": terms.place(action.area)}
    if action.area == "castillo":
        return Message("Put {caballeros} into the Castillo", args)
    return Message("Place {caballeros} in {area}", args)


def _end_turn(view: View, _: a.EndTurn) -> Message:
    if view.card is None or view.special_used:
        return Message("End the turn")
    return Message("End the turn without the special action")


def _source(view: View, action: a.ChooseSource) -> Message:
    """Describe a pick-up; an arrest or escort is named as such, and the reader's own caballeros as yours."""
    args: terms.Args = {
        "player": terms.player(view.setting, action.colour),
        "place": terms.place(action.source),
    }
    if _kind(view) == "return_one_each":
        return Message("Send 1 caballero of {player} from {place} to the Province", args)
    if _kind(view) == "move_king":
        return Message("Take 1 caballero of {player} along with the king", args)
    if action.colour == view.seat:
        return Message("Pick up your caballeros in {place}", args)
    return Message("Pick up caballeros of {player} in {place}", args)


def _send(view: View, action: a.SendCaballeros) -> Message:
    """Describe a line of a draft: called to the Court, moved between areas, or sent from the Court."""
    args: terms.Args = {"caballeros": terms.caballeros(action.count), "place": terms.place(action.target)}
    is_picked = view.draft is not None and view.draft.source is not None
    if action.target == "court":
        return Message("Call {caballeros} to the Court with the card", args)
    if is_picked or (view.draft is not None and view.draft.lines and view.draft.lines[0].source != "court"):
        return Message("Move {caballeros} to {place}", args)
    return Message("Send {caballeros} from the Court to {place} with the card", args)


def _close(_: View, __: a.CloseDraft) -> Message:
    return Message("Make these moves")


def _correct(_: View, __: a.CorrectDraft) -> Message:
    return Message("Take back the last step")


def _drop(view: View, _: a.DropDraft) -> Message:
    """Name the consequence: after the last correction of the turn the special action is lost as well (EG-12.2)."""
    if view.corrections >= CORRECTIONS_MAX:
        return Message("Skip the special action")
    return Message("Choose all moves again")


def _use(view: View, _: a.UseSpecial) -> Message:
    if view.card is None:
        return Message("Use the grey card without effect")
    return Message("Carry out the special action of {card}", {"card": terms.action_card(view, view.card.id)})


def _move_king(_: View, action: a.MoveKing) -> Message:
    return Message("Move the king to {place}", {"place": terms.place(action.place)})


def _move_grande(_: View, action: a.MoveGrande) -> Message:
    return Message("Move your Grande to {region}", {"region": terms.place(action.region)})


def _name(view: View, action: a.NameArea) -> Message:
    args: terms.Args = {"area": terms.place(action.area)}
    return Message("Name {area} for the Coup", args) if _kind(view) == "coup" else Message("Score {area}", args)


def _board(_: View, action: a.PlaceScoreboard) -> Message:
    args: terms.Args = {"scoreboard": terms.scoreboard(action.board), "area": terms.place(action.area)}
    return Message("Put the {scoreboard} at {area}", args)


def _take_back(_: View, action: a.TakeBackCard) -> Message:
    return Message("Take back the {card}", {"card": terms.hand_card(action.card)})


def _allow(_: View, __: a.AllowSpecial) -> Message:
    return Message("Allow the special action")


def _veto(_: View, __: a.UseVeto) -> Message:
    return Message("Veto the special action")


def _send_back(_: View, action: a.SendBack) -> Message:
    args: terms.Args = {"caballeros": terms.caballeros(action.count), "place": terms.place(action.source)}
    return Message("Send {caballeros} from {place} to the Province", args)


def _choose(_: View, action: a.ChooseRegion) -> Message:
    return Message("Secretly choose {region}", {"region": terms.place(action.region)})


def _disc(_: View, action: a.SetDisc) -> Message:
    if action.region is None:
        return Message("Leave the disc unclear: your caballeros go to the Court")
    return Message("Set the disc to {region}", {"region": terms.place(action.region)})


DESCRIBE: Final[Mapping[type[Action], Callable[[View, Any], Message]]] = {
    a.PassGreyCard: _pass_grey,
    a.PlayPowerCard: _play,
    a.CallCaballeros: _call,
    a.CallFromRegion: _call_from,
    a.EndCall: _end_call,
    a.DeclineGrey: _decline_grey,
    a.TakeActionCard: _take,
    a.PlaceCaballeros: _place,
    a.EndTurn: _end_turn,
    a.ChooseSource: _source,
    a.SendCaballeros: _send,
    a.CloseDraft: _close,
    a.CorrectDraft: _correct,
    a.DropDraft: _drop,
    a.UseSpecial: _use,
    a.MoveKing: _move_king,
    a.MoveGrande: _move_grande,
    a.NameArea: _name,
    a.PlaceScoreboard: _board,
    a.TakeBackCard: _take_back,
    a.AllowSpecial: _allow,
    a.UseVeto: _veto,
    a.SendBack: _send_back,
    a.ChooseRegion: _choose,
    a.SetDisc: _disc,
}
