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


def test_an_honest_tournament_is_good_and_its_standings_are_counted_again(second: SecondVerifier) -> None:
    content = file_of(cup().lines())
    report = second.examine(content, f"{HOUSE.key}\n{WITNESS.key}")

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
    assert {"legality", "tie_breaks"} <= report.unchecked_ids
    assert not {"no_trust", "unknown_records"} & report.unchecked_ids


def test_each_match_has_a_report_of_its_own(second: SecondVerifier) -> None:
    parts = second.examine(file_of(cup().lines())).parts

    assert [(part["round"], part["table"]) for part in parts] == [(1, 1), (2, 1)]
    assert all(part["report"]["fault"] is None for part in parts)
    assert parts[0]["report"]["counted"] == {"scores": [74, 59], "ranking": [1, 2]}


def test_keys_that_one_trusts_are_held_against_the_tournament(second: SecondVerifier) -> None:
    fault = second.examine(file_of(cup().lines()), str(STRANGER.key)).fault

    assert fault is not None
    assert "is not trusted" in fault.why


def test_unknown_records_leave_the_standings_unchecked(
    second: SecondVerifier,
) -> None:
    made = cup()
    made.say("announced", by="olga", text="Thank you", signs=False)
    assert "standings" in second.examine(file_of(made.lines())).checked_ids
    made.say("points_doubled", by="olga", signs=False)
    report = second.examine(file_of(made.lines()))

    assert report.fault is None, report.fault
    assert "unknown_records" in report.unchecked_ids
    assert "standings" not in report.checked_ids


def test_substitutes_absent_players_and_entries_of_every_kind_are_counted(second: SecondVerifier) -> None:
    made = Cup()
    bot = "bot:random@1"
    made.matches = [tournament_match(MATCHES[0], ("anna", "zoe")), tournament_match(MATCHES[1], (bot, "anna"))]
    made.say("entry_made", by="eva", entry="d", actor="eva", waiting=True, signs=False)
    made.say("entry_made", by="ida", entry="e", actor="ida", signs=False)
    made.say("entry_withdrawn", by="ida", entry="e", signs=False)
    made.pair(1, [["a", "b"]], ["c"], made.matches[0])
    made.say("substitute_named", by="olga", round=1, entry="b", actor="zoe", signs=False)
    made.say("round_closed", by="olga", round=1)
    made.pair(2, [["b", "a"]], ["c"], made.matches[1])
    made.say("no_show_noted", by="olga", round=2, entry="b", bot=bot, reason="ill")
    made.say("round_closed", by="service", round=2, signs=False)
    made.say("tournament_ended", by="olga")
    rows = [
        ("a", 1, 720, [0, 855670, 1, 143, 62503516652311], 2, 0, 1, 0, 0),
        ("c", 2, 720, [0, 0, 0, 0, 193341757793312], 0, 2, 0, 0, 0),
        ("b", 3, 0, [720000000, 898648, 1, 156, 133738971571181], 2, 0, 1, 0, 0),
    ]
    made.standings = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    content = file_of(made.lines())

    assert (verify_event(content).fault, second.examine(content).fault) == (None, None)


def test_swapped_players_play_the_replacement_match(second: SecondVerifier) -> None:
    made = Cup()
    first, second_match = made.matches
    made.pair(1, [["a", "c"]], ["b"])
    anew = {"table": 1, "entries": ["a", "b"], "match": first.entries[0]["match"], "reasons": []}
    made.say("tables_reseated", by="olga", round=1, tables=[anew], byes=["c"], levels=[], reason="r")
    made.say("round_closed", by="olga", round=1)
    made.pair(2, [["b", "a"]], ["c"], second_match)
    made.say("penalty_given", by="olga", entry="b", sixtieths=60, reason="late")
    made.say("round_closed", by="olga", round=2)
    made.pair(3, [["c", "a"]], ["b"])
    made.say("result_ruled", by="olga", round=3, table=1, places=[1, 2], scores=[0, 0], reason="ill")
    made.say("round_closed", by="olga", round=3)
    made.say("tournament_ended", by="olga")
    content = file_of(made.lines())

    assert (verify_event(content).fault, second.examine(content).fault) == (None, None)


def penalties(*sixtieths: int) -> list[dict[str, Any]]:
    kind = "tournament.penalty_given"
    return [{"type": kind, "by": "olga", "entry": "c", "sixtieths": each, "reason": "x"} for each in sixtieths]


def test_combined_orders_have_one_signature(second: SecondVerifier) -> None:
    made = cup()
    made.event.add_together(penalties(30, 0, -30), ORGANISER)
    content = file_of(made.lines())

    assert (verify_event(content).fault, second.examine(content).fault) == (None, None)


@pytest.mark.parametrize("way", ["another act", "one more", "one less", "not the first", "another between"])
def test_orders_that_were_not_signed_together_are_false(second: SecondVerifier, way: str) -> None:
    made = cup()
    other = cup()
    other.event.add_together(penalties(30, 0, -30), ORGANISER)
    bodies = [copy_value(each["body"]) for each in other.event.records[-3:]]
    if way == "another act":
        bodies[1]["sixtieths"] = 1
    if way == "one more":
        bodies.append(bodies[-1])
    if way == "one less":
        bodies.pop()
    if way == "not the first":
        bodies.pop(0)
    if way == "another between":
        bodies.insert(1, {"type": "tournament.announced", "by": "olga", "text": "x"})
    for body in bodies:
        made.event.add(body)
    content = file_of(made.lines())
    first, fault = verify_event(content).fault, second.examine(content).fault

    assert first is not None
    assert fault is not None
    assert fault.part == {"name": "records"}


Forgery = Callable[[], "tuple[Cup | list[Any], dict[str, Any] | None]"]


def standing(name: str, value: Any) -> Forgery:
    def forge() -> tuple[Cup, dict[str, Any]]:
        made = cup()
        made.standings[1][name] = value
        return made, {"name": "standings"}

    return forge


def somebody_is_not_in_the_list() -> tuple[Cup, dict[str, Any]]:
    made = cup()
    made.standings.pop()
    return made, {"name": "standings"}


def part(number: int, made: Cup) -> dict[str, Any]:
    match = made.matches[number - 1].entries[0]["match"]
    return {"name": "match", "round": number, "table": 1, "match": match}


def somebody_else_plays() -> tuple[Cup, dict[str, Any]]:
    made = Cup()
    made.matches[1] = tournament_match(MATCHES[1], ("bela", "zoe"))
    made.play()
    return made, part(2, made)


def of_another_tournament() -> tuple[Cup, dict[str, Any]]:
    made = Cup()
    made.matches[0] = tournament_match(MATCHES[0], ("anna", "bela"), "0f0f0f0f-0000-4000-8000-00000000000f")
    made.play()
    return made, part(1, made)


def of_another_table() -> tuple[Cup, dict[str, Any]]:
    made = cup()
    made.matches.reverse()
    return made, part(1, made) | {"match": made.matches[1].entries[0]["match"]}


def a_match_is_left_out() -> tuple[Cup, dict[str, Any]]:
    made = cup()
    left = made.matches.pop()
    return made, {"name": "match", "round": 2, "table": 1, "match": left.entries[0]["match"]}


def a_match_too_many() -> tuple[Cup, None]:
    made = cup()
    made.matches.append(tournament_match("el_grande-2-eager-8", ("bela", "anna")))
    return made, None


def a_log_that_is_redacted() -> tuple[Cup, dict[str, Any]]:
    made = cup()
    redact(made.matches[0], None)
    return made, part(1, made)


def points_of_a_match() -> tuple[Cup, dict[str, Any]]:
    made = cup()
    log = made.matches[0]
    log.body(log.indices("match_ended")[0]).update(scores=[74, 99], ranking=[2, 1])
    rechain(log)
    return made, {"name": "standings"}


def a_match_that_goes_on() -> tuple[Cup, dict[str, Any]]:
    made = cup()
    log = made.matches[0]
    del log.entries[-2:]
    rechain(log)
    return made, part(1, made)


def another_title() -> tuple[Cup, dict[str, Any]]:
    made = Cup()
    made.say("plan_changed", by="olga", plan={"name": "Cup", "title": "la_granja"}, signs=False)
    made.play()
    return made, part(1, made)


def other_checkpoint() -> tuple[list[Any], dict[str, Any]]:
    made = cup()
    lines = made.lines()
    house = ProofTree()
    house.append_log(made.matches[1])
    proof = house.proof(made.matches[1])
    return [*lines[: -len(proof)], *proof], part(2, made)


def other_witness() -> tuple[list[Any], dict[str, Any]]:
    made = cup()
    lines, others = made.lines(), made.lines(WITNESS, STRANGER)
    count = 2 * len(made.matches[1].entries) + 3
    return [*lines[:-count], *others[-count:]], part(2, made)


def an_order(signs: bool | Pen, by: str = "olga") -> Callable[[], tuple[Cup, dict[str, Any]]]:
    def forge() -> tuple[Cup, dict[str, Any]]:
        made = cup()
        made.say("penalty_given", by=by, entry="a", sixtieths=1, reason="x", signs=signs)
        return made, {"name": "records"}

    return forge


def by_one_who_was_organiser() -> tuple[list[Any], dict[str, Any]]:
    made = Cup()
    made.roles.add(grant_body("oto", "organiser", keys=[OTHER.key]), HOUSE_PEN)
    made.roles.add(revocation_body("oto", "organiser"), HOUSE_PEN)
    made.play()
    made.say("penalty_given", by="oto", entry="a", sixtieths=0, reason="x", signs=OTHER)
    return made.lines(), {"name": "records"}


def not_yet_organiser() -> tuple[list[Any], dict[str, Any]]:
    made = Cup()
    made.play()
    made.say("penalty_given", by="oto", entry="a", sixtieths=0, reason="x", signs=OTHER)
    made.roles.add(grant_body("oto", "organiser", keys=[OTHER.key]), HOUSE_PEN)
    return made.lines(late=1), {"name": "records"}


def a_table_without_a_result() -> tuple[Cup, dict[str, Any]]:
    made = Cup()
    made.say("entry_made", by="olga", entry="x", signs=False)
    made.play()
    made.pair(4, [["a", "x"]], ["b", "c"])
    made.say("round_closed", by="olga", round=4)
    return made, {"name": "records"}


def a_grant_by_nobody() -> tuple[Cup, dict[str, Any]]:
    made = cup()
    made.roles.add(grant_body("vera", "organiser", "zoe"))
    return made, {"name": "roles"}


def it_has_not_ended() -> tuple[Cup, dict[str, Any]]:
    made = Cup()
    made.pair(1, [["a", "b"]], ["c"], made.matches[0])
    del made.matches[1]
    return made, {"name": "records"}


FORGED: Final[dict[str, Forgery]] = {
    "points in the standings": standing("points", 1080),
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
        a_grant_by_nobody,
        it_has_not_ended,
    )
)


@pytest.mark.parametrize("name", sorted(FORGED))
def test_a_forged_tournament_is_false_in_the_part_that_was_forged(second: SecondVerifier, name: str) -> None:
    made, where = FORGED[name]()
    content = file_of(made.lines() if isinstance(made, Cup) else made)
    first, fault = verify_event(content).fault, second.examine(content).fault

    assert first is not None
    assert fault is not None
    assert fault.part == where, fault


@pytest.mark.walk
def test_missing_repeated_and_swapped_lines_are_found(second: SecondVerifier) -> None:
    lines = cup().lines()
    for index in range(0, len(lines), 7):
        for changed in (lines[:index] + lines[index + 1 :], [*lines[:index], lines[index], *lines[index:]]):
            assert second.examine(file_of(changed)).fault is not None, index
        other = [*lines[:index], *lines[index + 1 : index + 2], lines[index], *lines[index + 2 :]]
        assert other == lines or second.examine(file_of(other)).fault is not None, index


def test_changed_numbers_in_the_header_are_found(second: SecondVerifier) -> None:
    lines = cup().lines()
    for name in ("records", "roles", "matches", "size"):
        for value in (0, lines[0][name] - 1, lines[0][name] + 1, 10**12, -1, "1", None):
            changed = [copy_value(lines[0]) | {name: value}, *lines[1:]]
            assert second.examine(file_of(changed)).fault is not None, (name, value)
    assert ORGANISER.key in str(lines)
