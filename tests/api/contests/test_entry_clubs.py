"""The clubs of entries and the condition of a club, for a tournament and a league."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from tests.api.contests.test_entry_conditions import CONTESTS, contest_of, enter, put
from tests.api.service import Member, Person, catch_up

NUMBERS: Final = count(1)
OpenContest = Callable[..., str]
both = pytest.mark.parametrize("open_contest", CONTESTS)


class Clubs:
    """Two clubs of their owner, which everyone may join."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.owner = Member(client, f"Olga of clubs {next(NUMBERS)}")
        self.names = f"Palma {next(NUMBERS)}", f"Serra {next(NUMBERS)}"
        wanted = [{"name": name, "admission": "open"} for name in self.names]
        self.ids = [self.owner.post("/clubs", each)[1]["id"] for each in wanted]

    def join(self, person: Person, club_id: str) -> None:
        assert person.post(f"/clubs/{club_id}/membership", {})[0] == 200


@pytest.fixture
def clubs(client: TestClient[Any]) -> Clubs:
    return Clubs(client)


@pytest.fixture
def dora(client: TestClient[Any]) -> Member:
    return Member(client, f"Dora of clubs {next(NUMBERS)}")


def club_of(contest: Any, person: Person) -> tuple[str, str] | None:
    """Return the id and the name of the club of a person's entry, as a response shows it."""
    if "entries" in contest:
        found = next(each for each in contest["entries"] if each["player"] == person.id)
        return (found["clubId"], found["club"]) if found["clubId"] else None
    return next(((each["clubId"], each["name"]) for each in contest["clubs"] if each["player"] == person.id), None)


@both
def test_only_members_of_the_club_enter(
    client: TestClient[Any], ann: Person, dora: Member, clubs: Clubs, open_contest: OpenContest
) -> None:
    path = open_contest(ann, conditions={"clubs": [clubs.ids[1]]})
    assert enter(dora, path)[1:] == (
        "contest/club",
        f"this event is for members of {clubs.names[1]}, and you are not a member",
    )
    (shown,) = dora.get(f"{contest_of(path)}/conditions")[1]["conditions"]
    assert (shown["kind"], shown["clubs"], shown["isMet"]) == ("club", [clubs.ids[1]], False)

    for club_id in clubs.ids:
        clubs.join(dora, club_id)
    assert dora.get(f"{contest_of(path)}/conditions")[1]["conditions"][0]["isMet"] is True
    assert enter(dora, path)[0] == 201

    assert club_of(ann.get(path)[1], dora) == (clubs.ids[1], clubs.names[1])


@both
def test_an_entry_takes_the_club_of_its_person(
    client: TestClient[Any], ann: Person, dora: Member, clubs: Clubs, open_contest: OpenContest
) -> None:
    paths = [open_contest(ann) for _ in range(3)]
    assert enter(ann, paths[0])[0] == 201
    assert enter(dora, paths[0], clubId=clubs.ids[0])[1] == "contest/club"
    for club_id in clubs.ids:
        clubs.join(dora, club_id)
    catch_up(client)
    assert enter(dora, paths[0])[0] == 201
    assert enter(dora, paths[1], clubId=clubs.ids[1])[0] == 201
    assert dora.delete(f"/clubs/{clubs.ids[0]}/membership")[0] == 200
    assert enter(dora, paths[2])[0] == 201

    shown = [club_of(ann.get(path)[1], dora) for path in paths]
    assert shown == [(clubs.ids[index], clubs.names[index]) for index in (0, 1, 1)]
    assert club_of(ann.get(paths[0])[1], ann) is None


@both
def test_a_condition_names_a_club_that_exists(ann: Person, clubs: Clubs, open_contest: OpenContest) -> None:
    path = open_contest(ann)
    unknown = str(UUID(ann.id))
    wanted = {"conditions": {"clubs": [unknown]}}
    assert put(ann, f"{contest_of(path)}/conditions", wanted)[1]["detail"] == f"there is no club {unknown}"
    status, shown = put(ann, f"{contest_of(path)}/conditions", {"conditions": {"clubs": clubs.ids}})

    assert (status, shown["conditions"][0]["clubs"]) == (200, clubs.ids)
