"""Accounts that an organiser enters in a tournament are invited, and become players once they accept."""

import pytest

from tests.api.full_service import FullService
from tests.api.tournaments.test_naming import upload
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament, publish_next_round, with_four


@pytest.fixture
def guests(full_service: FullService) -> list[ApiPerson]:
    """Return new people for each test, because invitations from one account to another are bounded."""
    return [ApiPerson(full_service) for _ in range(5)]


def list_invitations(person: ApiPerson, path: str) -> list[tuple[str, str]]:
    """Return the accounts whose invitations the person sees, with their answers."""
    return [(each["person"], each["answer"]) for each in person.get(path)["invitations"]]


def test_an_account_entered_by_an_organiser_participates_once_it_accepts(
    full_service: FullService, guests: list[ApiPerson]
) -> None:
    organiser, ann, ben, cleo, _ = guests
    path = open_tournament(organiser)
    wanted = {"person": ann.id, "club": "Brno", "family": "N", "seeding": 3}
    event = organiser.does("POST", f"{path}/entries", wanted)

    assert (event["entries"], list_invitations(organiser, path)) == ([], [(ann.id, "open")])
    assert list_invitations(ann, path) == [(ann.id, "open")], "its own invitation"
    assert list_invitations(ben, path) == []
    for person in (ben, cleo):
        person.does("POST", f"{path}/entries")
    organiser.does("POST", f"{path}/pairings")
    full_service.settle()
    assert len(organiser.get(path)["rounds"][0]["tables"][0]["entries"]) == 2, "a round is paired without the invited"
    entry = ann.accepts(path)["entries"][-1]
    assert [entry[key] for key in ("player", "club", "family", "seeding", "status")] == [ann.id, "Brno", "N", 3, "in"]
    assert list_invitations(organiser, path) == []


def test_an_organiser_enters_their_own_account_bots_and_names_at_once(
    full_service: FullService, guests: list[ApiPerson]
) -> None:
    organiser = guests[0]
    path = open_tournament(organiser)
    for wanted in ({"person": organiser.id}, {"bot": "random"}, {"name": "Jana"}):
        organiser.does("POST", f"{path}/entries", wanted)

    assert [each["status"] for each in organiser.get(path)["entries"]] == ["in"] * 3


def test_a_declined_invitation_is_not_repeated_and_its_person_may_still_enter(
    full_service: FullService, guests: list[ApiPerson]
) -> None:
    organiser, ann = guests[:2]
    path = open_tournament(organiser, registration="invite")
    organiser.does("POST", f"{path}/entries", {"person": ann.id})
    assert "is already invited" in organiser.is_refused("POST", f"{path}/entries", {"person": ann.id})[2]
    ann.does("POST", f"{path}/invitation", {"accept": False})

    assert "no such open invitation" in ann.is_refused("POST", f"{path}/invitation", {"accept": True})[2]
    for address in ("entries", "invitations"):
        assert "has declined" in organiser.is_refused("POST", f"{path}/{address}", {"person": ann.id})[2]
    assert (list_invitations(organiser, path), list_invitations(ann, path)) == ([(ann.id, "declined")], [])
    assert ann.does("POST", f"{path}/entries")["entry"] == "e1"


def test_an_organiser_withdraws_an_invitation(full_service: FullService, guests: list[ApiPerson]) -> None:
    organiser, ann, ben = guests[:3]
    path = open_tournament(organiser, registration="invite")
    organiser.does("POST", f"{path}/invitations", {"person": ann.id})
    assert ben.is_refused("DELETE", f"{path}/invitations/{ann.id}")[0] == 403
    organiser.does("DELETE", f"{path}/invitations/{ann.id}")

    assert "no open invitation" in organiser.is_refused("DELETE", f"{path}/invitations/{ann.id}")[2]
    assert "this event is by invitation only" in ann.is_refused("POST", f"{path}/entries")[2]


def test_players_of_a_file_and_of_a_pasted_list_are_invited(full_service: FullService, guests: list[ApiPerson]) -> None:
    organiser, ann, ben = guests[:3]
    path = open_tournament(organiser)
    status, body = upload(full_service, organiser, path, "players", f"name,person\nAnn,{ann.id}\nJana,\n".encode())
    more = f'[{{"name": "Ben", "person": "{ben.id}", "club": "Brno"}}]'.encode()
    assert upload(full_service, organiser, path, "players", more)[0] == 201

    assert (status, body["count"]) == (201, 2)
    assert [each["name"] for each in organiser.get(path)["entries"]] == ["Jana"]
    assert list_invitations(organiser, path) == [(ann.id, "open"), (ben.id, "open")]
    assert ben.accepts(path)["entries"][-1]["club"] == "Brno"


def test_a_substitute_gets_the_seat_once_it_accepts(full_service: FullService) -> None:
    people = [ApiPerson(full_service) for _ in range(7)]
    organiser, path, sue, tom = people[0], with_four(full_service, people[:5]), people[5], people[6]
    table = publish_next_round(full_service, organiser, path)["tables"][0]
    one = table["entries"][0]
    seat = f"/matches/{table['matchId']}"
    holder = organiser.get(seat)["seats"][0]["player"]["id"]
    for person in (sue, tom):
        wanted = {"entry": one, "person": person.id, "reason": "Ill."}
        organiser.does("POST", f"{path}/rounds/1/substitutes", wanted)

    assert organiser.get(seat)["seats"][0]["player"]["id"] == holder
    assert (list_invitations(sue, path), list_invitations(tom, path)) == ([], [(tom.id, "open")]), (
        "the newest for a seat counts"
    )
    tom.accepts(path, entry=one, round=1)
    full_service.follow()
    assert organiser.get(seat)["seats"][0]["player"]["id"] == tom.id
    back = {"entry": one, "person": holder, "reason": "Came after all."}
    organiser.does("POST", f"{path}/rounds/1/substitutes", back)
    full_service.follow()
    assert organiser.get(seat)["seats"][0]["player"]["id"] == holder, "its own player need not accept"


def test_an_entry_that_withdrew_itself_returns_once_it_accepts(
    full_service: FullService, guests: list[ApiPerson]
) -> None:
    organiser, path = guests[0], with_four(full_service, guests)
    ann = guests[1]
    ann.does("POST", f"{path}/entries/e1/withdrawal")
    organiser.does("POST", f"{path}/entries/e2/withdrawal?reason=Mistaken")
    event = organiser.does("POST", f"{path}/entries/e2/return?reason=Mistaken")
    organiser.does("POST", f"{path}/entries/e1/return?reason=Missed")

    assert [each["status"] for each in event["entries"]][:2] == ["withdrawn", "in"]
    assert organiser.get(path)["entries"][0]["status"] == "withdrawn"
    assert ann.accepts(path, entry="e1")["entries"][0]["status"] == "in"


def test_an_invitation_can_be_accepted_after_registration_is_closed(
    full_service: FullService, guests: list[ApiPerson]
) -> None:
    organiser, ann, ben = guests[:3]
    path = open_tournament(organiser, registration="invite")
    organiser.does("POST", f"{path}/entries", {"person": ann.id})
    organiser.does("POST", f"{path}/invitations", {"person": ben.id})
    closed = {"entryCloses": "2001-01-01T00:00:00Z"}
    organiser.does("PUT", f"{path}/calendar", {"calendar": closed})

    assert ann.accepts(path)["entry"] == "e1"
    assert "registration closed" in ben.is_refused("POST", f"{path}/invitation", {"accept": True})[2]
