"""Pages of disputes: all open, their forms work, and strangers see nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.http.cookies import SESSION as SESSION_COOKIE
from api.matches.service import MATCHES
from domain.eventstore.mapper import ROW_COMPRESSOR
from domain.eventstore.sqlite_recorder import StreamSQLiteRecorder
from domain.roles.audit import AUDIT_STREAM
from domain.roles.audit_file import parse_trail
from tests.api.service import Person, catch_up, make_operator, session_of, start_match
from tests.transparency.outsiders import Stranger

TOKEN: Final = re.compile(r'name="_csrf_token" value="([0-9a-f]+)"')
BUTTON: Final = re.compile(r'name="steps.0.seat" value="(\d)"><button name="steps.0.action" value="([^"]+)"')


TOLD: Final = re.compile(r'data-told="(\d+)"')


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Return a service without other data, so that lists and counts are exact."""
    return own_client


def find_entries(page: str) -> list[int]:
    """Return the entries that a page mentions."""
    return [int(version) for version in TOLD.findall(page)]


class Reader:
    """A person in a browser, who shares the client's cookie jar in turns."""

    def __init__(self, client: TestClient[Any], person: Person) -> None:
        self.client = client
        self.secret = session_of(client, person.id)

    def goes(self, path: str, status: int = 200) -> str:
        self.client.cookies.set(SESSION_COOKIE, self.secret)
        response = self.client.get(path)
        assert response.status_code == status, response.text
        return response.text

    def sends(
        self, page: str, path: str, status: int = 200, more: Mapping[str, str] = MappingProxyType({}), **fields: str
    ) -> str:
        (token, *_) = TOKEN.findall(self.goes(page))
        response = self.client.post(path, data={"_csrf_token": token, **fields, **more})
        assert response.status_code == status, response.text
        self.at = str(response.url)
        return response.text

    def uploads(self, page: str, path: str, content: bytes, status: int = 200) -> str:
        (token, *_) = TOKEN.findall(self.goes(page))
        response = self.client.post(path, data={"_csrf_token": token}, files={"file": ("study.jsonl", content)})
        assert response.status_code == status, response.text
        self.at = str(response.url)
        return response.text


@pytest.fixture
def olga(client: TestClient[Any]) -> Person:
    person = Person(client)
    make_operator(client, person.id)
    return person


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    match_id = start_match(ann, ben, table={"clock": {"kind": "per_move", "seconds": 600}, "pauseOnDispute": True})
    for _ in range(6):
        act = ann.get(f"/matches/{match_id}")[1]["toAct"][0]
        (ann, ben)[act].acts(match_id)
    return match_id


def test_a_dispute_from_start_to_end_on_pages(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, match_id: str
) -> None:
    player, arbiter, other = Reader(client, ann), Reader(client, olga), Reader(client, ben)
    replay = f"/tables/{match_id}/replay"
    catch_up(client)
    assert "Dispute this entry" in player.goes(replay)
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    text = player.sends(replay, f"/tables/{match_id}/disputes", entry=str(last), reason="Wrong <b>")
    path = player.at.removeprefix(str(client.base_url))
    assert "Wrong &lt;b&gt;" in text
    assert "Position" not in text
    catch_up(client)

    assert "waiting for an arbiter" in arbiter.goes("/disputes")
    arbiter.sends(path, f"{path}/arbiter")
    html = arbiter.goes(f"{path}?look=true&entry={last}&eyes=1")
    assert "The log is valid" in html
    assert "Clock history" in html
    arbiter.sends(path, f"{path}/what-ifs", entry=str(last))
    ruled = arbiter.sends(
        path, f"{path}/rulings", decision="resume", version=str(last - 1), warned="1", rule="2", reasons="So"
    )
    assert "Open resumed match" in ruled
    line = ann.get(path)[1]["officialLine"]
    assert "Appeal" in other.goes(path)
    other.sends(path, f"{path}/appeal", reason="No")
    assert "appealed" in other.goes(path)
    catch_up(client)
    assert "by a ruling" in player.goes(f"/tables/{line}/forks")
    assert f'href="/tables/{line}">The match continues here by ruling' in player.goes(f"/tables/{match_id}")
    assert "another line" in player.goes(replay)
    outsider = Reader(client, Person(client))
    outsider.goes(path, 403)
    assert "ruled" in arbiter.goes("/desk/audit")
    outsider.goes("/desk/audit", 403)


def test_a_superseded_part_is_public_only_when_its_replacement_has_ended(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, match_id: str
) -> None:
    player, arbiter, replay = Reader(client, ann), Reader(client, olga), f"/tables/{match_id}/replay"
    olga.post("/roles", {"person": ben.id, "role": "arbiter"})
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    dispute = ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "Wrong"})[1]["id"]
    wanted = {"rule": "2", "reasons": "So", "measures": [{"type": "line_resumed", "version": last - 2}]}
    line = olga.post(f"/disputes/{dispute}/rulings", wanted)[1]["officialLine"]
    catch_up(client)

    html = arbiter.goes(f"{replay}?at={last}")
    assert f"superseded from entry {last - 1}" in html
    assert '<span class="badge warn">superseded</span>' in html
    assert '<span class="badge warn">superseded</span>' not in arbiter.goes(f"{replay}?at={last - 2}")
    newest = olga.get(f"/matches/{match_id}")[1]["version"]
    assert len(olga.get(f"/matches/{match_id}/entries")[1]["entries"]) == newest
    for person in (ann, ben):
        assert person.get(f"/matches/{match_id}/at/{last}")[1]["code"] == "match/not_allowed", (
            "an arbiter who plays too"
        )
        assert len(person.get(f"/matches/{match_id}/entries")[1]["entries"]) == last - 2
    player.goes(f"{replay}?at={last}", 404)
    assert f'data-last="{last - 2}"' in player.goes(replay)
    table = f"/tables/{match_id}"
    assert max(find_entries(player.goes(table))) <= last - 2, "the table tells nothing of it either"
    assert last < max(find_entries(arbiter.goes(table))) <= newest
    player.goes(f"{table}/replay")
    ann.post(f"/matches/{line}/resignation", {})
    catch_up(client)

    html = player.goes(f"{replay}?at={last}&seat=1")
    assert '<span class="badge warn">superseded</span>' in html
    assert f'href="/tables/{line}/replay?at={last - 1}"' in html


def test_refusals_are_reported_on_the_page(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, match_id: str
) -> None:
    """Every missing permission and invalid value is reported on the page."""
    other = Person(client)
    for person in (ben, other):
        olga.post("/roles", {"person": person.id, "role": "arbiter"})
    player, seated = Reader(client, ann), Reader(client, ben)
    first, second = Reader(client, olga), Reader(client, other)
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    disputes = [
        reader.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "Wrong"})[1]["id"]
        for reader in (ann, ben)
    ]
    path, later = (f"/disputes/{dispute}" for dispute in disputes)
    ruling = {"rule": "2", "reasons": "So it is"}

    assert "plays in the match" in seated.sends(path, f"{path}/rulings", 403, decision="none", more=ruling)
    for fields, status, why in (
        ({"decision": "resume", "version": "soon"}, 400, "not “soon”"),
        ({"decision": "resume"}, 400, "Fill in this field."),
        ({"decision": "resume", "version": str(last + 5)}, 422, f"not from {last + 5}"),
        ({"decision": "result", "scores": "1", "ranking": "1"}, 422, "for 2 seats, not 1 and 1"),
        ({"points": "0", "pointsSeat": "0"}, 400, "from 1 to 1000, not “0”"),
        ({"warned": "9"}, 400, "from 0 to 4, not “9”"),
    ):
        page = first.sends(path, f"{path}/rulings", status, more=ruling | fields)
        assert why in page, fields
        assert "So it is</textarea>" in page, "nothing that was filled in is lost"
    first.sends(path, f"{path}/rulings", decision="resume", version=str(last - 4), more=ruling)
    assert "So it is" in second.sends(later, f"{path}/rulings", 409, decision="void", more=ruling)
    superseded = second.sends(later, f"{later}/rulings", 422, decision="resume", version=str(last), more=ruling)
    assert f"not from {last}" in superseded
    player.sends(path, f"{path}/appeal", reason="No")
    assert "appealed once" in seated.sends(later, f"{path}/appeal", 409, reason="No again")


def test_an_arbiter_forks_a_running_match_from_its_replay(
    client: TestClient[Any], ann: Person, olga: Person, match_id: str
) -> None:
    player, arbiter, replay = Reader(client, ann), Reader(client, olga), f"/tables/{match_id}/replay"
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    catch_up(client)
    assert "Fork from here" not in player.goes(replay)
    assert "is recorded in the audit trail" in arbiter.goes(replay)

    arbiter.sends(replay, f"{replay}/fork", at=str(last), luck="fresh", more={"seats.0": "me", "seats.1": "greedy"})

    line = arbiter.at.rsplit("/", maxsplit=1)[-1]
    fork = olga.get(f"/matches/{line}")[1]
    assert (fork["seat"], fork["table"]["public"], fork["table"]["rated"]) == (0, False, False)
    catch_up(client)
    assert "forked a match in progress" in arbiter.goes("/desk/audit")
    player.goes(f"/tables/{line}", 403)
    player.goes(f"/tables/{line}/replay", 403)


def test_the_trail_is_checked_and_exported_on_its_page(client: TestClient[Any], ann: Person, olga: Person) -> None:
    operator, organiser = Reader(client, olga), Reader(client, ann)
    olga.post("/roles", {"person": ann.id, "role": "organiser", "event": "cup"})
    catch_up(client)

    assert "The chain is intact" in operator.goes("/desk/audit?check=true")
    content = operator.sends("/desk/audit", "/desk/audit/file")

    assert len(parse_trail(content.encode())) == 3
    assert "exported the audit trail" not in organiser.goes("/desk/audit?event=cup")
    assert "Download" not in organiser.goes("/desk/audit?event=cup")
    organiser.sends("/desk/audit?event=cup", "/desk/audit/file", 403)
    catch_up(client)
    assert "exported the audit trail" in operator.goes("/desk/audit")


@pytest.mark.parametrize("is_covered", [False, True])
def test_a_broken_chain_is_reported_on_the_page_of_the_trail(
    client: TestClient[Any], ann: Person, olga: Person, is_covered: bool
) -> None:
    """The page failed with 503 if the tree had included the record before it was forged."""
    operator, matches = Reader(client, olga), MATCHES.of(client).writer.matches
    olga.post("/roles", {"person": ann.id, "role": "arbiter"})
    if is_covered:
        Stranger(client).covering_checkpoint()
    (row,) = matches.log.recorder.select_events(AUDIT_STREAM, gt=1, limit=1)
    assert isinstance(matches.log.recorder, StreamSQLiteRecorder)
    with matches.log.recorder.datastore.transaction(commit=True) as cursor:
        forged = ROW_COMPRESSOR.compress(ROW_COMPRESSOR.decompress(row.state).replace(b"arbiter", b"annotat"))
        assert forged != row.state
        cursor.execute(
            "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = 2",
            (forged, AUDIT_STREAM.hex),
        )
    assert matches.log.recorder.select_events(AUDIT_STREAM, gt=1, limit=1)[0].state == forged
    olga.post("/roles", {"person": ann.id, "role": "annotator"})

    page = operator.goes("/desk/audit?check=true")

    # The chain shows the record after the forged one; the tree, which keeps growing, the forged one itself.
    messages = ["The chain is broken: entry 2 was changed", "The chain is broken: entry 3"]
    assert any(each in page for each in (messages[:1] if is_covered else messages))


def test_roles_are_granted_on_a_page(client: TestClient[Any], ann: Person, olga: Person) -> None:
    operator = Reader(client, olga)
    assert "Roles" in operator.goes("/desk")
    operator.sends("/desk/roles", "/desk/roles", person=ann.id, role="arbiter", event="cup")
    assert "cup" in operator.goes("/desk/roles")
    operator.sends("/desk/roles", "/desk/roles", 404, person="nobody", role="arbiter")
    operator.sends("/desk/roles", "/desk/roles", person=ann.id, role="arbiter", event="cup", granted="no")
    Reader(client, ann).goes("/desk/roles", 403)


@pytest.mark.parametrize("title", ["la_granja", "el_grande"])
def test_a_study_is_written_on_pages(client: TestClient[Any], ann: Person, ben: Person, title: str) -> None:
    match_id = start_match(ann, ben, title=title)
    for _ in range(6):
        act = ann.get(f"/matches/{match_id}")[1]["toAct"][0]
        (ann, ben)[act].acts(match_id)
    ann.post(f"/matches/{match_id}/resignation", {})
    catch_up(client)
    writer, reader = Reader(client, ann), Reader(client, ben)
    replay = f"/tables/{match_id}/replay?at=8"
    writer.sends(replay, f"/tables/{match_id}/studies", title="Close", visibility="public", at="8")
    study = f"/studies/{re.findall(r'study=([0-9a-f-]+)', writer.at)[0]}"
    place_path = f"{study}/place?entry=8"

    writer.sends(place_path, f"{study}/comments", entry="8", text="*Fine* <i>")
    one, other, *_ = dict.fromkeys(re.findall(r'data-part="([a-z0-9_-]+)"', writer.goes(place_path)))
    writer.sends(place_path, f"{study}/marks", entry="8", glyphs="good", shapes=f"{one} {other}>{one}")
    text = writer.goes(f"{place_path}&eyes=0")
    assert "<em>Fine</em> &lt;i&gt;" in text
    assert f'data-shapes="{one} {other}&gt;{one}"' in text
    (seat, action), *_ = BUTTON.findall(writer.goes(place_path))
    writer.sends(
        place_path,
        f"{study}/variations",
        entry="8",
        more={"steps.0.action": action.replace("&#34;", '"'), "steps.0.seat": seat},
    )
    assert "variation=2" in writer.at
    catch_up(client)

    writer.sends(replay, f"{study}/comments", entry="9", text="Later")
    assert f"/tables/{match_id}/replay?at=9&" in writer.at
    writer.sends(place_path, f"{study}/chapters", entry="8", title="The turn")
    assert "The turn</b></li>" in writer.goes(place_path)
    line = {"entry": "8", "variation": "2", "step": "1"}
    assert "is already the first" in writer.sends(
        place_path, f"{study}/variations/promotion", 422, number="2", more=line
    )
    assert "Close" in reader.goes("/studies")
    assert "<em>Fine</em>" in reader.goes(study)
    assert "Add comment" not in reader.goes(place_path)
    assert "The turn</a>" in reader.goes(place_path)
    assert "<em>Fine</em>" in reader.goes(replay)
    assert f'data-shapes="{one} {other}&gt;{one}"' in reader.goes(replay)
    writer.sends(place_path, f"{study}/variations/cut", entry="8", number="2", keep="0")
    writer.sends(study, f"{study}/settings", title="Closer", visibility="private", add=ben.id)
    assert "Closer" in reader.goes(study)
    assert writer.goes(f"{study}/report").startswith("# Closer")
    content = client.get(f"/api{study}/file", headers=ann.headers).content
    assert "Closer" in reader.uploads("/studies", "/studies/import", content)
    assert study not in reader.at
    assert "is not the header of a study" in reader.uploads("/studies", "/studies/import", b"{}", 422)
    writer.sends(place_path, f"{study}/comments/removal", entry="8", number="1")
    assert "<em>Fine</em>" not in writer.goes(place_path)
