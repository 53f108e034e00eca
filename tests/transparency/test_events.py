"""Tournament files: honest ones, and forgeries with a single change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from domain.proofs.event import verify_event
from tests.domain.proofs.match_proofs import HOUSE, STRANGER, WITNESS
from tests.transparency.logs import copy_value, rechain, redact
from tests.transparency.second import SecondVerifier
from tests.transparency.whole import (
    COLUMNS,
    EVENT,
    HOUSE_PEN,
    ORGANISER,
    Cup,
    Pen,
    ProofTree,
    cup,
    file_of,
    grant_body,
    revocation_body,
    tournament_match,
)

OTHER: Final = Pen(21)
MATCHES: Final = ["el_grande-2-eager-0", "el_grande-2-eager-8"]


def test_an_honest_tournament_is_good_and_its_standings_are_counted_again(second_verifier: SecondVerifier) -> None:
    content = file_of(cup().lines())
    report = second_verifier.examine(content, f"{HOUSE.key}\n{WITNESS.key}")

    assert verify_event(content).fault is None
    assert report.fault is None, report.fault
    assert (report.event, report.matches) == (EVENT, 2)
    assert [(row["entry"], row["rank"], row["points"]) for row in report.standings] == [
        ("c", 1, 1440),
        ("b", 2, 1020),
        ("a", 3, 720),
    ]
    assert {"house_signed", "cosigned", "included", "event_chain", "granted", "matches", "standings"} <= (
        report.checked_ids
    )
    assert {"legality", "acts_unsigned", "acts_own"} <= report.unchecked_ids
    assert not {"no_trust", "unknown_records"} & report.unchecked_ids


def test_each_match_has_a_report_of_its_own(second_verifier: SecondVerifier) -> None:
    parts = second_verifier.examine(file_of(cup().lines())).parts

    assert [(part["round"], part["table"]) for part in parts] == [(1, 1), (2, 1)]
    assert all(part["report"]["fault"] is None for part in parts)
    assert parts[0]["report"]["counted"] == {"scores": [74, 59], "ranking": [1, 2]}


def test_keys_that_one_trusts_are_held_against_the_tournament(second_verifier: SecondVerifier) -> None:
    fault = second_verifier.examine(file_of(cup().lines()), str(STRANGER.key)).fault

    assert fault is not None
    assert "is not trusted" in fault.why


def test_unknown_records_leave_the_standings_unchecked(
    second_verifier: SecondVerifier,
) -> None:
    tournament = cup()
    tournament.say("announced", by="olga", text="Thank you", signs=False)
    assert "standings" in second_verifier.examine(file_of(tournament.lines())).checked_ids
    tournament.say("points_doubled", by="olga", signs=False)
    report = second_verifier.examine(file_of(tournament.lines()))

    assert report.fault is None, report.fault
    assert "unknown_records" in report.unchecked_ids
    assert "standings" not in report.checked_ids


def test_substitutes_absent_players_and_entries_of_every_kind_are_counted(second_verifier: SecondVerifier) -> None:
    tournament = Cup()
    bot = "bot:random@1"
    tournament.matches = [tournament_match(MATCHES[0], ("anna", "zoe")), tournament_match(MATCHES[1], (bot, "anna"))]
    tournament.say("entry_made", by="eva", entry="d", actor="eva", waiting=True, signs=False)
    tournament.say("entry_made", by="ida", entry="e", actor="ida", signs=False)
    tournament.say("entry_withdrawn", by="ida", entry="e", signs=False)
    tournament.pair(1, [["a", "b"]], ["c"], tournament.matches[0])
    tournament.say("substitute_named", by="olga", round=1, entry="b", actor="zoe", signs=False)
    tournament.say("round_closed", by="olga", round=1)
    tournament.pair(2, [["b", "a"]], ["c"], tournament.matches[1])
    tournament.say("no_show_noted", by="olga", round=2, entry="b", bot=bot, reason="ill")
    tournament.say("round_closed", by="service", round=2, signs=False)
    tournament.say("tournament_ended", by="olga")
    rows = [
        ("a", 1, 720, [0, 855670, 1, 143, 62503516652311], 2, 0, 1, 0, 0),
        ("c", 2, 720, [0, 0, 0, 0, 193341757793312], 0, 2, 0, 0, 0),
        ("b", 3, 0, [720000000, 898648, 1, 156, 133738971571181], 2, 0, 1, 0, 0),
    ]
    tournament.standings = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    content = file_of(tournament.lines())

    assert (verify_event(content).fault, second_verifier.examine(content).fault) == (None, None)


def test_swapped_players_play_the_replacement_match(second_verifier: SecondVerifier) -> None:
    tournament = Cup()
    first, second_match = tournament.matches
    tournament.pair(1, [["a", "c"]], ["b"])
    reseated = {"table": 1, "entries": ["a", "b"], "match": first.entries[0]["match"], "reasons": []}
    tournament.say("tables_reseated", by="olga", round=1, tables=[reseated], byes=["c"], levels=[], reason="r")
    tournament.say("round_closed", by="olga", round=1)
    tournament.pair(2, [["b", "a"]], ["c"], second_match)
    tournament.say("penalty_given", by="olga", entry="b", sixtieths=60, reason="late")
    tournament.say("round_closed", by="olga", round=2)
    tournament.pair(3, [["c", "a"]], ["b"])
    tournament.say("result_ruled", by="olga", round=3, table=1, places=[1, 2], scores=[0, 0], reason="ill")
    tournament.say("round_closed", by="olga", round=3)
    tournament.say("tournament_ended", by="olga")
    content = file_of(tournament.lines())

    assert (verify_event(content).fault, second_verifier.examine(content).fault) == (None, None)


def penalties(*sixtieths: int) -> list[dict[str, Any]]:
    kind = "tournament.penalty_given"
    return [{"type": kind, "by": "olga", "entry": "c", "sixtieths": each, "reason": "x"} for each in sixtieths]


def test_combined_orders_have_one_signature(second_verifier: SecondVerifier) -> None:
    tournament = cup()
    tournament.event.add_together(penalties(30, 0, -30), ORGANISER)
    content = file_of(tournament.lines())

    assert (verify_event(content).fault, second_verifier.examine(content).fault) == (None, None)


@pytest.mark.parametrize("change", ["another act", "one more", "one less", "not the first", "another between"])
def test_orders_that_were_not_signed_together_are_false(second_verifier: SecondVerifier, change: str) -> None:
    tournament = cup()
    other = cup()
    other.event.add_together(penalties(30, 0, -30), ORGANISER)
    bodies = [copy_value(each["body"]) for each in other.event.records[-3:]]
    if change == "another act":
        bodies[1]["sixtieths"] = 1
    if change == "one more":
        bodies.append(bodies[-1])
    if change == "one less":
        bodies.pop()
    if change == "not the first":
        bodies.pop(0)
    if change == "another between":
        bodies.insert(1, {"type": "tournament.announced", "by": "olga", "text": "x"})
    for body in bodies:
        tournament.event.add(body)
    content = file_of(tournament.lines())
    first, fault = verify_event(content).fault, second_verifier.examine(content).fault

    assert first is not None
    assert fault is not None
    assert fault.part == {"name": "records"}


Forgery = Callable[[], "tuple[Cup | list[Any], dict[str, Any] | None]"]


def standing(name: str, value: Any) -> Forgery:
    def forge() -> tuple[Cup, dict[str, Any]]:
        tournament = cup()
        tournament.standings[1][name] = value
        return tournament, {"name": "standings"}

    return forge


def somebody_is_not_in_the_list() -> tuple[Cup, dict[str, Any]]:
    tournament = cup()
    tournament.standings.pop()
    return tournament, {"name": "standings"}


def part(number: int, tournament: Cup) -> dict[str, Any]:
    match = tournament.matches[number - 1].entries[0]["match"]
    return {"name": "match", "round": number, "table": 1, "match": match}


def somebody_else_plays() -> tuple[Cup, dict[str, Any]]:
    tournament = Cup()
    tournament.matches[1] = tournament_match(MATCHES[1], ("bela", "zoe"))
    tournament.play()
    return tournament, part(2, tournament)


def of_another_tournament() -> tuple[Cup, dict[str, Any]]:
    tournament = Cup()
    tournament.matches[0] = tournament_match(MATCHES[0], ("anna", "bela"), "0f0f0f0f-0000-4000-8000-00000000000f")
    tournament.play()
    return tournament, part(1, tournament)


def a_fork_of_the_match() -> tuple[Cup, dict[str, Any]]:
    """Return a tournament with a fork that no ruling made official."""
    tournament = Cup()
    players = ("anna", "bela")
    tournament.matches[0] = tournament_match("el_grande-forked", players)
    tournament.matches[0].body(tournament.matches[0].indices("match_forked")[0])["seats"] = players
    rechain(tournament.matches[0])
    tournament.play()
    return tournament, part(1, tournament)


def of_another_table() -> tuple[Cup, dict[str, Any]]:
    tournament = cup()
    tournament.matches.reverse()
    return tournament, part(1, tournament) | {"match": tournament.matches[1].entries[0]["match"]}


def a_match_is_left_out() -> tuple[Cup, dict[str, Any]]:
    tournament = cup()
    removed = tournament.matches.pop()
    return tournament, {"name": "match", "round": 2, "table": 1, "match": removed.entries[0]["match"]}


def a_match_too_many() -> tuple[Cup, None]:
    tournament = cup()
    tournament.matches.append(tournament_match("el_grande-2-eager-8", ("bela", "anna")))
    return tournament, None


def a_log_that_is_redacted() -> tuple[Cup, dict[str, Any]]:
    tournament = cup()
    redact(tournament.matches[0], None)
    return tournament, part(1, tournament)


def points_of_a_match() -> tuple[Cup, dict[str, Any]]:
    tournament = cup()
    log = tournament.matches[0]
    log.body(log.indices("match_ended")[0]).update(scores=[74, 99], ranking=[2, 1])
    rechain(log)
    return tournament, {"name": "standings"}


def a_match_that_goes_on() -> tuple[Cup, dict[str, Any]]:
    tournament = cup()
    log = tournament.matches[0]
    del log.entries[-2:]
    rechain(log)
    return tournament, part(1, tournament)


def another_title() -> tuple[Cup, dict[str, Any]]:
    tournament = Cup()
    tournament.say("plan_changed", by="olga", plan={"name": "Cup", "title": "la_granja"}, signs=False)
    tournament.play()
    return tournament, part(1, tournament)


def other_checkpoint() -> tuple[list[Any], dict[str, Any]]:
    tournament = cup()
    lines = tournament.lines()
    tree = ProofTree()
    tree.append_log(tournament.matches[1])
    proof = tree.proof(tournament.matches[1])
    return [*lines[: -len(proof)], *proof], part(2, tournament)


def other_witness() -> tuple[list[Any], dict[str, Any]]:
    tournament = cup()
    lines, others = tournament.lines(), tournament.lines(WITNESS, STRANGER)
    count = 2 * len(tournament.matches[1].entries) + 3
    return [*lines[:-count], *others[-count:]], part(2, tournament)


def an_order(signs: bool | Pen, by: str = "olga") -> Callable[[], tuple[Cup, dict[str, Any]]]:
    def forge() -> tuple[Cup, dict[str, Any]]:
        tournament = cup()
        tournament.say("penalty_given", by=by, entry="a", sixtieths=1, reason="x", signs=signs)
        return tournament, {"name": "records"}

    return forge


def by_one_who_was_organiser() -> tuple[list[Any], dict[str, Any]]:
    tournament = Cup()
    tournament.roles.add(grant_body("oto", "organiser", keys=[OTHER.key]), HOUSE_PEN)
    tournament.roles.add(revocation_body("oto", "organiser"), HOUSE_PEN)
    tournament.play()
    tournament.say("penalty_given", by="oto", entry="a", sixtieths=0, reason="x", signs=OTHER)
    return tournament.lines(), {"name": "records"}


def not_yet_organiser() -> tuple[list[Any], dict[str, Any]]:
    tournament = Cup()
    tournament.play()
    tournament.say("penalty_given", by="oto", entry="a", sixtieths=0, reason="x", signs=OTHER)
    tournament.roles.add(grant_body("oto", "organiser", keys=[OTHER.key]), HOUSE_PEN)
    return tournament.lines(late=1), {"name": "records"}


def a_table_without_a_result() -> tuple[Cup, dict[str, Any]]:
    tournament = Cup()
    tournament.say("entry_made", by="olga", entry="x", signs=False)
    tournament.play()
    tournament.pair(4, [["a", "x"]], ["b", "c"])
    tournament.say("round_closed", by="olga", round=4)
    return tournament, {"name": "records"}


def an_unknown_entry() -> tuple[Cup, dict[str, Any]]:
    tournament = Cup()
    tournament.play()
    tournament.pair(4, [["a", "b"]], ["z"])
    return tournament, {"name": "records"}


def a_grant_by_nobody() -> tuple[Cup, dict[str, Any]]:
    tournament = cup()
    tournament.roles.add(grant_body("vera", "organiser", "zoe"))
    return tournament, {"name": "roles"}


def it_has_not_ended() -> tuple[Cup, dict[str, Any]]:
    tournament = Cup()
    tournament.pair(1, [["a", "b"]], ["c"], tournament.matches[0])
    del tournament.matches[1]
    return tournament, {"name": "records"}


FORGED: Final[dict[str, Forgery]] = {
    "points in the standings": standing("points", 1080),
    "the last digit of a tie-break": standing("tieBreaks", [720000000, 898647, 1, 156, 133738971571181]),
    "a tie-break too many": standing("tieBreaks", [720000000, 898648, 1, 156, 133738971571181, 0]),
    "no tie-breaks": standing("tieBreaks", []),
    "a rank before somebody with more points": standing("rank", 1),
    "tables played": standing("played", 3),
    "byes": standing("byes", 0),
    "wins": standing("wins", 2),
    "a penalty forgotten": standing("penalty", 0),
    "a stage": standing("stage", 1),
    "an entry that there is not": standing("entry", "z"),
    "an order without a signature": an_order(False),
    "an order with another key": an_order(OTHER),
    "an order by a player": an_order(False, "anna"),
}
FORGED.update(
    (forge.__name__, forge)
    for forge in (
        somebody_is_not_in_the_list,
        somebody_else_plays,
        of_another_tournament,
        a_fork_of_the_match,
        of_another_table,
        a_match_is_left_out,
        a_match_too_many,
        a_log_that_is_redacted,
        points_of_a_match,
        a_match_that_goes_on,
        another_title,
        other_checkpoint,
        other_witness,
        by_one_who_was_organiser,
        not_yet_organiser,
        a_table_without_a_result,
        an_unknown_entry,
        a_grant_by_nobody,
        it_has_not_ended,
    )
)


@pytest.mark.parametrize("name", sorted(FORGED))
def test_a_forged_tournament_is_false_in_the_part_that_was_forged(second_verifier: SecondVerifier, name: str) -> None:
    tournament, expected_part = FORGED[name]()
    content = file_of(tournament.lines() if isinstance(tournament, Cup) else tournament)
    first, fault = verify_event(content).fault, second_verifier.examine(content).fault

    assert first is not None
    assert fault is not None
    assert fault.part == expected_part, fault


@pytest.mark.walk
def test_missing_repeated_and_swapped_lines_are_found(second_verifier: SecondVerifier) -> None:
    lines = cup().lines()
    for index in range(0, len(lines), 7):
        for changed in (lines[:index] + lines[index + 1 :], [*lines[:index], lines[index], *lines[index:]]):
            assert second_verifier.examine(file_of(changed)).fault is not None, index
        other = [*lines[:index], *lines[index + 1 : index + 2], lines[index], *lines[index + 2 :]]
        assert other == lines or second_verifier.examine(file_of(other)).fault is not None, index


def test_changed_numbers_in_the_header_are_found(second_verifier: SecondVerifier) -> None:
    lines = cup().lines()
    for name in ("records", "roles", "matches", "size"):
        for value in (0, lines[0][name] - 1, lines[0][name] + 1, 10**12, -1, "1", None):
            changed = [copy_value(lines[0]) | {name: value}, *lines[1:]]
            assert second_verifier.examine(file_of(changed)).fault is not None, (name, value)
    assert ORGANISER.key in str(lines)
