"""After any random commands, a log folds to the same match, passes the audit and leaks no secrets."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.kernel.chance import SeededChance
from domain.kernel.rules import SERVICE_SEAT, IllegalAction, Seat
from domain.matches.aggregate import Match, legal_actions, seats_to_act, view
from domain.matches.apply import fold
from domain.matches.errors import MatchError
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.entries import ALL, redact
from domain.matches.log.log_files import log_bytes, log_of, parse_log
from domain.matches.play import commands
from domain.matches.play.clocks import time_left
from domain.matches.play.in_memory import InMemoryMatch, fork_log, play_to_end, seeded_origins, table_of_bots
from domain.matches.seats import opening
from domain.matches.verification.verify import verify
from tests.domain.matches import toy
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, BOTS, TOY, some_origins
from tests.domain.matches.toy import CountUp
from tests.seeding import example_count

SEATS = 3
seats = st.integers(-1, SEATS)
actors = st.sampled_from(["anna", "bea", "carl", BOT, SERVICE])
COMPARED = [name for name in Match.__struct_fields__ if name != "definition"]


class MatchMachine(RuleBasedStateMachine):
    """Random commands of all kinds, legal or not; rejected ones must change nothing."""

    play: InMemoryMatch

    @initialize(seed=st.binary(min_size=1, max_size=4), policy=st.sampled_from(["skip", "resign", "bot"]))
    def open(self, seed: bytes, policy: Any) -> None:
        table = Table(clock=Clock("per_move", 60), time_out=policy, take_backs=2)
        self.play = table_of_bots(TOY, (BOT,) * SEATS, {}, seeded_origins(seed), table)
        for seat, person in enumerate(("anna", "bea")):
            self.attempt(lambda match, seat=seat, person=person: commands.replace_seat(match, seat, SERVICE, person))

    @property
    def match(self) -> Match:
        return self.play.match

    def attempt(self, decide: Callable[..., Any], at: datetime | None = None) -> bool:
        before = (self.match, len(self.play.entries))
        try:
            self.play.append(decide, at=at)
        except (MatchError, IllegalAction):
            assert (self.match, len(self.play.entries)) == before
            return False
        return True

    @precondition(lambda self: bool(seats_to_act(self.match)))
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(seats_to_act(self.match)))
        action = data.draw(st.sampled_from(legal_actions(self.match, seat)))
        by = SERVICE if seat == SERVICE_SEAT else self.match.seats[seat].actor
        assert self.attempt(lambda match: commands.act(match, seat, by or "", action))

    @rule(seat=seats, by=actors)
    def act_out_of_turn(self, seat: int, by: str) -> None:
        if seat not in seats_to_act(self.match):
            assert not self.attempt(lambda match: commands.act(match, seat, by, CountUp()))

    @rule(seat=seats, by=actors, back=st.integers(0, 4))
    def take_back(self, seat: int, by: str, back: int) -> None:
        version = self.match.version - back
        states = {mark.version: mark.state for mark in self.match.turn.marks}
        if self.attempt(lambda match: commands.take_back(match, seat, by, version)):
            assert self.match.state == states[version]
            assert self.match.turn.taken_back_count <= self.match.table.take_backs

    @rule(seat=seats, by=actors)
    def resign(self, seat: int, by: str) -> None:
        self.attempt(lambda match: commands.resign(match, seat, by))

    @rule(seat=seats, by=actors, actor=actors)
    def replace(self, seat: int, by: str, actor: str) -> None:
        self.attempt(lambda match: commands.replace_seat(match, seat, by, actor))

    @rule(seat=seats, by=actors, bot=st.sampled_from([None, BOT]), seconds=st.sampled_from([1, 59, 60]))
    def time_out(self, seat: int, by: str, bot: str | None, seconds: int) -> None:
        at, before = self.match.timestamp + timedelta(seconds=seconds), self.match
        if self.attempt(lambda match: commands.time_out(match, seat, by, bot, at=at), at):
            assert time_left(before, seat, at) == 0

    @rule(seat=seats, by=actors)
    def ask_pause(self, seat: int, by: str) -> None:
        self.attempt(lambda match: commands.ask_pause(match, seat, by))

    @rule(by=actors)
    def pause(self, by: str) -> None:
        self.attempt(lambda match: commands.pause(match, by))

    @rule(by=actors)
    def resume(self, by: str) -> None:
        self.attempt(lambda match: commands.resume(match, by))

    @rule(seat=seats, by=actors)
    def sit_down_late(self, seat: int, by: str) -> None:
        assert not self.attempt(lambda match: opening.take_seat(match, seat, by))

    @precondition(lambda self: self.match.version > 30)
    @rule(by=actors)
    def void(self, by: str) -> None:
        self.attempt(lambda match: commands.void(match, by))

    @invariant()
    def the_fold_is_the_live_match(self) -> None:
        folded = fold(ALL_TITLES, self.play.entries)
        for name in COMPARED:
            assert getattr(folded, name) == getattr(self.match, name), name

    @invariant()
    def every_seat_sees_the_same_in_its_own_log(self) -> None:
        for reader in (None, *range(SEATS)):
            folded = fold(ALL_TITLES, [redact(entry, reader) for entry in self.play.entries])
            assert view(folded, reader) == view(self.match, reader)
            assert (folded.seed, folded.key) == (None, None)
            assert folded.head == self.match.head

    @invariant()
    def a_position_imagined_from_a_view_looks_the_same(self) -> None:
        for reader in range(SEATS):
            seen = view(self.match, reader)
            assert toy.view(toy.imagine(seen, SeededChance(bytes(32))), Seat(reader)) == seen

    @invariant()
    def nobody_sits_on_two_seats(self) -> None:
        people = [info.actor for info in self.match.seats if info.is_person]
        assert len(people) == len(set(people))

    @invariant()
    def a_running_match_waits_for_somebody_who_has_not_resigned(self) -> None:
        if self.match.status == "running":
            assert seats_to_act(self.match)
            assert not set(seats_to_act(self.match)) & set(self.match.resigned)

    def teardown(self) -> None:
        log = log_of(self.play.entries)
        assert verify(log, titles=ALL_TITLES).is_good, verify(log, titles=ALL_TITLES)
        assert parse_log(log_bytes(log)) == log
        for reader in (None, 0, ALL):
            assert verify(log_of(self.play.entries, reader), titles=ALL_TITLES).is_good
        if self.match.status in ("running", "paused"):
            fork = fork_log(
                log,
                at_version=self.match.version,
                luck="fresh",
                by="anna",
                origins=some_origins(),
                titles=ALL_TITLES,
                seats=(BOT,) * SEATS,
            )
            assert verify(log_of(play_to_end(fork, BOTS).entries), titles=ALL_TITLES).is_good


MatchMachine.TestCase.settings = settings(max_examples=example_count(40), stateful_step_count=40, deadline=None)
TestMatchMachine = pytest.mark.no_cover(MatchMachine.TestCase)
