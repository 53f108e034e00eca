"""Statistics of played actions and their results in all ended matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

import msgspec

from api.archive.errors import NothingExplored
from api.archive.schemas import (
    CameShown,
    ChoiceShown,
    ExplorerShown,
    KindShown,
    MoveShown,
    OpeningShown,
    PlayedHere,
    ThingShown,
)
from api.http.languages import _, say
from api.matches.service import MatchService
from domain.eventstore.application import Matches
from domain.kernel.messages import Message
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match, legal_actions, seats_to_act, view
from projections.archive import explorer, search
from projections.archive.archived_matches import BOTS, OPENING, PEOPLE, ArchiveRecord, Who, first_key, round_in
from projections.archive.explorer import ChoiceStatistics, CountedChoice, Example, OpeningAction
from projections.platform.store import ReadStore


async def explore(matches: MatchService, title: str, seats: int, who: Who) -> ExplorerShown:
    """Return all statistics of a title at one table size and side; `NothingExplored` for an unknown title or size.

    Kinds without statistics are included, empty.
    """
    definition = find_title(matches, title, seats)
    found = await matches.writer.read_model(explorer.list_choices, title, seats, who)
    sizes = await matches.writer.read_model(explorer.list_seat_counts, title)
    kinds = tuple(
        KindShown(kind, _(each.heading), each.numbered, encode_things(definition, kind, found))
        for kind, each in definition.traits.kinds.items()
    )
    return ExplorerShown(title, seats, who, sizes, kinds)


def find_title(matches: MatchService, title: str, seats: int) -> AnyTitle:
    """Return the title; raise `NothingExplored` if it or the table size is unknown."""
    definition = matches.titles.get(title)
    if definition is None or seats not in definition.players:
        raise NothingExplored(f"there is no explorer of {title!r} for {seats} players")
    return definition


def encode_things(definition: AnyTitle, kind: str, found: Iterable[CountedChoice]) -> tuple[ThingShown, ...]:
    """Convert the statistics of a kind, in the same order; numbers above the kind's limit are left out."""
    count_max = definition.traits.kinds[kind].counted_max
    return tuple(
        ThingShown(each.thing, name_of(definition, kind, each.thing), each.number, encode_results(each.came))
        for each in found
        if each.kind == kind and (not count_max or each.number <= count_max)
    )


def name_of(definition: AnyTitle, kind: str, thing: str) -> str:
    """Return the name of a thing in the current language."""
    name = definition.traits.name(kind, thing)
    return say(name) if isinstance(name, Message) else name


def encode_results(statistics: ChoiceStatistics) -> CameShown:
    """Convert counts and results."""
    return CameShown(statistics.times, round(statistics.win_share, 4), round(statistics.mean_margin, 2))


async def explore_opening(matches: MatchService, title: str, seats: int, who: Who, opening: str) -> OpeningShown:
    """Return the actions after an opening, or the first actions of matches; raise `NothingExplored` as `explore`.

    `opening` is the key of an opening; an unknown one has no actions.
    """
    find_title(matches, title, seats)
    key = opening or first_key(title, seats)
    return OpeningShown(title, seats, who, key, await load_moves(matches, key, who))


async def load_moves(matches: MatchService, key: str, who: Who) -> tuple[MoveShown, ...]:
    """Return the actions after an opening, as text in the current language, with results."""
    found = await matches.writer.read_model(moves_with_examples, key, who)
    messages = await matches.writer.read_log(describe_moves, found)
    return tuple(
        MoveShown(msgspec.json.decode(move.action), say(message), move.next, encode_results(move.came))
        for (move, _example), message in zip(found, messages, strict=True)
    )


def moves_with_examples(store: ReadStore, key: str, who: Who) -> list[tuple[OpeningAction, Example | None]]:
    """Return the actions after an opening, each with an example match."""
    return [(move, explorer.find_example(store, move.next)) for move in explorer.list_next_actions(store, key, who)]


def describe_moves(matches: Matches, found: Iterable[tuple[OpeningAction, Example | None]]) -> list[Message]:
    """Describe each action in the match where it was last played."""
    return [describe_move(matches, move, example) for move, example in found]


def describe_move(matches: Matches, move: OpeningAction, example: Example | None) -> Message:
    """Describe an action; without an example return its type."""
    if example is None:
        return Message(str(msgspec.json.decode(move.action)["type"]))
    before = matches.at(example.line_id, example.version - 1)
    action = msgspec.json.decode(move.action, type=before.definition.codec.action)
    return before.definition.rules.describe(view(before, example.seat), action)


async def load_actions_at(matches: MatchService, match_id: UUID, version: int) -> PlayedHere:
    """Return the actions at a position: of people, of bots if people have none; empty unless the match ended.

    The choices of a running match are secret. Raise `NoSuchEntry` if the position does not exist.
    """
    empty = PlayedHere(match_id, version, None, (), ())
    if (await matches.reading.get(match_id)).status != "ended":
        return empty
    match = await matches.writer.read_log(Matches.at, match_id, version)
    record = (await matches.writer.read_model(search.load_archived, [match_id])).get(match_id)
    opening = None if record is None else opening_key_at(record, version)
    moves: tuple[MoveShown, ...] = ()
    if opening is not None:
        people = await load_moves(matches, opening, PEOPLE)
        moves = people or await load_moves(matches, opening, BOTS)
    played_choices = choices_of(match)
    counts = await matches.writer.read_model(count_choices, match, sorted({kind for kind, _thing in played_choices}))
    choices = tuple(encode_choice(match, kind, thing, counts) for kind, thing in played_choices)
    return PlayedHere(match_id, version, opening, moves, choices)


def opening_key_at(record: ArchiveRecord, version: int) -> str | None:
    """Return the key of the first actions up to an entry; None beyond the opening."""
    played_moves = [move for move in record.opening if move.version <= version]
    if len(played_moves) == OPENING:
        return None
    return played_moves[-1].next if played_moves else first_key(record.title, len(record.seats))


def choices_of(match: Match) -> list[tuple[str, str]]:
    """Return (kind, thing) of the legal choices of the seats to act, without duplicates.

    Empty unless the match is running; actions that are not counted are left out.
    """
    if match.status != "running" or match.is_retired:
        return []
    choice = match.definition.traits.choice
    found = (choice(action) for seat in seats_to_act(match) if seat >= 0 for action in legal_actions(match, seat))
    return list(dict.fromkeys(each for each in found if each is not None))


ChoiceCounts = Mapping[tuple[str, str, Who], ChoiceStatistics]


def count_choices(store: ReadStore, match: Match, kinds: Iterable[str]) -> ChoiceCounts:
    """Return counts by kind, thing and side (people or bots), limited to the round where applicable."""
    found = dict[tuple[str, str, Who], ChoiceStatistics]()
    sides: tuple[Who, ...] = (PEOPLE, BOTS)
    for kind in kinds:
        is_by_round = match.definition.traits.kinds[kind].numbered == "round"
        for who in sides:
            for each in explorer.list_choices_of_kind(store, match.title, len(match.seats), who, kind):
                if is_by_round and each.number != round_in(match):
                    continue
                total = found.get((kind, each.thing, who), ChoiceStatistics(0, 0, 0))
                found[kind, each.thing, who] = total.combine(each.came)
    return found


def encode_choice(match: Match, kind: str, thing: str, counts: ChoiceCounts) -> ChoiceShown:
    """Convert a choice with the results of people and bots, None for a side without any."""
    definition = match.definition
    choice_kind = definition.traits.kinds[kind]

    def results_of(who: Who) -> Any:
        found = counts.get((kind, thing, who))
        return None if found is None else encode_results(found)

    number = round_in(match) if choice_kind.numbered == "round" else 0
    name = name_of(definition, kind, thing)
    return ChoiceShown(kind, _(choice_kind.heading), thing, name, number, results_of(PEOPLE), results_of(BOTS))
