"""Both verifiers count the days of holiday of a tournament alike, and the clock of a seat never stops for longer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.errors import AbsenceRefused
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.entries import microseconds
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play import commands
from domain.matches.play.absence_commands import announce_absence, end_absence, pending_absence
from domain.matches.play.absences import DAY, MICROSECONDS, AbsenceAnnounced, own_time
from domain.matches.play.clocks import expiry_time, find_awaited_seats
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.proofs.event import verify_event
from domain.proofs.match import verify_content
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.matches.play.test_clocks import people_play
from tests.domain.proofs.holiday_cups import play_cup_with_holidays, warn_later
from tests.domain.proofs.tournament_proofs import cup_file
from tests.seeding import example_count
from tests.transparency.second import SecondVerifier


@pytest.mark.parametrize(("days", "listed"), [(3, "e1: 4/3"), (4, "")])
def test_both_list_entries_that_were_away_for_too_long(
    second_verifier: SecondVerifier, tmp_path: Path, days: int, listed: str
) -> None:
    content = b"".join(cup_file(play_cup_with_holidays(tmp_path, days)))
    first, second = verify_event(content, titles=ALL_TITLES), second_verifier.examine(content)
    told: list[dict[str, Any]] = [each["values"] for each in second.checked if each["id"] == "holidays"]

    assert (first.fault, second.fault) == (None, None)
    assert any(note.startswith("holidays: e1") for note in first.noted) == bool(listed)
    assert told == ([{"what": listed}] if listed else [])


def test_both_count_holidays_until_the_end_of_a_match_not_until_a_later_ruling(
    second_verifier: SecondVerifier, tmp_path: Path
) -> None:
    """Dora is away from day 1 to 15, and at the other table from day 6 to 20, but both matches end on day 10."""
    matches = play_cup_with_holidays(tmp_path, 14, {"dora": (5, 14)})
    warn_later(matches)
    content = b"".join(cup_file(matches))
    first, second = verify_event(content, titles=ALL_TITLES), second_verifier.examine(content)

    assert (first.fault, second.fault) == (None, None)
    assert not any(note.startswith("holidays") for note in first.noted)
    assert not any(each["id"] == "holidays" for each in second.checked)


class Walk:
    """A correspondence match in which two people announce, end and try absences at random."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.days = rng, rng.choice((0, 2, 5, 14, 42))
        table = Table(clock=Clock("correspondence", 3 * DAY), time_out="skip", absence_days=self.days)
        self.play = people_play("la_granja", table)
        self.refused: list[tuple[InMemoryMatch, AbsenceAnnounced]] = []
        """The matches in which an absence was refused, and the refused announcements."""

    def step(self) -> None:
        """Let up to two days pass; then act, announce, end, pause, or give a seat to another player."""
        rng, match = self.rng, self.play.match
        at, seat = match.timestamp + timedelta(hours=rng.uniform(0, 48)), rng.randrange(2)
        kind = rng.choice(("act", "act", "announce", "announce", "announce", "end", "pause", "replace"))
        late = next((each for each in find_awaited_seats(match) if is_late(match, each, at)), None)
        if late is not None:
            self.add(lambda match: commands.time_out(match, late, SERVICE, at=at), at)
        elif kind == "act":
            owing = seats_to_act(match)[0]
            action = legal_actions(match, owing)[0]
            by = SERVICE if owing < 0 else match.seats[owing].actor or ""
            self.add(lambda match: commands.act(match, owing, by, action), at)
        elif kind == "announce":
            self.announce(seat, at)
        elif kind == "end" and pending_absence(match, seat, at) is not None:
            self.add(lambda match: end_absence(match, seat, SERVICE, at=at), at)
        elif kind == "pause":
            self.add(lambda match: commands.pause(match, SERVICE), at)
            self.add(lambda match: commands.resume(match, SERVICE), at + timedelta(hours=rng.uniform(0, 60)))
        elif kind == "replace":
            self.add(lambda match: commands.replace_seat(match, seat, SERVICE, f"s{match.version}"), at)

    def add(self, decide: Callable[[Match], Any], at: datetime) -> None:
        self.play.append(decide, at=at)

    def announce(self, seat: int, at: datetime) -> None:
        """Announce an absence; if it is refused, note it."""
        first = int(at.timestamp()) + self.rng.choice((-DAY, 1, 1, DAY // 2, 5 * DAY, 400 * DAY))
        last = first + int(DAY * self.rng.choice((0.5, 1, 2, 4, 15, 43)))
        try:
            self.add(lambda match: announce_absence(match, seat, SERVICE, first, last, at=at), at)
        except AbsenceRefused as refusal:
            # Only the rules of the title know the seats that owe an action (docs/specifications/log.md).
            if "less than a day" not in str(refusal):
                forged = copy_play(self.play)
                announced = AbsenceAnnounced(seat, SERVICE, first, last)
                forged.append(lambda _: announced, at=at)
                self.refused.append((forged, announced))


def copy_play(play: InMemoryMatch) -> InMemoryMatch:
    return InMemoryMatch(play.match, list(play.entries), seeded_origins(b"people play"))


def is_late(match: Match, seat: int, at: datetime) -> bool:
    expiry = expiry_time(match, seat)
    return expiry is not None and expiry <= microseconds(at)


@pytest.mark.parametrize("number", range(example_count(4)))
def test_no_sequence_of_absences_stops_a_clock_for_longer_than_the_table_allows(
    second_verifier: SecondVerifier, number: int
) -> None:
    walk = Walk(Random(f"absences {number}"))
    for _ in range(40):
        if walk.play.match.is_over:
            break
        walk.step()
        match = walk.play.match
        for seat in range(2):
            later = microseconds(match.timestamp) + 500 * DAY * MICROSECONDS
            stopped = later - own_time(match.absences, seat, later)
            assert 0 <= stopped <= walk.days * DAY * MICROSECONDS
            assert sum(each.last - each.first for each in match.absences if each.seat == seat) == stopped

    content = log_bytes(log_of(walk.play.entries))
    assert (verify_content(content).fault, second_verifier.examine(content).fault) == (None, None)
    for forged, announced in walk.rng.sample(walk.refused, min(3, len(walk.refused))):
        content = log_bytes(log_of(forged.entries))
        found = verify_content(content).fault, second_verifier.examine(content).fault
        assert [fault and fault.entry for fault in found] == [forged.match.version] * 2, announced
