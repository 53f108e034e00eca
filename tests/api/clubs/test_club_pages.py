"""Pages of clubs, without JavaScript: found, join, answer, give roles, list events, leave and close."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.cookies import SESSION
from projections.platform.clock import now
from tests.api.clubs.test_clubs import CUP, LEAGUE, found, send
from tests.api.http.forms import Visitor
from tests.api.service import Member, Person, catch_up
from tests.seeding import next_name


class Reader(Visitor):
    """A reader of pages with a person's session."""

    def __init__(self, person: Person) -> None:
        people = PEOPLE.of(person.client)
        account = people.find(person.id)
        assert account is not None
        person.client.cookies.set(SESSION, people.access.start_session(account, now()))
        super().__init__(person.client)

    def reads(self, path: str) -> str:
        return unescape(self.goes(f"/{path}"))

    def presses(self, path: str, fields: dict[str, str], status: int = 200) -> str:
        """Send a form, follow its redirect and return the page; `status` is the status of the answer."""
        response = self.sends(f"/{path}", fields)
        assert response.status_code == status, response.text
        return unescape(response.text)


def test_a_club_is_founded_from_the_list_and_shown(olga: Member) -> None:
    name = next_name("Els Amics ")
    reader = Reader(olga)
    assert "Found a club" in reader.reads("clubs")
    page = reader.presses("clubs", {"name": name, "about": "On Fridays.\nIn Palma.", "admission": "request"})

    assert f"<h1>{name}" in page
    assert "<p>On Fridays.</p><p>In Palma.</p>" in page
    assert "by request" in page
    assert "The club has no tournaments yet." in page
    assert "No one else organises the club, so it is closed for good." in page
    assert "Another club has this name" in reader.presses("clubs", {"name": name.upper()}, 409)
    catch_up(olga.client)
    assert f">{name}</a>" in reader.reads("clubs?name=AMICS")
    assert "No club has this in its name." in reader.reads("clubs?name=No+such+club")


def test_a_request_is_sent_and_accepted_on_pages(olga: Member, cleo: Member) -> None:
    club = found(olga)
    asking = Reader(cleo)
    assert "Ask to join" in asking.reads(club)
    assert "You have asked to join." in asking.presses(f"{club}/membership", {"message": "Hello from me."})
    assert "Ask to join" in asking.presses(f"{club}/leave", {})
    asking.presses(f"{club}/membership", {"message": "Hello again."})
    assert "Hello again." not in asking.reads(club)
    assert "Run the club" not in asking.text

    organising = Reader(olga)
    assert "1 request to join waits for an answer." in organising.reads(club)
    assert "Hello again." in organising.reads(f"{club}/desk")
    organising.presses(f"{club}/desk/requests", {"person": cleo.id, "accept": "true"})
    catch_up(olga.client)
    assert "2 members" in organising.reads(club)
    assert cleo.name in organising.text


def test_an_invitation_is_sent_and_answered_on_pages(olga: Member, cleo: Member, dora: Member) -> None:
    club = found(olga, "invitation")
    organising = Reader(olga)
    organising.reads(f"{club}/desk")
    for person in (cleo, dora):
        assert "Invited, without an answer" in organising.presses(f"{club}/desk/invitations", {"person": person.name})
    assert 'aria-invalid="true"' in organising.presses(f"{club}/desk/invitations", {"person": "Nobody"}, 404)
    organising.presses(f"{club}/desk/invitations/taking-back", {"person": dora.id})

    invited = Reader(cleo)
    assert "You are invited to this club." in invited.reads(club)
    assert "Leave the club" in invited.presses(f"{club}/invitation", {"accept": "true"})
    assert "This club is by invitation only." in invited.presses(f"{club}/leave", {})
    assert "This club is by invitation only." in Reader(dora).reads(club)


def test_a_member_is_removed_with_a_reason_that_only_the_member_sees(olga: Member, cleo: Member) -> None:
    club = found(olga, "open")
    Reader(cleo).presses(f"{club}/membership", {"message": ""})
    catch_up(olga.client)
    organising = Reader(olga)
    assert "Remove from the club" in organising.reads(f"{club}/desk")
    organising.presses(f"{club}/desk/removals", {"person": cleo.id, "reason": " "}, 409)
    organising.presses(f"{club}/desk/removals", {"person": cleo.id, "reason": "Never came."})
    assert "Never came." not in organising.reads(club)

    removed = Reader(cleo)
    assert "Reason: Never came." in removed.reads(club)
    assert "Join club" not in removed.text


def test_roles_details_and_the_end_of_a_club_are_on_the_desk(olga: Member, cleo: Member) -> None:
    club, name = found(olga, "open"), next_name("Renamed ")
    Reader(cleo).presses(f"{club}/membership", {"message": ""})
    catch_up(olga.client)
    owning = Reader(olga)
    owning.reads(f"{club}/desk")
    assert "Make ordinary member" in owning.presses(f"{club}/desk/roles", {"person": cleo.id, "role": "organiser"})
    page = owning.presses(f"{club}/desk/details", {"name": name, "about": "New.", "admission": "invitation"})
    assert f"<h1>{name}" in page
    assert "by invitation only" in page
    owning.presses(f"{club}/desk/owner", {"person": cleo.id})
    assert "Close the club" not in owning.reads(f"{club}/desk")
    assert owning.sends(f"/{club}/desk/closing").status_code == 403

    closing = Reader(cleo)
    assert "Close the club for good" in closing.reads(f"{club}/desk")
    page = closing.presses(f"{club}/desk/closing", {})
    assert "closed</span>" in page
    assert "Run the club" not in page
    assert "Only the owner or the organisers" in closing.reads(f"{club}/desk")


def test_the_events_of_a_club_are_listed_by_address(olga: Member) -> None:
    club = found(olga)
    cup = send(olga, "POST", "tournaments", {"plan": CUP})[1]["eventId"]
    league = send(olga, "POST", "leagues", {"plan": LEAGUE})[1]["leagueId"]
    organising = Reader(olga)
    organising.reads(f"{club}/desk")
    organising.presses(f"{club}/desk/events", {"event": f"https://esporles.example/events/{cup}/"})
    organising.presses(f"{club}/desk/events", {"event": f"/leagues/{league}?before=1"})
    assert 'aria-invalid="true"' in organising.presses(f"{club}/desk/events", {"event": "the cup"}, 404)
    catch_up(olga.client)

    page = organising.reads(club)
    assert f'href="/events/{cup}">Cup</a>' in page
    assert f'href="/leagues/{league}">Serra</a>' in page
    organising.presses(f"{club}/desk/events/removal", {"event": cup})
    catch_up(olga.client)
    assert f"/events/{cup}" not in organising.reads(club)


def test_strangers_and_guests_read_a_club_without_forms(
    client: TestClient[Any], olga: Member, member: Callable[[str], Member]
) -> None:
    club = found(olga)
    guest = Reader(Person(client))
    assert "Sign up to join a club." in guest.reads(club)
    assert "Sign in to found a club." in guest.reads("clubs")
    assert "Only the owner or the organisers" in Reader(member("Emma")).reads(f"{club}/desk")
    client.cookies.clear()
    assert "Sign in to join this club." in Visitor(client).goes(f"/{club}")
