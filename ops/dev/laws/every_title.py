"""Laws that every title must keep at every node of any match.

Cheap laws inspect the state and the step from it. Thorough ones also encode and decode every entry, redact it for every
reader and imagine states.
"""

from typing import Any, Final

import msgspec

from domain.kernel.chance import SeededChance, below, hkdf_expand, numbers
from domain.kernel.gate import checked_decide
from domain.kernel.hidden import Hidden
from domain.kernel.messages import say
from domain.kernel.rules import SERVICE_SEAT, IllegalAction, Seat
from domain.kernel.title import AnyTitle
from domain.matches.facts import ActionTaken
from domain.matches.log.entries import list_audiences
from domain.matches.titles import read_fact
from ops.dev.laws.walk import NODES_MAX, SEED, Law, WalkStep, demand, fold, same, seat_of

FIRST_PLAYS: Final = 8
"""Approximate number of nodes per match at which first legal actions are played to the end; all would take minutes."""


def exactly_the_seats_to_act_may_act(title: AnyTitle, step: WalkStep) -> None:
    """Demand sorted seats to act, each with distinct legal actions; others have none and their actions are refused."""
    to_act = title.rules.seats_to_act(step.state)
    demand(to_act == tuple(sorted(set(to_act))), f"the seats to act are {to_act}")
    for seat, legal in step.legal.items():
        demand(bool(legal) == (seat in to_act), f"{to_act} are to act, seat {seat} has {len(legal)} legal actions")
        demand(len(set(legal)) == len(legal), f"seat {seat} is offered an action twice")
        if seat != step.seat and step.action not in legal:
            try:
                checked_decide(title.rules, step.state, seat, step.action, SeededChance(SEED))
            except IllegalAction:
                continue
            demand(False, f"seat {seat} may do {step.action!r}, which is not its legal action")


def luck_is_drawn_once(_: AnyTitle, step: WalkStep) -> None:
    """Demand that no two draws of a line share a label."""
    demand(len(set(step.labels)) == len(step.labels), f"a draw has the label of another: {step.labels[-5:]}")


def somebody_acts_until_the_end(title: AnyTitle, step: WalkStep) -> None:
    """Demand that either a seat is to act or the ranking is final, and that every seat has a score."""
    to_act, ranking = title.rules.seats_to_act(step.after), title.rules.ranking(step.after)
    demand(bool(to_act) == (ranking is None), f"{to_act or 'nobody'} is to act and the ranking is {ranking}")
    demand(len(title.rules.scores(step.after)) == len(step.legal) - 1, "not every seat has a score")


# ---- thorough laws


def what_is_written_is_what_is_read(title: AnyTitle, step: WalkStep) -> None:
    """Demand that action, effects, draws, state and view survive a round trip through JSON."""
    demand(read_fact(title, step.entry) == step.fact, f"the entry of {step.action!r} is read as something else")
    demand(_again(step.after, title.codec.state) == step.after, "the state is read as something else")
    for reader, reading in step.readings.items():
        demand(_again(reading.view, title.codec.view) == reading.view, f"the view of {reader} is read differently")


def _again(value: object, type_: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=type_)


def a_fold_is_the_live_state(title: AnyTitle, step: WalkStep) -> None:
    """Demand that folding the stored effects gives the same state."""
    fact = read_fact(title, step.entry)
    assert isinstance(fact, ActionTaken)
    demand(fold(title, step.state, fact.effects) == step.after, "folding the stored effects gives a different state")


def a_redacted_log_folds_to_the_same_view(title: AnyTitle, step: WalkStep) -> None:
    """Demand that each reader's redacted entries fold to the view that the live state gives."""
    for reader, reading in step.readings.items():
        seat_view = title.rules.view(reading.state, seat_of(reader))
        same(seat_view, reading.view, f"reader {reader} folds to another view")


def nothing_hidden_is_sent(_: AnyTitle, step: WalkStep) -> None:
    """Demand that redaction removes exactly the values a reader may not see, and leaves the body unchanged."""
    seen_by = list_audiences(step.entry)
    for reader, reading in step.readings.items():
        sent = [opening.commitment for opening in reading.entry.secrets]
        expected = [commitment for commitment, audience in seen_by.items() if reader in audience]
        demand(sent == expected, f"reader {reader} is sent {len(sent)} openings and may have {len(expected)}")
        demand(reading.entry.body == step.entry.body, f"reader {reader} is sent another body")


def hidden_things_do_not_show(title: AnyTitle, step: WalkStep) -> None:
    """Demand non-interference: hidden information does not change what a reader sees.

    View, seats to act and the reader's legal actions must be the same in a state imagined from their view.
    """
    rules = title.rules
    for reader, reading in step.readings.items():
        key = hkdf_expand(SEED, f"imagine/{step.node}/{reader}".encode())
        imagined = rules.imagine(reading.view, SeededChance(key))
        imagined_view = rules.view(imagined, seat_of(reader))
        same(imagined_view, reading.view, f"reader {reader} imagines what looks different")
        demand(rules.seats_to_act(imagined) == rules.seats_to_act(step.after), f"reader {reader}: other seats to act")
        if reader is not None:
            legal, actual = rules.legal_actions(imagined, Seat(reader)), rules.legal_actions(step.after, Seat(reader))
            demand(legal == actual, f"reader {reader} imagines other legal actions: {set(legal) ^ set(actual)}")


def nothing_hidden_decides(title: AnyTitle, step: WalkStep) -> None:
    """Demand that an action's public effects do not depend on information hidden from its seat, except for reveals."""
    if step.seat == SERVICE_SEAT:
        return
    imagined = title.rules.imagine(title.rules.view(step.state, step.seat), SeededChance(SEED))
    actual_effects, imagined_effects = (
        [_open_part(effect) for effect in title.rules.decide(state, step.seat, step.action, SeededChance(SEED))]
        for state in (step.state, imagined)
    )
    if all(effect["type"] not in title.codec.reveals for effect in actual_effects):
        demand(
            actual_effects == imagined_effects,
            f"hidden information decides: {actual_effects} against {imagined_effects}",
        )


def _open_part(effect: Any) -> dict[str, Any]:
    """Return an effect's type and fields as a dictionary, with audiences in place of hidden values."""
    fields = {name: getattr(effect, name) for name in effect.__struct_fields__}
    shown = {name: value.audience if isinstance(value, Hidden) else value for name, value in fields.items()}
    return {"type": type(effect), **shown}


def everything_can_be_said(title: AnyTitle, step: WalkStep) -> None:
    """Demand a sentence for every legal action and effect, independent of hidden values, and distinct for actions."""
    rules = title.rules
    for reader, reading in step.readings.items():
        narration = rules.narrate(reading.view, reading.fact.effects)
        demand(
            narration == rules.narrate(reading.view, step.effects), f"reader {reader} sees more when values are open"
        )
        demand(all(map(say, narration)), "an effect has no description")
    view_before = rules.view(step.state, None if step.seat == SERVICE_SEAT else step.seat)
    descriptions = [say(rules.describe(view_before, action)) for action in step.legal[step.seat]]
    demand(all(descriptions), "an action has no description")
    demand(len(set(descriptions)) == len(descriptions), f"two actions are described alike: {sorted(descriptions)}")


def always_the_first_ends(title: AnyTitle, step: WalkStep) -> None:
    """Demand that a match ends if every seat takes its first legal action, which is how skips play (DESIGN §3).

    Checked at the first node and at a few others, because it takes long.
    """
    if below(numbers(SEED, f"first/{step.node}"), 500) >= FIRST_PLAYS and step.node:
        return
    rules, state, key = title.rules, step.after, hkdf_expand(SEED, b"first")
    for _ in range(NODES_MAX):
        to_act = rules.seats_to_act(state)
        if not to_act:
            return
        action = rules.legal_actions(state, to_act[0])[0]
        for effect in rules.decide(state, to_act[0], action, SeededChance(key)):
            state = rules.evolve(state, effect)
    demand(False, f"{NODES_MAX} first legal actions do not end the match")


CHEAP: Final[tuple[Law, ...]] = (
    exactly_the_seats_to_act_may_act,
    luck_is_drawn_once,
    somebody_acts_until_the_end,
)
THOROUGH: Final[tuple[Law, ...]] = (
    what_is_written_is_what_is_read,
    a_fold_is_the_live_state,
    a_redacted_log_folds_to_the_same_view,
    nothing_hidden_is_sent,
    hidden_things_do_not_show,
    nothing_hidden_decides,
    everything_can_be_said,
    always_the_first_ends,
)
