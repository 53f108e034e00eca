"""What counts in a tournament of format 2 is signed by an official or follows from earlier records."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from domain.proofs.act_texts import CLAIMED, RECORDS_SHOWN, name_records
from domain.standings.contest import Stage
from domain.tournaments import facts, registration, rounds
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.state import Tournament
from tests.domain.proofs.hall_attacks import (
    AFTER_THE_END,
    ATTACKS,
    AUTOMATIC,
    BEFORE_THE_END,
    LEAVING_OPEN,
    NO_RULE,
    Change,
    writing,
)
from tests.domain.proofs.halls import (
    HALL_PLAN,
    WON,
    change_ranks,
    draw_another_lot,
    fault_in,
    forge,
    play_automatic,
    play_console_pairing,
    play_console_ruling,
    play_hall,
    report_on,
    write,
)
from tests.domain.proofs.tournament_proofs import change_cup, cup_in

ONLINE = replace(HALL_PLAN, face_to_face=False)


def test_an_honest_tournament_lists_who_decided(tmp_path: Path) -> None:
    def withdraw(matches: Matches) -> None:
        change_cup(matches, partial(registration.withdraw, name="e4", by="olga", reason="ill"))

    report = report_on(play_hall(tmp_path, scored=withdraw))

    assert report.is_good, report.fault
    assert (report.format, report.orders_signed) == (2, 10)
    assert report.noted[0] == "4 entries made, 0 substitutes named"
    assert "by the service, as earlier records require: tournament_ended by service in record 14" in report.noted
    assert not any("not signed" in each for each in report.unchecked)


@pytest.mark.parametrize(("name", "why"), BEFORE_THE_END)
def test_an_unsigned_record_that_changes_the_standings_is_refused(tmp_path: Path, name: str, why: str) -> None:
    found = fault_in(play_hall(tmp_path, scored=ATTACKS[name], is_closed=name not in LEAVING_OPEN))
    assert why in found, found


@pytest.mark.parametrize(("name", "why"), AFTER_THE_END)
def test_an_unsigned_record_after_the_end_is_refused(tmp_path: Path, name: str, why: str) -> None:
    found = fault_in(play_hall(tmp_path, ended=ATTACKS[name]))
    assert why in found, found


@pytest.fixture(scope="module")
def automatic(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return play_automatic(tmp_path_factory.mktemp("automatic"))


def test_an_automatic_tournament_needs_no_signature_after_its_entries(automatic: Matches) -> None:
    report = report_on(automatic)

    assert report.is_good, report.fault
    assert CLAIMED.format(count=6) in report.unchecked
    assert not any("not signed" in each for each in report.unchecked)


@pytest.mark.parametrize(("kind", "change", "why"), AUTOMATIC)
def test_what_the_service_does_alone_follows_from_a_rule(
    automatic: Matches, kind: str, change: Change, why: str
) -> None:
    found = fault_in(automatic, forge(automatic, kind, change))
    assert re.search(why, found), found


def test_the_service_enters_no_result_of_a_table_played_online(tmp_path: Path) -> None:
    def enter(matches: Matches) -> None:
        write(matches, *(facts.ResultEntered(SERVICE, 1, table, *WON) for table in (1, 2)))

    assert "is played online" in fault_in(play_hall(tmp_path, ONLINE, scored=enter))


def test_every_published_round_is_closed(tmp_path: Path) -> None:
    def end(matches: Matches) -> None:
        change_cup(matches, lambda _: facts.TournamentEnded("olga"))

    assert "round 1 was published, but not closed" in fault_in(play_hall(tmp_path, is_closed=False, ended=end))


def test_no_round_follows_one_that_is_not_closed(tmp_path: Path) -> None:
    plan = replace(HALL_PLAN, stages=(Stage("swiss", 2),))

    def go_on(matches: Matches) -> None:
        asked = rounds.ask_pairing(replace(cup_in(matches), rounds=()), {}, "olga")
        write(matches, replace(asked, round=2))

    assert "round 1 is not closed" in fault_in(play_hall(tmp_path, plan, scored=go_on, is_closed=False))


def test_the_last_round_cannot_be_left_out(tmp_path: Path) -> None:
    plan = replace(HALL_PLAN, stages=(Stage("swiss", 2),))
    matches = play_hall(tmp_path, plan, ended=writing(facts.TournamentEnded(SERVICE)))

    assert "record 13: another round must follow" in fault_in(matches)


def test_a_signed_correction_after_the_end_counts_and_is_named(tmp_path: Path) -> None:
    def correct(matches: Matches) -> None:
        change_cup(matches, lambda state: [rounds.rule_table(state, 1, 1, (4, 9), (2, 1), "Seen.", "olga")])

    report = report_on(play_hall(tmp_path, ended=correct))

    assert report.is_good, report.fault
    assert "correction after the end: result_ruled by olga in record 14, signed" in report.noted


def test_after_the_end_an_official_without_a_key_corrects_nothing(tmp_path: Path) -> None:
    penalty = facts.PenaltyGiven("olga", "e1", 60, "late")
    matches = play_hall(tmp_path, keyed=False)
    with pytest.raises(TournamentRefused, match="only a signed correction"):
        change_cup(matches, lambda _: penalty)
    assert fault_in(matches) == ""

    write(matches, penalty)
    assert "only a signed correction" in fault_in(matches)


def test_the_console_of_the_service_organises_its_own_tournaments(tmp_path: Path) -> None:
    matches = play_hall(tmp_path, opener=SERVICE, keyed=False, scored=ATTACKS["penalty"], ended=ATTACKS["penalty"])
    report = report_on(matches)

    assert report.is_good, report.fault
    assert (
        "by the console of the service, which organises this tournament: penalty_given by service in records 12, 15"
        in report.noted
    )


def test_the_console_rules_on_a_table_of_an_earlier_round(tmp_path: Path) -> None:
    assert fault_in(play_console_ruling(tmp_path)) == ""


@pytest.mark.parametrize("ask", [draw_another_lot, change_ranks])
def test_the_console_pairs_a_round_otherwise_than_the_rule(
    tmp_path: Path, ask: Callable[[Tournament], facts.PairingAsked]
) -> None:
    report = report_on(play_console_pairing(tmp_path, ask))

    assert report.fault is None
    (console,) = (each for each in report.noted if "console" in each and "pairing_asked" in each)
    assert console.endswith("pairing_asked by service in record 13")
    assert not any("pairing_asked" in each for each in report.noted if "as earlier records require" in each)


def test_the_service_records_nothing_that_its_proof_would_refuse(tmp_path: Path) -> None:
    def give(matches: Matches) -> None:
        with pytest.raises(TournamentRefused, match=NO_RULE):
            change_cup(matches, lambda state: registration.penalise(state, "e1", 60, "late", SERVICE))

    assert fault_in(play_hall(tmp_path, scored=give)) == ""


def test_records_of_format_1_are_judged_by_its_rules_and_listed(tmp_path: Path) -> None:
    matches = play_first_format(tmp_path)
    report = report_on(matches)

    assert report.is_good, report.fault
    assert report.format == 1
    assert "change of the plan: plan_changed by service in record 12, not signed" in report.noted
    assert {
        "not signed: plan_changed by service in record 12",
        "not signed: entry_withdrawn by service in record 13",
        "not signed: penalty_given by service in record 14",
    } <= set(report.unchecked)


def play_first_format(folder: Path) -> Matches:
    """Play a tournament of format 1 in which the owner of the store writes three unsigned records."""

    def change(matches: Matches) -> None:
        for name in ("plan", "withdrawal", "penalty"):
            ATTACKS[name](matches)

    return play_hall(folder, scored=change, format=1)


def test_many_records_are_counted() -> None:
    assert name_records((3,)) == "record 3"
    assert name_records((3, 5)) == "records 3, 5"
    assert name_records(range(RECORDS_SHOWN + 7)).endswith(f"{RECORDS_SHOWN - 1} and 7 more")
