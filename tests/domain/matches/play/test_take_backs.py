"""Take-backs of format 3: they cost other seats no time, undo nothing revealed, and list the allowed versions."""

import random
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import import_log
from domain.matches.aggregate import Match, legal_actions, open_take_backs, seats_to_act, take_back_versions
from domain.matches.consequences import append
from domain.matches.errors import MatchError, TakeBackRefused
from domain.matches.facts import SERVICE, ActionTaken, Clock, ClockKind, Table, TakenBack, TimedOut
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import log_of
from domain.matches.play import commands
from domain.matches.titles import read_fact
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import START, facts, play_out, start_match, uuid, verify_log, with_pearls
from tests.domain.matches.play.test_clocks import people_play, play_to_turn_end, take_action
from tests.domain.matches.toy import AddPearl

M = uuid(1)
PEOPLE = ("anna", "bea", "carl")
KINDS: tuple[ClockKind, ...] = ("per_move", "correspondence", "increment")


def read_action(match: Match, entry: Entry) -> ActionTaken[Any, Any]:
    fact = read_fact(match.definition, entry)
    assert isinstance(fact, ActionTaken)
    return fact


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("waits", [(6.5,), (6.5, 7, 7.9)])
def test_a_turn_that_is_taken_back_costs_the_other_seat_no_time(kind: ClockKind, waits: tuple[float, ...]) -> None:
    """Reproduces a fault: pass, wait 6.5 of 8 seconds, take back, pass again; the other seat lost on time."""
    play, seat, other = play_to_turn_end(Clock(kind, 60_000, 10))
    match, entries, base = play.match, play.entries, play.match.turn.marks[-2].version
    action = read_action(match, entries[-1]).action
    had, own = match.clocks[other].left, match.clocks[seat].left
    for seconds in waits:
        at = match.timestamp + timedelta(seconds=1_000 * seconds)
        match, added = append(match, commands.take_back(match, seat, f"p{seat}", base), at)
        entries = [*entries, *added]
        assert match.clocks[other].since is None
        match, added = append(match, commands.act(match, seat, f"p{seat}", action), at)
        entries = [*entries, *added]

        assert match.clocks[other].at(round(at.timestamp()) * 1_000_000) >= had
        assert match.clocks[seat].left <= own

    assert verify(log_of(entries)).is_good
    drained = had // 1_000_000 - 1
    early = append(match, TimedOut(other, SERVICE, "skip"), match.timestamp + timedelta(seconds=drained))[1]
    report = verify(log_of([*entries, *early]))
    assert report.fault is not None
    assert report.fault.entry == match.version + 1


class ObservedMatch:
    """A match of people under random play; it records the time of each seat at the start of its turn."""

    def __init__(self, title: str, kind: ClockKind, seats: int, rng: random.Random) -> None:
        table = Table(clock=Clock(kind, 8, 2), time_out="skip", take_backs=100, pauses=100)
        self.play, self.rng = people_play(title, table, seats), rng
        self.had: dict[int, int] = {}
        """The seat's time at the start of its turn."""
        self.owed: dict[int, int] = {}
        """The minimum time of a seat when a turn that was taken from it begins again."""
        self.checked = 0

    def do(self, decide: Any, seconds: float = 0) -> None:
        before = self.play.match
        try:
            fact = decide(before)
        except MatchError:
            return
        self.play.append(lambda _: fact, at=before.timestamp + timedelta(seconds=seconds))
        after, now = self.play.match, round(self.play.match.timestamp.timestamp() * 1_000_000)
        for seat, (was, clock) in enumerate(zip(before.clocks, after.clocks, strict=True)):
            if isinstance(fact, TakenBack) and seat != fact.seat and was.since is not None and clock.since is None:
                self.owed[seat] = self.had[seat]
            elif isinstance(fact, TakenBack) and seat == fact.seat:
                known = [left for version, left in was.acted if version > fact.to_version]
                assert clock.at(now) <= min([was.at(now), *known])
            if was.since is None and clock.since is not None and before.status == "running":
                self.had[seat] = clock.left
                if seat in self.owed:
                    assert clock.left >= self.owed.pop(seat)
                    self.checked += 1
        if isinstance(fact, ActionTaken | TimedOut) and fact.seat != before.turn.seat:
            self.owed.clear()

    def step(self) -> None:
        match, rng = self.play.match, self.rng
        seat = rng.choice(seats_to_act(match)) if match.status == "running" else 0
        by, seconds = f"p{seat}" if seat >= 0 else SERVICE, rng.choice([0, 0.3, 1, 5, 7.9])
        turn = match.turn.seat
        choice = rng.random()
        if match.status == "paused":
            self.do(lambda match: commands.resume(match, by), seconds)
        elif choice < 0.3 and turn is not None and (versions := take_back_versions(match, turn)):
            self.do(lambda match: commands.take_back(match, turn, f"p{turn}", rng.choice(versions)), seconds)
        elif choice < 0.33:
            for each in range(len(match.seats)):
                self.do(partial(commands.ask_pause, seat=each, by=f"p{each}"))
        elif choice < 0.4:
            at = match.timestamp + timedelta(seconds=seconds)
            self.do(lambda match: commands.time_out(match, seat, SERVICE, at=at), seconds)
        else:
            legal = legal_actions(match, seat)
            self.do(lambda match: commands.act(match, seat, by, rng.choice(legal)), seconds)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("title", "seats"), [("el_grande", 2), ("el_grande", 4), ("la_granja", 3)])
def test_a_turn_that_begins_again_has_the_time_it_first_had(title: str, seats: int, kind: ClockKind) -> None:
    """Checks the rule in random sequences of actions, take-backs, pauses and time-outs."""
    checked = 0
    for seed in range(4):
        watched = ObservedMatch(title, kind, seats, random.Random(f"{title}/{seats}/{kind}/{seed}"))
        for _ in range(250):
            if watched.play.match.is_over:
                break
            watched.step()
        assert verify(log_of(watched.play.entries)).is_good
        checked += watched.checked

    assert checked > 5, checked


def test_no_take_back_is_open_after_as_many_as_the_table_allows(sqlite: Matches) -> None:
    match = with_pearls(sqlite, start_match(sqlite, M, PEOPLE, table=Table(take_backs=1)))
    base, seat = match.version, seats_to_act(match)[0]
    acted = sqlite.act(M, seat, PEOPLE[seat], AddPearl(), expected_version=base, at=START)
    back = sqlite.take_back(M, seat, PEOPLE[seat], to_version=base, at=START)
    again = sqlite.act(M, seat, PEOPLE[seat], AddPearl(), expected_version=back.version, at=START)

    assert [open_take_backs(acted, each) for each in range(3)] == [(base,) if each == seat else () for each in range(3)]
    assert open_take_backs(again, seat) == ()


def test_a_version_of_an_earlier_take_back_means_the_state_after_it(sqlite: Matches) -> None:
    match = with_pearls(sqlite, start_match(sqlite, M, PEOPLE, table=Table(take_backs=9)))
    seat, base = seats_to_act(match)[0], match.version
    by, action = PEOPLE[seat], legal_actions(match, seat)[1]
    sqlite.act(M, seat, by, action, expected_version=base, at=START)
    back = sqlite.take_back(M, seat, by, to_version=base, at=START)
    assert take_back_versions(back, seat) == ()
    sqlite.act(M, seat, by, action, expected_version=back.version, at=START)
    assert take_back_versions(sqlite.get(M), seat) == (base, back.version)
    with pytest.raises(TakeBackRefused, match=f"to entry 1; possible: {base}, {back.version}"):
        sqlite.take_back(M, seat, by, to_version=1, at=START)

    again = sqlite.take_back(M, seat, by, to_version=back.version, at=START)
    sqlite.act(M, seat, by, action, expected_version=again.version, at=START)

    assert again.state == back.state == match.state
    assert take_back_versions(sqlite.get(M), seat) == (base, back.version, again.version)
    other = (seat + 1) % 3
    with pytest.raises(TakeBackRefused, match="nothing can be taken back now"):
        sqlite.take_back(M, other, PEOPLE[other], to_version=base, at=START)
    verify_log(sqlite, M)


def test_a_take_back_that_names_no_position_of_the_turn_is_a_fault_of_its_entry() -> None:
    play, seat, _ = play_to_turn_end(Clock("increment", 600, 10))
    with pytest.raises(LookupError, match="after entry 1"):
        append(play.match, TakenBack(seat, f"p{seat}", 1), START)


def test_a_match_of_format_2_is_played_to_its_end_in_it(matches: Matches) -> None:
    """A stored running match of format 2 is continued, taken back and forked by the rules of format 2."""
    play = people_play("la_granja", Table(take_backs=9), format=2)
    while not (len(play.match.turn.marks) > 1 and seats_to_act(play.match) == (play.match.turn.seat,)):
        take_action(play)
    line, fork = play.match.id, uuid(9)
    match = import_log(matches, log_of(play.entries), by=SERVICE, at=START)
    seat = match.turn.seat
    assert seat is not None
    back = matches.take_back(line, seat, f"p{seat}", to_version=match.turn.marks[-2].version, at=START)
    assert back.turn.marks[-1].also == ()
    people = ("p0", "p1")
    fork_match(matches, line, at_version=back.version, new_id=fork, luck="fresh", by="p0", seats=people, at=START)
    for match_id in (line, fork):
        play_out(matches, matches.get(match_id))
        assert matches.get(match_id).format == 2
        verify_log(matches, match_id)
    assert not any(fact.reveals for fact in facts(matches, line) if isinstance(fact, ActionTaken))
