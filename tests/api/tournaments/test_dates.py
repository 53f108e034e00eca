"""Dates over the API: registration, check-in, scheduled rounds, schedules, reminders and deadlines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from icalendar import Calendar

from tests.api.full_service import FullService
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament, publish_next_round, with_four


def moment(hours: float) -> str:
    """Return the time in this many hours, to the second."""
    return (datetime.now(UTC).replace(microsecond=0) + timedelta(hours=hours)).isoformat()


def put_calendar(organiser: ApiPerson, path: str, reason: str = "", **calendar: Any) -> Any:
    return organiser.does("PUT", f"{path}/calendar", {"calendar": calendar, "reason": reason})


def test_registration_has_a_period_and_the_organiser_enters_people_at_any_time(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, player = people[:2]
    path = open_tournament(organiser)
    put_calendar(organiser, path, entryOpens=moment(1))
    status, code, detail = player.is_refused("POST", f"{path}/entries")
    assert (status, code) == (409, "tournament/refused")
    assert "registration opens at" in detail
    put_calendar(organiser, path, entryCloses=moment(-1))
    assert "registration closed at" in player.is_refused("POST", f"{path}/entries")[2]
    organiser.does("POST", f"{path}/entries", {"person": player.id})
    event = player.accepts(path)

    assert [each["player"] for each in event["entries"]] == [player.id]
    assert player.is_refused("PUT", f"{path}/calendar", {"calendar": {}})[0] == 403


def test_contradictory_dates_and_times_without_a_zone_are_refused(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser = people[0]
    path = open_tournament(organiser)
    backwards = {"rounds": [{"starts": moment(2), "deadline": moment(1)}]}
    assert organiser.is_refused("PUT", f"{path}/calendar", {"calendar": backwards})[1] == "tournament/plan_refused"
    nowhere = {"rounds": [{"starts": "2026-12-01T10:00:00"}]}
    assert organiser.is_refused("PUT", f"{path}/calendar", {"calendar": nowhere})[0] == 400
    assert (
        "unknown time zone" in organiser.is_refused("PUT", f"{path}/calendar", {"calendar": {"zone": "Mars/Base"}})[2]
    )


def test_entries_without_check_in_are_replaced_by_waiting_ones(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people, cap=3)
    soon = {"checkInOpens": moment(-2), "checkInCloses": moment(1)}
    put_calendar(organiser, path, **soon)
    entries = {each["player"]: each["entry"] for each in organiser.get(path)["entries"]}
    assert full_service.settle() == []
    for person in people[2:]:
        person.does("PUT", f"{path}/entries/{entries[person.id]}/check-in")
    refusal = people[1].is_refused("PUT", f"{path}/entries/{entries[people[2].id]}/check-in")
    organiser.does("PUT", f"{path}/entries/{entries[people[1].id]}/check-in")
    organiser.does("DELETE", f"{path}/entries/{entries[people[1].id]}/check-in")
    put_calendar(organiser, path, **{**soon, "checkInCloses": moment(-1)})
    assert full_service.settle() == ["check_in"]
    event = organiser.get(path)

    assert refusal[0] == 403
    assert event["checkInClosed"]
    assert [each["status"] for each in event["entries"]] == ["withdrawn", "in", "in", "in"]
    assert [each["checkedIn"] for each in event["entries"]] == [False, True, True, True]


def test_rounds_follow_the_calendar_and_the_deadline_its_consequence(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people, auto=True)
    later = [{"starts": moment(1), "deadline": moment(2)}]
    put_calendar(organiser, path, rounds=later, consequence="lots", reminders=[30])
    assert full_service.settle() == []
    put_calendar(organiser, path, rounds=[{"starts": moment(-0.01), "deadline": moment(2)}], consequence="lots")
    assert full_service.settle() == ["ask", "pair", "publish", "open"]
    soon = [{"starts": moment(-0.01), "deadline": moment(0.4)}]
    put_calendar(organiser, path, "It is late.", rounds=soon, consequence="lots", reminders=[23])
    assert full_service.settle() == []
    over = [{"starts": moment(-0.02), "deadline": moment(-0.01)}]
    put_calendar(organiser, path, "It is over.", rounds=over, consequence="lots", reminders=[30])
    assert full_service.settle() == ["expire", "close", "ask", "pair", "publish", "open"]
    event = organiser.get(path)

    first = event["rounds"][0]
    assert (first["status"], first["deadlinePassed"]) == ("closed", True)
    assert all(table["ruled"] and sorted(table["places"]) == [1, 2] for table in first["tables"])
    acts = organiser.get(f"{path}/record")["acts"]
    assert {(act["kind"], act["byName"]) for act in acts} >= {("result_ruled", "Esporles")}
    assert "It is late." in {act["reason"] for act in acts}


def test_a_schedule_names_the_tables_of_its_person_and_exports_to_calendars(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people)
    times = [{"starts": moment(-1), "deadline": moment(3)}, {"starts": moment(4)}]
    pause = [{"starts": moment(3), "ends": moment(4), "name": "Lunch"}]
    put_calendar(organiser, path, zone="Europe/Madrid", place="Palma", fee="10 €", rounds=times, breaks=pause)
    table = publish_next_round(full_service, organiser, path)["tables"][0]
    entry = table["entries"][0]
    schedule = people[1].get(f"{path}/schedule?entry={entry}")
    status, content = full_service.fetch("GET", f"{path}/schedule.ics?entry={entry}")
    written = Calendar.from_ical(content.decode())
    events = list(written.walk("VEVENT"))

    assert (schedule["zone"], schedule["place"], schedule["fee"]) == ("Europe/Madrid", "Palma", "10 €")
    assert [each["kind"] for each in schedule["appointments"]] == ["round", "break", "round"]
    assert schedule["appointments"][0]["names"] == table["names"]
    assert status == 200
    assert [str(each["summary"]) for each in events] == [
        "Autumn cup: Round 1, table 1",
        "Autumn cup: Lunch",
        "Autumn cup: Round 2",
    ]
    assert len({str(each["uid"]) for each in events}) == 3
    assert str(events[0]["location"]) == "Palma"
    assert people[1].is_refused("GET", f"{path}/schedule?entry=e99")[0] == 404


def test_moved_appointments_keep_their_uid(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], open_tournament(people[0])

    def names(later: float) -> dict[str, str]:
        pauses = [(3, "Lunch"), (6, "Coffee"), (8, "Coffee")]
        breaks = [{"starts": moment(at + later), "ends": moment(at + later + 1), "name": name} for at, name in pauses]
        put_calendar(
            organiser, path, entryCloses=moment(1 + later), rounds=[{"starts": moment(2 + later)}], breaks=breaks
        )
        written = Calendar.from_ical(full_service.fetch("GET", f"{path}/schedule.ics")[1].decode())
        return {str(each["uid"]): str(each["summary"]) for each in written.walk("VEVENT")}

    before = names(0)

    assert len(before) == 5
    assert names(0.5) == before


def test_a_scheduled_announcement_is_visible_to_organisers_first(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], open_tournament(people[0])
    organiser.does("POST", f"{path}/announcements", {"text": "Prizes at six.", "since": moment(3)})
    organiser.does("POST", f"{path}/announcements", {"text": "Welcome."})
    full_service.settle()

    assert [each["text"] for each in people[1].get(path)["notices"]] == ["Welcome."]
    own = organiser.get(path)["notices"]
    assert [(each["text"], bool(each["since"])) for each in own] == [("Prizes at six.", True), ("Welcome.", False)]
