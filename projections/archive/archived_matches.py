"""The archived data of an ended match: its search columns and its contribution to the statistics."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal
from uuid import UUID

import msgspec

from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import AnyTitle
from domain.kernel.traits import Trait
from domain.kernel.values import Value
from domain.matches.aggregate import Match, Result
from domain.matches.facts import ActionTaken, Actor, MatchStarted, action_of, is_bot
from domain.matches.rulings.ruling import counted_result
from projections.follow import FollowedStep

OPENING: Final = 6
"""Number of first actions that form an opening."""
KEY_DIGITS: Final = 16
OF_OPENING: Final = "opening"
"""The kind of note for the first actions of a running match."""
End = Literal["played", "resigned", "timed_out", "replaced", "ruled"]
ENDS: Final[tuple[End, ...]] = ("played", "resigned", "timed_out", "replaced", "ruled")
Who = Literal["people", "bots"]
BOTS: Final[Who] = "bots"
PEOPLE: Final[Who] = "people"


class Note(Value, frozen=True):
    """A trait read from an entry, stored until the match ends."""

    version: int
    trait: Trait


class OpeningMove(Value, frozen=True):
    """One of the first actions as JSON, with the keys of the positions before and after it."""

    path: str
    action: str
    next: str
    seat: int
    version: int


class ArchiveSeat(Value, frozen=True):
    """The player who started at a seat and the result; `margin` is the lead over the best other seat."""

    actor: Actor
    place: int
    score: int
    margin: int

    @property
    def who(self) -> Who:
        """Return whether a bot or a person started at the seat."""
        return BOTS if is_bot(self.actor) else PEOPLE


class ArchiveRecord(Value, frozen=True, kw_only=True):
    """An ended match.

    `place`: position in the log of the entry that ended it, which orders the archive. `is_counted`: whether it counts
    in statistics; lines created by a ruling do not.
    """

    place: int
    line_id: UUID
    title: str
    edition: str
    event: str
    rated: bool
    entries: int
    ended_at: int
    end: End
    seats: tuple[ArchiveSeat, ...]
    traits: tuple[Trait, ...]
    opening: tuple[OpeningMove, ...]
    is_counted: bool

    @property
    def is_of_people(self) -> bool:
        """Return whether a person started at any seat."""
        return any(seat.who == PEOPLE for seat in self.seats)

    @property
    def things(self) -> tuple[str, ...]:
        """Return the search keys, without duplicates."""
        return tuple(sorted({choice_key(trait.kind, trait.thing) for trait in self.traits}))


KEPT: Final = msgspec.json.Decoder(ArchiveRecord)


def choice_key(kind: str, thing: str) -> str:
    """Return the search key of a choice."""
    return f"{kind}/{thing}"


def may_be_archived(match: Match, *, imported: bool) -> bool:
    """Return False for imported matches, demonstrations, matches on one device and forks."""
    return not (match.is_fork or match.table.is_one_device or imported or match.is_demonstration)


def notes_of(step: FollowedStep, noted_count: int) -> Iterator[Note]:
    """Yield the notes of an entry: traits of an action or the start, and a player's action as part of the opening.

    The latter only while fewer than `OPENING` are noted: `noted_count` is their number. Other entries give none.
    """
    fact, definition = step.fact, step.match.definition
    if isinstance(fact, ActionTaken):
        action: Any = action_of(fact)
        if noted_count < OPENING and fact.seat != SERVICE_SEAT and action is not None:
            yield Note(step.version, Trait(fact.seat, OF_OPENING, action_text(action)))
        yield from traits_of(definition, step, Seat(fact.seat), action, fact.effects)
    elif isinstance(fact, MatchStarted):
        yield from traits_of(definition, step, SERVICE_SEAT, None, fact.effects)


def traits_of(
    definition: AnyTitle, step: FollowedStep, seat: Seat, action: object, effects: Iterable[Any]
) -> Iterator[Note]:
    """Yield the traits that the title reads from an action and its effects; traits of unknown seats are left out."""
    round_ = round_in(step.match)
    seats = range(len(step.match.seats))
    found = definition.traits.read(seat, action, effects, round_)
    return (Note(step.version, trait) for trait in found if trait.seat in seats)


def round_in(match: Match) -> int:
    """Return the number of the current round, from 1."""
    return match.definition.round_of(match.state) + match.definition.traits.round_ahead


def action_text(action: object) -> str:
    """Return an action as it is in the log."""
    return msgspec.json.encode(action).decode()


def archive_match(step: FollowedStep, place: int, notes: Sequence[Note]) -> ArchiveRecord | None:
    """Return the archived data of a finished match, or None if it is not listed, voided or without a result."""
    match = step.match
    result = counted_result(match)
    if match.status != "ended" or result is None or not match.table.is_listed:
        return None
    seats = seats_of(match, result)
    return ArchiveRecord(
        place=place,
        line_id=match.id,
        title=match.title,
        edition=match.options.get(match.definition.traits.edition, ""),
        event=match.table.event_id,
        rated=match.table.rated,
        entries=match.version,
        ended_at=int(match.timestamp.timestamp()),
        end=end_of(match),
        seats=seats,
        traits=number_traits(match.definition, notes),
        opening=opening_of(match.title, len(seats), notes),
        is_counted=match.origin is None,
    )


def seats_of(match: Match, result: Result) -> tuple[ArchiveSeat, ...]:
    """Return the seats with the players who began, or the present ones if it has no starters, and results."""
    actors = tuple(starter.actor for starter in match.starters) or tuple(info.actor for info in match.seats)
    return tuple(
        ArchiveSeat(actor or "", place, score, margin_of(result.scores, seat))
        for seat, (actor, place, score) in enumerate(zip(actors, result.ranking, result.scores, strict=True))
    )


def margin_of(scores: Sequence[int], seat: int) -> int:
    """Return the lead over the best other seat; 0 for a single seat."""
    others = [score for other, score in enumerate(scores) if other != seat]
    return scores[seat] - max(others, default=scores[seat])


def end_of(match: Match) -> End:
    """Return how the match ended, the first that applies: by a ruling, a resignation, a time-out or a replacement.

    Else it was "played".
    """
    if match.docket.is_cut_short:
        return "ruled"
    if match.resigned:
        return "resigned"
    departures = {starter.left for starter in match.starters}
    return (
        "timed_out"
        if "timed_out" in departures
        else "replaced"
        if departures & {"replaced", "handed_over"}
        else "played"
    )


def number_traits(definition: AnyTitle, notes: Sequence[Note]) -> tuple[Trait, ...]:
    """Return the traits of all notes that the title declares, numbering per seat the kinds counted by order."""
    counts, found = dict[tuple[int, str], int](), list[Trait]()
    for note in notes:
        trait = note.trait
        if (kind := definition.traits.kinds.get(trait.kind)) is None:
            continue
        if kind.numbered == "order":
            number = counts[trait.seat, trait.kind] = counts.get((trait.seat, trait.kind), 0) + 1
            trait = msgspec.structs.replace(trait, number=number)
        found.append(trait)
    return tuple(found)


def opening_of(title: str, seats: int, notes: Iterable[Note]) -> tuple[OpeningMove, ...]:
    """Return the first `OPENING` actions with the keys of the positions around them."""
    path, moves = first_key(title, seats), list[OpeningMove]()
    for note in notes:
        if note.trait.kind == OF_OPENING and len(moves) < OPENING:
            after = key_after(path, note.trait.thing)
            moves.append(OpeningMove(path, note.trait.thing, after, note.trait.seat, note.version))
            path = after
    return tuple(moves)


def first_key(title: str, seats: int) -> str:
    """Return the key of the starting position."""
    return key_after(f"{title} {seats}", "")


def key_after(path: str, action: str) -> str:
    """Return the key after one more action, whichever seat took it, because the first seat is chosen by chance."""
    return hashlib.sha256(f"{path} {action}".encode()).hexdigest()[:KEY_DIGITS]
