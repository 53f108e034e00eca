"""No-shows over the API and on the page: confirmed, withdrawn, and without loss of points that were played for."""

from __future__ import annotations

import re
from typing import Any

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournament_pages import open_event, publish_round
from tests.api.tournaments.test_tournaments import ApiPerson, play_round, points, with_four
from tests.api.tournaments.test_tournaments import publish_next_round as published_by

NOTE = {"reason": "not seen"}


def test_a_winner_who_has_played_is_not_absent_and_keeps_the_points(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people)
    first = published_by(full_service, organiser, path)
    play_round(full_service, people, path, first)
    winner = first["tables"][0]["entries"][0]

    refusal = organiser.is_refused("POST", f"{path}/rounds/1/no-shows", {"entry": winner, **NOTE})

    assert refusal[:2] == (409, "tournament/refused")
    assert "table 1 of round 1 has started" in refusal[2]
    assert points(organiser, path)[winner] == "12"


def test_an_absent_player_who_arrives_plays_and_keeps_the_points(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people)
    first = published_by(full_service, organiser, path)
    winner, other = first["tables"][0]["entries"][0], first["tables"][1]["entries"][0]
    noted: Any = None
    for entry in (winner, other):
        noted = organiser.does("POST", f"{path}/rounds/1/no-shows", {"entry": entry, **NOTE})
    back = organiser.does("POST", f"{path}/rounds/1/no-shows/{other}/withdrawal", {"reason": "The bus was late."})
    play_round(full_service, people, path, first)

    assert [table["absent"] for table in noted["rounds"][0]["tables"]] == [[winner], [other]]
    assert [table["absent"] for table in back["rounds"][0]["tables"]] == [[winner], []]
    assert (points(organiser, path)[winner], points(organiser, path)[other]) == ("12", "12")
    assert organiser.get(path)["rounds"][0]["tables"][0]["absent"] == []
    assert organiser.is_refused("POST", f"{path}/rounds/1/no-shows", {"entry": winner})[0] == 400
    assert people[1].is_refused("POST", f"{path}/rounds/1/no-shows/{winner}/withdrawal", NOTE)[1] == "role/missing"


def test_the_page_preselects_no_one_confirms_and_withdraws(full_service: FullService) -> None:
    organiser, player = Visitor(full_service), Visitor(full_service)
    event = open_event(organiser, bot="random")
    player.sends(f"{event}/enter")
    organiser.sends(f"{event}/desk/enter", bot="random")
    publish_round(full_service, organiser, event)
    page = organiser.sees(f"{event}/desk/tables/1")
    form = page[
        page.index('id="absence"') : page.index("Substitute")
    ]  # The only table of the round, so there are no other seats.
    offered = re.findall(r'<option value="(e\d+)"( selected)?', form)
    note = {"round": 1, "entry": "e1", "reason": "not seen"}

    html = organiser.submit_unconfirmed(f"{event}/desk/no-show", **note)
    other = organiser.submit_unconfirmed(f"{event}/desk/no-show", **note | {"sure": "e2"})
    untouched = organiser.sees(event)
    organiser.sends(f"{event}/desk/no-show", **note | {"sure": "e1"})
    noted = organiser.sees(f"{event}/desk/tables/1")
    organiser.sends(f"{event}/desk/came", round=1, entry="e1", reason="There they are.")

    assert offered == [("e1", "")], "bots always come, and nobody is chosen yet"
    assert "no-show" not in untouched
    assert "as a no-show?" in html
    assert 'name="sure" value="e1"' in html
    assert "as a no-show?" in other
    assert "Player arrived" in noted
    assert "Player arrived" not in organiser.sees(f"{event}/desk/tables/1")
