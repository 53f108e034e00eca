"""Places, positions and lines of play of a study, decided by the engine."""

from collections.abc import Iterable
from typing import Any, Protocol
from uuid import UUID

import msgspec

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.hidden import Hidden
from domain.kernel.rules import SERVICE_SEAT, IllegalAction, Seat
from domain.matches.aggregate import Match, require_played_rules
from domain.matches.apply import evolve_all
from domain.studies.errors import IllegalVariation, StudyRefused
from domain.studies.facts import StudyPlace, StudyStep
from domain.studies.state import Study, Variation


class StudyMatch(Protocol):
    """The match of a study."""

    @property
    def match_id(self) -> UUID:
        """The id of the match."""
        ...

    @property
    def last(self) -> int:
        """The last entry that everyone may read."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether the match hides nothing, so that positions can be played on."""
        ...

    def at(self, entry: int) -> Match:
        """Return the match after an entry."""
        ...

    def digest_of(self, entry: int) -> str:
        """Return the digest of an entry in hex."""
        ...


class Wish(msgspec.Struct, frozen=True):
    """An action wanted in a variation; without a seat, the position decides whose it is."""

    action: Any
    seat: int | None = None


class Position(msgspec.Struct, frozen=True):
    """A position off the log: a state, and the match it derives from."""

    match: Match
    state: Any


# Places.


def variation_of(study: Study, number: int) -> Variation:
    """Return a variation by number; raise `StudyRefused` if none."""
    variation = study.variation(number)
    if variation is None:
        raise StudyRefused(f"the study has no variation {number}")
    return variation


def check_place(study: Study, at: StudyPlace, source: StudyMatch) -> None:
    """Raise `StudyRefused` unless the place exists: a public entry, or a step of a variation at that entry."""
    if not 1 <= at.entry <= source.last:
        raise StudyRefused(f"match {source.match_id} has entries 1 to {source.last}, not {at.entry}")
    if at.variation == 0:
        if at.step:
            raise StudyRefused("only a variation has steps")
        return
    variation_at(study, at)


def variation_at(study: Study, at: StudyPlace) -> Variation:
    """Return the variation of a place; raise `StudyRefused` if it has no such step or leaves the match elsewhere."""
    variation = variation_of(study, at.variation)
    if not 0 <= at.step <= len(variation.steps):
        raise StudyRefused(f"variation {at.variation} has {len(variation.steps)} steps, not {at.step}")
    if variation.at.entry != at.entry:
        raise StudyRefused(f"variation {at.variation} starts at entry {variation.at.entry}, not {at.entry}")
    return variation


def position_at(study: Study, at: StudyPlace, source: StudyMatch) -> Position:
    """Return the position of a place: the match after its entry, evolved by the variations that lead there."""
    if at.variation == 0:
        match = source.at(at.entry)
        return Position(match, match.state)
    variation = variation_of(study, at.variation)
    before = position_at(study, variation.at, source)
    return play_steps(before, variation.steps[: at.step])


def play_steps(position: Position, steps: Iterable[StudyStep]) -> Position:
    """Return the position after the stored effects of steps, without checking them."""
    state, title = position.state, position.match.definition
    for step in steps:
        state = evolve_all(title, state, effects_of(title.codec.effect, step))
    return Position(position.match, state)


def depth_of(study: Study, at: StudyPlace) -> int:
    """Return the number of variations around a place."""
    depth = 0
    while at.variation:
        at, depth = variation_of(study, at.variation).at, depth + 1
    return depth


# Variations.


def line_of(position: Position, wishes: Iterable[Wish], first: int = 1) -> tuple[StudyStep, ...]:
    """Return the steps of a line of play, with the service's steps; `IllegalVariation` names the first refused one.

    Steps are numbered from `first` in messages. A wish without a seat needs a single seat to act. Raise
    `RulesRetired` if the rules of the match are retired.
    """
    require_played_rules(position.match)
    steps: list[StudyStep] = []
    for number, wish in enumerate(wishes, start=first):
        position = take_service_steps(position, steps)
        seats = position.match.definition.rules.seats_to_act(position.state)
        if not seats:
            raise IllegalVariation(f"step {number}: the match is already over", number)
        if wish.seat is None and len(seats) > 1:
            numbers = ", ".join(str(seat) for seat in seats)
            raise IllegalVariation(f"step {number}: the seats {numbers} act at the same time; name the seat", number)
        seat = seats[0] if wish.seat is None else Seat(wish.seat)
        try:
            position = take_step(position, seat, wish.action, steps)
        except IllegalAction as refusal:
            raise IllegalVariation(f"step {number}: {refusal}", number) from refusal
    take_service_steps(position, steps)
    return tuple(steps)


def take_service_steps(position: Position, steps: list[StudyStep]) -> Position:
    """Take the service's steps until a seat has to act, and append them to `steps`; return the position."""
    rules = position.match.definition.rules
    while rules.seats_to_act(position.state) == (SERVICE_SEAT,):
        position = take_step(position, SERVICE_SEAT, rules.legal_actions(position.state, SERVICE_SEAT)[0], steps)
    return position


def take_step(position: Position, seat: Seat, action: object, steps: list[StudyStep]) -> Position:
    """Take one step, decided by the engine with the match's luck, and append it to `steps`; return the position.

    Raise `IllegalAction` if it is not legal.
    """
    match, title = position.match, position.match.definition
    assert match.key is not None, "whoever may play on knows the luck"
    chance = SeededChance(match.key)
    effects = checked_decide(title.rules, position.state, seat, action, chance)
    description = title.rules.describe(title.rules.view(position.state, seat), action)
    steps.append(StudyStep(int(seat), encode(action), encode(effects), description))
    return Position(match, evolve_all(title, position.state, effects))


def encode(value: object) -> msgspec.Raw:
    """Encode a value as canonical JSON, with hidden information in the clear."""

    def plain(hidden: object) -> dict[str, Any]:
        assert isinstance(hidden, Hidden), f"{type(hidden).__name__} is not allowed in a study"
        return {"value": hidden.value, "audience": hidden.audience}

    return msgspec.Raw(msgspec.json.encode(value, enc_hook=plain, order="deterministic"))


def decode_hidden(hidden_type: Any, builtins: Any) -> Hidden[Any]:
    """Decode hidden information."""
    (inner,) = hidden_type.__args__
    return Hidden(msgspec.convert(builtins["value"], inner), tuple(builtins["audience"]))


def effects_of(effect_type: Any, step: StudyStep) -> tuple[Any, ...]:
    """Return the effects of a stored step."""
    effects: tuple[Any, ...] = msgspec.json.decode(step.effects, type=tuple[effect_type, ...], dec_hook=decode_hidden)
    return effects


def require_open(source: StudyMatch) -> None:
    """Raise `StudyRefused` if the match still hides something."""
    if not source.is_open:
        raise StudyRefused(
            f"the match {source.match_id} still has hidden information; add variations once it has ended"
        )


def require_started(before: Position, at: StudyPlace) -> None:
    """Raise `StudyRefused` if the match had not started at a place."""
    if before.state is None:
        raise StudyRefused(f"the match had not started at entry {at.entry}")
