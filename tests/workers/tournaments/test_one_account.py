"""Policy, service and listing agree on the due step of a tournament after every fact."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.errors import MatchError
from domain.pairing.methods import pair_round
from domain.pairing.problem import PairingRefused
from domain.standings.contest import Stage
from domain.standings.results import Results
from domain.tournaments import commands, facts, no_shows, registration, rounds
from domain.tournaments.duties import duty_of
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.plan import Plan
from domain.tournaments.state import Round, Tournament
from domain.tournaments.steps import take_step
from projections.loop import FollowerLoop
from projections.matches import outcomes
from projections.matches.results import table_results
from projections.platform.store import ReadStore
from projections.tournaments import listing
from tests.api.full_service import RecordingQueue
from tests.domain.matches.match_helpers import resume_match
from tests.projections.tables import BOT, at, match_id, matches_in, play_match
from workers.event_duties import OrganisingDuties

EVENT: Final = match_id(7)
BY: Final = "olga"
STEPS: Final = 150


class Walk:
    """A random walk through everything that can happen to a tournament."""

    def __init__(self, matches: Matches, store: ReadStore, seed: int) -> None:
        self.matches = matches
        self.store = store
        self.luck = random.Random(seed)
        self.loop = FollowerLoop(matches, store, (outcomes, listing, OrganisingDuties(store, RecordingQueue())))
        self.match_number = 100
        stages = (Stage("swiss", 2), Stage("swiss", 2))
        plan = Plan(name="Cup", title="toy", size=2, stages=stages, auto=True, bot=BOT)
        commands.open_tournament(matches, EVENT, plan, BY, at=at(0))
        for _ in range(5):
            self.change(lambda state: registration.enter(state, BY, actor=BOT))

    def change(self, decide: commands.Decide) -> None:
        commands.change(self.matches, EVENT, decide, at=at(0))

    @property
    def state(self) -> Tournament:
        return commands.get_tournament(self.matches, EVENT).state

    @property
    def results(self) -> Results:
        return table_results(self.store, EVENT)

    @property
    def last(self) -> Round:
        last = self.state.round
        if last is None:
            raise NoSuchRound("there is no round yet")
        return last

    def ask(self) -> None:
        self.change(lambda state: rounds.ask_pairing(state, self.results, BY))

    def pair(self) -> None:
        last = self.last
        try:
            pairing, reasons = pair_round(last.problem, last.way)
        except PairingRefused as error:
            reason = str(error)
            self.change(lambda state: rounds.fail_pairing(state, last.number, reason))
        else:
            self.change(lambda state: rounds.answer_pairing(state, last.number, pairing, reasons))

    def fail(self) -> None:
        self.change(lambda state: rounds.fail_pairing(state, self.last.number, "there is no such round"))

    def swap(self) -> None:
        first, second = self.luck.sample(self.last.people, 2) if len(self.last.people) > 1 else ("e1", "e2")
        self.change(lambda state: rounds.swap(state, self.last.number, first, second, "They asked for it.", BY))

    def lock(self) -> None:
        self.change(lambda state: rounds.lock_tables(state, self.last.number, (1,), BY))

    def publish(self) -> None:
        self.change(lambda state: rounds.publish(state, self.last.number, self.results, BY))

    def step(self) -> None:
        """Do the due step as a worker does; an opening may be interrupted before it is reported."""
        step = duty_of(self.state, self.results)
        if step == "pair":
            self.pair()
        elif step == "open":
            for table in range(1, len(self.last.tables) + 1):
                commands.open_table(self.matches, EVENT, self.last.number, table, at=at(0))
        if step not in {None, "pair"} and self.luck.random() < 0.8:
            self.change(lambda state: take_step(state, self.results, str(step)))

    def play(self) -> None:
        table = self.luck.choice([*self.last.tables, None])
        if table is not None and table.match is not None and self.matches.lines.has(table.match):
            current = self.matches.get(table.match)
            while current.docket.superseded_by is not None:
                current = self.matches.get(current.docket.superseded_by)
            play_match(self.matches, current)

    def resume(self) -> None:
        """Replace a match's line by a ruling."""
        matches = [table.match for table in self.last.tables if table.match and self.matches.lines.has(table.match)]
        for each in matches[:1]:
            match = self.matches.get(each)
            if match.started_version is not None and match.docket.superseded_by is None:
                self.match_number += 1
                resume_match(
                    self.matches,
                    each,
                    match.started_version,
                    match_id(self.match_number),
                    f"ruling {self.match_number}",
                )

    def rule(self) -> None:
        number, table = self.last.number, self.luck.randint(1, max(1, len(self.last.tables)))
        commands.rule_table(
            self.matches,
            EVENT,
            lambda state: rounds.rule_table(state, number, table, (1, 0), (1, 2), "Nobody came.", BY),
            at=at(1),
        )

    def no_show(self) -> None:
        name = self.luck.choice([*self.last.people, "e1"])
        no_shows.record_no_show(self.matches, EVENT, self.last.number, name, "", "not seen", BY, at=at(1))

    def announce(self) -> None:
        self.change(lambda _: facts.Announced(BY, "We begin at noon."))

    def toggle_automatic(self) -> None:
        """Toggle between automatic and manual."""
        plan = self.state.plan
        commands.change_plan(self.matches, EVENT, replace(plan, auto=not plan.auto), BY, at=at(1), reason="So.")

    def leave(self) -> None:
        name = self.luck.choice(self.state.entries).id
        self.change(lambda state: registration.withdraw(state, name, BY, "Ill."))

    def enter(self) -> None:
        self.change(lambda state: registration.enter(state, BY, actor=BOT, as_organiser=True))

    def take_random_step(self) -> None:
        """Try a random event; events that advance the tournament are more frequent."""
        frequent: list[Callable[[], None]] = [self.step] * 6 + [self.play] * 6 + [self.ask, self.pair, self.publish]
        rare: list[Callable[[], None]] = [self.swap, self.swap, self.lock, self.fail, self.rule, self.resume]
        other: list[Callable[[], None]] = [self.no_show, self.announce, self.toggle_automatic, self.leave, self.enter]
        with suppress(TournamentRefused, NoSuchRound, MatchError):
            self.luck.choice(frequent + rare + other)()
        self.loop.catch_up()


@pytest.fixture(params=range(8))
def walk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Walk]:
    store = ReadStore(tmp_path / "reads.db")
    with matches_in(tmp_path / "log.db") as matches:
        yield Walk(matches, store, request.param)
    store.close()


def test_policy_service_and_listing_agree_whatever_happens(walk: Walk) -> None:
    for _ in range(STEPS):
        walk.take_random_step()
        state = walk.state
        ((step, version, encoded),) = walk.store.rows("SELECT step, version, state FROM event_duties")
        listed = listing.get(walk.store, EVENT)
        assert listed is not None
        entry_count = sum(entry.status != "withdrawn" for entry in state.entries)
        round_count = sum(each.is_public for each in state.rounds)

        assert step == (duty_of(state, walk.results) or "")
        assert version == commands.get_tournament(walk.matches, EVENT).version
        assert msgspec.json.decode(encoded, type=Tournament) == state
        assert (listed.status, listed.entries, listed.rounds) == (state.status, entry_count, round_count)


def test_the_walks_cover_all_steps(tmp_path: Path) -> None:
    covered: set[Any] = set()
    for seed in range(8):
        store = ReadStore(tmp_path / f"reads-{seed}.db")
        with matches_in(tmp_path / f"log-{seed}.db") as matches:
            walk = Walk(matches, store, seed)
            for _ in range(STEPS):
                walk.take_random_step()
                covered.add(duty_of(walk.state, walk.results))
                last = walk.state.round
                covered |= {walk.state.status, ("resumed", walk.match_number > 100)}
                covered |= (
                    {("edited", last.status)} if last is not None and last.edited and walk.state.plan.auto else set()
                )
        store.close()

    duties = {"pair", "publish", "open", "close", "ask", None}
    assert duties | {("edited", "proposed"), ("resumed", True), "registering", "running", "ended"} <= covered
