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
from domain.la_granja.components_market import MARKETS
from domain.la_granja.effects import DonkeysRevealed
from domain.la_granja.holdings import cards_in_play, pens
from domain.match.facts import ActionTaken
from domain.match.file import log_bytes, log_of, parse_log
from domain.match.log import ALL, NO_DIGEST, Entry, audiences, redact, seal
from domain.match.play import play_on, seeded, table_of_bots
from domain.match.registry import Game
from domain.match.verify import verify
from workers.bots import BOTS

NODES_MAX: Final = 20_000
"""No match played at random is longer; reaching it means that play goes round in circles."""

FIRST_PLAYS: Final = 8
"""At about so many nodes of a match the first legal action is taken to the end; at each one it would take minutes."""

MATCH_ID: Final = UUID(int=1)
WHEN: Final = datetime(2000, 1, 1, tzinfo=UTC)
SEED: Final = bytes(32)


class LawBroken(Exception):
    """A law does not hold; the message names law, match and node, and the seed repeats it."""


class Reading(NamedTuple):
    """What a reader of the redacted log has: the fact as they may read it, and the state folded from such facts."""

    entry: Entry
    fact: ActionTaken[Any, Any]
    state: Any
    view: Any
    """What the live state shows them."""


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
    entry: Entry
    after: Any
    readings: Mapping[int | None, Reading]
    """By reader: a seat, or nobody for a spectator."""


Law = Callable[[Game, Step], None]


def demand(condition: bool, sentence: str) -> None:
    """States a law; the caller says where it broke."""
    if not condition:
        raise AssertionError(sentence)


def same(one: Any, other: Any, sentence: str) -> None:
    """Demands that two values are equal; only when they are not are they searched for where."""
    if one != other:
        raise AssertionError(f"{sentence}: {differences(one, other)}")


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
    stored = sum(helper.goods + helper.marked for helper in farm.helpers)
    fields = sum(field.full for field in farm.fields)
    barrows = sum(sum(barrow.filled) for barrow in farm.barrows)
    rows = sum(sum(row.filled) for building in state.buildings for row in building.rows if row.seat == seat)
    marks = sum(building.marks.count(seat) for building in state.buildings)
    return goods + stored + fields + barrows + rows + marks + state.stalls.count(seat)


def nothing_is_negative(_: Game, step: Step) -> None:
    """Silver, victory points and goods are never below 0."""
    if isinstance(step.after, la_granja.State):
        for seat, farm in enumerate(step.after.farms):
            for good in (*la_granja.FARM_GOODS, la_granja.COMMODITY):
                demand(getattr(farm, good) >= 0, f"seat {seat} has {getattr(farm, good)} {good}")


def everything_has_its_place(_: Game, step: Step) -> None:
    """No card is in two places, no pen holds two pigs, no stall stands on a closed space (LG-0.7, LG-1.1, LG-1.3)."""
    if isinstance(step.after, la_granja.State):
        cards = [card for card in cards_in_play(step.after) if card != la_granja.UNKNOWN]
        demand(len(set(cards)) == len(cards), f"a card is in two places: {sorted(cards)}")
        for seat, farm in enumerate(step.after.farms):
            demand(farm.pig <= pens(step.after, Seat(seat)), f"seat {seat} has {farm.pig} pigs and fewer pens")
        board = MARKETS[step.after.board]
        stalls = [cell for cell, owner in enumerate(step.after.stalls) if owner != la_granja.NOBODY]
        demand(set(stalls) <= set(board.open), f"stalls stand on {stalls}, of which some are closed")


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
    demand(game.read(step.entry) == step.fact, f"the entry of {step.action!r} is read as something else")
    demand(_again(step.after, game.codec.state) == step.after, "the state is read as something else")
    for reader, reading in step.readings.items():
        demand(_again(reading.view, game.codec.view) == reading.view, f"the view of {reader} is read differently")


def _again(value: Any, type_: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=type_)


def a_fold_is_the_live_state(game: Game, step: Step) -> None:
    """The effects as read from the log lead to the same state."""
    fact = game.read(step.entry)
    assert isinstance(fact, ActionTaken)
    demand(_folded(game, step.state, fact.effects) == step.after, "folding the stored effects leads elsewhere")


def a_redacted_log_folds_to_the_same_view(game: Game, step: Step) -> None:
    """What a reader makes of the entries sent to them is what the view shows them."""
    for reader, reading in step.readings.items():
        told = game.rules.view(reading.state, _seat(reader))
        same(told, reading.view, f"reader {reader} folds to another view")


def nothing_hidden_is_sent(_: Game, step: Step) -> None:
    """A redacted entry holds no value whose audience leaves the reader out, and says so in the same bytes."""
    seen_by = audiences(step.entry)
    for reader, reading in step.readings.items():
        sent = [opening.commitment for opening in reading.entry.secrets]
        due = [commitment for commitment, audience in seen_by.items() if reader in audience]
        demand(sent == due, f"reader {reader} is sent {len(sent)} openings and may have {len(due)}")
        demand(reading.entry.body == step.entry.body, f"reader {reader} is sent another body")


def hidden_things_do_not_show(game: Game, step: Step) -> None:
    """Non-interference: with everything a reader may not see replaced by what it could be, nothing looks different.

    View, seats to act and the reader's own legal actions agree in the state the reader imagines.
    """
    rules = game.rules
    for reader, reading in step.readings.items():
        luck = hkdf_expand(SEED, f"imagine/{step.node}/{reader}".encode())
        imagined = rules.imagine(reading.view, SeededChance(luck))
        again = rules.view(imagined, _seat(reader))
        same(again, reading.view, f"reader {reader} imagines what looks different")
        demand(rules.seats_to_act(imagined) == rules.seats_to_act(step.after), f"reader {reader}: other seats to act")
        if reader is not None:
            legal, real = rules.legal_actions(imagined, Seat(reader)), rules.legal_actions(step.after, Seat(reader))
            demand(legal == real, f"reader {reader} imagines other legal actions: {set(legal) ^ set(real)}")


def nothing_hidden_decides(game: Game, step: Step) -> None:
    """What all see of an action's effects is the same in the state its seat imagines, but for tiles being shown."""
    if not isinstance(step.state, la_granja.State) or step.seat == HOUSE:
        return
    imagined = game.rules.imagine(game.rules.view(step.state, step.seat), SeededChance(SEED))
    real, other = (
        [_open_part(effect) for effect in game.rules.decide(state, step.seat, step.action, SeededChance(SEED))]
        for state in (step.state, imagined)
    )
    if all(effect["type"] != DonkeysRevealed for effect in real):
        demand(real == other, f"what nobody else may see decides: {real} against {other}")


def _open_part(effect: Any) -> dict[str, Any]:
    fields = {name: getattr(effect, name) for name in effect.__struct_fields__}
    shown = {name: value.audience if isinstance(value, Hidden) else value for name, value in fields.items()}
    return {"type": type(effect), **shown}


def everything_can_be_said(game: Game, step: Step) -> None:
    """Every legal action and every effect has a sentence, the same whether the reader holds hidden values or not."""
    rules = game.rules
    for reader, reading in step.readings.items():
        told = rules.narrate(reading.view, reading.fact.effects)
        demand(told == rules.narrate(reading.view, step.effects), f"reader {reader} is told more when values are open")
        demand(all(map(say, told)), "an effect is told in no words")
    before = rules.view(step.state, None if step.seat == HOUSE else step.seat)
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
    everything_has_its_place,
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
EVERY: Final = CHEAP + THOROUGH


# ---- the walk


def check_match(game: Game, seats: int, seed: str, laws: tuple[Law, ...] = EVERY) -> int:
    """Plays a match at random from the seed and holds the laws at every node; answers how many nodes it had."""
    count = 0
    for step in walk(game, seats, seed, is_read=not set(laws).isdisjoint(THOROUGH)):
        count += 1
        for law in laws:
            try:
                law(game, step)
            except AssertionError as broken:
                where = f"{game.title}, {seats} seats, seed {seed}, node {step.node}"
                name = law.__name__.replace("_", " ")
                raise LawBroken(f"{name}: {broken} ({where}: seat {step.seat} does {step.action!r})") from broken
    return count


def walk(game: Game, seats: int, seed: str, *, is_read: bool = True) -> Iterator[Step]:
    """The steps of a random match, any seat to act and any of its legal actions; with what readers have, if wished."""
    rules, key = game.rules, hkdf_extract(b"laws", f"{seed}/{seats}".encode())
    chance, choices = SeededChance(key), hkdf_expand(key, b"choices")
    effects = rules.start(rules.options({}), seats, chance)
    state = _folded(game, None, effects)
    labels = [draw.label for draw in chance.draws]
    readers = (None, *range(seats)) if is_read else ()
    entry = _sealed(ActionTaken(0, "laws", effects))
    folds = {reader: _folded(game, None, _read(game, redact(entry, reader)).effects) for reader in readers}
    for node in range(NODES_MAX):
        to_act = rules.seats_to_act(state)
        if not to_act:
            return
        stream = numbers(choices, str(node))
        seat = to_act[below(stream, len(to_act))]
        legal = {other: rules.legal_actions(state, other) for other in (HOUSE, *map(Seat, range(seats)))}
        if not legal[seat]:
            raise LawBroken(f"seat {seat} is to act and can do nothing ({seats} seats, seed {seed}, node {node})")
        action, chance = legal[seat][below(stream, len(legal[seat]))], SeededChance(key)
        effects = rules.decide(state, seat, action, chance)
        after = _folded(game, state, effects)
        labels += [draw.label for draw in chance.draws]
        fact = _fact(game, seat, action, effects, chance.draws)
        entry = _sealed(fact)
        readings = {reader: _reading(game, entry, folds[reader], after, reader) for reader in readers}
        yield Step(node, state, seat, legal, action, effects, tuple(labels), fact, entry, after, readings)
        folds = {reader: reading.state for reader, reading in readings.items()}
        state = after
    raise LawBroken(f"{game.title}, {seats} seats, seed {seed}: no end after {NODES_MAX} actions")


def _fact(
    game: Game, seat: Seat, action: Any, effects: tuple[Any, ...], draws: tuple[Draw, ...]
) -> ActionTaken[Any, Any]:
    if type(action) in game.codec.secret_actions:
        return ActionTaken(seat, "laws", effects, draws, hidden_action=Hidden(action, (seat,)))
    return ActionTaken(seat, "laws", effects, draws, action)


def _sealed(fact: ActionTaken[Any, Any]) -> Entry:
    return seal(fact, match_id=MATCH_ID, version=1, previous=NO_DIGEST, timestamp=WHEN, seed=SEED)


def _read(game: Game, entry: Entry) -> ActionTaken[Any, Any]:
    fact = game.read(entry)
    assert isinstance(fact, ActionTaken)
    return fact


def _reading(game: Game, entry: Entry, state: Any, after: Any, reader: int | None) -> Reading:
    sent = redact(entry, reader)
    fact = _read(game, sent)
    return Reading(sent, fact, _folded(game, state, fact.effects), game.rules.view(after, _seat(reader)))


def _folded(game: Game, state: Any, effects: tuple[Any, ...]) -> Any:
    for effect in effects:
        state = game.rules.evolve(state, effect)
    return state


def _seat(reader: int | None) -> Seat | None:
    return None if reader is None else Seat(reader)


def audit_is_clean(game: Game, seats: int, seed: str) -> int:
    """A whole match as a file holds it verifies, for whoever may read all and for a spectator; answers its entries.

    The audit decides every action again, so a rule that asks anything but the state and its luck is found here.
    """
    bot = BOTS["random"]
    play = table_of_bots(game, [bot.actor] * seats, {}, seeded(f"{seed}/{seats}".encode()))
    entries = play_on(play, {bot.actor: bot.choose}).entries
    for reader in (ALL, None):
        report = verify(parse_log(log_bytes(log_of(entries, reader))))
        if report.fault is not None:
            who = "everybody" if reader == ALL else "a spectator"
            where = f"{game.title}, {seats} seats, seed {seed}, the log for {who}"
            raise LawBroken(
                f"audit is clean: entry {report.fault.entry}, {report.fault.kind}: {report.fault.why} ({where})"
            )
    return len(entries)


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
