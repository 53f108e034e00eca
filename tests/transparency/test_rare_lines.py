"""Both verifiers agree on lines that few matches have: late forks, seats taken over while waiting, repeated rulings."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import pytest

from domain.matches.apply import fold
from domain.matches.consequences import open_line
from domain.matches.facts import SERVICE, RulingGiven, Table
from domain.matches.forks import forking
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play import commands
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.rulings.measures import MatchVoided, Measure, SeatWarned
from domain.matches.rulings.ruling import check_ruling
from domain.matches.seats import opening
from domain.matches.seats.luck_shares import commit_share
from domain.proofs.match import verify_content
from domain.titles import TITLES
from tests.domain.matches.play.test_clocks import people_play, take_action
from tests.transparency.logs import Body, Log, content, copy_value, rechain, redact
from tests.transparency.second import SecondVerifier
from tests.transparency.test_stated_rules import (
    a_waiting_line_with_an_empty_seat_closes,
    fork,
    give_ruling,
    play_match,
    same_players,
)

GOLDEN: Final = Path(__file__).parents[1] / "golden"
COMMITTED: Final = "ab" * 32
READERS: Final = ("all", None)


def require_both_accept(verifier: SecondVerifier, play: InMemoryMatch) -> None:
    for reader in READERS:
        log = log_bytes(log_of(play.entries, reader))
        assert (verify_content(log).fault, verifier.examine(log).fault) == (None, None)


def require_both_refuse(verifier: SecondVerifier, log: Log) -> None:
    rechain(log)
    first, second = verify_content(content(log)).fault, verifier.examine(content(log)).fault
    assert first is not None
    assert second is not None
    assert first.entry == second.entry


def play_to_the_end() -> InMemoryMatch:
    play = people_play("el_grande", Table(), 2)
    while play.match.status == "running":
        take_action(play)
    return play


def before_the_end() -> InMemoryMatch:
    """Return a match after its last action, before its end is stored."""
    entries = play_to_the_end().entries[:-1]
    return InMemoryMatch(fold(TITLES, entries), (*entries,), seeded_origins(b"end"))


@pytest.mark.parametrize("waits", [True, False])
def test_a_fork_after_the_last_action_ends_at_once(second_verifier: SecondVerifier, waits: bool) -> None:
    play = before_the_end()
    fact = same_players(play)
    if waits:
        fact = forking.fork(
            play.match, luck="fresh", by="p0", seats=fact.seats, seed=bytes(32), parent_is_over=True, awaits=(0, 1)
        )
    line = fork(play, fact)

    assert line.match.status == "ended"
    require_both_accept(second_verifier, line)


def test_a_seat_taken_over_in_a_closed_line_gets_the_share_of_the_service(second_verifier: SecondVerifier) -> None:
    line = a_waiting_line_with_an_empty_seat_closes()
    line.append(partial(commands.replace_seat, seat=1, by="p1", actor="p1"))
    line.append(partial(commit_share, seat=1, by="p1"))
    line.append(partial(opening.ready, seat=1, by="p1"))

    require_both_accept(second_verifier, line)
    log = Log(log_bytes(log_of(line.entries)))
    log.body(log.indices("share_committed")[-1]).update(shareBy="client", commitment=COMMITTED)
    require_both_refuse(second_verifier, log)


@pytest.mark.parametrize("reader", READERS)
def test_a_line_that_waits_has_no_luck_to_keep(second_verifier: SecondVerifier, reader: str | None) -> None:
    play = play_match()
    seats = ("p0", "p1", "p2")
    line = fork(
        play,
        forking.fork(
            play.match, luck="fresh", by="p0", seats=seats, seed=bytes(32), parent_is_over=True, awaits=(0, 1, 2)
        ),
    )
    log = Log(log_bytes(log_of(line.entries)))
    fact = copy_value(log.entries[-1])
    fact["match"] = "00000000-0000-0000-0000-000000000009"
    fact.pop("secrets")
    for name in ("seed", "awaits"):
        fact["body"].pop(name)
    fact["body"].update(parent=log.entries[-1]["match"], at=len(log.entries), luck="same")
    log.entries.append(fact)
    if reader is None:
        redact(log, None)

    require_both_refuse(second_verifier, log)


def leave(play: InMemoryMatch, times: int, *, closed: bool) -> None:
    """Seat a player who leaves again before getting ready."""
    for _ in range(times):
        play.append(partial(opening.take_seat, seat=1, by="p1", share_by="awaited"))
        if closed:
            for seat in (0, 1):
                play.append(partial(commit_share, seat=seat, by=f"p{seat}", committed=COMMITTED))
        play.append(partial(opening.leave_seat, seat=1, by="p1"))


@pytest.mark.parametrize("closed", [1, 3])
def test_the_first_reason_dissolves_a_table(second_verifier: SecondVerifier, closed: int) -> None:
    origins = seeded_origins(b"left")
    fact = opening.open_match(TITLES["el_grande"], seats=2, options={}, table=Table(), by="p0", seed=origins.seed)
    opened = open_line(TITLES["el_grande"], fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(*opened, origins)
    play.append(partial(opening.take_seat, seat=0, by="p0", share_by="awaited"))
    leave(play, 3 - closed, closed=False)
    leave(play, closed, closed=True)

    assert play.match.status == "void"
    require_both_accept(second_verifier, play)
    log = Log(log_bytes(log_of(play.entries)))
    assert log.body(-1)["reason"] == opening.DISSOLVED
    log.body(-1)["reason"] = opening.LEFT_TOO_OFTEN
    require_both_refuse(second_verifier, log)


def rule(play: InMemoryMatch, name: str, *measures: Measure, appeal_of: str) -> None:
    fact = RulingGiven(name, "dispute", "arbiter", 1, "3.1", "It was so.", measures, appeal_of=appeal_of)
    play.append(lambda match: check_ruling(match, fact))


def require_appeals_only(verifier: SecondVerifier, play: InMemoryMatch) -> None:
    """Require that the match is void, so that each further ruling must be on appeal."""
    assert play.match.status == "void"
    require_both_accept(verifier, play)
    log = Log(log_bytes(log_of(play.entries)))
    entry = copy_value(log.entries[-1])
    entry["body"]["ruling"] = "further"
    entry["body"].pop("appealOf")
    log.entries.append(entry)
    require_both_refuse(verifier, log)


def test_a_match_that_the_service_voided_stays_void(second_verifier: SecondVerifier) -> None:
    play = play_match()
    give_ruling(play, "warned", SeatWarned(0))
    play.append(partial(commands.void, by=SERVICE, reason="closed"))
    rule(play, "appeal", appeal_of="warned")

    require_appeals_only(second_verifier, play)


def test_another_ruling_in_force_keeps_a_match_void(second_verifier: SecondVerifier) -> None:
    play = play_to_the_end()
    give_ruling(play, "one", MatchVoided())
    rule(play, "two", MatchVoided(), appeal_of="one")
    rule(play, "three", appeal_of="one")

    require_appeals_only(second_verifier, play)


@pytest.mark.parametrize("space", ["\u0085", "\u001c", "\u2003"])
def test_white_space_is_no_phrase(second_verifier: SecondVerifier, space: str) -> None:
    log = Log((GOLDEN / "el_grande-ruled.jsonl").read_bytes())
    log.body(log.indices("ruling_given")[0])["dispute"] = space

    require_both_refuse(second_verifier, log)


def test_a_mark_without_width_is_a_phrase(second_verifier: SecondVerifier) -> None:
    log = Log((GOLDEN / "el_grande-ruled.jsonl").read_bytes())
    log.body(log.indices("ruling_given")[0])["dispute"] = "\ufeff"
    rechain(log)

    assert (verify_content(content(log)).fault, second_verifier.examine(content(log)).fault) == (None, None)


@pytest.mark.parametrize("reader", [0, None])
def test_no_hidden_value_occurs_twice_in_an_entry(second_verifier: SecondVerifier, reader: int | None) -> None:
    log = Log((GOLDEN / "el_grande-out-of-time-bot.jsonl").read_bytes())
    index = next(at for at in log.indices("action_taken") if "hiddenAction" in log.body(at) and is_seat_0(log.body(at)))
    effects = log.body(index)["effects"]
    effects.append(copy_value(next(effect for effect in effects if effect["type"] == "el_grande.line_drafted")))
    redact(log, reader)
    require_both_refuse(second_verifier, log)


def is_seat_0(body: Body) -> bool:
    return bool(body["seat"] == 0)
