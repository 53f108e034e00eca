"""A club built from its records."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from domain.clubs import facts, membership
from domain.clubs.facts import Admission
from domain.clubs.state import CLUB, Club
from domain.matches.log.records import Stream

ID: Final = UUID(int=45)
EVENT: Final = UUID(int=1)
START: Final = datetime(2026, 3, 1, tzinfo=UTC)
OWNER: Final = "olga"


class Story:
    """A club of `olga` with members and organisers; an hour passes before each fact."""

    def __init__(self, admission: Admission = "open", members: str = "", organisers: str = "") -> None:
        self.stream: Stream[Club] | None = None
        self.at = START
        self.take(facts.ClubFounded(OWNER, admission))
        for person in members + organisers:
            self.take(facts.MemberJoined(person, person))
        for person in organisers:
            self.take(facts.RoleGiven(OWNER, person, "organiser"))

    @property
    def club(self) -> Club:
        """The state."""
        assert self.stream is not None
        return self.stream.state

    def take(self, *decided: facts.Fact | Sequence[facts.Fact]) -> None:
        """Add facts."""
        for each in decided:
            for fact in each if isinstance(each, Sequence) else (each,):
                self.at += timedelta(hours=1)
                self.stream = CLUB.apply(self.stream, CLUB.seal(ID, self.stream, fact, self.at))

    def join(self, person: str) -> facts.MemberJoined | facts.MembershipRequested:
        """Let a person join or ask, and return the fact."""
        fact = membership.join(self.club, person, self.at)
        self.take(fact)
        return fact
