"""People and bots take and leave seats in random order; shares open only after all commitments."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.consequences import open_line
from domain.matches.errors import MatchError
from domain.matches.facts import Clock, ShareBy, Table
from domain.matches.log.log_files import log_of
from domain.matches.play.deadlines import find_overdue_fact
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.seats import luck_shares, opening
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, TOY, make_share
from tests.seeding import example_count

LIVE = Table(clock=Clock("per_move", 60))
seats = st.integers(0, 2)


class Comings(RuleBasedStateMachine):
    """Random commands before the start, legal or not, with time passing."""

    play: InMemoryMatch

    @initialize(seed=st.binary(min_size=1, max_size=4))
    def open(self, seed: bytes) -> None:
        origins = replace(seeded_origins(seed), now=lambda: START, step=timedelta(0))
        fact = opening.open_match(TOY, seats=3, options={}, table=LIVE, by="anna", seed=origins.seed)
        match, entries = open_line(TOY, fact, origins.match_id, START)
        self.play, self.at, self.number = InMemoryMatch(match, entries, origins), START, 0
        self.kept: dict[int, int] = {}

    @property
    def match(self) -> Match:
        return self.play.match

    def attempt(self, decide: Callable[[Match], Any]) -> None:
        before = self.match
        try:
            self.play.append(decide, at=self.at)
        except MatchError:
            assert self.match == before
        if self.match.reopened != before.reopened:
            assert self.match.seed != before.seed
            assert all(info.share is None and info.share_by != "client" for info in self.match.seats)

    def make_commitment(self, seat: int, actor: str) -> str:
        self.number += 1
        self.kept[seat] = self.number
        return make_share(self.number).compute_commitment(self.match.id, seat, actor)

    @rule(seat=seats, actor=st.sampled_from(("anna", "bea", "carl", BOT)), own=st.booleans())
    def sit_down(self, seat: int, actor: str, own: bool) -> None:
        share_by: ShareBy = "service" if actor == BOT else "client" if own else "awaited"
        committed = self.make_commitment(seat, actor) if share_by == "client" else None
        self.attempt(lambda match: opening.take_seat(match, seat, actor, committed, share_by=share_by))

    @rule(seat=seats, own=st.booleans())
    def commit(self, seat: int, own: bool) -> None:
        actor = self.match.seats[seat].actor or "nobody"
        committed = self.make_commitment(seat, actor) if own else None
        self.attempt(lambda match: luck_shares.commit_share(match, seat, actor, committed))

    @rule(seat=seats, own=st.booleans())
    def be_ready(self, seat: int, own: bool) -> None:
        actor = self.match.seats[seat].actor or "nobody"
        share, salt = make_share(self.kept.get(seat, 0)) if own else (None, None)
        self.attempt(lambda match: opening.ready(match, seat, actor, share, salt))

    @rule(seat=seats)
    def leave(self, seat: int) -> None:
        actor = self.match.seats[seat].actor or "nobody"
        self.attempt(lambda match: opening.leave_seat(match, seat, actor))

    @rule()
    def wait(self) -> None:
        self.at += timedelta(minutes=2)
        while find_overdue_fact(self.match, self.at) is not None:
            self.attempt(lambda match: find_overdue_fact(match, self.at))

    @invariant()
    def a_share_is_open_only_where_all_are_fixed(self) -> None:
        if any(info.share is not None for info in self.match.seats):
            assert self.match.closed

    @invariant()
    def the_log_stands_the_audit(self) -> None:
        assert verify(log_of(self.play.entries), titles=ALL_TITLES).fault is None


Comings.TestCase.settings = settings(max_examples=example_count(40), stateful_step_count=25, deadline=None)
TestComings = Comings.TestCase
