"""A holiday for all correspondence tables of a person, announced in one act."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.service import ACCOUNTS
from api.contests.holiday_service import HOLIDAYS, HolidayService
from api.contests.holiday_store import StoredHoliday
from api.http.guards import Caller
from api.matches.service import MATCHES
from api.notifications.service import NOTIFICATIONS
from domain.matches.aggregate import Match, seat_of
from domain.matches.log.entries import microseconds
from domain.matches.play.absences import MICROSECONDS
from domain.matches.play.declared_absences import declaration_text
from domain.matches.verification.verify import verify
from domain.pairing.methods import pair_round
from domain.tournaments import commands, rounds
from domain.tournaments.state import Tournament
from projections.platform.clock import now
from tests.api.contests.test_entry_conditions import a_league, a_tournament
from tests.api.keys.test_signing import FIRST, Signer, log_of
from tests.api.leagues.test_league_pages import Visitor
from tests.api.service import Person, catch_up, open_tables, session_of, start_match

DAY: Final = 86_400
BY_POST: Final[dict[str, Any]] = {"clock": {"kind": "correspondence", "seconds": 3 * DAY}}


def match_at(client: TestClient[Any], match_id: str) -> Match:
    return MATCHES.of(client).writer.matches.get(UUID(match_id))


def away(client: TestClient[Any], match_id: str, person: Person) -> list[tuple[int, int]]:
    """Return the absences of a person at a table, in seconds."""
    match = match_at(client, match_id)
    seat = seat_of(match, person.id)
    return [(each.first // MICROSECONDS, each.last // MICROSECONDS) for each in match.absences if each.seat == seat]


def soon(days: float = 1) -> int:
    return int(time.time() + days * DAY)


def apply_due(client: TestClient[Any]) -> int:
    """Run the duty of the service once, as its workers do; return the number of changed tables."""
    caller = Caller(is_service=True)
    service = HolidayService(
        MATCHES.of(client), ACCOUNTS.of(client), HOLIDAYS.of(client), NOTIFICATIONS.of(client), caller
    )
    return int(client.blocking_portal.call(service.apply_due))


def test_one_act_stops_the_clocks_at_all_tables_and_one_ends_them(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    tables = [start_match(ann, ben, table=BY_POST) for _ in range(2)]
    live = start_match(ann, ben)
    first, last = soon(), soon(6)
    status, shown = ann.post("/me/holidays", {"begins": first, "ends": last})

    assert status == 201, shown
    assert [away(client, each, ann) for each in tables] == [[(first, last)]] * 2
    assert away(client, live, ann) == away(client, tables[0], ben) == []
    catch_up(client)
    shown = ann.get("/me/holidays")[1]
    assert {each["matchId"] for each in shown["tables"]} == set(tables)
    assert shown["used"] == [{"name": "", "used": 5.0, "days": 42}]

    assert ann.post("/me/holidays/end", {})[0] == 200
    assert [away(client, each, ann) for each in tables] == [[], []]
    status, refusal = ann.post("/me/holidays/end", {})
    assert (status, refusal["code"]) == (409, "holiday/none")


@pytest.mark.parametrize(
    ("begins", "ends", "code", "named"),
    [
        (-2, 5, "holiday/past", "which is in the past"),
        (5, 2, "holiday/too_short", "a holiday lasts at least a day"),
        (1, 1.5, "holiday/too_short", "a holiday lasts at least a day"),
        (400, 405, "holiday/too_far_ahead", "within 365 days"),
        (1, 50, "holiday/too_long", "La Granja: 42 days of holiday are left, and this one takes 49"),
    ],
)
def test_an_impossible_holiday_is_refused_with_the_value(
    client: TestClient[Any], ann: Person, ben: Person, begins: float, ends: float, code: str, named: str
) -> None:
    match_id = start_match(ann, ben, table=BY_POST)
    for path in ("/me/holidays/plan", "/me/holidays")[int(code == "holiday/too_long") :]:
        status, refusal = ann.post(path, {"begins": soon(begins), "ends": soon(ends)})
        assert (status, refusal["code"]) == (409, code)
        assert named in refusal["detail"]
    assert away(client, match_id, ann) == []


def test_a_holiday_is_not_announced_in_the_last_day_of_a_turn(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    table = {"clock": {"kind": "correspondence", "seconds": DAY - 1}}
    tight, other = start_match(ann, ben, table=table), start_match(ann, ben, table=BY_POST)
    late = ann if ann.legal(tight)["actions"] else ben
    wanted = {"begins": soon(), "ends": soon(5)}
    status, refusal = late.post("/me/holidays", wanted)
    assert (status, refusal["code"]) == (409, "holiday/last_day")
    assert "La Granja: less than a day is left for your turn" in refusal["detail"]

    assert late.post("/me/holidays", {**wanted, "partly": True})[0] == 201
    assert (len(away(client, tight, late)), len(away(client, other, late))) == (0, 1)


def test_a_second_holiday_waits_for_the_end_of_the_first(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben, table=BY_POST)
    wanted = {"begins": soon(), "ends": soon(5)}
    for _ in range(2):
        assert ann.post("/me/holidays", wanted, **{"Idempotency-Key": "once"})[0] == 201
    status, refusal = ann.post("/me/holidays", wanted)
    assert (status, refusal["code"]) == (409, "holiday/announced")
    assert len(away(client, match_id, ann)) == 1

    assert ann.post("/me/holidays/end", {})[0] == 200
    assert ann.post("/me/holidays", wanted)[0] == 201, "the same days can be announced again"
    assert len(away(client, match_id, ann)) == 1


def test_a_table_that_starts_later_gets_the_holiday_once_and_a_returned_player_stays(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    earlier = start_match(ann, ben, table=BY_POST)
    first, last = soon(), soon(6)
    assert ann.post("/me/holidays", {"begins": first, "ends": last})[0] == 201
    later = start_match(ann, ben, table=BY_POST)
    assert away(client, later, ann) == []

    assert [apply_due(client), apply_due(client)] == [1, 0]
    assert away(client, later, ann) == [(first, last)]

    assert ann.delete(f"/matches/{earlier}/absence")[0] == 200
    assert apply_due(client) == 0, "the player has returned at this table"
    assert away(client, earlier, ann) == []


@pytest.mark.parametrize("is_ended", [False, True])
def test_the_duty_finishes_what_a_killed_process_began(
    client: TestClient[Any], ann: Person, ben: Person, *, is_ended: bool
) -> None:
    match_id = start_match(ann, ben, table=BY_POST)
    store, first, last = HOLIDAYS.of(client), soon(), soon(6)
    store.add(StoredHoliday(first, last, microseconds(now()), UUID(int=time.time_ns()), ann.id))
    assert away(client, match_id, ann) == []
    assert [apply_due(client), apply_due(client)] == [1, 0]
    assert away(client, match_id, ann) == [(first, last)]
    if is_ended:
        store.end(ann.id, soon(0))
        assert [apply_due(client), apply_due(client)] == [1, 0]
        assert away(client, match_id, ann) == []


OpenContest = Callable[..., str]


def play_contest(client: TestClient[Any], path: str, organiser: Person, *people: Person) -> str:
    """Let people enter a contest, and open its first round; return the match of the first table."""
    for person in people:
        assert person.post(f"{path}/entries", {})[0] == 201
    if path.startswith("/leagues"):
        assert organiser.post(f"{path}/draw", {})[0] == 200
        assert organiser.post(f"{path}/rounds", {})[0] == 201
        open_tables(client)
        fixtures = organiser.get(f"{path}/seasons/1")[1]["fixtures"]
        match_id = next(str(each["matchId"]) for each in fixtures if each["matchId"])
    else:
        match_id = open_cup_table(client, UUID(path.rpartition("/")[2]), organiser)
    for person in people:
        person.is_ready(match_id)
    return match_id


def open_cup_table(client: TestClient[Any], event: UUID, organiser: Person) -> str:
    """Pair, publish and open the first round with one table, as workers do; return its match."""
    matches = MATCHES.of(client).writer.matches

    def change(decide: Callable[[Tournament], Any]) -> Tournament:
        return commands.change(matches, event, decide, at=now()).state

    state = change(lambda state: rounds.ask_pairing(state, {}, organiser.id))
    pairing, why = pair_round(state.rounds[-1].problem, state.rounds[-1].way)
    change(lambda state: rounds.answer_pairing(state, 1, pairing, why))
    change(lambda state: rounds.publish(state, 1, {}, organiser.id))
    commands.open_table(matches, event, 1, 1, at=now())
    return str(change(lambda state: rounds.open_round(state, 1)).rounds[0].tables[0].match)


@pytest.mark.parametrize("open_contest", [a_tournament, a_league])
def test_the_days_of_a_contest_bound_its_tables_but_not_others(
    client: TestClient[Any], ann: Person, ben: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann, table=BY_POST, holidays={"days": 4})
    of_contest = play_contest(client, path, ann, ann, ben)
    free = start_match(ann, ben, table=BY_POST)
    first = soon()
    status, refusal = ben.post("/me/holidays", {"begins": first, "ends": first + 6 * DAY})
    assert (status, refusal["code"]) == (409, "holiday/too_long")
    name = ann.get(path)[1]["plan"]["name"]
    assert refusal["detail"] == f"{name}: 4 days of holiday are left, and this one takes 6"

    planned = ben.post("/me/holidays/plan", {"begins": first, "ends": first + 6 * DAY})[1]
    assert {each["matchId"]: bool(each["why"]) for each in planned["tables"]} == {of_contest: True, free: False}
    assert ben.post("/me/holidays", {"begins": first, "ends": first + 6 * DAY, "partly": True})[0] == 201
    assert away(client, of_contest, ben) == [(first, first + 4 * DAY)]
    assert away(client, free, ben) == [(first, first + 6 * DAY)]
    catch_up(client)
    assert ben.get("/me/holidays")[1]["used"][0] == {"name": name, "used": 4.0, "days": 4}
    contest = f"/contests/{path.rpartition('/')[2]}/holidays"
    assert [each["player"]["id"] for each in ann.get(contest)[1]["away"]] == [ben.id]
    assert ben.get(contest)[0] == 403


def test_a_signed_holiday_needs_no_trust_in_the_service(client: TestClient[Any], ben: Person) -> None:
    anna = Signer(client)
    assert anna.brings(FIRST)[0] == 201
    match_id = anna.opens(table=BY_POST)
    anna.sits(match_id, 0)
    ben.sits(match_id, 1)
    assert anna.is_ready_signed(match_id, 0)[0] == 201
    ben.is_ready(match_id)
    wanted = {"begins": soon(), "ends": soon(5)}
    planned = anna.post("/me/holidays/plan", wanted)[1]
    times = planned["begins"], planned["ends"]
    false = {"key": FIRST.key, "signature": FIRST.sign(declaration_text(anna.id, times[0], times[1] + 1))}
    assert anna.post("/me/holidays", {**wanted, "declared": false})[1]["code"] == "signature/wrong"
    true = {"key": FIRST.key, "signature": FIRST.sign(declaration_text(anna.id, *times))}
    assert anna.post("/me/holidays", {**wanted, "declared": true})[0] == 201
    at = soon(0)
    over = {"key": FIRST.key, "signature": FIRST.sign(declaration_text(anna.id, *times, at))}
    assert anna.post("/me/holidays/end", {"at": at, "declared": over})[0] == 200
    report = verify(log_of(anna, match_id))

    assert report.is_good
    assert report.signatures.service_acts == ()


class PageReader(Visitor):
    """The pages of a person who also uses the API."""

    def __init__(self, client: TestClient[Any], person: Person) -> None:
        self.client = client
        self.session = session_of(client, person.id)


def test_the_page_announces_shows_and_ends_a_holiday(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben, table=BY_POST)
    reader, page = PageReader(client, ann), "/account/holidays"
    today, *days = ((datetime.now(UTC) + timedelta(days=number)).date().isoformat() for number in (0, 2, 5))
    assert "Enter the first and the last day." in reader.sends(page, 400, first=days[0], last="")
    assert "A holiday lasts at least 1 day." in reader.sends(page, 409, first=days[1], last=days[0])

    assert reader.sends(page, first=days[0], last=days[1]) == page
    catch_up(client)
    shown = reader.sees(page)
    assert len(away(client, match_id, ann)) == 1
    assert f'href="/tables/{match_id}"' in shown
    assert "4 of 42" in shown
    opponent = PageReader(client, ben)
    assert "on holiday" in opponent.sees(f"/tables/{match_id}")
    assert "on holiday" in opponent.sees("/tables")

    assert reader.sends(f"{page}/end") == page
    assert away(client, match_id, ann) == []
    assert "ended early" in reader.sees(page)
    assert "on holiday" not in opponent.sees(f"/tables/{match_id}")
    assert reader.sends(page, first=today, last=days[1]) == page
    assert len(away(client, match_id, ann)) == 1
