"""The pages of dates in a browser without scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournament_pages import open_event

MADRID = ZoneInfo("Europe/Madrid")
DECIDED = {"consequence": "overdue", "extensionDays": 2, "organiserDays": 3}
SUMMER = {"zone": "Europe/Madrid", "place": "Palma, Plaça Major", "fee": "10 €"}


def local(hours: float) -> str:
    """Return the local time in Madrid in this many hours."""
    return (datetime.now(UTC) + timedelta(hours=hours)).astimezone(MADRID).strftime("%Y-%m-%dT%H:%M")


def test_dates_are_stored_with_their_zone_and_shown(full_service: FullService) -> None:
    organiser, reader = Visitor(full_service), Visitor(full_service)
    event = open_event(organiser)
    rounds = {"rounds.0.number": 1, "rounds.1.number": 2, "rounds.1.starts": "2031-07-01T16:30"}
    rounds["rounds.1.deadline"] = "2031-07-02T16:30"
    pause = {"breaks.0.starts": "2031-07-01T14:00", "breaks.0.ends": "2031-07-01T16:00", "breaks.0.name": "Dinar"}
    where = organiser.sends(f"{event}/dates", **SUMMER, **rounds, **pause, reminders="30 5", **DECIDED)
    page = reader.sees(f"{event}/schedule")
    form = organiser.sees(f"{event}/dates")

    assert where == f"{event}/schedule?entry=all"
    assert "Times are in the Europe/Madrid time zone." in page
    assert "Tue, 1 Jul 2031, 16:30" in page
    assert "Tue, 1 Jul 2031, 14:00 – 16:00" in page
    assert "A table without a result at its deadline gets 2 more days, once. If a table has no result" in page
    assert "players who have to move are placed last. If there are no points yet, places are drawn by lot." in page
    assert 'name="organiserDays" required value="3"' in form
    assert "Palma, Plaça Major" in page
    assert page.index("Dinar") < page.index("Round 2")
    assert 'name="rounds.0.starts" value=""' in form
    assert 'name="rounds.1.starts" value="2031-07-01T16:30"' in form
    assert 'name="breaks.0.name" value="Dinar"' in form
    assert 'name="reminders" value="30 5"' in form
    assert reader.sees(f"{event}/dates", 403)


def test_skipped_local_times_and_contradictory_dates_are_refused(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = open_event(organiser)
    status, page = organiser.submit_refused(f"{event}/dates", zone="Europe/Madrid", entryOpens="2031-03-30T02:30")
    assert status == 400
    assert "Enter a date and time that exists in this time zone, not “2031-03-30T02:30”." in page
    status, page = organiser.submit_refused(f"{event}/dates", zone="Europe/Atlantis")
    assert status == 422
    assert "Europe/Atlantis" in page
    nameless = {"breaks.0.starts": "2031-07-01T14:00"}
    assert organiser.submit_refused(f"{event}/dates", **nameless)[0] == 400


def test_people_check_in_and_see_the_deadline(full_service: FullService) -> None:
    organiser, player = Visitor(full_service), Visitor(full_service)
    event = open_event(organiser)
    player.sends(f"{event}/enter")
    organiser.sends(f"{event}/desk/enter", bot="random")
    assert 'id="check-in"' not in player.sees(event)
    window = {"checkInOpens": local(-1), "checkInCloses": local(1)}
    organiser.sends(f"{event}/dates", zone="Europe/Madrid", **window)
    assert 'id="check-in"' in player.sees(event)
    assert player.sends(f"{event}/check-in", entry="e1") == event
    assert "You have checked in." in player.sees(event)
    assert organiser.sends(f"{event}/check-in/undo", entry="e1") == f"{event}/people"
    assert "checked in" not in player.sees(f"{event}/people")
    assert "1 player has not checked in" in organiser.sees(f"{event}/desk")
    assert "can be paired" not in organiser.sees(f"{event}/desk"), "somebody may still come"
    player.sends(f"{event}/check-in", entry="e1")
    assert "checked in" in player.sees(f"{event}/people")
    assert "not checked in" not in organiser.sees(f"{event}/desk"), "nobody is missing"
    assert "The first round can be paired." in organiser.sees(f"{event}/desk")

    organiser.sends(f"{event}/desk/pairing")
    full_service.settle()
    organiser.sends(f"{event}/desk/publish", round=1)
    full_service.settle()
    desk, last_event_id = organiser.read_first_event(f"{event}/desk/stream")
    assert "until" not in desk["round_panel"]
    late = {"rounds.0.number": 1, "rounds.0.deadline": local(0.5), "reminders": "40", "reason": "The hall closes."}
    organiser.sends(f"{event}/dates", zone="Europe/Madrid", **late)
    full_service.settle()
    page = player.sees(event)
    desk, _ = organiser.read_first_event(f"{event}/desk/stream", last_event_id)

    assert "until" in desk["round_panel"]
    assert re.search(r"Finish your table of round 1 by \w{3}, ", page)
    assert "Round 1, table 1" in player.sees(f"{event}/schedule")
    assert "Schedule of" in player.sees(f"{event}/schedule")
    assert "Schedule of" not in player.sees(f"{event}/schedule?entry=all")
    assert "changed the schedule" in player.sees(f"{event}/record")


def test_the_workbench_shows_when_a_round_can_be_paired(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = open_event(organiser)

    def needs() -> str:
        page = organiser.sees(f"{event}/desk")
        return page[page.index('id="needs"') : page.index("</aside>")]

    assert "2 more players are needed for a round." in needs()
    organiser.sends(f"{event}/desk/enter", bot="random")
    assert "1 more player is needed for a round." in needs()
    organiser.sends(f"{event}/desk/enter", bot="greedy")
    assert "The first round can be paired." in needs()
    organiser.sends(f"{event}/dates", zone="UTC", entryOpens="2031-01-01T09:00", entryCloses="2031-02-01T09:00")
    assert "Registration has not opened yet." in needs()
    assert "can be paired" not in needs()
    organiser.sends(f"{event}/dates", zone="UTC", entryCloses="2031-02-01T09:00")
    assert re.search(r"Registration is open\..*until Sat, 1 Feb 2031", needs(), re.DOTALL)
    assert "can be paired" not in needs()
