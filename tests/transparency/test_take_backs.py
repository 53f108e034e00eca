"""Take-backs of format 3: both verifiers compare them with the disclosures stated in the entries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from domain.matches.aggregate import Match, legal_actions, seats_to_act, take_back_versions
from domain.matches.facts import SERVICE, Table, TakenBack
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play import commands
from domain.matches.play.in_memory import InMemoryMatch
from domain.matches.verification.verify import VerifyFault
from domain.proofs.match import verify_content
from tests.domain.matches.play.test_clocks import people_play
from tests.seeding import SEED
from tests.transparency.logs import Log, content, rechain, redact
from tests.transparency.second import Fault, SecondVerifier


def play_match(title: str, actions: int, rng: Random, format: int = 3) -> InMemoryMatch:
    """Return a match of people who take back at random wherever they may."""
    play = people_play(title, Table(take_backs=100), 3, format=format)
    while not play.match.is_over and play.match.version < actions:
        match, acting_seat = play.match, play.match.turn.seat
        if acting_seat is not None and rng.random() < 0.2 and (versions := take_back_versions(match, acting_seat)):
            take_back = commands.take_back(match, acting_seat, f"p{acting_seat}", rng.choice(versions))
            play.append(partial(keep_fact, take_back))
            continue
        seat = rng.choice(seats_to_act(match))
        legal = legal_actions(match, seat)
        play.act(seat, SERVICE if seat < 0 else f"p{seat}", rng.choice(legal[1:] or legal))
    return play


def keep_fact(fact: TakenBack, _match: Match) -> TakenBack:
    return fact


def both(second_verifier: SecondVerifier, entries: list[Entry]) -> tuple[VerifyFault | None, Fault | None]:
    content = log_bytes(log_of(entries))
    return verify_content(content).fault, second_verifier.examine(content).fault


@pytest.mark.parametrize("format", [2, 3])
@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
def test_an_honest_log_with_take_backs_is_good_to_both(
    second_verifier: SecondVerifier, title: str, format: int
) -> None:
    for number in range(3):
        play = play_match(title, 300, Random(f"{SEED}/{title}/{number}"), format)
        assert both(second_verifier, play.entries) == (None, None)
        for seat in (None, 1):
            log = Log(log_bytes(log_of(play.entries)))
            redact(log, seat)
            assert (verify_content(content(log)).fault, second_verifier.examine(content(log)).fault) == (None, None)


def cut_after(play: InMemoryMatch, is_last: Callable[[dict[str, Any]], Any], reader: str) -> Log:
    """Return the log up to the first entry by a person with such a body, whole or as a spectator reads it."""
    log = Log(log_bytes(log_of(play.entries)))
    index = next(i for i, entry in enumerate(log.entries) if is_last(entry["body"]))
    del log.entries[index + 1 :]
    rechain(log)
    if reader != "whole":
        redact(log, None)
    return log


def goes_back(log: Log, to_version: int) -> None:
    """Let the seat of the last action take it back."""
    last = log.entries[-1]
    body = {"type": "taken_back", "seat": last["body"]["seat"], "by": last["body"]["by"], "toVersion": to_version}
    entry = {key: value for key, value in last.items() if key != "secrets"}
    log.entries.append(entry | {"version": last["version"] + 1, "body": body})
    rechain(log)


def blamed_entries(second_verifier: SecondVerifier, log: Log) -> tuple[int | None, int | None]:
    first, second = verify_content(content(log)).fault, second_verifier.examine(content(log)).fault
    return None if first is None else first.entry, None if second is None else second.entry


def is_own(body: dict[str, Any]) -> bool:
    return bool(body["type"] == "action_taken" and body["by"] != "service")


@pytest.mark.parametrize("reader", ["whole", "spectator"])
@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
def test_disclosed_actions_are_not_taken_back(second_verifier: SecondVerifier, title: str, reader: str) -> None:
    play = play_match(title, 200, Random(title))
    log = cut_after(play, lambda body: is_own(body) and body.get("reveals") and not body.get("draws"), reader)
    goes_back(log, log.entries[-1]["version"] - 1)

    assert blamed_entries(second_verifier, log) == (log.entries[-1]["version"],) * 2


@pytest.mark.parametrize("reader", ["whole", "spectator"])
def test_an_action_that_shows_something_hidden_says_so(second_verifier: SecondVerifier, reader: str) -> None:
    """The first verifier also checks this for open effects, such as a card that is played from a hand."""
    play = play_match("la_granja", 400, Random("says so"))
    log = cut_after(play, lambda body: is_own(body) and body.get("reveals") and "hiddenAction" in body, reader)
    del log.entries[-1]["body"]["reveals"]
    rechain(log)
    first, _ = blamed_entries(second_verifier, log)
    assert first == log.entries[-1]["version"]

    log = cut_after(play, lambda body: is_own(body) and body.get("reveals") and "action" in body, reader)
    del log.entries[-1]["body"]["reveals"]
    rechain(log)
    assert blamed_entries(second_verifier, log)[0] == log.entries[-1]["version"]


@pytest.mark.parametrize("reader", ["whole", "spectator"])
def test_no_action_says_it_in_an_earlier_format_or_without_a_reason(
    second_verifier: SecondVerifier, reader: str
) -> None:
    for format, expected in ((2, True), (3, False)):
        play = play_match("el_grande", 60, Random("earlier"), format)
        log = cut_after(play, lambda body: is_own(body) and "action" in body and "reveals" not in body, reader)
        log.entries[-1]["body"]["reveals"] = True
        rechain(log)
        first, second = blamed_entries(second_verifier, log)
        assert first == log.entries[-1]["version"]
        assert (second == first) == expected


def test_finished_drafts_cannot_be_reopened(second_verifier: SecondVerifier) -> None:
    """The seat may take back until the draft is finished; afterwards only to the position before it."""
    for number in range(20):
        play = play_match("el_grande", 400, Random(f"draft/{number}"))
        bodies = [entry["body"] for entry in Log(log_bytes(log_of(play.entries))).entries]
        closing_indices = [
            index
            for index in range(2, len(bodies))
            if is_own(bodies[index]) and "action" in bodies[index] and "reveals" not in bodies[index]
            if "hiddenAction" in bodies[index - 1] and "reveals" not in bodies[index - 1]
            if bodies[index - 1]["seat"] == bodies[index]["seat"] and not bodies[index].get("draws")
        ]
        for index in closing_indices[:1]:
            for reader in ("whole", "spectator"):
                log = Log(log_bytes(log_of(play.entries[: index + 1])))
                if reader == "spectator":
                    redact(log, None)
                goes_back(log, index)
                assert blamed_entries(second_verifier, log) == (log.entries[-1]["version"],) * 2
            return
    raise AssertionError("no draft was closed openly")


@pytest.mark.parametrize("reader", ["whole", "spectator"])
@pytest.mark.parametrize("format", [2, 3])
def test_an_entry_that_was_taken_back_is_no_position_to_go_back_to(
    second_verifier: SecondVerifier, format: int, reader: str
) -> None:
    """Both entries of a turn are taken back; after the next action the seat tries to return to the first of the two."""
    play = people_play("el_grande", Table(take_backs=100), 3, format=format)
    while len(take_back_versions(play.match, seats_to_act(play.match)[0])) < 2:
        seat = seats_to_act(play.match)[0]
        play.act(seat, SERVICE if seat < 0 else f"p{seat}", legal_actions(play.match, seat)[0])
    seat, undone = seats_to_act(play.match)[0], play.match.version - 1
    take_back = commands.take_back(play.match, seat, f"p{seat}", take_back_versions(play.match, seat)[0])
    play.append(partial(keep_fact, take_back))
    taken_back_at = play.match.version
    play.act(seat, f"p{seat}", legal_actions(play.match, seat)[0])
    for version in (undone, undone + 1, taken_back_at):
        log = Log(log_bytes(log_of(play.entries)))
        if reader == "spectator":
            redact(log, None)
        goes_back(log, version)
        is_good = format > 2 and version == taken_back_at
        assert blamed_entries(second_verifier, log) == ((None,) * 2 if is_good else (log.entries[-1]["version"],) * 2)
