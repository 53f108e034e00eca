"""The integrity screen: access, comparisons, and the record of every access."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.analyses.schemas import HandIn
from api.analyses.service import ANALYSES, AnalysisService
from api.http.limits import LIMITS
from api.integrity.addresses import ADDRESSES
from api.matches.service import MATCHES
from domain.analyses.report import VERSION, Decision, Piece, pieces_of
from domain.integrity.agreement import SeatAgreement
from domain.integrity.base_rates import MATCHES_MIN, OTHERS_MIN
from domain.integrity.measured_matches import MeasuredMatch
from domain.kernel.values import replace
from domain.matches.log.entries import microseconds
from projections import integrity
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Member, Person, catch_up, make_operator, play_rounds, start_match
from tests.domain.analyses.test_report import decision
from tests.domain.integrity.generated_matches import season
from tests.domain.integrity.test_agreement import BOTS, UNUSUAL, USUAL
from tests.domain.integrity.test_person_times import club

SIZE = OTHERS_MIN + 2
PLAN = {"name": "Cup", "title": "la_granja", "size": 2, "stages": [{"kind": "swiss", "rounds": 2}]}


class House:
    """Many players, two of whom help each other, and an event with these two and its officials."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.helper, self.gainer, self.other, self.operator, self.arbiter, self.organiser, self.stranger = (
            Person(client) for _ in range(7)
        )
        make_operator(client, self.operator.id)
        crowd = [f"somebody-{number}" for number in range(SIZE - 3)]
        self.people = (self.helper.id, self.gainer.id, self.other.id, *crowd)
        status, event = self.organiser.post("/tournaments", {"plan": PLAN})
        assert status == 201, event
        self.event = str(event["eventId"])
        for person in (self.helper, self.gainer):
            assert person.post(f"/tournaments/{self.event}/entries", {})[0] in {200, 201}
        wanted = {"person": self.arbiter.id, "role": "arbiter", "event": self.event}
        assert self.organiser.post("/roles", wanted)[0] == 200
        catch_up(client)
        at_tables = season(200, self.giving, self.people[:12])
        with_bots = club(self.other.id, people=self.people)
        self.fill([*map(self.in_event, at_tables), *map(self.in_event, with_bots)])
        self.analyse(with_bots, len(at_tables))
        addresses = ADDRESSES.of(client)
        for who in (self.helper.id, self.gainer.id, self.stranger.id):
            addresses.store.record(who, "same", datetime.now(UTC).date())

    def giving(self, order: list[str], _: Random, __: int) -> list[str]:
        helper, gainer = self.helper.id, self.gainer.id
        if {helper, gainer} <= set(order):
            return [gainer, *(each for each in order if each not in (helper, gainer)), helper]
        return order

    def in_event(self, played: MeasuredMatch) -> MeasuredMatch:
        """Move a match into the event if its players are the two accounts alone, or include both."""
        entered = {self.helper.id, self.gainer.id}
        is_there = entered <= {*played.people} or {*played.people} <= entered
        return replace(played, event=self.event) if is_there else played

    def fill(self, matches: Sequence[MeasuredMatch]) -> None:
        with MATCHES.of(self.client).writer.reads.transaction() as transaction:
            for number, played in enumerate(matches):
                detail = msgspec.json.encode(played)
                key = str(UUID(int=number))
                transaction.change(
                    integrity.WRITE_MATCH, match_id=key, line_id=key, ended=microseconds(played.ended_at), detail=detail
                )

    def analyse(self, matches: Sequence[MeasuredMatch], first: int) -> None:
        """Store analyses of inserted matches from this number; one person always agrees with them."""
        for number, played in enumerate(matches, first):
            seats = (SeatAgreement(False, UNUSUAL if played.people == (self.other.id,) else USUAL), BOTS)
            ANALYSES.of(self.client).store_agreement(UUID(int=number), VERSION, msgspec.json.encode(seats))

    def trail(self) -> list[dict[str, Any]]:
        catch_up(self.client)
        lines = self.operator.get("/audit?limit=100")[1]["lines"]
        return [line for line in lines if line["kind"] in {"integrity_seen", "conflict_met"}]


@pytest.fixture(scope="module")
def house(service: TestClient[Any]) -> House:
    return House(service)


def pairs(shown: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["helper"]["id"], each["gainer"]["id"]) for each in shown["helpings"]]


def test_event_arbiters_see_its_players_and_service_arbiters_everyone(house: House) -> None:
    status, of_event = house.arbiter.get(f"/integrity?event={house.event}")
    assert status == 200, of_event
    whole = house.operator.get("/integrity")[1]

    assert sorted(pairs(of_event)) == sorted([(house.helper.id, house.gainer.id), (house.gainer.id, house.helper.id)])
    assert {each["person"]["id"] for each in of_event["thinkers"]} == {house.helper.id, house.gainer.id}
    assert pairs(whole)[0] == (house.helper.id, house.gainer.id)
    assert len(whole["helpings"]) == 50
    assert whole["thinkers"][0]["person"]["id"] == house.other.id
    assert {len(each["newest"]) for each in whole["helpings"]} == {5}


def test_figures_are_compared_with_all_others_and_chance(house: House) -> None:
    shown = house.operator.get(f"/integrity?event={house.event}")[1]
    (helping,) = [each for each in shown["helpings"] if each["helper"]["id"] == house.helper.id]
    gain = next(each for each in helping["standings"] if each["measure"] == "gain")

    assert (gain["count"], gain["beyond"], gain["standsOut"]) == (12 * 11 - 2, 0, True)
    assert shown["byChance"] == round(shown["figures"] / 100)
    assert 0 < shown["marked"] < shown["figures"] / 20
    assert (shown["matchesMin"], shown["othersMin"]) == (MATCHES_MIN, OTHERS_MIN)
    assert shown["matches"] == 200 + SIZE * MATCHES_MIN
    assert shown["warning"].startswith("These figures prove nothing")


def test_agreement_is_compared_and_has_its_number_of_decisions(house: House) -> None:
    shown = house.operator.get("/integrity")[1]
    habit, unusual, sittings = shown["habits"][0], shown["agreements"][0], SIZE * MATCHES_MIN

    assert shown["analysed"] == sittings
    assert habit["person"]["id"] == unusual["person"]["id"] == house.other.id
    assert habit["matches"] == MATCHES_MIN
    assert habit["tally"] == {"decisions": 40 * MATCHES_MIN, "best": 950, "good": 1_000, "lost": 0}
    assert unusual["tally"] == {"decisions": 40, "best": 950, "good": 1_000, "lost": 0}
    assert all(each["standsOut"] and each["count"] == SIZE - 1 for each in habit["standings"])
    assert all(each["standsOut"] and each["count"] == sittings - MATCHES_MIN for each in unusual["standings"])
    rates = [(each["who"], each["tableSeats"], each["seats"], each["tally"]["decisions"]) for each in shown["rates"]]
    assert rates == [("people", 2, sittings, 40 * sittings), ("bots", 2, sittings, 40 * sittings)]
    of_event = house.arbiter.get(f"/integrity?event={house.event}")[1]
    assert of_event["rates"] == shown["rates"]
    assert {each["person"]["id"] for each in of_event["habits"]} == {house.helper.id, house.gainer.id}


def test_shared_addresses_of_opponents_show_the_crowd(house: House) -> None:
    (shared,) = house.operator.get("/integrity")[1]["addresses"]
    assert {each["id"] for each in shared["people"]} == {house.helper.id, house.gainer.id}
    assert (shared["days"], shared["crowd"]) == (1, 3)


def test_addresses_are_only_for_arbiters_of_the_service(house: House) -> None:
    of_event = house.arbiter.get(f"/integrity?event={house.event}")[1]
    of_house = house.operator.get(f"/integrity?event={house.event}")[1]

    assert (of_event["seesAddresses"], of_event["addresses"], of_event["peopleSeen"]) == (False, [], 0)
    assert (of_house["seesAddresses"], len(of_house["addresses"])) == (True, 1)
    page = f"/desk/integrity?event={house.event}"
    assert "Shared addresses" not in Reader(house.client, house.arbiter).goes(page)
    assert "Shared addresses" in Reader(house.client, house.operator).goes(page)
    house.client.cookies.clear()


def test_an_organiser_has_no_access_even_as_arbiter_of_the_event(house: House) -> None:
    wanted = {"person": house.organiser.id, "role": "arbiter", "event": house.event}
    assert house.organiser.post("/roles", wanted)[0] == 200
    refused = house.organiser.get(f"/integrity?event={house.event}")

    assert (refused[0], refused[1]["code"]) == (403, "role/missing")
    assert house.organiser.post("/roles", wanted | {"granted": False})[0] == 200


def test_an_event_arbiter_sees_only_its_matches_and_accepted_players(house: House) -> None:
    """Matches outside the event are used for comparison only."""
    shown = house.arbiter.get(f"/integrity?event={house.event}")[1]
    named = {each["person"]["id"] for kind in ("thinkers", "habits", "agreements") for each in shown[kind]}
    of_house = house.operator.get(f"/integrity?event={house.event}")[1]

    assert named <= {house.helper.id, house.gainer.id}
    before = {each["helper"]["id"]: len(each["standings"]) for each in of_house["helpings"]}
    after = {each["helper"]["id"]: len(each["standings"]) for each in shown["helpings"]}
    assert sum(after.values()) < sum(before.values()), "duels with people of other events are not told"


def test_statistics_of_one_person(house: House) -> None:
    shown = house.operator.get(f"/integrity/people/{house.helper.id}")[1]
    assert all(house.helper.id in pair for pair in pairs(shown))
    assert {each["person"]["id"] for each in shown["thinkers"]} == {house.helper.id}
    path = f"/integrity/people/{house.other.id}"
    assert house.arbiter.get(f"{path}?event={house.event}")[0] == 404
    assert house.operator.get("/integrity/people/nobody")[0] == 404


def test_other_callers_are_rejected(house: House) -> None:
    for person in (house.stranger, house.organiser, house.helper):
        status, problem = person.get(f"/integrity?event={house.event}")
        assert (status, problem["code"]) == (403, "role/missing")
    for path in ("/integrity", f"/integrity/people/{house.helper.id}"):
        assert house.arbiter.get(path)[0] == 403
    assert house.client.get("/api/integrity").status_code == 401


def test_every_access_and_rejection_is_recorded(house: House) -> None:
    before = len(house.trail())
    house.arbiter.get(f"/integrity?event={house.event}")
    house.operator.get(f"/integrity/people/{house.helper.id}")
    Reader(house.client, house.operator).goes("/desk/integrity")
    own = house.operator.get(f"/integrity/people/{house.operator.id}")
    assert (own[0], own[1]["code"]) == (403, "role/plays")
    house.organiser.post("/roles", {"person": house.gainer.id, "role": "arbiter", "event": house.event})
    assert house.gainer.get(f"/integrity?event={house.event}")[1]["code"] == "role/plays"

    found = house.trail()
    new = [
        (line["kind"], line["by"], line["event"], line["details"].get("person")) for line in found[: -before or None]
    ]
    assert new[::-1] == [
        ("integrity_seen", house.arbiter.id, house.event, None),
        ("integrity_seen", house.operator.id, None, house.helper.id),
        ("integrity_seen", house.operator.id, None, None),
        ("conflict_met", house.operator.id, None, None),
        ("conflict_met", house.gainer.id, house.event, None),
    ]
    trail = Reader(house.client, house.operator).goes("/desk/audit")
    assert "viewed fair-play data" in trail
    assert f"<td>{PEOPLE.of(house.client).names([house.helper.id])[house.helper.id]}" in trail


def test_pages_start_with_the_warning(house: House) -> None:
    arbiter, operator = Reader(house.client, house.arbiter), Reader(house.client, house.operator)
    for text in (
        arbiter.goes("/desk/integrity"),
        operator.goes("/desk/integrity"),
        operator.goes(f"/desk/integrity/people/{house.helper.id}"),
    ):
        assert text.index("Nothing here is evidence") < text.index("Help between players")
        assert "others are at least as unusual" in text
        assert "stands out" in text
        assert f"/desk/integrity/people/{house.gainer.id}" in text
    assert house.other.id not in arbiter.goes("/desk/integrity")
    assert 'href="/desk/integrity"' in arbiter.goes("/desk")
    assert 'href="/desk/integrity"' not in Reader(house.client, house.stranger).goes("/desk")
    Reader(house.client, house.stranger).goes("/desk/integrity", 403)


def decides(decisions: Sequence[Decision], client: TestClient[Any], match_id: str) -> None:
    """Submit a worker's result with all decisions in the first range."""
    match = MATCHES.of(client).writer.matches.get(UUID(match_id))
    service = AnalysisService(MATCHES.of(client), ANALYSES.of(client), LIMITS.of(client), None)  # type: ignore[arg-type]  # no request is made
    for first, _ in pieces_of(match.version):
        piece = Piece(tuple(decisions) if first == 1 else (), ())
        found = HandIn(match.head, first, VERSION, msgspec.json.encode(piece).decode())
        client.blocking_portal.call(service.store_results, match.id, found)


def test_a_match_shows_whether_it_is_analysed(own_client: TestClient[Any]) -> None:
    ann, ben, operator = Member(own_client, "Ann"), Member(own_client, "Ben"), Person(own_client)
    make_operator(own_client, operator.id)
    match_id = start_match(ann, ben, table={"rated": True, "clock": {"kind": "per_move", "seconds": 600}})
    while (match := ann.get(f"/matches/{match_id}")[1])["toAct"] != [0]:
        assert ben.acts(match_id)[0] == 201
    assert ann.acts(match_id)[0] == 201
    entry = int(match["version"]) + 1
    assert ben.post(f"/matches/{match_id}/resignation", {})[0] == 201
    catch_up(own_client)
    address, reader = f"/desk/integrity/tables/{match_id}", Reader(own_client, operator)
    none = operator.get(f"/integrity/matches/{match_id}")[1]
    assert (none["analysed"], none["matchAnalysed"], none["agreements"], none["rates"]) == (0, False, [], [])
    assert "This match has no analysis, so there are no agreement figures." in reader.goes(address)

    assert ann.post(f"/matches/{match_id}/analysis", {})[0] == 202
    losses = (0, 0, 0, 0, 0, 0, 100, 150, 200, 350, 2_000, 0)
    others = (replace(decision(0, seat=1), entry=entry),)
    decides((*(replace(decision(lost), entry=entry) for lost in losses), *others), own_client, match_id)

    found = operator.get(f"/integrity/matches/{match_id}")[1]
    by_person = {each["person"]["id"]: each["tally"] for each in found["agreements"]}
    assert by_person == {
        ann.id: {"decisions": 12, "best": 583, "good": 833, "lost": 233},
        ben.id: {"decisions": 0, "best": None, "good": None, "lost": None},
    }
    assert (found["analysed"], found["matchAnalysed"], found["rates"][0]["seats"]) == (1, True, 1)
    page = reader.goes(address)
    assert "played the best or a good move: <strong>83.3 %</strong>" in page
    assert "chance to win lost per decision: <strong>2.33 %</strong>" in page
    assert "too few decisions" in page
    assert page.index("proves nothing either") < page.index("Agreement with the analysis")


def test_too_few_matches_have_no_figures(own_client: TestClient[Any]) -> None:
    """Through the service: two people with five common matches, and no one for comparison."""
    ann, ben, operator = Member(own_client, "Ann"), Member(own_client, "Ben"), Person(own_client)
    make_operator(own_client, operator.id)
    table = {"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
    for number in range(MATCHES_MIN):
        match_id = start_match(ann, ben, table=table)
        play_rounds((ann, ben), match_id, number == 0)
        assert ben.post(f"/matches/{match_id}/resignation", {})[0] == 201
    catch_up(own_client)
    reads = MATCHES.of(own_client).writer.reads
    played = integrity.newest(reads)
    shown, of_match = operator.get("/integrity")[1], operator.get(f"/integrity/matches/{match_id}")[1]

    assert [each.people for each in played] == [(ann.id, ben.id)] * MATCHES_MIN
    with reads.transaction() as transaction:
        noted = integrity.read_notes(transaction, str(played[-1].match_id)).decisions
    assert {each.seat for each in noted} == {0, 1}
    assert all(0 <= each.ms < 60_000 for each in noted)
    assert [(seat.place, seat.left) for seat in played[0].seats] == [(1, False), (2, True)]
    assert (shown["matches"], shown["figures"]) == (MATCHES_MIN, 0)
    assert not any(shown[each] for each in ("helpings", "meetings", "thinkers", "addresses"))
    assert of_match["sittings"] == []
    assert "No data to compare." in Reader(own_client, operator).goes(f"/desk/integrity/tables/{match_id}")
    assert ann.get(f"/integrity/matches/{match_id}")[0] == 403


def test_people_see_accesses_to_their_statistics(house: House) -> None:
    house.operator.get(f"/integrity/people/{house.helper.id}")
    catch_up(house.client)
    later = house.helper.get("/me/figures")[1]["looks"]
    exported = house.helper.get("/me/data")[1]["figuresRead"]
    page = Reader(house.client, house.helper).goes("/account")
    house.client.cookies.clear()

    assert {look["role"] for look in later} == {"operator", "arbiter"}
    assert len(exported) == len(later)
    assert "Views of your fair-play data" in page
    assert house.stranger.get("/me/figures")[1] == {"looks": []}
