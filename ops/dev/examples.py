"""Generate the examples for cards, tiles and buildings: `python -m ops.dev.examples`.

It finds entries of the golden matches in which each of them had an effect, and stores their narration in
`api/titles/TITLE/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from api.titles.el_grande.gallery import address_in
from domain.kernel.chance import SeededChance
from domain.kernel.messages import Message
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.values import replace
from domain.matches.facts import ActionTaken, MatchForked, MatchStarted, TakenBack, action_of
from domain.matches.log.log_files import read_log
from domain.matches.titles import read_fact
from domain.titles import TITLES, el_grande, la_granja
from domain.titles.el_grande import effects as eg
from domain.titles.la_granja import effects as lg
from domain.titles.la_granja.actions import UseHelper
from domain.titles.la_granja.boxes import DECK_REGISTRY
from domain.titles.la_granja.state import HelperCard
from domain.titles.la_granja.tables import BOXES

ROOT: Final = Path(__file__).parents[2]
LOGS: Final = ROOT / "tests" / "golden"
PLACE: Final = ROOT / "api" / "titles"
BUILDING: Final = "building-"
"""Prefix of buildings. Completing one can yield points and goods together, so an example may be one sentence longer."""
LOGS_MAX: Final = 12
"""Number of golden matches searched for hypothetical uses of helpers."""
TOLD_MAX: Final = {el_grande.TITLE: 6, la_granja.TITLE: 5}
"""Most sentences of an example, by title. Longer narrations describe more than one thing."""
FURTHER: Final = frozenset({lg.StepBegun, lg.CardsDrawn, eg.RoundBegun, eg.ActionCardTurned})
"""Effects that begin something else."""
UNUSED: Final = SeededChance(bytes(32))
IMPOSSIBLE: Final = (AssertionError, LookupError, RuntimeError, StopIteration, ValueError)
"""Exceptions that the rules raise in impossible positions."""
USED, BROUGHT = range(2)
"""Preference of examples: a helper is used, or it yields something."""
GOODS: Final = (lg.GoodGained, lg.GoodPaid)

Narration = tuple[Message, ...]


class Step(NamedTuple):
    """An action with the states before and after it, and its effects."""

    before: Any
    seat: Seat
    action: Any
    effects: tuple[Any, ...]
    draws: bool
    after: Any


def steps_of(title: str, path: Path) -> Iterator[Step]:
    """Yield the actions of a golden match up to its first take-back or fork, the service's included."""
    rules = TITLES[title].rules
    state: Any = None
    for entry in read_log(path).entries:
        fact = read_fact(TITLES[title], entry)
        if isinstance(fact, TakenBack | MatchForked):
            return
        if not isinstance(fact, MatchStarted | ActionTaken):
            continue
        previous = state
        for effect in fact.effects:
            state = rules.evolve(state, effect)
        if isinstance(fact, ActionTaken) and previous is not None:
            yield Step(previous, Seat(fact.seat), action_of(fact), fact.effects, bool(fact.draws), state)


def find_effective_helpers(step: Step) -> Iterator[str]:
    """Yield the actor's helpers, as `card-N`, without which the same action has another result or is illegal.

    Nothing for actions of the service, with draws, or that play or discard a card.
    """
    # With one helper fewer there is room for another, which is no effect of the helper.
    has_replacement = any(isinstance(effect, lg.CardDiscarded | lg.CardPlayed) for effect in step.effects)
    if step.seat == SERVICE_SEAT or step.draws or step.action is None or has_replacement:
        return
    farm = step.before.farms[step.seat]
    for helper in farm.helpers:
        other_helpers = tuple(each for each in farm.helpers if each != helper)
        farms = tuple(
            replace(each, helpers=other_helpers) if seat == step.seat else each
            for seat, each in enumerate(step.before.farms)
        )
        state_without = replace(step.before, farms=farms)
        if narrate_in(state_without, step) != narrate_effects(step.before, step.effects):
            yield f"card-{helper.card}"


def narrate_in(state: Any, step: Step) -> Narration | None:
    """Return the narration of the step's action in another position; None if it is illegal or impossible there."""
    try:
        if step.action not in la_granja.legal_actions(state, step.seat):
            return None
        return narrate_effects(state, la_granja.decide(state, step.seat, step.action, UNUSED))
    except IMPOSSIBLE:
        # The modified position is impossible, because the current action belongs to the removed helper.
        return None


def narrate_effects(state: Any, effects: Sequence[Any]) -> Narration:
    """Return the public narration of these effects."""
    for effect in effects:
        state = la_granja.evolve(state, effect)
    return la_granja.narrate(la_granja.view(state, None), tuple(effects))


def with_helpers(step: Step, seat: int, helpers: tuple[HelperCard, ...]) -> Step:
    """Return the step with other helpers on a farm."""
    farms = tuple(
        replace(farm, helpers=helpers) if each == seat else farm for each, farm in enumerate(step.before.farms)
    )
    return step._replace(before=replace(step.before, farms=farms))


def effects_of(step: Step, seat: Seat, action: object) -> tuple[Any, ...]:
    """Return the effects of an action in the step's position; empty if it is illegal."""
    if action not in la_granja.legal_actions(step.before, seat):
        return ()
    return la_granja.decide(step.before, seat, action, UNUSED)


def hypothetical_narrations(step: Step, card: int) -> Iterator[tuple[int, Narration]]:
    """Yield (preference, narration) if a farm with only this helper fares differently from a farm without helpers.

    All farms are tried, the acting one first; impossible positions are skipped.
    """
    for seat in dict.fromkeys((step.seat, *map(Seat, range(len(step.before.farms))))):
        if seat != SERVICE_SEAT:
            try:
                yield from narrations_for_farm(
                    with_helpers(step, seat, (HelperCard(card),)), with_helpers(step, seat, ()), seat
                )
            except IMPOSSIBLE:
                continue


def narrations_for_farm(step_with: Step, step_without: Step, seat: Seat) -> Iterator[tuple[int, Narration]]:
    """Yield (preference, narration) for one farm, given the step with the helper and without: its use, or its yield.

    Nothing if the action is illegal in one of the two, or the effects are the same.
    """
    (card,) = (helper.card for helper in step_with.before.farms[seat].helpers)
    effects_with = effects_of(step_with, step_with.seat, step_with.action)
    effects_without = effects_of(step_without, step_with.seat, step_with.action)
    if not effects_with or not effects_without or effects_with == effects_without:
        return
    after = reduce(la_granja.evolve, effects_with, step_with.before)
    use_actions = [
        each for each in la_granja.legal_actions(after, seat) if isinstance(each, UseHelper) and each.card == card
    ]
    if use_actions:
        yield (
            USED,
            narrate_effects(step_with.before, (*effects_with, *la_granja.decide(after, seat, use_actions[-1], UNUSED))),
        )
    own_with, own_without = (own_effects(several, seat) for several in (effects_with, effects_without))
    added = tuple(effect for effect in own_with if effect not in own_without)
    if added and not [effect for effect in own_without if effect not in own_with and isinstance(effect, GOODS)]:
        yield BROUGHT, la_granja.narrate(la_granja.view(after, None), added)


def own_effects(effects: tuple[Any, ...], seat: Seat) -> tuple[Any, ...]:
    """Return the effects on a seat except drawn cards, which depend on chance."""
    return tuple(
        each for each in effects if getattr(each, "seat", None) == seat and not isinstance(each, lg.CardsDrawn)
    )


def hypothetical_examples(missing: Sequence[int]) -> dict[str, Narration]:
    """Return hypothetical examples, if found, by `card-N` for helpers that had no effect in any golden match.

    Takes the first one in the first `LOGS_MAX` matches; within a step a use of the helper is preferred to a yield.
    """
    ranked_narrations = dict[int, tuple[int, Narration]]()
    for path in sorted(LOGS.glob(f"{la_granja.TITLE}-*.jsonl"))[:LOGS_MAX]:
        for step in steps_of(la_granja.TITLE, path):
            for card in missing if step.action is not None else ():
                if card in ranked_narrations:
                    continue
                for rank, narration in hypothetical_narrations(step, card):
                    if 0 < len(narration) <= TOLD_MAX[la_granja.TITLE] and (
                        card not in ranked_narrations or rank < ranked_narrations[card][0]
                    ):
                        ranked_narrations[card] = rank, narration
    return {f"card-{card}": narration for card, (_, narration) in ranked_narrations.items()}


def la_granja_things(step: Step, missing: set[str]) -> Iterator[str]:
    """Yield the cards, tiles, buildings and barrows of La Granja that had an effect in this step.

    Helpers with an effect in the background are sought only if one of `missing` is on a farm.
    """
    for effect in step.effects:
        match effect:
            case lg.HelperUsed(card=card):
                yield f"card-{card}"
            case lg.RoofUsed(tile=tile):
                yield f"tile-{BOXES[step.before.deck].effect_of(tile).id}"
            case lg.CraftMarkerGained(building=number):
                yield f"{BUILDING}{number}"
            case lg.BarrowCompleted(card=card):
                yield f"barrow-{card}"
    if missing & {f"card-{helper.card}" for farm in step.before.farms for helper in farm.helpers}:
        yield from find_effective_helpers(step)


def el_grande_things(step: Step, _: set[str]) -> Iterator[str]:
    """Yield the cards of El Grande whose special action is announced in this step."""
    for effect in step.effects:
        match effect:
            case eg.SpecialAnnounced(card=card):
                yield address_in(step.before.setting.cards, card)


def until_its_end(effects: tuple[Any, ...]) -> slice:
    """Return the slice from the announcement of a special action to its end; raise `ValueError` without one."""
    kinds = [type(effect) for effect in effects]
    end_indexes = [index for index, kind in enumerate(kinds) if kind in {eg.SpecialEnded, eg.GreyUsed}]
    return slice(kinds.index(eg.SpecialAnnounced), end_indexes[-1] if end_indexes else len(effects))


EFFECTS_OF_THING: Final[Mapping[str, Callable[[tuple[Any, ...]], slice]]] = {
    el_grande.TITLE: until_its_end,
    la_granja.TITLE: lambda effects: slice(0, len(effects)),
}
"""Select the effects that belong to the thing, by title."""
THINGS_IN_STEP: Final[Mapping[str, Callable[[Step, set[str]], Iterator[str]]]] = {
    el_grande.TITLE: el_grande_things,
    la_granja.TITLE: la_granja_things,
}
WANTED: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    el_grande.TITLE: lambda: (),
    la_granja.TITLE: lambda: (f"card-{number}" for number in DECK_REGISTRY.get("standard").value),
}
"""Things without an example yet, for which a slower search is made."""


def examples_of(title: str) -> dict[str, Narration]:
    """Return the longest allowed narration of each thing in the golden matches, sorted by name.

    Narrations that begin something else are left out; a building without one gets one a sentence too long, and a card
    of La Granja a hypothetical example.
    """
    narrations, longer = dict[str, Narration](), dict[str, Narration]()
    rules = TITLES[title].rules
    for path in sorted(LOGS.glob(f"{title}-*.jsonl")):
        missing = set(WANTED[title]())
        for step in steps_of(title, path):
            for thing in THINGS_IN_STEP[title](step, missing - narrations.keys()):
                part = EFFECTS_OF_THING[title](step.effects)
                after: Any = reduce(rules.evolve, step.effects[: part.stop], step.before)
                narration = tuple(rules.narrate(rules.view(after, None), step.effects[part]))
                # Effects that continue the round do not illustrate a card.
                is_unfinished = any(type(effect) in FURTHER for effect in step.effects[part])
                if len(narrations.get(thing, ())) < len(narration) <= TOLD_MAX[title] and not is_unfinished:
                    narrations[thing] = narration
                elif thing.startswith(BUILDING) and len(narration) == TOLD_MAX[title] + 1 and not is_unfinished:
                    longer.setdefault(thing, narration)
    if title == la_granja.TITLE:
        numbers = (number for number in DECK_REGISTRY.get("standard").value if f"card-{number}" not in narrations)
        narrations |= hypothetical_examples(tuple(numbers))
    return dict(sorted((longer | narrations).items()))


def short(message: Message) -> dict[str, Any]:
    """Encode a message without default values."""
    args = {name: short(value) if isinstance(value, Message) else value for name, value in message.args.items()}
    encoded: dict[str, Any] = {"id": message.id} | ({"args": args} if args else {})
    return encoded | ({"plural": message.plural, "count": message.count} if message.plural else {})


def encode_examples(title: str) -> bytes:
    """Encode a title's file as JSON, one line per thing; the same matches give the same bytes."""
    lines = (
        f"{msgspec.json.encode(thing).decode()}: {msgspec.json.encode([short(message) for message in texts]).decode()}"
        for thing, texts in examples_of(title).items()
    )
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def main() -> None:
    """Write the files of all titles."""
    for title in THINGS_IN_STEP:
        (PLACE / title / "examples.json").write_bytes(encode_examples(title))


if __name__ == "__main__":
    main()
