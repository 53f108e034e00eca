"""After any sequence of rulings, appeals, forks and play, every log verifies and no log has lost an entry."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.disputes import commands
from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import IllegalAction
from domain.matches.errors import MatchError
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL, digest
from domain.matches.log.records import check_records, record_digest
from domain.matches.rulings.measures import (
    LineResumed,
    MatchVoided,
    Measure,
    PointsTaken,
    ResultSet,
    SeatWarned,
    TimeTaken,
)
from domain.matches.verification.verify import verify
from domain.roles.audit import AUDIT_STREAM
from domain.roles.commands import check_trail
from tests.domain.disputes.disputing import (
    HOLDING,
    PEOPLE,
    PLAIN,
    M,
    file_appeal,
    give_ruling,
    raise_dispute,
    start_running_match,
)
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, act_once, uuid
from tests.seeding import SeededEntropy, example_count

STEPS = st.lists(
    st.tuples(
        st.sampled_from(("act", "act", "raise", "rule", "rule", "appeal", "fork", "what-if")), st.integers(0, 999)
    ),
    min_size=3,
    max_size=25,
)


def measures_of(number: int) -> tuple[Measure, ...]:
    """Return an arbitrary measure, valid or not."""
    version = number % 40
    some: tuple[tuple[Measure, ...], ...] = (
        (),
        (SeatWarned(number % 4),),
        (PointsTaken(number % 3, 1 + number % 7),),
        (TimeTaken(number % 3, 5),),
        (LineResumed(version, ""),),
        (LineResumed(version, ""), PointsTaken(1, 2)),
        (ResultSet((3, 2, 1), (1, 2, 3)),),
        (MatchVoided(),),
    )
    return some[number % len(some)]


class World:
    """A store, its lines, and the length of each so far."""

    def __init__(self, matches: Matches) -> None:
        self.matches = matches
        self.lines: list[UUID] = [M]
        self.disputes: list[UUID] = []
        self.made = 1_000

    def new(self) -> UUID:
        self.made += 1
        return uuid(self.made)

    def step(self, what: str, number: int) -> None:
        line = self.lines[number % len(self.lines)]
        dispute = self.disputes[number % len(self.disputes)] if self.disputes else uuid(1)
        match, new = self.matches.get(line), self.new()
        if what == "act" and match.status == "running":
            act_once(self.matches, match)
        elif what == "raise":
            raise_dispute(self.matches, match.version - number % 3, PEOPLE[number % 3], new, line)
            self.disputes.append(new)
        elif what == "rule":
            by = "hella" if number % 2 else "art"
            give_ruling(
                self.matches, self.made, *measures_of(number), by=by, id=dispute, upheld=number % 5 == 0, line=new
            )
            self.keep(new)
        elif what == "appeal":
            file_appeal(self.matches, PEOPLE[number % 3], dispute)
        elif what == "fork":
            at = 1 + number % match.version
            fork_match(
                self.matches, line, at_version=at, new_id=new, luck="fresh", by=SERVICE, at=START, seats=(BOT,) * 3
            )
            self.keep(new)
        elif what == "what-if":
            commands.what_if(
                self.matches, dispute, new_line=new, entry=match.version - 1, by="art", seats=(BOT,) * 3, at=START
            )
            self.keep(new)

    def keep(self, line: UUID) -> None:
        if self.matches.lines.has(line):
            self.lines.append(line)

    def logs(self) -> dict[UUID, list[bytes]]:
        """Return the digests of every line's entries."""
        return {line: [digest(entry) for entry in self.matches.entries(line)] for line in self.lines}

    def records(self) -> dict[UUID, list[bytes]]:
        """Return the digests of the records of every dispute and of the trail."""
        streams = (AUDIT_STREAM, *self.disputes)
        return {stream: [record_digest(each) for each in self.matches.streams.records(stream)] for stream in streams}

    def all(self) -> dict[UUID, list[bytes]]:
        return self.logs() | self.records()


@pytest.mark.no_cover
@settings(max_examples=example_count(60), deadline=None)
@given(steps=STEPS, holds=st.booleans())
def test_every_log_verifies_and_only_grows(steps: list[tuple[str, int]], holds: bool) -> None:
    matches = open_store(store_env(":memory:"), titles=ALL_TITLES, entropy=SeededEntropy("rulings"))
    try:
        start_running_match(matches, HOLDING if holds else PLAIN, actions=3)
        world = World(matches)
        before: dict[UUID, list[bytes]] = {}
        for what, number in steps:
            try:
                world.step(what, number)
            except (MatchError, IllegalAction):
                assert world.all() == (before or world.all()), "what is refused changes nothing"
            after = world.all()
            assert all(after[stream][: len(known)] == known for stream, known in before.items()), "logs only grow"
            before = after
        check_trail(matches)
        for stream in world.disputes:
            check_records(matches.streams.records(stream))
        for line in world.lines:
            report: Any = verify(export_log(matches, line, ALL, at=START), titles=ALL_TITLES)
            assert report.is_good, report
    finally:
        matches.close()
