"""Jobs of matches: their decisions, harmless duplicates and stop conditions."""

import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from api.matches.queries import read_owed
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.errors import StaleVersion
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.play import deadlines
from ops.processes import SPAWNING
from tests.projections.tables import at, match_id
from tests.workers.held import think
from workers.client import MatchDuty
from workers.matches.bot_turn import PLAYERS, Players, UnknownBot, bot_turn, find_choice
from workers.matches.deadline import pass_deadline
from workers.matches.expire_turns import expire_turns
from workers.matches.service_turn import service_turn

GREEDY, RANDOM = "bot:greedy@2", "bot:random@1"
SEARCH = "bot:search-quick@5"
MATCH = str(match_id(1))


def with_time(milliseconds: int) -> Players:
    """Return the bots with this time limit per choice; 0 means none."""
    bots = {name: msgspec.structs.replace(kind, milliseconds=milliseconds) for name, kind in PLAYERS.bots.items()}
    return Players(PLAYERS.titles, bots)


PATIENT, HURRIED = with_time(0), with_time(1)


class LocalService:
    """The service without a network: the same interface on a log."""

    def __init__(self, matches: Matches) -> None:
        self.matches = matches

    @property
    def match(self) -> Match:
        return self.matches.get(match_id(1))

    def read_duty(self, match_id: str) -> MatchDuty | None:
        encoded = msgspec.json.encode(read_owed(self.matches, self.match.id))
        return msgspec.json.decode(encoded, type=MatchDuty) if match_id == MATCH else None

    def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> MatchDuty | None:
        assert match_id == MATCH
        by = SERVICE if seat == SERVICE_SEAT else self.match.seats[seat].actor
        assert by is not None
        decoded = msgspec.json.decode(action, type=self.match.definition.codec.action)
        try:
            self.matches.act(self.match.id, seat, by, decoded, expected_version=version, at=at(version))
        except StaleVersion:
            return None
        return self.read_duty(match_id)

    def time_out(self, match_id: str, version: int, seat: int) -> bool:
        assert match_id == MATCH
        if self.match.version != version:
            return False
        self.matches.time_out(self.match.id, seat, SERVICE, at=at(60))
        return True

    def pass_deadline(self, match_id: str, version: int) -> bool:
        assert match_id == MATCH
        if self.match.version != version:
            return False
        deadlines.pass_deadline(self.matches, self.match.id, expected_version=version, at=at(120))
        return True


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LocalService]:
    matches = open_store(store_env(tmp_path / "log.db"), entropy=lambda length, _: bytes(range(length)))
    yield LocalService(matches)
    matches.close()


def open_full_table(service: LocalService, *players: str, table: Table | None = None) -> Match:
    """Open a match of La Granja in which everyone is ready."""
    matches = service.matches
    match = matches.open(match_id(1), title="la_granja", seats=len(players), by=players[0], at=at(0), table=table)
    for seat, player in enumerate(players):
        match = matches.take_seat(match.id, seat, player, at=at(0))
    for seat, player in enumerate(players):
        if not player.startswith("bot:"):
            match = matches.ready(match.id, seat, player, at=at(0))
    return match


def test_a_job_takes_the_allowed_number_of_decisions(service: LocalService) -> None:
    match = open_full_table(service, GREEDY, RANDOM)

    count = bot_turn(service, MATCH, match.version, 5)

    assert count == 5
    assert service.match.version == match.version + 5


def test_a_job_killed_while_a_bot_thinks_is_repeated_with_the_same_result(service: LocalService) -> None:
    match = open_full_table(service, SEARCH, RANDOM)
    duty = service.read_duty(MATCH)
    assert duty is not None

    choice = find_choice(duty, PATIENT)

    assert find_choice(duty, PATIENT) == choice
    assert bot_turn(service, MATCH, match.version, 1, PATIENT) == 1
    assert service.match.version == match.version + 1


def test_a_worker_killed_while_thinking_does_not_affect_the_next(service: LocalService) -> None:
    match = open_full_table(service, SEARCH, RANDOM)
    duty = service.read_duty(MATCH)
    assert duty is not None
    choice = find_choice(duty, PATIENT)
    parent_end, child_end = SPAWNING.Pipe()
    worker = SPAWNING.Process(target=think, args=(child_end, msgspec.json.encode(duty)))

    worker.start()
    assert parent_end.recv() == "thinking"
    worker.kill()
    worker.join()

    assert worker.exitcode == -signal.SIGKILL
    assert service.read_duty(MATCH) == duty
    assert bot_turn(service, MATCH, match.version, 1, PATIENT) == 1
    body = msgspec.json.decode(service.matches.entries(service.match.id)[-1].body)
    assert body["action"] == msgspec.json.decode(duty.actions[choice])


def test_a_bot_out_of_time_still_chooses(service: LocalService) -> None:
    match = open_full_table(service, SEARCH, RANDOM)

    assert bot_turn(service, MATCH, match.version, 2, HURRIED) == 2


def test_a_second_job_for_the_same_version_has_no_effect(service: LocalService) -> None:
    match = open_full_table(service, GREEDY, RANDOM)
    bot_turn(service, MATCH, match.version, 3)
    head = service.match.head

    count = bot_turn(service, MATCH, match.version, 3)

    assert count == 0
    assert service.match.head == head


def test_concurrent_jobs_take_each_decision_once(service: LocalService) -> None:
    match = open_full_table(service, GREEDY, RANDOM)

    class Overtaken(LocalService):
        """Another job with the same choice is faster."""

        def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> MatchDuty | None:
            assert service.act(match_id, version, seat, action)
            return super().act(match_id, version, seat, action)

    count = bot_turn(Overtaken(service.matches), MATCH, match.version, 5)

    assert count == 5
    assert service.match.version == match.version + 5


def test_a_job_overtaken_by_another_choice_stops(service: LocalService) -> None:
    match = open_full_table(service, GREEDY, RANDOM)

    class Overtaken(LocalService):
        """The match changes before the request arrives."""

        def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> MatchDuty | None:
            assert bot_turn(service, MATCH, version, 3) == 3
            another = legal(service.match, 1)
            assert another != action
            return super().act(match_id, version, seat, another)

    count = bot_turn(Overtaken(service.matches), MATCH, match.version, 5)

    assert count == 0
    assert service.match.version == match.version + 3


def legal(match: Match, index: int) -> msgspec.Raw:
    """Return a legal action of the seat to act."""
    return msgspec.Raw(msgspec.json.encode(legal_actions(match, seats_to_act(match)[0])[index]))


def test_a_job_stops_where_a_person_is_to_act(service: LocalService) -> None:
    match = open_full_table(service, "anna", GREEDY)

    bot_turn(service, MATCH, match.version, 200)

    assert seats_to_act(service.match) == (0,)


def test_a_whole_match_of_bots_ends_with_the_final_sale(service: LocalService) -> None:
    """LG-8.2: after the scoring of the last round the service sells once, and the match is over."""
    open_full_table(service, RANDOM, RANDOM)
    while seats_to_act(service.match) != (SERVICE_SEAT,):
        assert bot_turn(service, MATCH, service.match.version, 50)
    version = service.match.version

    assert bot_turn(service, MATCH, version, 50) == 0
    assert service_turn(service, MATCH, version)
    assert not service_turn(service, MATCH, version)
    assert service.match.status == "ended"


def test_the_service_sells_only_at_the_end(service: LocalService) -> None:
    match = open_full_table(service, RANDOM, RANDOM)

    assert not service_turn(service, MATCH, match.version)
    assert service.match.version == match.version


def test_a_bot_chooses_the_same_again_for_the_same_view_and_seed(service: LocalService) -> None:
    match = open_full_table(service, GREEDY, RANDOM)
    bot_turn(service, MATCH, match.version, 30)
    duty = service.read_duty(MATCH)

    assert duty is not None
    assert len({find_choice(duty, PLAYERS) for _ in range(3)}) == 1


def test_missing_matches_are_ignored(service: LocalService) -> None:
    open_full_table(service, RANDOM, RANDOM)

    assert bot_turn(service, str(match_id(9)), 1, 5) == 0
    assert not service_turn(service, str(match_id(9)), 1)


def test_an_unknown_bot_is_named_in_the_error(service: LocalService) -> None:
    match = open_full_table(service, "bot:oracle@1", RANDOM)

    with pytest.raises(UnknownBot, match="no bot 'oracle' for la_granja"):
        bot_turn(service, MATCH, match.version, 1)


def test_an_expired_clock_counts_once(service: LocalService) -> None:
    match = open_full_table(service, "anna", "bela", table=Table(clock=Clock("per_move", 60), time_out="skip"))
    seat = seats_to_act(match)[0]

    assert expire_turns(service, MATCH, match.version, seat)
    assert not expire_turns(service, MATCH, match.version, seat)


def test_a_seat_that_never_gets_ready_is_freed_once(service: LocalService) -> None:
    match = service.matches.open(
        match_id(1), title="la_granja", seats=2, by="anna", at=at(0), table=Table(clock=Clock("per_move", 60))
    )
    for seat, player in enumerate(("anna", RANDOM)):
        match = service.matches.take_seat(match.id, seat, player, at=at(0))

    assert pass_deadline(service, MATCH, match.version)
    assert not pass_deadline(service, MATCH, match.version)
    assert service.match.seats[0].actor is None
