"""The laws every title must keep at every node of any match, as functions: tests and `esporles bench --laws` call them.

A node is a position of a match in which somebody plays anything legal. Cheap laws look at the state and at the step
from it; thorough ones write every entry as the log would, read it back, redact it for every reader and imagine.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from domain.kernel.chance import Draw, SeededChance, below, hkdf_expand, hkdf_extract, numbers
from domain.kernel.gate import checked_decide
from domain.kernel.hidden import Hidden
from domain.kernel.messages import say
from domain.kernel.rules import HOUSE, IllegalAction, Seat
from domain.la_granja import state as la_granja
from domain.match.facts import ActionTaken
from domain.match.log import NO_DIGEST, Entry, Reader, redact, seal
from domain.match.registry import Game

NODES_MAX: Final = 20_000
"""No match played at random is longer; reaching it means that play goes round in circles."""

FIRST_PLAYS: Final = 8
"""At about so many nodes of a match the first legal action is taken to the end; at each one it would take minutes."""

MATCH_ID: Final = UUID(int=1)
WHEN: Final = datetime(2000, 1, 1, tzinfo=UTC)
SEED: Final = bytes(32)


class LawBroken(Exception):
    """A law does not hold; the message names law, match and node, and the seed repeats it."""


class Step(NamedTuple):
    """A position, what was legal in it, and the action that led on from it with all that followed."""

    node: int
    state: Any
    seat: Seat
    legal: Mapping[Seat, tuple[Any, ...]]
    action: Any
    effects: tuple[Any, ...]
    labels: tuple[str, ...]
    fact: ActionTaken[Any, Any]
    after: Any
    readers: "Mapping[Reader, Reading]"


class Reading(NamedTuple):
    """What a reader of the redacted log has after the step: the entry's fact and the state folded from such facts."""

    fact: ActionTaken[Any, Any]
    state: Any


Law = Callable[[Game, Step], None]


def demand(condition: bool, sentence: str) -> None:
    """States a law; the caller says where it broke."""
    if not condition:
        raise AssertionError(sentence)


def everybody(state: Any) -> tuple[Seat, ...]:
    """Every seat that could act: the players and the service."""
    return (HOUSE, *(Seat(seat) for seat in range(len(state.farms))))


# ---- cheap laws


def markers_are_conserved(_: Game, step: Step) -> None:
    """Every marker of a seat is in its supply or marks something (LG-0.9)."""
    if isinstance(step.after, la_granja.State):
        for seat, farm in enumerate(step.after.farms):
            used = markers_in_use(step.after, Seat(seat))
            demand(farm.markers + used == 25, f"seat {seat} has {farm.markers} markers left and {used} in use")
            demand(farm.markers >= 0, f"seat {seat} has {farm.markers} markers left")


def markers_in_use(state: la_granja.State, seat: Seat) -> int:
    """What a seat's markers mark, counted from the board itself."""
    farm = state.farms[seat]
    goods = farm.olive + farm.grain + farm.grape + farm.pig + farm.food + farm.wine + farm.meat + farm.trade_commodity
    fields = sum(field.full for field in farm.fields)
    barrows = sum(sum(barrow.filled) for barrow in farm.barrows)
    rows = sum(sum(row.filled) for building in state.buildings for row in building.rows if row.seat == seat)
    marks = sum(building.marks.count(seat) for building in state.buildings)
    return goods + fields + barrows + rows + marks + state.stalls.count(seat)


def nothing_is_negative(_: Game, step: Step) -> None:
    """Silver, victory points and goods are never below 0."""
    if isinstance(step.after, la_granja.State):
        for seat, farm in enumerate(step.after.farms):
            for good in (*la_granja.FARM_GOODS, la_granja.COMMODITY):
                demand(getattr(farm, good) >= 0, f"seat {seat} has {getattr(farm, good)} {good}")


def exactly_the_seats_to_act_may_act(game: Game, step: Step) -> None:
    """Seats to act are sorted and have legal actions, all different; nobody else has any, and is refused."""
    to_act = game.rules.seats_to_act(step.state)
    demand(to_act == tuple(sorted(set(to_act))), f"the seats to act are {to_act}")
    for seat, legal in step.legal.items():
        demand(bool(legal) == (seat in to_act), f"{to_act} are to act, seat {seat} has {len(legal)} legal actions")
        demand(len(set(legal)) == len(legal), f"seat {seat} is offered an action twice")
        if seat != step.seat and step.action not in legal:
            try:
                checked_decide(game.rules, step.state, seat, step.action, SeededChance(SEED))
            except IllegalAction:
                continue
            demand(False, f"seat {seat} may do {step.action!r}, which is not its legal action")


def luck_is_drawn_once(_: Game, step: Step) -> None:
    """The label of every draw is unique in a line."""
    demand(len(set(step.labels)) == len(step.labels), f"a draw has the label of another: {step.labels[-5:]}")


def somebody_acts_until_the_end(game: Game, step: Step) -> None:
    """There is no dead end: either a seat is to act or everybody has a place."""
    to_act, ranking = game.rules.seats_to_act(step.after), game.rules.ranking(step.after)
    demand(bool(to_act) == (ranking is None), f"{to_act or 'nobody'} is to act and the ranking is {ranking}")
    demand(len(game.rules.scores(step.after)) == len(step.legal) - 1, "not every seat has a score")


# ---- thorough laws


def what_is_written_is_what_is_read(game: Game, step: Step) -> None:
    """Action, effects, draws, state and view are the same after a round trip through JSON."""
    entry = entry_of(step)
    demand(game.read(entry) == step.fact, f"the entry of {step.action!r} is read as something else")
    state = msgspec.json.decode(msgspec.json.encode(step.after), type=game.codec.state)
    demand(state == step.after, "the state is read as something else")
    for reader in step.readers:
        view = game.rules.view(step.after, reader)  # type: ignore[arg-type]  # a reader here is a seat or nobody
        demand(msgspec.json.decode(msgspec.json.encode(view), type=game.codec.view) == view, "a view reads differently")


def a_fold_is_the_live_state(game: Game, step: Step) -> None:
    """The effects as read from the log lead to the same state."""
    state = step.state
    for effect in game.read(entry_of(step)).effects:  # type: ignore[union-attr]  # the fact is an action's
        state = game.rules.evolve(state, effect)
    demand(state == step.after, "folding the stored effects leads elsewhere")


def a_redacted_log_folds_to_the_same_view(game: Game, step: Step) -> None:
    """What a reader makes of the entries sent to them is what the view shows them."""
    for reader, reading in step.readers.items():
        told, seen = game.rules.view(reading.state, reader), game.rules.view(step.after, reader)  # type: ignore[arg-type]
        demand(told == seen, f"reader {reader} folds to another view: {differences(told, seen)}")


def nothing_hidden_is_sent(_: Game, step: Step) -> None:
    """A redacted entry holds no value whose audience leaves the reader out."""
    entry = entry_of(step)
    for reader in step.readers:
        kept = redact(entry, reader).secrets
        demand(all(reader in audience_of(entry, opening.commitment) for opening in kept), f"reader {reader} gets more")


def hidden_things_do_not_show(game: Game, step: Step) -> None:
    """Non-interference: with everything a reader may not see replaced by what it could be, nothing looks different.

    View, seats to act, own legal actions and the reader's own refusals agree in every state the reader can imagine.
    """
    rules = game.rules
    for reader in step.readers:
        view = rules.view(step.after, reader)  # type: ignore[arg-type]
        luck = hkdf_expand(SEED, f"imagine/{step.node}/{reader}".encode())
        imagined = rules.imagine(view, SeededChance(luck))
        again = rules.view(imagined, reader)  # type: ignore[arg-type]
        demand(again == view, f"reader {reader} imagines a state that looks different: {differences(again, view)}")
        demand(rules.seats_to_act(imagined) == rules.seats_to_act(step.after), f"reader {reader}: other seats to act")
        if isinstance(reader, int):
            legal, real = rules.legal_actions(imagined, Seat(reader)), rules.legal_actions(step.after, Seat(reader))
            demand(legal == real, f"reader {reader} has other legal actions than it seems")


def everything_can_be_said(game: Game, step: Step) -> None:
    """Every legal action and every effect has a sentence, the same whether the reader holds hidden values or not."""
    rules = game.rules
    for reader, reading in step.readers.items():
        view = rules.view(step.after, reader)  # type: ignore[arg-type]
        told = rules.narrate(view, reading.fact.effects)
        demand(told == rules.narrate(view, step.effects), f"reader {reader} is told more when values are open")
        for message in told:
            demand(bool(say(message)), f"{message} says nothing")
    before = rules.view(step.state, step.seat if step.seat != HOUSE else None)
    said = [say(rules.describe(before, action)) for action in step.legal[step.seat]]
    demand(all(said), "an action has no words")
    demand(len(set(said)) == len(said), f"two actions are described alike: {sorted(said)}")


def always_the_first_ends(game: Game, step: Step) -> None:
    """Whoever is to act takes the first legal action, and the match ends (DESIGN §3: that is what a skip plays)."""
    if below(numbers(SEED, f"first/{step.node}"), 500) >= FIRST_PLAYS and step.node:
        return
    rules, state, key = game.rules, step.after, hkdf_expand(SEED, b"first")
    for _ in range(NODES_MAX):
        to_act = rules.seats_to_act(state)
        if not to_act:
            return
        action = rules.legal_actions(state, to_act[0])[0]
        for effect in rules.decide(state, to_act[0], action, SeededChance(key)):
            state = rules.evolve(state, effect)
    demand(False, f"{NODES_MAX} first legal actions do not end the match")


CHEAP: Final[tuple[Law, ...]] = (
    markers_are_conserved,
    nothing_is_negative,
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
    everything_can_be_said,
    always_the_first_ends,
)
ALL: Final = CHEAP + THOROUGH


# ---- the walk


def check_match(game: Game, seats: int, seed: str, laws: tuple[Law, ...] = ALL) -> int:
    """Plays a match at random from the seed and holds the laws at every node; answers how many nodes it had."""
    count = 0
    for step in walk(game, seats, seed):
        count += 1
        for law in laws:
            try:
                law(game, step)
            except AssertionError as broken:
                where = f"{game.title}, {seats} seats, seed {seed}, node {step.node}"
                name = law.__name__.replace("_", " ")
                raise LawBroken(f"{name}: {broken} ({where}: seat {step.seat} does {step.action!r})") from broken
    return count


def walk(game: Game, seats: int, seed: str) -> Iterator[Step]:
    """The steps of a random match: any seat to act, any of its legal actions, both even."""
    rules, key = game.rules, hkdf_extract(b"laws", f"{seed}/{seats}".encode())
    choices = hkdf_expand(key, b"choices")
    options = rules.options({})
    chance = SeededChance(key)
    state: Any = None
    readers: dict[Reader, Any] = {}
    effects = rules.start(options, seats, chance)
    for effect in effects:
        state = rules.evolve(state, effect)
    for reader in (None, *range(seats)):
        readers[reader] = _folded(game, None, _read_by(game, ActionTaken(0, "laws", effects), reader))
    labels = [draw.label for draw in chance.draws]
    for index in range(NODES_MAX):
        to_act = rules.seats_to_act(state)
        if not to_act:
            return
        stream = numbers(choices, str(index))
        seat = to_act[below(stream, len(to_act))]
        legal = {other: rules.legal_actions(state, other) for other in everybody(state)}
        demand(bool(legal[seat]), f"seat {seat} is to act and has no legal action (seed {seed}, node {index})")
        action = legal[seat][below(stream, len(legal[seat]))]
        chance = SeededChance(key)
        effects = rules.decide(state, seat, action, chance)
        after = state
        for effect in effects:
            after = rules.evolve(after, effect)
        labels += [draw.label for draw in chance.draws]
        fact = _fact(game, seat, action, effects, chance.draws)
        readings = {}
        for reader, folded in readers.items():
            read = _read_by(game, fact, reader)
            readings[reader] = Reading(read, _folded(game, folded, read))
        yield Step(index, state, seat, legal, action, effects, tuple(labels), fact, after, readings)
        readers = {reader: reading.state for reader, reading in readings.items()}
        state = after
    raise LawBroken(f"{game.title}, {seats} seats, seed {seed}: no end after {NODES_MAX} actions")


def _fact(
    game: Game, seat: Seat, action: Any, effects: tuple[Any, ...], draws: tuple[Draw, ...]
) -> ActionTaken[Any, Any]:
    if type(action) in game.codec.secret_actions:
        return ActionTaken(seat, "laws", effects, draws, hidden_action=Hidden(action, (seat,)))
    return ActionTaken(seat, "laws", effects, draws, action)


def entry_of(step: Step) -> Entry:
    """The entry the step would have in a log."""
    return _entry(step.fact)


def _entry(fact: ActionTaken[Any, Any]) -> Entry:
    return seal(fact, match_id=MATCH_ID, version=1, previous=NO_DIGEST, timestamp=WHEN, seed=SEED)


def _read_by(game: Game, fact: ActionTaken[Any, Any], reader: Reader) -> ActionTaken[Any, Any]:
    read = game.read(redact(_entry(fact), reader))
    assert isinstance(read, ActionTaken)
    return read


def _folded(game: Game, state: Any, fact: ActionTaken[Any, Any]) -> Any:
    for effect in fact.effects:
        state = game.rules.evolve(state, effect)
    return state


def audience_of(entry: Entry, commitment: str) -> tuple[int, ...]:
    """Who may see the value behind a commitment of the body."""
    pending: list[Any] = [msgspec.json.decode(entry.body)]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if value.get("commitment") == commitment:
                return tuple(value["audience"])
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return ()


def differences(one: Any, other: Any, at: str = "") -> str:
    """Where two values part, for a message somebody can work with."""
    if isinstance(one, msgspec.Struct) and type(one) is type(other):
        parts = (
            differences(getattr(one, name), getattr(other, name), f"{at}.{name}") for name in one.__struct_fields__
        )
        return "; ".join(filter(None, parts))
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        parts = (differences(a, b, f"{at}[{place}]") for place, (a, b) in enumerate(zip(one, other, strict=True)))
        return "; ".join(filter(None, parts))
    return "" if one == other else f"{at}: {one!r} against {other!r}"
