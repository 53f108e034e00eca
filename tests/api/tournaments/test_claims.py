"""Players enter the results of their tables with seat codes, which are neither guessable nor logged."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from uuid import UUID

import pytest

from api.http.limits import CODES_PER_HOUR, SEATS_PER_HOUR, Limits
from api.http.qr import qr_file
from api.tournaments.codes import SECRET, SeatCodes
from domain.tournaments.entries import TournamentEntry
from domain.tournaments.errors import CodeLocked, WrongCode
from domain.tournaments.state import TOURNAMENT
from tests.api.full_service import FullService, Visitor
from tests.api.service import settings_in
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament
from tests.seeding import new_id

NAMES = ("Ana", "Blai", "Clara", "Dolors", "Enric", "Fina", "Guiem", "Hug")
SCORES, OTHERWISE = [50, 40, 30, 20], [50, 40, 20, 30]


class Hall:
    """A face-to-face event with two tables of four, and a program with the codes of its players."""

    def __init__(self, service: FullService, organiser: ApiPerson) -> None:
        self.service = service
        self.organiser = organiser
        self.path = open_tournament(organiser, faceToFace=True, size=4, stages=[{"kind": "swiss", "rounds": 2}])
        self.id = UUID(self.path.rpartition("/")[2])
        for name in NAMES:
            organiser.does("POST", f"{self.path}/entries", {"name": name})
        organiser.does("POST", f"{self.path}/pairings")
        service.settle()
        organiser.does("POST", f"{self.path}/rounds/1/publication")
        service.settle()

    @property
    def tables(self) -> Any:
        return self.organiser.get(self.path)["rounds"][0]["tables"]

    def entry(self, seat: int, table: int = 1) -> str:
        return str(self.tables[table - 1]["entries"][seat])

    def code(self, entry: str) -> str:
        known = self.service.log.streams.get(TOURNAMENT, self.id).state.entry(entry)
        assert known is not None
        codes = SeatCodes(self.service.people.secret(SECRET), Limits(settings_in(self.service.folder)))
        return codes.code_of(self.id, known)

    def says(
        self, entry: str, *, code: str = "", scores: Any = None, key: str = "", table: int = 1
    ) -> tuple[int, dict[str, Any]]:
        wanted = {"entry": entry, "code": code or self.code(entry), "scores": scores or SCORES}
        path = f"{self.path}/rounds/1/tables/{table}/claims"
        status, body = self.service.ask("POST", path, wanted | {"key": key or str(new_id())})
        return status, body

    def wrong(self, entry: str) -> str:
        """Return a code that is not the entry's."""
        return f"{(int(self.code(entry)) + 1) % 10_000:04}"


@pytest.fixture
def hall(full_service: FullService, people: list[ApiPerson]) -> Hall:
    return Hall(full_service, people[0])


def test_a_result_counts_after_a_second_seat_confirms_it(hall: Hall) -> None:
    first, second = hall.entry(0), hall.entry(2)
    key = str(new_id())
    entered = hall.says(first, key=key)
    again = hall.says(first, key=key)
    by_the_same = hall.says(first)
    before = hall.tables[0]
    confirmed = hall.says(second)
    after = hall.tables[0]

    assert entered == (201, {"status": "waiting", "agreed": 1, "needed": 2})
    assert again == entered
    assert by_the_same == entered
    assert before["scores"] is None
    assert before["claims"] == [{"entry": first, "scores": SCORES, "places": [1, 2, 3, 4]}]
    assert confirmed == (201, {"status": "counts", "agreed": 2, "needed": 2})
    assert (after["scores"], after["places"]) == (SCORES, [1, 2, 3, 4])


def test_contradictory_claims_need_the_organiser(hall: Hall) -> None:
    hall.says(hall.entry(0))
    status, body = hall.says(hall.entry(1), scores=OTHERWISE)
    hall.service.follow()
    desk = Visitor(hall.service, hall.organiser.id).sees(f"/events/{hall.id}/desk")
    page = Visitor(hall.service).sees(f"/events/{hall.id}/tables/1/1")
    refusal = hall.organiser.is_refused("POST", f"{hall.path}/rounds/1/closing")
    hall.organiser.does("PUT", f"{hall.path}/rounds/1/tables/1/result", {"scores": SCORES, "places": [1, 2, 3, 4]})
    late = hall.says(hall.entry(1), scores=OTHERWISE)

    assert (status, body["status"]) == (201, "contradicted")
    assert "conflicting results at 1 table" in desk
    assert "conflicting results" in desk
    assert "An organiser will decide" in page
    assert refusal[0] == 409
    assert (late[0], late[1]["code"]) == (409, "tournament/refused")


def test_wrong_codes_and_codes_of_other_tables_are_refused(hall: Hall) -> None:
    own, other = hall.entry(0), hall.entry(0, table=2)
    wrong = hall.says(own, code=hall.wrong(own))
    of_another_seat = hall.says(own, code=hall.code(hall.entry(1)))
    of_another_table = hall.says(other)
    stranger = hall.says("e99", code="0000")

    assert (wrong[0], wrong[1]["code"]) == (403, "tournament/wrong_code")
    assert (of_another_seat[0], of_another_seat[1]["code"]) == (403, "tournament/wrong_code")
    assert (of_another_table[0], of_another_table[1]["code"]) == (409, "tournament/refused")
    assert "is not seated at table 1 of round" in of_another_table[1]["detail"]
    assert stranger[0] == 404
    assert hall.tables[0]["claims"] == []


def test_guessing_is_limited_and_a_renewed_code_replaces_the_old_one(hall: Hall) -> None:
    own, other = hall.entry(0), hall.entry(1, table=2)
    answers = [hall.says(own, code=hall.wrong(own))[0] for _ in range(CODES_PER_HOUR + 1)]
    even_right = hall.says(own)
    elsewhere = hall.says(hall.entry(0, table=2), table=2)
    code = hall.code(other)
    organiser = Visitor(hall.service, hall.organiser.id)
    silent = organiser.submit_refused(f"/events/{hall.id}/desk/code", entry=other, reason=" ")
    organiser.sends(f"/events/{hall.id}/desk/code", entry=other, reason="It lay on the table.")
    stale = hall.says(other, code=code, table=2)
    renewed = hall.says(other, table=2)
    hall.service.follow()

    assert answers == [*[403] * CODES_PER_HOUR, 429]
    assert (even_right[0], even_right[1]["code"]) == (429, "tournament/code_locked")
    assert elsewhere[0] == 201
    assert stale[0] == 403
    assert renewed[1]["status"] == "counts"
    assert silent[0] == 409
    assert "another code needs a reason" in silent[1]
    record = Visitor(hall.service).sees(f"/events/{hall.id}/record")
    assert "issued a new code" in record
    assert "It lay on the table." in record
    assert "It lay on the table." in organiser.sees(f"/desk/audit?event={hall.id}")


def test_a_seat_is_locked_against_guesses_from_many_addresses(full_service: FullService) -> None:
    async def guess() -> None:
        codes = SeatCodes("secret", Limits(settings_in(full_service.folder)))
        event, entry = new_id(), TournamentEntry("e1")
        wrong = f"{(int(codes.code_of(event, entry)) + 1) % 10_000:04}"
        for at in range(SEATS_PER_HOUR):
            with pytest.raises(WrongCode):
                await codes.require(event, "table 1", entry, wrong, f"192.0.2.{at}")
        with pytest.raises(CodeLocked):
            await codes.require(event, "table 1", entry, codes.code_of(event, entry), "192.0.2.200")
        bot = TournamentEntry("e2", actor="bot:random@1")
        with pytest.raises(WrongCode):
            await codes.require(event, "table 1", bot, codes.code_of(event, bot), "192.0.2.201")

    asyncio.run(guess())


def test_a_qr_code_contains_only_its_address(hall: Hall, full_service: FullService) -> None:
    anybody, origin = Visitor(full_service), settings_in(full_service.folder).origin

    for path in (f"/events/{hall.id}", f"/events/{hall.id}/tables/1/2"):
        assert anybody.sees(f"{path}/qr.svg") == qr_file(f"{origin}{path}").decode()
    anybody.sees(f"/events/{hall.id}/tables/1/3/qr.svg", 404)
    anybody.sees(f"/events/{new_id()}/qr.svg", 404)
    slips = Visitor(full_service, hall.organiser.id).sees(f"/events/{hall.id}/desk/print/slips")
    assert [f'src="/events/{hall.id}/tables/1/{table}/qr.svg"' in slips for table in (1, 2, 3)] == [True, True, False]


def test_codes_appear_only_on_the_organisers_sheets(
    hall: Hall, full_service: FullService, capfd: pytest.CaptureFixture[str]
) -> None:
    entries = [hall.entry(seat) for seat in range(4)]
    organiser = Visitor(full_service, hall.organiser.id)
    strips = organiser.sees(f"/events/{hall.id}/desk/print/codes")
    slips = organiser.sees(f"/events/{hall.id}/desk/print/slips")
    hall.says(entries[0])
    wrong = hall.wrong(entries[1])
    hall.says(entries[1], code=wrong)
    stored = [bytes(record.body).decode() for record in full_service.log.streams.records(hall.id)]
    logged = "".join(capfd.readouterr())

    assert all(f">{hall.code(entry)}<" in strips for entry in entries)
    assert Visitor(full_service).sees(f"/events/{hall.id}/desk/print/codes", 403)
    assert f"/events/{hall.id}/tables/1/1<" in slips
    for code in (*map(hall.code, entries), wrong):
        assert f">{code}<" not in slips
        assert not any(code in body for body in stored if "claim" in body)
        assert code not in logged


def test_the_page_works_without_scripts_and_reports_errors(hall: Hall, full_service: FullService) -> None:
    visitor, own, page = Visitor(full_service), hall.entry(0), f"/events/{hall.id}/tables/1/1"
    status, problem = visitor.submit_refused(page, entry=own, code=hall.wrong(own), scores=SCORES)
    location = visitor.sends(page, entry=own, code=hall.code(own), scores=SCORES)
    html = visitor.sees(location)
    pieces, _ = visitor.read_first_event(f"{page}/stream")

    assert status == 403
    assert "This is not the code of this player." in problem
    # Tokens and ids within tags are long enough to contain any four digits.
    assert hall.wrong(own) not in re.sub("<[^>]*>", " ", problem)
    assert f'value="{hall.wrong(own)}"' not in problem
    assert location == f"{page}?sent=true"
    assert "Your result was received." in html
    assert "Confirmed by 1 of 2." in html
    assert "Confirm result" in pieces["claimed"]
    assert visitor.sees(f"/events/{hall.id}/tables/1/9", 404)


def test_a_signed_in_player_sees_only_their_own_code(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser = people[0]
    path = open_tournament(organiser, faceToFace=True, size=2, stages=[{"kind": "swiss", "rounds": 1}])
    for person in people[1:3]:
        person.does("POST", f"{path}/entries")
    organiser.does("POST", f"{path}/pairings")
    full_service.settle()
    organiser.does("POST", f"{path}/rounds/1/publication")
    full_service.settle()
    page = f"/events/{path.rpartition('/')[2]}/tables/1/1"

    def code_in(person: str) -> str:
        field = Visitor(full_service, person).sees(page).partition('name="code"')[2]
        return field.partition('value="')[2].partition('"')[0]

    assert len(code_in(people[1].id)) == 4
    assert code_in("") == ""


def test_the_big_screen_shows_places_running_clocks_and_standings(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser = people[0]
    clock = {"kind": "per_move", "seconds": 600}
    path = open_tournament(
        organiser, name="Live", size=2, table={"clock": clock}, stages=[{"kind": "swiss", "rounds": 1}]
    )
    for person in people[1:]:
        person.does("POST", f"{path}/entries")
    organiser.does("POST", f"{path}/pairings")
    full_service.settle()
    organiser.does("POST", f"{path}/rounds/1/publication")
    full_service.settle()
    for table in organiser.get(path)["rounds"][0]["tables"]:
        for person in people[1:]:
            full_service.ask("POST", f"/matches/{table['matchId']}/ready", {}, person.token)
    full_service.follow()
    event = path.rpartition("/")[2]
    page = Visitor(full_service).sees(f"/events/{event}/screen")
    second = Visitor(full_service).sees(f"/events/{event}/screen?screens=2&screen=2")
    pieces, _ = Visitor(full_service).read_first_event(f"/events/{event}/screen/stream")

    assert page.count('<b class="clock runs" data-deadline="') >= 2
    assert "Find your table" in page
    assert "Standings" in page
    assert page.partition("slide-two")[2].partition("</ul>")[0].count("<li>") == 4
    assert second.partition("slide-two")[2].partition("</ul>")[0].count("<li>") == 2
    assert "Running clocks" in pieces["screen_slides"]
