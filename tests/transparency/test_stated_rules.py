"""Both verifiers follow `docs/specifications/facts.md`: valid logs with rare entries, and forbidden logs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from domain.kernel.values import replace
from domain.matches.aggregate import legal_actions, seats_to_act, take_back_versions
from domain.matches.consequences import append_one, fork_line, open_line
from domain.matches.facts import SERVICE, Clock, MatchForked, RulingGiven, Table
from domain.matches.forks import forking
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play import commands
from domain.matches.play.in_memory import SECOND, InMemoryMatch, seeded_origins
from domain.matches.rulings.measures import LineResumed, Measure, SeatWarned, TimeTaken
from domain.matches.rulings.ruling import check_ruling
from domain.matches.seats import opening
from domain.matches.seats.luck_shares import commit_share
from domain.proofs.match import verify_content
from domain.titles import TITLES
from tests.domain.matches.play.test_clocks import people_play, take_action
from tests.transparency.logs import Log, content, rechain, redact
from tests.transparency.second import SecondVerifier

GOLDEN: Final = Path(__file__).parents[1] / "golden"
CLOCKED: Final = Table(clock=Clock("per_move", 60), time_out="skip", rated=True, pause_seconds=600, pauses=3)
LINE: Final = UUID(int=7)


def play_match(table: Table = CLOCKED, count: int = 3, actions: int = 8) -> InMemoryMatch:
    play = people_play("el_grande", table, count)
    for _ in range(actions):
        take_action(play)
    return play


def fork(play: InMemoryMatch, fact: MatchForked, seconds: int = 100) -> InMemoryMatch:
    at = play.match.timestamp + timedelta(seconds=seconds)
    match, entries = fork_line(play.match, fact, LINE, at, SECOND)
    return InMemoryMatch(match, (*play.entries, *entries), seeded_origins(b"fork"))


def same_players(play: InMemoryMatch, *seats: str | None) -> MatchForked:
    players = seats or tuple(info.actor for info in play.match.seats)
    return forking.fork(play.match, luck="same", by="p0", seats=players, seed=b"", parent_is_over=True)


def run_out(play: InMemoryMatch, seconds: float, seat: int | None = None) -> InMemoryMatch:
    at = play.match.timestamp + timedelta(seconds=seconds)
    late = seats_to_act(play.match)[0] if seat is None else seat
    play.append(partial(commands.time_out, seat=late, by=SERVICE, at=at), at=at)
    return play


def give_ruling(play: InMemoryMatch, name: str, *measures: Measure, at: int = 1) -> None:
    fact = RulingGiven(name, "dispute", "arbiter", at, "3.1", "It was so.", measures)
    play.append(lambda match: check_ruling(match, fact))


def time_out_in_a_fork() -> InMemoryMatch:
    """Let a seat run out of time that acted before the fork, where its clock begins again."""
    play = play_match()
    while not (all(play.match.action_counts) and seats_to_act(play.match)[0] >= 0):
        take_action(play)
    forked = fork(play, same_players(play))
    return run_out(forked, 60)


def time_out_after_actions_of_one_turn() -> InMemoryMatch:
    """Let a seat run out of time in a turn of several actions, which restore no time."""
    play = people_play("la_granja", Table(clock=Clock("correspondence", 86_400), time_out="skip"), 2)
    while not (play.match.clocks and any(each.since is not None and each.acted for each in play.match.clocks)):
        seat = seats_to_act(play.match)[0]
        at = play.match.timestamp + timedelta(hours=10)
        action = legal_actions(play.match, seat)[-1]
        play.append(partial(commands.act, seat=seat, by=SERVICE if seat < 0 else f"p{seat}", action=action), at=at)
    late, clock = next((n, each) for n, each in enumerate(play.match.clocks) if each.since is not None and each.acted)
    return run_out(play, clock.at(round(play.match.timestamp.timestamp() * 1_000_000)) / 1_000_000, late)


def time_out_after_a_penalty() -> InMemoryMatch:
    """Let a seat run out of the time that rulings have reduced since the line began."""
    play = play_match()
    at = play.match.version
    fact = forking.build_replacement(play.match, ruling="r", clocks=(60_000,) * 3, seed=bytes(32))
    line = fork(play, fact)
    late = seats_to_act(replace(line.match, status="running"))[0]
    give_ruling(line, "earlier", TimeTaken(late, 10), at=at + 50)
    give_ruling(line, "r", TimeTaken(late, 20), LineResumed(at, str(LINE)), at=at + 60)
    for seat in range(3):
        line.append(partial(commit_share, seat=seat, by=f"p{seat}"))
    for seat in range(3):
        line.append(partial(opening.ready, seat=seat, by=f"p{seat}"))
    return run_out(line, 30)


def a_later_ruling_on_the_superseded_line() -> InMemoryMatch:
    play = time_out_after_a_penalty()
    give_ruling(play, "later", SeatWarned(0), at=play.match.version + 200)
    return play


def a_player_who_resigned_ends_a_pause() -> InMemoryMatch:
    play = play_match()
    play.append(partial(commands.resign, seat=0, by="p0"))
    play.append(partial(commands.pause, by=SERVICE))
    play.append(partial(commands.resume, by="p0"))
    return play


def empty_seats_are_given() -> InMemoryMatch:
    play = play_match()
    forked = fork(play, same_players(play, "p0", None, None))
    forked.append(partial(commands.replace_seat, seat=1, by="p0", actor="dora"))
    forked.append(partial(commands.replace_seat, seat=2, by=SERVICE, actor="elsa", reason="handed_over"))
    return forked


def a_fork_at_a_time_out() -> InMemoryMatch:
    play = play_match()
    late, at = seats_to_act(play.match)[0], play.match.timestamp + timedelta(seconds=90)
    fact = commands.time_out(play.match, late, SERVICE, at=at)
    play.match, entry = append_one(play.match, fact, at, play.match.id)
    play.entries.append(entry)
    forked = fork(play, same_players(play))
    take_action(forked)
    return forked


def a_request_for_a_pause_stays_with_the_seat() -> InMemoryMatch:
    play = play_match(replace(CLOCKED, rated=False), 2)
    play.append(partial(commands.ask_pause, seat=0, by="p0"))
    play.append(partial(commands.replace_seat, seat=0, by=SERVICE, actor="dora", reason="handed_over"))
    play.append(partial(commands.ask_pause, seat=1, by="p1"))
    assert play.match.status == "paused"
    return play


def a_skip_comes_before_a_pause() -> InMemoryMatch:
    play = play_match(replace(CLOCKED, rated=False))
    late = seats_to_act(play.match)[0]
    for seat in {0, 1, 2} - {late}:
        play.append(partial(commands.ask_pause, seat=seat, by=f"p{seat}"))
    play.append(partial(commands.resign, seat=late, by=f"p{late}"))
    assert play.match.status == "paused"
    return play


def one_person_pauses_a_fork_of_a_rated_match() -> InMemoryMatch:
    play = play_match()
    forked = fork(play, same_players(play, "p0", "bot:random@1", "bot:random@1"))
    forked.append(partial(commands.ask_pause, seat=0, by="p0"))
    assert forked.match.status == "paused"
    return forked


def a_line_that_waits_ends_when_one_player_is_left() -> InMemoryMatch:
    play = play_match(count=2)
    line = fork(play, forking.build_replacement(play.match, ruling="r", clocks=(), seed=bytes(32)))
    give_ruling(line, "r", LineResumed(play.match.version, str(LINE)))
    line.append(partial(commit_share, seat=1, by="p1"))
    line.append(partial(opening.ready, seat=1, by="p1"))
    line.append(partial(commands.resign, seat=0, by="p0"))
    assert line.match.status == "ended"
    return line


def a_waiting_line_with_an_empty_seat_closes() -> InMemoryMatch:
    play = play_match()
    seats = ("p0", None, "bot:random@1")
    fact = forking.fork(
        play.match, luck="fresh", by="p0", seats=seats, seed=bytes(32), parent_is_over=True, awaits=(0,)
    )
    line = fork(play, fact)
    line.append(partial(commit_share, seat=0, by="p0", committed="ab" * 32))
    assert line.match.closed
    return line


def the_service_removes_a_player_of_a_closed_table() -> InMemoryMatch:
    origins = seeded_origins(b"removed")
    fact = opening.open_match(TITLES["el_grande"], seats=2, options={}, table=Table(), by="p0", seed=origins.seed)
    opened = open_line(TITLES["el_grande"], fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(*opened, origins)
    for seat in range(2):
        play.append(partial(opening.take_seat, seat=seat, by=f"p{seat}", committed="ab" * 32))
    play.append(partial(opening.leave_seat, seat=1, by=SERVICE))
    assert play.match.reopened == 1
    return play


def a_substitute_of_the_first_format_gets_ready_again() -> InMemoryMatch:
    origins, table = seeded_origins(b"first format"), Table(event="cup")
    fact = opening.open_match(
        TITLES["el_grande"], seats=2, options={}, table=table, by=SERVICE, seed=origins.seed, format=1
    )
    opened = open_line(TITLES["el_grande"], fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(*opened, origins)
    play.append(partial(opening.take_seat, seat=0, by="p0"))
    play.append(partial(opening.ready, seat=0, by="p0"))
    play.append(partial(commands.replace_seat, seat=0, by=SERVICE, actor="p1"))
    play.append(partial(opening.ready, seat=0, by="p1"))
    return play


VALID: Final = (
    a_substitute_of_the_first_format_gets_ready_again,
    a_waiting_line_with_an_empty_seat_closes,
    the_service_removes_a_player_of_a_closed_table,
    a_line_that_waits_ends_when_one_player_is_left,
    time_out_in_a_fork,
    time_out_after_actions_of_one_turn,
    time_out_after_a_penalty,
    a_later_ruling_on_the_superseded_line,
    a_player_who_resigned_ends_a_pause,
    empty_seats_are_given,
    a_fork_at_a_time_out,
    a_request_for_a_pause_stays_with_the_seat,
    a_skip_comes_before_a_pause,
    one_person_pauses_a_fork_of_a_rated_match,
)


@pytest.mark.parametrize("play", VALID)
def test_both_accept_rare_entries(second_verifier: SecondVerifier, play: Callable[[], InMemoryMatch]) -> None:
    log = log_bytes(log_of(play().entries))

    assert (verify_content(log).fault, second_verifier.examine(log).fault) == (None, None)


def table_with(**options: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change of the table that keeps the order of its fields."""
    names = ("pauseOnDispute", "event", "pauses", "pauseSeconds", "waitSeconds", "hints")

    def change(body: dict[str, Any]) -> None:
        table = body["table"] | options
        later = {name: table.pop(name) for name in names if name in table}
        body["table"] = table | {name: later[name] for name in names if name in later}

    return change


FORBIDDEN: Final = [
    ("el_grande-own-luck", "match_opened", table_with(hints=True, rated=True)),
    ("el_grande-own-luck", "match_opened", table_with(waitSeconds=60)),
    ("el_grande-own-luck", "match_opened", table_with(event="cup")),
    ("el_grande-own-luck", "match_started", lambda body: body.update(programs=[0])),
    ("el_grande-own-luck", "match_started", lambda body: body["effects"][0].update(type="la_granja.step_begun")),
    ("el_grande-own-luck", "seat_taken", lambda body: body.update(by="an:na")),
    ("el_grande-own-luck", "seat_taken", lambda body: body.update(by="an!na")),
    ("el_grande-ruled", "ruling_given", lambda body: body.update(rule="3" * 201)),
    ("el_grande-ruled", "ruling_given", lambda body: body.update(ruling=" ")),
    ("el_grande-resumed", "match_forked", lambda body: body.update(awaits=[])),
    ("el_grande-resumed", "match_forked", lambda body: body.update(clocks=[-1, 1, 1])),
    ("el_grande-out-of-time-bot", "timed_out", lambda body: body.update(bot="bot:greedy@2b")),
    ("el_grande-interrupted", "resumed", lambda body: body.update(charged=0)),
]


@pytest.mark.parametrize("reader", ["whole", "spectator"])
@pytest.mark.parametrize(("name", "kind", "change"), FORBIDDEN)
def test_both_refuse_what_is_forbidden(
    second_verifier: SecondVerifier, name: str, kind: str, change: Callable[[Any], Any], reader: str
) -> None:
    log = Log((GOLDEN / f"{name}.jsonl").read_bytes())
    change(log.body(log.indices(kind)[0]))
    rechain(log)
    if reader == "spectator":
        redact(log, None)
    first, second = verify_content(content(log)).fault, second_verifier.examine(content(log)).fault

    assert first is not None
    assert second is not None


def test_turns_limit_take_backs_for_both(second_verifier: SecondVerifier) -> None:
    play = people_play("el_grande", Table(take_backs=2), 3)
    while len(take_back_versions(play.match, play.match.turn.seat or 0)) < 1:
        take_action(play)
    for _ in range(2):
        seat = play.match.turn.seat
        assert seat is not None
        version = take_back_versions(play.match, seat)[0]
        play.append(partial(commands.take_back, seat=seat, by=f"p{seat}", to_version=version))
        take_action(play)
    log = Log(log_bytes(log_of(play.entries)))
    assert (verify_content(content(log)).fault, second_verifier.examine(content(log)).fault) == (None, None)
    log.body(0)["table"]["takeBacks"] = 1
    rechain(log)

    first, second = verify_content(content(log)).fault, second_verifier.examine(content(log)).fault

    assert first is not None
    assert second is not None
    assert first.entry == second.entry == log.indices("taken_back")[1] + 1
