"""Acts of the service on seats of others, and its end of a match: both verifiers report each with its entry."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest

from domain.kernel.values import replace
from domain.matches.apply import fold
from domain.matches.fact_base import ReplacedFor
from domain.matches.facts import SERVICE
from domain.matches.log.log_files import LogFile, log_bytes, log_of, read_log
from domain.matches.play import commands
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.rulings.outcome import Times, outcome_of
from domain.matches.signatures import signing_keys
from domain.matches.verification.verify import verify
from domain.ratings.counting import counts
from domain.titles import TITLES
from tests.golden.rulings import SignedPlay
from tests.transparency.damaged import GOLDEN
from tests.transparency.second import SecondVerifier

CUT: Final = 60
PUPPET: Final = "mallory"
BOT: Final = "bot:random@1"


def replay_until(version: int) -> SignedPlay:
    """Return the signed match after an entry. The service can sign from here on, its players cannot."""
    log = read_log(GOLDEN / "format-3" / "el_grande-signed.jsonl")
    entries = log.entries[:version]
    return SignedPlay(InMemoryMatch(fold(TITLES, entries), entries, seeded_origins(b"el_grande signed")))


def give(table: SignedPlay, seat: int, actor: str, reason: ReplacedFor | None = None) -> int:
    """Let the service give a seat to another player; return the entry."""
    table.do(partial(commands.replace_seat, seat=seat, by=SERVICE, actor=actor, reason=reason))
    return table.play.match.version


def reports(second_verifier: SecondVerifier, log: LogFile) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Return the findings of both verifiers that are not checked; neither may find a fault."""
    first, second = verify(log), second_verifier.examine(log_bytes(log))
    assert (first.fault, second.fault) == (None, None)
    return first.unchecked, second.unchecked


def findings(unchecked: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [each["values"] for each in unchecked if each["id"] == name]


def is_rated(table: SignedPlay) -> bool:
    """Return whether the match counts for ratings, if its table is rated."""
    match = table.play.match
    rated = replace(match, table=replace(match.table, rated=True))
    return counts(outcome_of(rated, match.id, match.id, Times(match.timestamp, match.timestamp)))


def test_puppets_that_resign_are_reported_and_the_match_is_never_rated(second_verifier: SecondVerifier) -> None:
    """At entry 60 the service seats puppets for both players who sign; they resign, and the bot has won."""
    table = replay_until(CUT)
    first, second = give(table, 0, PUPPET), give(table, 2, "mordred")
    table.do(partial(commands.resign, seat=0, by=PUPPET))
    table.do(partial(commands.resign, seat=2, by="mordred"))

    assert table.play.match.result is not None
    told, listed = reports(second_verifier, log_of(table.play.entries))
    claim = f"entry {first}, by the service: seat 0 to 'mallory' (handed_over); the match is never rated"
    assert f"who has a seat: {claim}" in told
    assert findings(listed, "seat_taken_over") == [
        {"entry": first, "seat": 1, "actor": PUPPET, "reason": "handed_over"},
        {"entry": second, "seat": 3, "actor": "mordred", "reason": "handed_over"},
    ]
    assert (first, table.play.match.taken_over) == (CUT + 1, (first, second))
    assert not is_rated(table)
    assert is_rated(replay_until(138)), "the whole match is rated"


def test_an_account_is_erased_without_resignation_only_where_no_one_may_resign(
    second_verifier: SecondVerifier,
) -> None:
    """At any other table an erased player resigns, so the reason is an invention."""
    table = replay_until(CUT)
    entry = give(table, 0, BOT, "erased")
    told, listed = reports(second_verifier, log_of(table.play.entries))

    assert any(each.startswith(f"who has a seat: entry {entry}") and each.endswith("never rated") for each in told)
    assert findings(listed, "seat_taken_over") == [{"entry": entry, "seat": 1, "actor": BOT, "reason": "erased"}]


def test_the_end_of_signatures_by_the_service_has_its_entry(second_verifier: SecondVerifier) -> None:
    table = replay_until(CUT)
    table.do(partial(signing_keys.stop_signing, seat=0, by=SERVICE))
    entry = table.play.match.version
    told, listed = reports(second_verifier, log_of(table.play.entries))

    assert f"who acted: seat 0 from entry {entry} unsigned, stated by the service only" in told
    assert findings(listed, "stopped_by_service") == [{"entry": entry, "seat": 1}]


@pytest.mark.parametrize(("folder", "count"), [(".", 1), ("format-3", 0)])
def test_before_format_3_the_end_of_signatures_is_the_services_word(
    second_verifier: SecondVerifier, folder: str, count: int
) -> None:
    told, listed = reports(second_verifier, read_log(GOLDEN / folder / "el_grande-signed.jsonl"))

    assert sum(each.endswith("unsigned, stated by the service only") for each in told) == count
    assert len(findings(listed, "stopped_by_service")) == count


def test_a_log_that_is_cut_and_made_void_names_who_ended_it(second_verifier: SecondVerifier) -> None:
    table = replay_until(CUT)
    table.do(partial(commands.void, by=SERVICE, reason="a power cut"))
    entry = table.play.match.version
    told, listed = reports(second_verifier, log_of(table.play.entries))

    assert f"the end: entry {entry}, by the service: void" in told
    assert findings(listed, "voided_by_service") == [{"entry": entry}]
    assert not is_rated(table)


def test_a_time_out_follows_from_the_clock_and_is_no_act_of_the_service(second_verifier: SecondVerifier) -> None:
    """In this log the service gives a bot's seat to a person, whose time runs out, so that a bot has it again."""
    log = read_log(GOLDEN / "format-3" / "el_grande-out-of-time-bot.jsonl")
    given = [entry.version for entry in log.entries if b'"type":"seat_replaced"' in bytes(entry.body)[:40]]
    told, listed = reports(second_verifier, log)

    assert len(given) == 2
    assert [each.split(",")[0] for each in told if each.startswith("who has a seat")] == [
        f"who has a seat: entry {given[0]}"
    ]
    assert [each["entry"] for each in findings(listed, "seat_taken_over")] == given[:1]
