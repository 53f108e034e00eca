"""Tournaments with absent players and handed-over seats: honest files, and files counted by another rule."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest

from api.transparency.verifier_pages import MODULES
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.play.deadlines import pass_deadline
from domain.matches.rulings.outcome import places_with_last
from domain.proofs.event import EventReport, verify_event
from domain.proofs.event_file import FIRST_FORMAT, FORMATS
from domain.standings.contest import GivenResult, RoundTable, Scoring, SizePoints, Stage, StandIn
from domain.standings.counted import counted_table, rows_of_present, table_rows
from domain.standings.ranking import standings
from domain.standings.results import TableResult
from domain.tournaments import commands, no_shows, registration
from domain.tournaments.rounds import enter_result
from domain.tournaments.state import Round
from tests.domain.matches.match_helpers import ALL_TITLES, START, next_action, play_out
from tests.domain.proofs.test_event import version_of
from tests.domain.proofs.tournament_proofs import (
    BOT,
    CUP,
    OLGA,
    PLAN,
    Notary,
    appoint_officials,
    as_organiser,
    by_official,
    change_cup,
    close_cup_round,
    compute_claims,
    cup_file,
    cup_in,
    forged_records,
    house_in,
    make_ready,
    open_next_round,
    results_in,
    tables_of,
)
from tests.golden.rulings import no_show_file
from tests.seeding import IS_EXPLORING, SEED
from tests.transparency.second import NODE, Second, SecondVerifier

PEOPLE: Final = ("anna", "bea", "carl", "dora", "eva", "finn", "gus", "hal")
LATE: Final = timedelta(seconds=601)
WAIT: Final = timedelta(minutes=11)
TURNS: Final = 20_000 if IS_EXPLORING else 2_000


def absent_cup(folder: Path) -> Matches:
    """Play a round of four tables.

    A bot plays for a no-show, a player never joins, a seat is handed over, and at the last table an opponent resigns
    while a player is late.
    """
    matches = house_in(folder)
    appoint_officials(matches)
    plan = replace(PLAN, stages=(Stage("swiss", 1),), table=Table(public=True, clock=Clock("per_move", 600)))
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=lambda _matches, _match: None)
    first, second, third, fourth = tables_of(matches, 1)
    absent = cup_in(matches).rounds[0].tables[0].entries[0]
    by_official(
        matches, OLGA, lambda: no_shows.record_no_show(matches, CUP, 1, absent, BOT, "Not there.", "olga", at=START)
    )
    for match_id in (first, third):
        make_ready(matches, match_id)
        if match_id == third:
            hands_over(matches, match_id)
        play_out(matches, matches.get(match_id))
    never_comes(matches, second)
    begin_without_first(matches, fourth)
    matches.resign(fourth, 1, matches.get(fourth).seats[1].actor or "", at=START + WAIT)
    close_cup_round(matches, 1)
    return matches


def hands_over(matches: Matches, match_id: UUID) -> None:
    """Let the first player hand the seat over to a bot, by choice."""
    actor = matches.get(match_id).seats[0].actor
    assert actor is not None
    matches.replace_seat(match_id, 0, actor, actor=BOT, at=START)


def begin_without_first(matches: Matches, match_id: UUID) -> Match:
    """Begin the match while its first player is missing."""
    opponent = matches.get(match_id).seats[1].actor or ""
    matches.commit_share(match_id, 1, opponent, at=START)
    match = pass_deadline(matches, match_id, expected_version=matches.get(match_id).version, at=START + WAIT)
    if not match.seats[1].ready:
        match = matches.ready(match_id, 1, opponent, at=START + WAIT)
    return match


def never_comes(matches: Matches, match_id: UUID) -> None:
    """Let the time of the first player, who never joins, run out, so that a bot plays on."""
    match = begin_without_first(matches, match_id)
    missing = match.seats[0].actor
    while not match.is_over:
        seat, by, action = next_action(match)
        if by == missing:
            match = matches.time_out(match_id, seat, SERVICE, at=match.timestamp + LATE, bot=BOT)
        else:
            match = matches.act(match_id, seat, by, action, expected_version=match.version, at=match.timestamp)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return absent_cup(tmp_path_factory.mktemp("cup"))


def both(second_verifier: SecondVerifier, content: bytes) -> tuple[EventReport, Second]:
    return verify_event(content, titles=ALL_TITLES), second_verifier.examine(content)


def forge_header(lines: Sequence[bytes], **header: Any) -> bytes:
    """Return the file with another header."""
    first, rest = lines[0].split(b"\n", 1)
    return b"".join([msgspec.json.encode(msgspec.json.decode(first) | header), b"\n", rest, *lines[1:]])


def test_an_honest_file_is_counted_by_rule_2(second_verifier: SecondVerifier, cup: Matches) -> None:
    report, second_report = both(second_verifier, b"".join(cup_file(cup)))
    tables = cup_in(cup).rounds[0].tables
    absent_entries = {table.entries[0] for table in tables[:3]}

    assert (report.fault, second_report.fault) == (None, None)
    assert report.counted_by == "rule 2 of the plan"
    assert "counted_rule_2" in second_report.checked_ids
    assert {row.entry for row in report.standings if row.points == 0} > absent_entries
    assert not any(row.wins for row in report.standings if row.entry in absent_entries)
    assert next(row.wins for row in report.standings if row.entry == tables[3].entries[0]) == 1, "late, not absent"
    assert len([row for row in report.standings if row.played == 0]) == 2
    assert [table.entries[0] for table in tables if results_in(cup)[table.match or CUP].places[0] == 1], "a bot won"


def test_the_recorded_file_of_format_1_is_counted_by_its_rule(second_verifier: SecondVerifier) -> None:
    report, second_report = both(second_verifier, no_show_file())

    assert (report.fault, second_report.fault) == (None, None)
    assert report.counted_by == "the rule of format 1"
    assert "counted_format_1" in second_report.checked_ids
    assert min(second_report.standings, key=lambda row: row["rank"])["entry"] == "e2"


def test_a_plan_without_a_rule_in_a_file_of_format_2_is_counted_by_rule_1(second_verifier: SecondVerifier) -> None:
    first, rest = no_show_file().split(b"\n", 1)
    report, second_report = both(second_verifier, forge_header([first + b"\n" + rest], format=FORMATS[1]))

    assert (report.fault, second_report.fault) == (None, None)
    assert report.counted_by == "rule 1 (the plan has no later one)"
    assert "counted_rule_1" in second_report.checked_ids


def counted_by_rule_1(cup: Matches) -> bytes:
    """Replace the standings by the standings of the older rule."""
    state = cup_in(cup)
    older_standings = standings(replace(state, plan=replace(state.plan, standings=1)), results_in(cup))
    return b"".join(cup_file(cup, claims=replace(compute_claims(cup), standings=older_standings)))


def of_the_older_format(cup: Matches) -> bytes:
    """Return a file of format 1, so that it would be counted by the older rule."""
    return forge_header([counted_by_rule_1(cup)], format=FIRST_FORMAT)


def another_rule_in_the_plan(cup: Matches) -> bytes:
    """Let the service write a plan without a rule into the first record."""

    def change(body: dict[str, Any]) -> None:
        del body["plan"]["standings"]

    records = forged_records(cup.streams.records(CUP), version_of(cup, "tournament_opened"), change)
    return b"".join(cup_file(cup, Notary(cup, instead=records)))


def an_unknown_rule(cup: Matches) -> bytes:
    def change(body: dict[str, Any]) -> None:
        body["plan"]["standings"] = 3

    records = forged_records(cup.streams.records(CUP), version_of(cup, "tournament_opened"), change)
    return b"".join(cup_file(cup, Notary(cup, instead=records)))


def a_bot_that_counts(cup: Matches) -> bytes:
    """Count a win of the bot of a no-show for that entry."""
    claims = compute_claims(cup)
    absent = cup_in(cup).rounds[0].tables[0].entries[0]
    rows = tuple(replace(row, wins=1) if row.entry == absent else row for row in claims.standings)
    return b"".join(cup_file(cup, claims=replace(claims, standings=rows)))


FORGED: Final = (counted_by_rule_1, of_the_older_format, another_rule_in_the_plan, an_unknown_rule, a_bot_that_counts)


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
def test_a_file_counted_by_another_rule_is_false(
    second_verifier: SecondVerifier, cup: Matches, forge: Callable[[Matches], bytes]
) -> None:
    report, second_report = both(second_verifier, forge(cup))

    assert report.fault is not None
    assert second_report.fault is not None


def test_another_plan_does_not_change_the_rule(second_verifier: SecondVerifier, tmp_path: Path) -> None:
    matches = absent_cup_with_a_changed_plan(tmp_path)
    honest = both(second_verifier, b"".join(cup_file(matches)))

    def change(body: dict[str, Any]) -> None:
        del body["plan"]["standings"]

    records = forged_records(matches.streams.records(CUP), version_of(matches, "plan_changed"), change)
    report, second_report = both(second_verifier, b"".join(cup_file(matches, Notary(matches, instead=records))))

    assert [each.fault for each in honest] == [None, None]
    assert report.fault is not None
    assert "a change of the plan cannot change the rule of the standings" in report.fault.why
    assert second_report.fault is not None
    assert second_report.fault.part == {"name": "records"}


def absent_cup_with_a_changed_plan(folder: Path) -> Matches:
    """Play a round without matches, after a change of the plan."""
    matches = house_in(folder)
    appoint_officials(matches)
    plan = replace(PLAN, face_to_face=True, stages=(Stage("swiss", 1),))
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE[:2]:
        change_cup(matches, partial(registration.enter, by="olga", name=person))
    as_organiser(matches, lambda: commands.change_plan(matches, CUP, replace(plan, name="Other"), "olga", at=START))
    open_next_round(matches, 1)
    change_cup(matches, lambda state: enter_result(state, 1, 1, (9, 4), (1, 2), "olga"))
    close_cup_round(matches, 1)
    return matches


def random_table(rng: Random) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a table with its scoring, as the input of the second verifier, and the rows that the first one counts."""
    size, rule = rng.randint(2, 5), rng.randint(1, 2)
    entries = tuple(f"e{number}" for number in range(size))
    draws = [rng.randint(0, 4) for _ in entries]
    places = tuple(1 + sum(other < own for other in draws) for own in draws)
    scores = tuple(rng.randint(-9, 90) for _ in entries)
    absent = rng.sample(entries, rng.choice([0, 0, 1, rng.randint(0, size)]))
    bots = [name for name in absent if rng.random() < 0.7]
    resigned = tuple(rng.sample(range(size), rng.choice([0, 1, rng.randint(0, size)])))
    handed_over = tuple(seat for seat in resigned if rng.random() < 0.6)
    no_shows = tuple(rng.sample(range(size), rng.choice([0, 0, 1, 2])))
    by_hand = rng.random() < 0.3
    by, ruled = rng.choice([(SERVICE, True), (SERVICE, False), ("olga", True)])
    points = tuple(
        SizePoints(number, tuple(sorted((rng.randint(0, 500) for _ in range(number)), reverse=True)))
        for number in rng.sample([2, 3, 4, 5], rng.randint(0, 3))
    )
    scoring = Scoring(rng.choice(["points", "victory_points", "wins", "margin"]), points)
    placed = places_with_last(places, resigned) if handed_over else ()
    result = TableResult(places, scores, placed=placed, handed_over=handed_over, no_shows=no_shows)
    given_result = GivenResult(places, scores, by, ruled=ruled) if by_hand else None
    table = RoundTable(
        entries, given=given_result, absent=tuple(sorted(absent)), bots=tuple(StandIn(name, BOT) for name in bots)
    )
    counted = counted_table(table, TableResult(places, scores) if by_hand else result, rule)  # type: ignore[arg-type]
    rows = dict((table_rows if rule == 1 else rows_of_present)(scoring, ROUND, 1, table, counted))
    expected = [{theirs: getattr(rows[name], ours) for theirs, ours in FIELDS.items()} for name in entries]
    ruling = {"ranking": places, "scores": scores, "isOfDeadline": by == SERVICE and ruled}
    result_fields = {"ranking": places, "scores": scores}
    departures = {"gaveUp": resigned, "handedOver": handed_over, "noShows": no_shows}
    question = {
        "scoring": {"measure": scoring.measure, "points": [msgspec.to_builtins(row) for row in points]},
        "rule": rule,
        "entries": entries,
        "byHand": ruling if by_hand else None,
        "result": result_fields if by_hand else result_fields | departures,
        "absent": {name: BOT if name in bots else "" for name in absent},
    }
    return question, expected


FIELDS: Final = {name: name for name in ("points", "place", "seat", "size", "share", "margin")} | {
    "isAbsent": "is_absent",
    "score": "scores",
    "opponents": "opponents",
}
"""The fields of a row in the second verifier, each with its name in the first one."""
ROUND: Final[Any] = Round(number=1, stage=0, status="closed", problem=None, way="tables")  # type: ignore[arg-type]


def test_both_verifiers_count_every_table_alike() -> None:
    rng = Random(f"{SEED}/tables")
    questions, expected_rows = zip(*(random_table(rng) for _ in range(TURNS)), strict=True)
    script = Path(__file__).with_name("rows.mjs")
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in questions)
    output = subprocess.run(
        [NODE, script, (MODULES / "tables.js").as_uri()], input=lines, capture_output=True, check=True
    ).stdout

    counted_rows = [msgspec.json.decode(line) for line in output.splitlines()]
    for each, rows, expected in zip(questions, counted_rows, expected_rows, strict=True):
        assert rows == [row | {"opponents": list(row["opponents"])} for row in expected], each
