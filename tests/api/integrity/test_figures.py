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


class World:
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
        for person_id in (self.helper.id, self.gainer.id, self.stranger.id):
            addresses.store.record(person_id, "same", datetime.now(UTC).date())

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
def world(service: TestClient[Any]) -> World:
    return World(service)


def pairs(figures: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["helper"]["id"], each["gainer"]["id"]) for each in figures["helpings"]]


def test_event_arbiters_see_its_players_and_service_arbiters_everyone(world: World) -> None:
    status, of_event = world.arbiter.get(f"/integrity?event={world.event}")
    assert status == 200, of_event
    whole = world.operator.get("/integrity")[1]

    assert sorted(pairs(of_event)) == sorted([(world.helper.id, world.gainer.id), (world.gainer.id, world.helper.id)])
    assert {each["person"]["id"] for each in of_event["thinkers"]} == {world.helper.id, world.gainer.id}
    assert pairs(whole)[0] == (world.helper.id, world.gainer.id)
    assert len(whole["helpings"]) == 50
    assert whole["thinkers"][0]["person"]["id"] == world.other.id
    assert {len(each["newest"]) for each in whole["helpings"]} == {5}


def test_figures_are_compared_with_all_others_and_chance(world: World) -> None:
    figures = world.operator.get(f"/integrity?event={world.event}")[1]
    (helping,) = [each for each in figures["helpings"] if each["helper"]["id"] == world.helper.id]
    gain = next(each for each in helping["standings"] if each["measure"] == "gain")

    assert (gain["count"], gain["beyond"], gain["standsOut"]) == (12 * 11 - 2, 0, True)
    assert figures["byChance"] == round(figures["figures"] / 100)
    assert 0 < figures["marked"] < figures["figures"] / 20
    assert (figures["matchesMin"], figures["othersMin"]) == (MATCHES_MIN, OTHERS_MIN)
    assert figures["matches"] == 200 + SIZE * MATCHES_MIN
    assert figures["warning"].startswith("These figures prove nothing")


def test_agreement_is_compared_and_has_its_number_of_decisions(world: World) -> None:
    figures = world.operator.get("/integrity")[1]
    habit, unusual, sittings = figures["habits"][0], figures["agreements"][0], SIZE * MATCHES_MIN

    assert figures["analysed"] == sittings
    assert habit["person"]["id"] == unusual["person"]["id"] == world.other.id
    assert habit["matches"] == MATCHES_MIN
    assert habit["tally"] == {"decisions": 40 * MATCHES_MIN, "best": 950, "good": 1_000, "lost": 0}
    assert unusual["tally"] == {"decisions": 40, "best": 950, "good": 1_000, "lost": 0}
    assert all(each["standsOut"] and each["count"] == SIZE - 1 for each in habit["standings"])
    assert all(each["standsOut"] and each["count"] == sittings - MATCHES_MIN for each in unusual["standings"])
    rates = [(each["who"], each["tableSeats"], each["seats"], each["tally"]["decisions"]) for each in figures["rates"]]
    assert rates == [("people", 2, sittings, 40 * sittings), ("bots", 2, sittings, 40 * sittings)]
    of_event = world.arbiter.get(f"/integrity?event={world.event}")[1]
    assert of_event["rates"] == figures["rates"]
    assert {each["person"]["id"] for each in of_event["habits"]} == {world.helper.id, world.gainer.id}


def test_shared_addresses_of_opponents_show_the_crowd(world: World) -> None:
    (shared,) = world.operator.get("/integrity")[1]["addresses"]
    assert {each["id"] for each in shared["people"]} == {world.helper.id, world.gainer.id}
    assert (shared["days"], shared["crowd"]) == (1, 3)


def test_addresses_are_only_for_arbiters_of_the_service(world: World) -> None:
    of_event = world.arbiter.get(f"/integrity?event={world.event}")[1]
    of_service = world.operator.get(f"/integrity?event={world.event}")[1]

    assert (of_event["seesAddresses"], of_event["addresses"], of_event["peopleSeen"]) == (False, [], 0)
    assert (of_service["seesAddresses"], len(of_service["addresses"])) == (True, 1)
    page = f"/desk/integrity?event={world.event}"
    assert "Shared addresses" not in Reader(world.client, world.arbiter).goes(page)
    assert "Shared addresses" in Reader(world.client, world.operator).goes(page)
    world.client.cookies.clear()


def test_an_organiser_has_no_access_even_as_arbiter_of_the_event(world: World) -> None:
    wanted = {"person": world.organiser.id, "role": "arbiter", "event": world.event}
    assert world.organiser.post("/roles", wanted)[0] == 200
    refusal = world.organiser.get(f"/integrity?event={world.event}")

    assert (refusal[0], refusal[1]["code"]) == (403, "role/missing")
    assert world.organiser.post("/roles", wanted | {"granted": False})[0] == 200


def test_an_event_arbiter_sees_only_its_matches_and_accepted_players(world: World) -> None:
    """Matches outside the event are used for comparison only."""
    figures = world.arbiter.get(f"/integrity?event={world.event}")[1]
    named = {each["person"]["id"] for kind in ("thinkers", "habits", "agreements") for each in figures[kind]}
    of_service = world.operator.get(f"/integrity?event={world.event}")[1]

    assert named <= {world.helper.id, world.gainer.id}
    before = {each["helper"]["id"]: len(each["standings"]) for each in of_service["helpings"]}
    after = {each["helper"]["id"]: len(each["standings"]) for each in figures["helpings"]}
    assert sum(after.values()) < sum(before.values()), "duels with people of other events are not told"


def test_statistics_of_one_person(world: World) -> None:
    figures = world.operator.get(f"/integrity/people/{world.helper.id}")[1]
    assert all(world.helper.id in pair for pair in pairs(figures))
    assert {each["person"]["id"] for each in figures["thinkers"]} == {world.helper.id}
    path = f"/integrity/people/{world.other.id}"
    assert world.arbiter.get(f"{path}?event={world.event}")[0] == 404
    assert world.operator.get("/integrity/people/nobody")[0] == 404


def test_other_callers_are_rejected(world: World) -> None:
    for person in (world.stranger, world.organiser, world.helper):
        status, problem = person.get(f"/integrity?event={world.event}")
        assert (status, problem["code"]) == (403, "role/missing")
    for path in ("/integrity", f"/integrity/people/{world.helper.id}"):
        assert world.arbiter.get(path)[0] == 403
    assert world.client.get("/api/integrity").status_code == 401


def test_every_access_and_rejection_is_recorded(world: World) -> None:
    before = len(world.trail())
    world.arbiter.get(f"/integrity?event={world.event}")
    world.operator.get(f"/integrity/people/{world.helper.id}")
    Reader(world.client, world.operator).goes("/desk/integrity")
    own = world.operator.get(f"/integrity/people/{world.operator.id}")
    assert (own[0], own[1]["code"]) == (403, "role/plays")
    world.organiser.post("/roles", {"person": world.gainer.id, "role": "arbiter", "event": world.event})
    assert world.gainer.get(f"/integrity?event={world.event}")[1]["code"] == "role/plays"

    lines = world.trail()
    new = [
        (line["kind"], line["by"], line["event"], line["details"].get("person")) for line in lines[: -before or None]
    ]
    assert new[::-1] == [
        ("integrity_seen", world.arbiter.id, world.event, None),
        ("integrity_seen", world.operator.id, None, world.helper.id),
        ("integrity_seen", world.operator.id, None, None),
        ("conflict_met", world.operator.id, None, None),
        ("conflict_met", world.gainer.id, world.event, None),
    ]
    trail = Reader(world.client, world.operator).goes("/desk/audit")
    assert "viewed fair-play data" in trail
    assert f"<td>{PEOPLE.of(world.client).names([world.helper.id])[world.helper.id]}" in trail


def test_pages_start_with_the_warning(world: World) -> None:
    arbiter, operator = Reader(world.client, world.arbiter), Reader(world.client, world.operator)
    for text in (
        arbiter.goes("/desk/integrity"),
        operator.goes("/desk/integrity"),
        operator.goes(f"/desk/integrity/people/{world.helper.id}"),
    ):
        assert text.index("Nothing here is evidence") < text.index("Help between players")
        assert "others are at least as unusual" in text
        assert "stands out" in text
        assert f"/desk/integrity/people/{world.gainer.id}" in text
    assert world.other.id not in arbiter.goes("/desk/integrity")
    assert 'href="/desk/integrity"' in arbiter.goes("/desk")
    assert 'href="/desk/integrity"' not in Reader(world.client, world.stranger).goes("/desk")
    Reader(world.client, world.stranger).goes("/desk/integrity", 403)


def decides(decisions: Sequence[Decision], client: TestClient[Any], match_id: str) -> None:
    """Submit a worker's result with all decisions in the first range."""
    match = MATCHES.of(client).writer.matches.get(UUID(match_id))
    service = AnalysisService(MATCHES.of(client), ANALYSES.of(client), LIMITS.of(client), None)  # type: ignore[arg-type]  # no request is made
    for first, _ in pieces_of(match.version):
        piece = Piece(tuple(decisions) if first == 1 else (), ())
        results = HandIn(match.head, first, VERSION, msgspec.json.encode(piece).decode())
        client.blocking_portal.call(service.store_results, match.id, results)


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

    report = operator.get(f"/integrity/matches/{match_id}")[1]
    by_person = {each["person"]["id"]: each["tally"] for each in report["agreements"]}
    assert by_person == {
        ann.id: {"decisions": 12, "best": 583, "good": 833, "lost": 233},
        ben.id: {"decisions": 0, "best": None, "good": None, "lost": None},
    }
    assert (report["analysed"], report["matchAnalysed"], report["rates"][0]["seats"]) == (1, True, 1)
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
    figures, of_match = operator.get("/integrity")[1], operator.get(f"/integrity/matches/{match_id}")[1]

    assert [each.people for each in played] == [(ann.id, ben.id)] * MATCHES_MIN
    with reads.transaction() as transaction:
        noted = integrity.read_notes(transaction, str(played[-1].match_id)).decisions
    assert {each.seat for each in noted} == {0, 1}
    assert all(0 <= each.ms < 60_000 for each in noted)
    assert [(seat.place, seat.left) for seat in played[0].seats] == [(1, False), (2, True)]
    assert (figures["matches"], figures["figures"]) == (MATCHES_MIN, 0)
    assert not any(figures[each] for each in ("helpings", "meetings", "thinkers", "addresses"))
    assert of_match["sittings"] == []
    assert "No data to compare." in Reader(own_client, operator).goes(f"/desk/integrity/tables/{match_id}")
    assert ann.get(f"/integrity/matches/{match_id}")[0] == 403


def test_people_see_accesses_to_their_statistics(world: World) -> None:
    world.operator.get(f"/integrity/people/{world.helper.id}")
    catch_up(world.client)
    later = world.helper.get("/me/figures")[1]["looks"]
    exported = world.helper.get("/me/data")[1]["figuresRead"]
    page = Reader(world.client, world.helper).goes("/account")
    world.client.cookies.clear()

    assert {look["role"] for look in later} == {"operator", "arbiter"}
    assert len(exported) == len(later)
    assert "Views of your fair-play data" in page
    assert world.stranger.get("/me/figures")[1] == {"looks": []}
