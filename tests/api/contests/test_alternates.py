"""Alternates over the API and on the page, for a tournament and a league by the same routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.matches.service import MATCHES
from domain.leagues import commands as league_commands
from domain.leagues import steps
from domain.tournaments import commands as tournament_commands
from domain.tournaments.steps import take_offer_step
from projections.platform.clock import now
from tests.api.contests.test_absences import remove
from tests.api.contests.test_entry_conditions import CONTESTS, contest_of, enter, entry_body, put
from tests.api.service import Person, catch_up

OpenContest = Callable[..., str]
both = pytest.mark.parametrize("open_contest", CONTESTS)


def start(client: TestClient[Any], organiser: Person, open_contest: OpenContest) -> tuple[str, Person]:
    """Open a contest with four players before its first round; return its path and the player who is away in it."""
    path = open_contest(organiser, alternates={"hours": 12, "most": 2})
    players = [Person(client) for _ in range(4)]
    for player in players:
        enter(player, path)
    if path.startswith("/leagues"):
        assert organiser.post(f"{path}/draw", {})[0] == 200
    assert put(players[0], f"{contest_of(path)}/absences/me", {"rounds": [1]})[0] == 200
    return path, players[0]


def offer_places(client: TestClient[Any], path: str) -> None:
    """Offer places, as the service's worker does."""
    matches, contest_id = MATCHES.of(client).writer.matches, UUID(path.rpartition("/")[2])
    at = now()
    if path.startswith("/tournaments"):
        tournament_commands.change(matches, contest_id, lambda event: take_offer_step(event, {}, at), at=at)
    else:
        league_commands.execute(matches, contest_id, lambda league: steps.offer_places(league, at), at=at)


@both
def test_an_alternate_joins_gets_an_offer_and_accepts_it(
    client: TestClient[Any], ann: Person, open_contest: OpenContest
) -> None:
    path, away = start(client, ann, open_contest)
    alternate, other = Person(client), Person(client)
    contest = contest_of(path)

    status, shown = put(alternate, f"{contest}/alternates/me", {"strength": 500})

    assert (status, shown["isListed"], shown["hours"]) == (200, True, 12), shown
    strong = {"strength": 99, "reason": "Champion of the island."}
    assert put(ann, f"{contest}/alternates/{other.id}", strong)[0] == 200
    order = [each["player"]["id"] for each in ann.get(f"{contest}/alternates")[1]["alternates"]]
    assert order == [other.id, alternate.id]
    offer_places(client, path)
    (offer,) = other.get(f"{contest}/alternates")[1]["offers"]
    assert (offer["answer"], offer["round"], offer["until"]) == ("open", 1, 1)
    assert offer["out"] == away.get("/me")[1]["person"]["name"]
    assert alternate.get(f"{contest}/alternates")[1]["offers"] == []
    answer = {"place": offer["place"], "round": 1, "accept": True}
    assert alternate.post(f"{contest}/offers/answer", answer)[0] == 409
    assert other.post(f"{contest}/offers/answer", answer | {"accept": False})[0] == 200
    offer_places(client, path)
    status, shown = alternate.post(f"{contest}/offers/answer", answer)
    assert (status, shown["offers"][0]["answer"]) == (200, "accepted"), shown
    assert [each["answer"] for each in ann.get(f"{contest}/alternates")[1]["offers"]] == ["accepted", "declined"]
    catch_up(client)
    kinds = [act["kind"] for act in ann.get(f"{path}/record")[1]["acts"]]
    assert "alternate_listed" in kinds


@both
def test_who_cannot_be_an_alternate_is_refused_with_the_reason(
    client: TestClient[Any], ann: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann, alternates={"most": 2}, conditions={"ratedMatches": 1})
    player = Person(client)
    assert ann.post(f"{path}/entries", entry_body(path, player) | {"waive": True, "reason": "So"})[0] == 201
    assert player.accepts(path, {"season": 1} if path.startswith("/leagues") else {})[0] == 200
    alternates = f"{contest_of(path)}/alternates"
    zoe, yan, xia = (Person(client) for _ in range(3))

    assert put(zoe, f"{alternates}/me", {})[1]["code"] == "contest/rated_matches"
    assert put(ann, f"{alternates}/{zoe.id}", {"reason": "So"})[1]["code"] == "contest/condition_unmet"
    assert put(zoe, f"{alternates}/{yan.id}", {"reason": "So"})[0] == 403
    refused = put(ann, f"{alternates}/{zoe.id}", {"waive": True})
    assert refused[1]["detail"] == "a change of the alternates needs a reason"
    assert put(ann, f"{alternates}/{zoe.id}", {"waive": True, "reason": "So"})[0] == 200
    assert put(ann, f"{alternates}/{yan.id}", {"waive": True, "reason": "So"})[0] == 200
    refused = put(ann, f"{alternates}/{xia.id}", {"waive": True, "reason": "So"})
    assert refused[1]["detail"] == "the list of alternates is full: it has 2 places"
    refused = put(ann, f"{alternates}/{player.id}", {"waive": True, "reason": "So"})
    assert refused[1]["detail"] == "players of the event are not alternates"
    assert remove(zoe, f"{alternates}/me")[1]["isListed"] is False
    assert remove(zoe, f"{alternates}/me")[0] == 409
    assert remove(ann, f"{alternates}/{yan.id}", reason="So")[1]["alternates"] == []
