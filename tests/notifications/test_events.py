"""Notifications of tournament news by mail and push."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from uuid import UUID

from api.matches.service import MATCHES
from domain.tournaments.state import TOURNAMENT
from tests.api.service import SERVICE_TOKEN
from tests.notifications.away import Away, parts_of
from workers.client import ServiceClient
from workers.jobs import build_jobs
from workers.matches.bot_turn import PLAYERS
from workers.queues import TOURNAMENT_STEP

NAME = "Evening <i>cup</i>"
"""Markup stays text in both parts of a mail."""


def step(away: Away, event: str, duty: str) -> None:
    """Take a step of a tournament as a worker does."""
    stream = MATCHES.of(away.sockets).writer.matches.streams.get(TOURNAMENT, UUID(event))
    with closing(ServiceClient.by_socket(away.sockets.path, SERVICE_TOKEN, 30.0)) as service:
        assert build_jobs(PLAYERS)[TOURNAMENT_STEP](service, event, duty, stream.version)


def test_rounds_reminders_and_announcements_are_notified_by_mail_and_push(away: Away) -> None:
    olga, wim, xena = away.person("Olga", mail=False), away.person("Wim"), away.person("Xena", device=True)
    plan = {
        "name": NAME,
        "title": "la_granja",
        "size": 2,
        "faceToFace": True,
        "stages": [{"kind": "swiss", "rounds": 1}],
    }
    event = str(olga.ask("POST", "/tournaments", {"plan": plan})["eventId"])
    for person in (wim, xena):
        person.ask("POST", f"/tournaments/{event}/entries", {})
    away.hand_over()
    away.pushes.shown.clear()

    olga.ask("POST", f"/tournaments/{event}/pairings", {})
    step(away, event, "pair")
    olga.ask("POST", f"/tournaments/{event}/rounds/1/publication", {})
    step(away, event, "open")
    round_now = MATCHES.of(away.sockets).writer.matches.streams.get(TOURNAMENT, UUID(event)).state.round
    assert round_now is not None
    opening_time = round_now.waits_from
    assert opening_time is not None
    dates = {"rounds": [{"deadline": (opening_time + timedelta(seconds=60.001)).isoformat()}], "reminders": [1]}
    olga.ask("PUT", f"/tournaments/{event}/calendar", {"calendar": dates, "reason": "The hall closes."})
    step(away, event, "remind")
    olga.ask("POST", f"/tournaments/{event}/announcements", {"text": "There is soup."})
    away.hand_over()

    subjects = [
        f"Your table for round 1 is set: {NAME}",
        f"Play your match before the round 1 deadline: {NAME}",
        f"New announcement: {NAME}",
    ]
    for person in (wim, xena):
        assert [subject.strip() for subject in person.letters] == subjects, "a long subject begins on a line of its own"
    _, html = parts_of(away.mails.to(wim.address)[-1])
    assert "New announcement: Evening &lt;i&gt;cup&lt;/i&gt;</a>" in html
    assert sorted(each["body"] for each in away.pushes.shown) == sorted(subjects), "at one hand-over, in any order"
    assert {each["url"] for each in away.pushes.shown} == {f"/events/{event}"}
    assert away.mails.to(olga.address) == []
