"""The walk through a random match: at every node the position, the step from it, and every reader's information."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from domain.kernel.chance import Draw, SeededChance, below, hkdf_expand, hkdf_extract, numbers
from domain.kernel.hidden import Hidden
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import AnyTitle
from domain.matches.facts import ActionTaken
from domain.matches.log.entries import NO_DIGEST, Entry, redact, seal
from domain.matches.titles import read_fact

NODES_MAX: Final = 20_000
"""More than the length of any random match; reaching it means that play is cyclic."""

MATCH_ID: Final = UUID(int=1)
WHEN: Final = datetime(2000, 1, 1, tzinfo=UTC)
SEED: Final = bytes(32)

Chosen = Mapping[str, str]
"""Options of a table, by name."""
DEFAULTS: Final[Chosen] = {}


class LawBroken(Exception):
    """A law is broken; the message names law, match, node and the seed to repeat it."""


class Reading(NamedTuple):
    """A reader's information from the redacted log: the redacted fact, and the state folded from such facts."""

    entry: Entry
    fact: ActionTaken[Any, Any]
    state: Any
    view: Any
    """The view that the live state gives the reader."""


class WalkStep(NamedTuple):
    """A position with its legal actions, the action taken, and its consequences."""

    node: int
    state: Any
    seat: Seat
    legal: Mapping[Seat, tuple[Any, ...]]
    action: Any
    effects: tuple[Any, ...]
    labels: tuple[str, ...]
    fact: ActionTaken[Any, Any]
    entry: Entry
    after: Any
    readings: Mapping[int | None, Reading]
    """By reader: a seat, or None for a spectator."""


Law = Callable[[AnyTitle, WalkStep], None]


def demand(condition: bool, sentence: str) -> None:
    """Raise `AssertionError` with the sentence unless the condition holds."""
    if not condition:
        raise AssertionError(sentence)


def same(actual: object, expected: object, sentence: str) -> None:
    """Demand that two values are equal; raise `AssertionError` with their differences if not."""
    if actual != expected:
        raise AssertionError(f"{sentence}: {differences(actual, expected)}")


def walk(
    title: AnyTitle, seats: int, seed: str, chosen: Chosen = DEFAULTS, *, is_read: bool = True
) -> Iterator[WalkStep]:
    """Yield the steps of a match of random actions after its setup; with every reader's information if `is_read`.

    Raises `LawBroken` if a seat that is to act has no action, or the match does not end.
    """
    rules, key = title.rules, hkdf_extract(b"laws", f"{seed}/{seats}".encode())
    chance, choices = SeededChance(key), hkdf_expand(key, b"choices")
    effects = rules.start(rules.options(chosen), seats, chance)
    state = fold(title, None, effects)
    labels = [draw.label for draw in chance.draws]
    readers = (None, *range(seats)) if is_read else ()
    entry = _seal(ActionTaken(0, "laws", effects))
    folds = {reader: fold(title, None, _read(title, redact(entry, reader)).effects) for reader in readers}
    for node in range(NODES_MAX):
        to_act = rules.seats_to_act(state)
        if not to_act:
            return
        stream = numbers(choices, str(node))
        seat = to_act[below(stream, len(to_act))]
        legal = {other: rules.legal_actions(state, other) for other in (SERVICE_SEAT, *map(Seat, range(seats)))}
        if not legal[seat]:
            raise LawBroken(f"seat {seat} is to act but has no legal action ({seats} seats, seed {seed}, node {node})")
        action, chance = legal[seat][below(stream, len(legal[seat]))], SeededChance(key)
        effects = rules.decide(state, seat, action, chance)
        after = fold(title, state, effects)
        labels += [draw.label for draw in chance.draws]
        fact = _fact(title, seat, action, effects, chance.draws)
        entry = _seal(fact)
        readings = {reader: _reading(title, entry, folds[reader], after, reader) for reader in readers}
        yield WalkStep(node, state, seat, legal, action, effects, tuple(labels), fact, entry, after, readings)
        folds = {reader: reading.state for reader, reading in readings.items()}
        state = after
    raise LawBroken(f"{title.name}, {seats} seats, seed {seed}: no end after {NODES_MAX} actions")


def _fact(
    title: AnyTitle, seat: Seat, action: object, effects: tuple[Any, ...], draws: tuple[Draw, ...]
) -> ActionTaken[Any, Any]:
    """Return the fact of an action, hidden from other seats if the title says so."""
    if type(action) in title.codec.secret_actions:
        return ActionTaken(seat, "laws", effects, draws, hidden_action=Hidden(action, (seat,)))
    return ActionTaken(seat, "laws", effects, draws, action)


def _seal(fact: ActionTaken[Any, Any]) -> Entry:
    return seal(fact, match_id=MATCH_ID, version=1, previous=NO_DIGEST, timestamp=WHEN, seed=SEED)


def _read(title: AnyTitle, entry: Entry) -> ActionTaken[Any, Any]:
    fact = read_fact(title, entry)
    assert isinstance(fact, ActionTaken)
    return fact


def _reading(title: AnyTitle, entry: Entry, state: object, after: object, reader: int | None) -> Reading:
    """Return a reader's entry, its fact, the state of the reader after it, and the view of the state `after`."""
    sent = redact(entry, reader)
    fact = _read(title, sent)
    return Reading(sent, fact, fold(title, state, fact.effects), title.rules.view(after, seat_of(reader)))


def fold(title: AnyTitle, state: object, effects: tuple[Any, ...]) -> Any:
    """Return the state after these effects."""
    for effect in effects:
        state = title.rules.evolve(state, effect)
    return state


def seat_of(reader: int | None) -> Seat | None:
    """Return a reader's seat; None for a spectator."""
    return None if reader is None else Seat(reader)


def differences(first: object, second: object, path: str = "") -> str:
    """Describe where two values differ, by fields and indexes; empty if they are equal."""
    if isinstance(first, msgspec.Struct) and type(first) is type(second):
        parts = (
            differences(getattr(first, name), getattr(second, name), f"{path}.{name}")
            for name in first.__struct_fields__
        )
        return "; ".join(filter(None, parts))
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        parts = (differences(a, b, f"{path}[{index}]") for index, (a, b) in enumerate(zip(first, second, strict=True)))
        return "; ".join(filter(None, parts))
    return "" if first == second else f"{path}: {first!r} against {second!r}"
