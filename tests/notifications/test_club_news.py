"""Notifications of clubs: invitations, requests and their answers."""

from __future__ import annotations

from tests.notifications.away import Away


def test_invitations_requests_and_answers_are_notified(away: Away) -> None:
    olga, wim, xena = away.person("Olga"), away.person("Wim"), away.person("Xena", device=True)
    club = str(olga.ask("POST", "/clubs", {"name": "Els Amics"})["id"])
    olga.ask("POST", f"/clubs/{club}/invitations", {"person": wim.id})
    xena.ask("POST", f"/clubs/{club}/membership", {"message": "A secret."})
    away.hand_over()
    olga.ask("POST", f"/clubs/{club}/requests/{xena.id}", {"accept": True})
    olga.ask("PUT", f"/clubs/{club}/roles", {"person": xena.id, "role": "organiser"})
    away.hand_over()

    letters = [[subject.strip() for subject in person.letters] for person in (olga, wim, xena)]
    assert letters == [
        ["A player wants to join your club: Els Amics"],
        ["You are invited to a club: Els Amics"],
        ["You are now a member of a club: Els Amics", "You are now an organiser of a club: Els Amics"],
    ]
    assert {each["url"] for each in away.pushes.shown} == {f"/clubs/{club}"}
    assert "secret" not in str(away.pushes.shown)
