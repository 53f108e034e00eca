"""Documents of an event: PDF lists and certificates, JSON for bracket services, and the report with boards."""

from __future__ import annotations

import json
import re
import zlib
from base64 import a85decode
from contextlib import suppress

from api.contests.pdf import render_list
from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament

NAMES = ("Łukasz Żółć", "Jiří Dvořák", "Їванна Ґалаґан", "<b>Blai & Cia</b>")


def letters(pdf: bytes) -> set[str]:
    """Return the letters in the fonts of a PDF, by the tables used for copying its text."""
    found = set[str]()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        packed = stream.strip()
        with suppress(ValueError, zlib.error):
            packed = a85decode(packed.removesuffix(b"~>"))
        with suppress(zlib.error):
            text = zlib.decompress(packed)
            if b"begincmap" in text:
                found |= {chr(int(group, 16)) for group in re.findall(rb"<([0-9A-Fa-f]{4})>", text)}
    return found


def play_event(service: FullService, organiser: ApiPerson) -> str:
    """Return a finished event of one face-to-face round."""
    path = open_tournament(organiser, faceToFace=True, size=2, stages=[{"kind": "swiss", "rounds": 1}])
    for name in NAMES:
        organiser.does("POST", f"{path}/entries", {"name": name})
    organiser.does("POST", f"{path}/pairings")
    service.settle()
    organiser.does("POST", f"{path}/rounds/1/publication")
    service.settle()
    refusal = organiser.is_refused("GET", f"{path}/files/certificates.pdf")
    assert refusal[:2] == (409, "tournament/refused")
    for table in (1, 2):
        organiser.does("PUT", f"{path}/rounds/1/tables/{table}/result", {"scores": [9, 4], "places": [1, 2]})
    organiser.does("POST", f"{path}/rounds/1/closing")
    service.follow()
    return path


def test_pdfs_contain_all_letters_of_names_and_are_reproducible(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    path = play_event(full_service, people[0])
    for name in ("standings", "crosstable", "certificates"):
        status, content = full_service.fetch("GET", f"{path}/files/{name}.pdf")
        again = full_service.fetch("GET", f"{path}/files/{name}.pdf")[1]

        assert status == 200
        assert content.startswith(b"%PDF-")
        assert content == again
        assert set("".join(NAMES)) <= letters(content), name
    assert full_service.fetch("GET", f"{path}/files/players.pdf")[0] == 404


def test_the_whole_event_is_exported_and_reported(full_service: FullService, people: list[ApiPerson]) -> None:
    path = play_event(full_service, people[0])
    tournament = json.loads(full_service.fetch("GET", f"{path}/files/event.json")[1])["tournament"]
    event = path.rpartition("/")[2]
    report = Visitor(full_service).sees(f"/events/{event}/report")
    archive = Visitor(full_service).sees(f"/events/{event}/archive")

    assert (tournament["state"], len(tournament["matches"]), tournament["participants_count"]) == ("complete", 2, 4)
    assert tournament["matches"][0]["match"]["scores_csv"] == "9-4"
    assert "Boards at the end of round 1" in report
    assert f"/api/tournaments/{event}/files/certificates.pdf" in archive
    assert f"/events/{event}/report" in archive


def test_a_list_of_sixty_rounds_is_split() -> None:
    heading = ["Rank", "Player", *(f"Round {number}" for number in range(1, 61))]
    content = render_list("Open", "Crosstable", heading, [[1, "Ana", *["1. 12 (3)"] * 60]] * 50)

    assert content.startswith(b"%PDF-")
    assert content.count(b"/Type /Page\n") > 1
