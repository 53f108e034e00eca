"""The record of a league: public acts of organisers with reasons, also in the audit trail."""

from __future__ import annotations

from typing import Any

from litestar.testing import TestClient

from api.tournaments.acts import ACT_WORDS
from domain.leagues.acts import KINDS
from tests.api.leagues.test_league_pages import Visitor
from tests.api.leagues.test_league_results import cleo, lines, org, start_league, tables
from tests.api.leagues.test_leagues import upload
from tests.api.service import Person, catch_up

__all__ = ["cleo", "org"]


def test_every_kind_of_act_has_a_text() -> None:
    assert set(ACT_WORDS) >= set(KINDS.values())


def test_acts_of_organisers_are_public_and_audited(
    client: TestClient[Any], org: Person, ann: Person, ben: Person, cleo: Person
) -> None:
    league = start_league(client, org, ann, ben, cleo)
    fixture = tables(ann, league)[0]
    result = {"group": fixture["group"], "round": fixture["round"], "table": fixture["table"]}
    assert org.post(f"{league}/results", result | {"scores": [60, 41], "places": [1, 2]})[0] == 201
    again = result | {"scores": [41, 60], "places": [2, 1]}
    assert "a late or corrected result needs a reason" in org.post(f"{league}/results", again)[1]["detail"]
    assert org.post(f"{league}/results", again | {"reason": "Seats were exchanged."})[0] == 201
    file = "group,round,table,player,score,place\n" + lines(fixture, (50, 1), (30, 2))
    assert "needs a reason" in upload(client, org, f"{league}/files/results", file)[1]["detail"]
    assert upload(client, org, f"{league}/files/results?reason=Counted+anew.", file)[0] == 201
    assert "needs a reason" in org.delete(f"{league}/entries/{cleo.id}")[1]["detail"]
    assert org.delete(f"{league}/entries/{cleo.id}?reason=Moved+away.")[0] == 200
    penalty = {"player": ann.id, "sixtieths": 60, "reason": "Late again."}
    assert ann.post(f"{league}/penalties", penalty)[0] == 403
    assert org.post(f"{league}/penalties", penalty)[0] == 201
    plan = org.get(league)[1]["plan"]
    assert "needs a reason" in org.post(f"{league}/plan", {"plan": plan})[1]["detail"]
    assert org.post(f"{league}/plan", {"plan": plan | {"roundDays": 7}, "reason": "As voted."})[0] == 200
    catch_up(client)
    record, trail = ben.get(f"{league}/record"), org.get(f"/audit?event={league.rpartition('/')[2]}")[1]["lines"]
    first = ben.get(f"{league}/record?limit=4")[1]
    rest = ben.get(f"{league}/record?limit=4&before={first['next']}")[1]
    acts = record[1]["acts"]

    assert record[0] == 200
    assert [(act["kind"], act["reason"]) for act in acts] == [
        ("plan_changed", "As voted."),
        ("penalty_given", "Late again."),
        ("entry_withdrawn", "Moved away."),
        ("result_entered", "Counted anew."),
        ("result_entered", "Seats were exchanged."),
        ("round_opened", ""),
        ("season_drawn", ""),
    ]
    assert (acts[3]["wasScores"], acts[3]["scores"], acts[3]["late"]) == ([41, 60], [50, 30], False)
    assert [player["id"] for player in acts[3]["players"]] == [player["id"] for player in fixture["players"]]
    assert [(act["group"], act["round"], act["season"]) for act in acts[2:4]] == [(None, None, 1), (1, 1, 1)]
    assert [(line["details"]["act"], line["details"]["record"]) for line in trail] == [
        (act["kind"], act["version"]) for act in acts
    ]
    assert [*first["acts"], *rest["acts"]] == acts


def test_the_record_page_is_public_and_linked_from_the_trail(client: TestClient[Any]) -> None:
    ann, olga, outsider = Visitor(client), Visitor(client), Visitor(client)
    league = olga.sends("/leagues", name="Serra", size=2, places=4, bot="bot:greedy@1")
    assert "No decisions yet." in outsider.sees(f"{league}/record")
    olga.sends(f"{league}/desk/season", name="Winter")
    olga.sends(f"{league}/desk/import", text=f"player\n{ann.person.id}\nbot:random@1\n{outsider.person.id}")
    for player in (ann, outsider):
        player.sends(f"{league}/invitation", season=1, accept="true")
    assert "needs a reason" in olga.sends(f"{league}/desk/leave", 409, player=outsider.person.id)
    olga.sends(f"{league}/desk/leave", player=outsider.person.id, reason="Entered twice.")
    season = olga.sends(f"{league}/desk/draw")
    away: Any = {"group": 1, "out": ann.person.id, "player": "bot:greedy@1", "fromRound": 1, "reason": "On a journey."}
    olga.sends(f"{league}/desk/substitute", **away)
    olga.sends(f"{league}/desk/round")
    olga.sends(f"{league}/desk/deadline", round=1, deadline="2199-01-31", reason="Snow on the passes.")
    result: Any = {"group": 1, "round": 1, "table": 1, "scores": "3 1"}
    olga.sends(f"{league}/desk/result", **result)
    olga.sends(f"{league}/desk/result", **result | {"scores": "1 3", "reason": "I had misread the sheet."})
    olga.sends(f"{league}/desk/penalty", player="bot:random@1", points=2, reason="Too slow by far.")
    assert "penalty 2" in olga.sees(season)
    olga.sends(f"{league}/desk/ruling", group=1, round=1, table=1, void="true", reason="Two bots alone.")
    olga.sends(f"{league}/desk/close")
    catch_up(client)
    page, trail = outsider.sees(f"{league}/record"), olga.sees(f"/desk/audit?event={league.rpartition('/')[2]}")

    for text in (
        "Entered twice.",
        "named a substitute",
        "→ Greedy bot",
        "Snow on the passes.",
        "I had misread the sheet.",
        "<s>3 (1.)",
        "Two bots alone.",
        "Too slow by far.",
        "Random bot: -2",
        "closed the season",
    ):
        assert text in page
    assert f'href="{league}/record"' in outsider.sees(league)
    assert f'href="{league}/record"' in outsider.sees(season)
    assert "Snow on the passes." in trail
    assert f'href="{league}/record"' in trail
