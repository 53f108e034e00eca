"""Requests on the workbench: calls for an arbiter, and reported messages."""

from __future__ import annotations

import re

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournaments import ApiPerson, publish_next_round, with_four


def needs(page: str) -> str:
    """Return the part of the page with open tasks."""
    found = re.search(r'<div id="needs">(.*?)</div>', page, re.DOTALL)
    assert found is not None
    return found[1]


def test_a_call_is_listed_until_it_is_answered(full_service: FullService) -> None:
    people = [ApiPerson(full_service) for _ in range(5)]
    path = with_four(full_service, people)
    table = publish_next_round(full_service, people[0], path)["tables"][0]
    entries = {entry["entry"]: entry["player"] for entry in people[0].get(path)["entries"]}
    one, other = ({person.id: person for person in people}[entries[entry]] for entry in table["entries"])
    for person in (one, other):
        person.does("POST", f"/matches/{table['matchId']}/ready")
    desk, call = f"/events/{path.rpartition('/')[2]}/desk", f"/matches/{table['matchId']}/calls"
    organiser = Visitor(full_service, people[0].id)
    organiser.sees(desk)
    before, last_event_id = organiser.read_first_event(f"{desk}/stream")
    one.does("POST", call, {"words": "Who has the die?"})
    full_service.follow()
    called, last_event_id = organiser.read_first_event(f"{desk}/stream", last_event_id)
    link = re.search(
        r'<li class="bad">\s*<a href="/disputes/queue#calls">1 table has called an arbiter'
        r'.*?href="/disputes/queue#([^"]+)">'
        rf"Table {table['table']}<",
        called["needs"],
        re.DOTALL,
    )
    queue = organiser.sees("/disputes/queue")
    people[0].does("POST", f"{call}/presence", {})
    full_service.follow()
    looking, last_event_id = organiser.read_first_event(f"{desk}/stream", last_event_id)
    people[0].does("POST", f"{call}/answer", {"words": "Petr."})
    full_service.follow()
    answered, _ = organiser.read_first_event(f"{desk}/stream", last_event_id)

    assert "an arbiter" not in before["needs"]
    assert link is not None, called["needs"]
    assert f'id="{link[1]}"' in queue, "the link leads to the place where the call is handled"
    assert set(called) == {"needs"}, "nothing else on the page has changed"
    assert '<li class="warn">' in looking["needs"]
    assert "is handling it" in looking["needs"]
    assert set(answered) == {"needs"}
    assert "an arbiter" not in answered["needs"]


def test_players_of_the_event_do_not_see_requests_and_reports_update(full_service: FullService) -> None:
    people = [ApiPerson(full_service) for _ in range(5)]
    path = with_four(full_service, people)
    event = path.rpartition("/")[2]
    people[0].does("POST", "/roles", {"person": people[1].id, "role": "organiser", "event": event})
    full_service.follow()
    room, desk = f"/talk/entrants/{event}", f"/events/{event}/desk"
    bad = people[2].does("POST", f"{room}", {"words": "You cheat"})["id"]
    organiser, playing = (Visitor(full_service, people[at].id) for at in (0, 1))
    with organiser.listens(f"{desk}/stream") as pieces:
        needed = (piece["needs"] for piece in pieces if "needs" in piece)
        before = next(needed)
        for person in people[3:]:
            assert (
                full_service.ask("POST", f"/talk/messages/{bad}/reports", {"reason": "An insult"}, person.token)[0]
                == 204
            )
        reported = next(needed)
        of_organiser, of_player = needs(organiser.sees(desk)), needs(playing.sees(desk))
        assert full_service.ask("DELETE", f"/talk/messages/{bad}/reports", None, people[0].token)[0] == 204
        after = next(needed)

    assert "reported" not in before + after
    assert "1 message has been reported" in reported
    assert f'href="/talk/messages/{bad}"' in reported
    assert "1 message has been reported" in of_organiser, "two reports of one message are one"
    assert "reported" not in of_player
