"""Commands for tests of group commits, and comparable results."""

from datetime import datetime
from typing import Any, Final

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.group_commit import Command, Outcome, run_command
from domain.matches.aggregate import Match
from domain.matches.errors import NotSeated
from domain.matches.seats.current_seats import OpenSeats, update_open_seats
from tests.domain.eventstore.faulty_stores import DIARY, DiaryOpened, PageWritten
from tests.domain.matches.match_helpers import START, uuid

PEOPLE: Final = ("anna", "bea", "carl")
DIARY_ID: Final = uuid(99)


def act(match_id: int, seat: int, by: str, action: Any, version: int, matches: Matches, at: datetime = START) -> Match:
    """Take an action after reading the match, as the service does."""
    matches.get(uuid(match_id))
    return matches.act(uuid(match_id), seat, by, action, expected_version=version, at=at)


def write(text: str, matches: Matches, at: datetime = START) -> int:
    def compose(batch: Batch) -> int:
        first = () if batch.find(DIARY, DIARY_ID) else (DiaryOpened("anna"),)
        return batch.record(DIARY, DIARY_ID, *first, PageWritten(text)).version

    return matches.transact(compose, at=at)


def write_many(count: int, matches: Matches, at: datetime = START) -> int:
    """Write several pages in one command."""

    def compose(batch: Batch) -> int:
        first = () if batch.find(DIARY, DIARY_ID) else (DiaryOpened("anna"),)
        return batch.record(DIARY, DIARY_ID, *first, *[PageWritten("x")] * (count - len(first))).version

    return matches.transact(compose, at=at)


def write_and_refuse(text: str, matches: Matches, at: datetime = START) -> None:
    """Write a page, then fail; the page is stored."""
    write(text, matches, at)
    raise NotSeated(text)


def open_and_sit(number: int, matches: Matches, at: datetime = START) -> Match:
    match = matches.open(uuid(number), title="toy", seats=2, by="anna", at=at)
    return matches.take_seat(match.id, 0, "anna", at=at)


def resign(match_id: int, seat: int, matches: Matches, at: datetime = START) -> Match:
    return matches.resign(uuid(match_id), seat, PEOPLE[seat], at=at)


def pause(match_id: int, seat: int, matches: Matches, at: datetime = START) -> Match:
    return matches.ask_pause(uuid(match_id), seat, PEOPLE[seat], at=at)


def resume(match_id: int, seat: int, matches: Matches, at: datetime = START) -> Match:
    return matches.resume(uuid(match_id), PEOPLE[seat], at=at)


def sit_once(number: int, person: str, matches: Matches, at: datetime = START) -> Match | None:
    """Open a table for a person who has none, after scanning the log."""
    if update_open_seats(matches, person, OpenSeats(0, ())).match_ids:
        return None
    match = matches.open(uuid(number), title="toy", seats=2, by=person, at=at)
    return matches.take_seat(match.id, 0, person, at=at)


def read_match(match_id: int, matches: Matches, at: datetime = START) -> int:
    assert at >= START
    return matches.get(uuid(match_id)).version


def to_comparable(outcome: Outcome) -> Any:
    """Return the result or exception of a command, for comparison."""
    answer = outcome.answer
    if outcome.refusal is not None:
        return type(outcome.refusal).__name__, str(outcome.refusal)
    return (answer.id, answer.version, answer.head) if isinstance(answer, Match) else answer


def run_separately(matches: Matches, commands: list[Command]) -> list[Any]:
    """Run the commands one after another, each alone."""
    return [to_comparable(run_command(matches, command)) for command in commands]
