"""Prompts: a sentence about what the reader can do, from the view and the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.kernel.messages import Message
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.decks import CARDS
from domain.titles.el_grande.state import Step
from domain.titles.el_grande.view import View

Actions = Sequence[Any]

CLOSING: Final = (a.CloseDraft, a.CorrectDraft, a.DropDraft, a.EndTurn, a.DeclineGrey)


def prompt(view: View, legal: Actions) -> Message:
    """Return the prompt for the reader's pending decision."""
    if view.draft is not None:
        return _draft(view, legal)
    return PROMPTS[view.step](view, legal)


def detail(view: View, action: object) -> Message | None:
    """Return the text of the card that the action takes or carries out; None for other actions."""
    match action:
        case a.TakeActionCard(card=card):
            return Message(CARDS[view.setting.cards][card].text)
        case a.UseSpecial() if view.card is not None:
            return Message(view.card.text)
        case _:
            return None


PARAGRAPHS: Final[Mapping[Step, str]] = {
    "pass_grey": "shift-of-power",
    "power": "calling-number",
    "call": "calling",
    "make_up": "making-up",
    "grey": "shift-of-power",
    "take": "card",
    "turn": "placement",
    "veto": "veto",
    "send_back": "sending-back",
    "secret": "secret-choices",
    "discs": "discs",
}
"""The anchors in the rules page by step."""


def paragraph(view: View) -> str:
    """Return the anchor in the rules page for the pending decision."""
    return "special" if view.draft is not None else PARAGRAPHS.get(view.step, "")


def _draft(view: View, legal: Actions) -> Message:
    """Return the prompt for the next half of a draft line: a source, or a destination."""
    draft = view.draft
    assert draft is not None
    if draft.source is not None:
        args: terms.Args = {"place": terms.place(draft.source)}
        if draft.colour == view.seat:
            return Message("Choose where your caballeros from {place} go.", args)
        args["player"] = terms.player(view.setting, draft.colour)
        return Message("Choose where {player}'s caballeros from {place} go.", args)
    if any(isinstance(action, a.MoveKing) for action in legal):
        return Message("Choose where the king goes.")
    if all(isinstance(action, CLOSING) for action in legal):
        return Message("Now make the moves you chose.")
    if any(isinstance(action, a.CloseDraft) for action in legal):
        return Message("Choose another move, or make the moves you chose.")
    return Message("Choose the next move.")


def _call(_: View, legal: Actions) -> Message:
    """Return the prompt to call up caballeros, at most the largest legal number."""
    count_max = max(action.count for action in legal if isinstance(action, a.CallCaballeros))
    return Message(
        "Call up to {count} caballero from your Province to your Court; you place them from there.",
        {"count": count_max},
        plural="Call up to {count} caballeros from your Province to your Court; you place them from there.",
        count=count_max,
    )


def _make_up(view: View, _: Actions) -> Message:
    """Return the prompt to call the missing caballeros from regions, when the Province is empty."""
    return Message(
        "Your Province is empty: you may call {count} more caballero from regions.",
        {"count": view.remaining},
        plural="Your Province is empty: you may call {count} more caballeros from regions.",
        count=view.remaining,
    )


def _turn(view: View, legal: Actions) -> Message:
    """Return the prompt for the placement and special action that are left.

    The number to place follows from card and Court, because a lesson may offer fewer actions than the rules.
    """
    is_placing = any(isinstance(action, a.PlaceCaballeros) for action in legal)
    may_end = any(isinstance(action, a.EndTurn) for action in legal)
    has_special = any(not isinstance(action, a.PlaceCaballeros | a.EndTurn) for action in legal)
    name = Message(view.card.name) if view.card else Message("the action card")
    if is_placing:
        return _placing(view, name, has_special=has_special, may_end=may_end)
    if has_special:
        return _special(view, name, legal)
    return Message("Nothing else to do: end your turn.")


def _special(view: View, card: Message, legal: Actions) -> Message:
    """Return the prompt with the card's text, unless the button of the special action already shows it."""
    if view.card is None or any(isinstance(action, a.UseSpecial) for action in legal):
        return Message("Use the special action of {card}, or end your turn.", {"card": card})
    return Message("{card}: {text} Or end your turn.", {"card": card, "text": Message(view.card.text)})


def _placing(view: View, card: Message, *, has_special: bool, may_end: bool) -> Message:
    """Return the prompt to place caballeros, up to the number that is left on the card and in the Court."""
    assert view.card is not None
    assert view.seat is not None
    count_max = min(view.card.caballeros - view.placed, view.players[view.seat].court)
    args: terms.Args = {"count": count_max, "card": card}
    if has_special:
        return Message(
            "You may place up to {count} caballero and use the special action of {card}, in either order.",
            args,
            plural="You may place up to {count} caballeros and use the special action of {card}, in either order.",
            count=count_max,
        )
    if may_end:
        return Message(
            "Place up to {count} caballero, or end your turn.",
            args,
            plural="Place up to {count} caballeros, or end your turn.",
            count=count_max,
        )
    return Message("Place up to {count} caballero.", args, plural="Place up to {count} caballeros.", count=count_max)


def _veto(view: View, _: Actions) -> Message:
    args: terms.Args = {"player": terms.player(view.setting, view.subject)}
    return Message("Allow {player}'s special action, or cancel it with your Veto.", args)


def _send_back(view: View, _: Actions) -> Message:
    """Return the prompt to send caballeros back to the Province."""
    return Message(
        "Send {count} caballero back to your Province, from a region or your Court.",
        {"count": view.remaining},
        plural="Send {count} caballeros back to your Province, from regions or your Court.",
        count=view.remaining,
    )


def _plain(sentence: Message) -> Callable[[View, Actions], Message]:
    return lambda _, __: sentence


PROMPTS: Final[Mapping[Step, Callable[[View, Actions], Message]]] = {
    "pass_grey": _plain(Message("Choose a grey card to pass to the left.")),
    "power": _plain(Message("Play a power card: the highest number acts first, low numbers call more caballeros.")),
    "call": _call,
    "make_up": _make_up,
    "grey": _plain(Message("Use the effect of your grey card, or skip it.")),
    "take": _plain(Message("Take one of the action cards on offer.")),
    "turn": _turn,
    "veto": _veto,
    "send_back": _send_back,
    "secret": _plain(Message("Choose a region in secret: it stays hidden until everyone has chosen.")),
    "discs": _plain(Message("Set your secret disc: your caballeros from the Castillo go to that region.")),
}
"""The prompts by the step in which they are needed."""
