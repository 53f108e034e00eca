"""Studies over the API: writing, sharing, export, import and refusals."""

import re
from html import unescape
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.http.app_state import HasApp
from api.matches.service import MATCHES
from api.studies.markdown import render_markdown
from domain.kernel.values import replace
from domain.studies.facts import PlaceMarked, Shape, StudyOpened, StudyPlace
from domain.studies.file import study_bytes, study_file
from domain.studies.state import STUDY
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, catch_up, make_operator, start_match


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Return a service without other data, so that lists and counts are exact."""
    return own_client


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    """Return a finished match with some actions."""
    match_id = start_match(ann, ben)
    for _ in range(8):
        act = ann.get(f"/matches/{match_id}")[1]["toAct"][0]
        (ann, ben)[act].acts(match_id)
    ann.post(f"/matches/{match_id}/resignation", {})
    return match_id


@pytest.fixture
def study(ann: Person, match_id: str) -> Any:
    status, study = ann.post(f"/matches/{match_id}/annotations", {"title": "A close one"}, **{"Idempotency-Key": "s"})
    assert status == 201, study
    return study


def legal_at(client: HasApp, match_id: str, entry: int) -> list[dict[str, Any]]:
    """Return the legal steps after an entry of the finished match, in wire form."""
    matches = MATCHES.of(client).writer.matches
    match = matches.at(UUID(match_id), entry)
    rules, seat = match.definition.rules, match.definition.rules.seats_to_act(match.state)[0]
    legal = rules.legal_actions(match.state, seat)
    return [{"seat": seat, "action": msgspec.to_builtins(action, str_keys=True)} for action in legal]


def shapes(client: TestClient[Any], match_id: str) -> list[dict[str, str]]:
    """Return a ring and an arrow on parts of the finished match's board."""
    page = client.get(f"/tables/{match_id}/replay?at=9").text
    one, other, *_ = dict.fromkeys(re.findall(r'data-part="([a-z0-9_-]+)"', page))
    return [{"part": one}, {"part": one, "to": other}]


def test_marks_need_parts_of_the_board(client: TestClient[Any], ann: Person, study: Any, match_id: str) -> None:
    path, (ring, arrow) = f"/studies/{study['id']}/marks", shapes(client, match_id)
    for odd in ({"part": "nowhere"}, {"part": ring["part"], "to": "nowhere"}):
        status, problem = ann.post(path, {"entry": 9, "shapes": [ring, odd]})
        assert (status, problem["code"]) == (422, "study/refused")
        assert problem["detail"] == "the board has no part 'nowhere' at this entry"
    assert ann.post(path, {"entry": 9, "shapes": [ring, arrow]})[0] == 201
    assert ann.post(path, {"entry": 9, "shapes": []})[0] == 201


def test_a_study_is_written_and_read(
    client: TestClient[Any], ann: Person, ben: Person, study: Any, match_id: str
) -> None:
    path = f"/studies/{study['id']}"
    again = ann.post(f"/matches/{match_id}/annotations", {"title": "A close one"}, **{"Idempotency-Key": "s"})[1]
    assert again["id"] == study["id"]
    assert ann.post(f"{path}/comments", {"entry": 9, "text": "*Well* played"})[0] == 201
    glyphs = {"entry": 9, "glyphs": ["good"], "shapes": shapes(client, match_id)}
    assert ann.post(f"{path}/marks", glyphs)[0] == 201
    steps = legal_at(client, match_id, 9)
    status, shown = ann.post(f"{path}/variations", {"entry": 9, "steps": steps[:1]})
    assert status == 201, shown
    (variation,) = shown["variations"]
    assert variation["steps"][0]["text"]
    nested = {"entry": 9, "variation": variation["number"], "step": 1, "text": "Better."}
    assert ann.post(f"{path}/comments", nested)[0] == 201
    status, position = ann.get(f"{path}/position?entry=9&variation={variation['number']}&step=1")
    assert (status, [known["seat"] for known in position["knew"]]) == (200, [None, 0, 1])

    assert ben.get(path)[1]["code"] == "study/not_yours"
    assert ann.delete(f"{path}/comments/{shown['comments'][0]['number']}")[0] == 200
    assert (
        client.patch(f"/api{path}", json={"visibility": "public", "add": [ben.id]}, headers=ann.headers).status_code
        == 200
    )
    body = ben.get(path)[1]
    assert (body["mayWrite"], [comment["text"] for comment in body["comments"]]) == (True, ["Better."])
    status, cut = ann.delete(f"{path}/variations/{variation['number']}")
    assert (status, cut["variations"], cut["comments"]) == (200, [], [])


def test_public_studies_are_listed_for_all_and_private_ones_for_their_writers(
    client: TestClient[Any], ann: Person, ben: Person, study: Any, match_id: str
) -> None:
    catch_up(client)
    assert ben.get("/studies")[1]["studies"] == []
    assert [each["id"] for each in ann.get("/studies?mine=true")[1]["studies"]] == [study["id"]]
    changed = {"visibility": "public", "title": "Known to all"}
    client.patch(f"/api/studies/{study['id']}", json=changed, headers=ann.headers)
    catch_up(client)

    assert [each["title"] for each in ben.get("/studies")[1]["studies"]] == ["Known to all"]
    assert len(ben.get(f"/matches/{match_id}/annotations")[1]["studies"]) == 1
    assert ben.get("/studies?mine=true")[1]["studies"] == []


def test_studies_of_the_services_annotators_are_marked(client: TestClient[Any], ann: Person, study: Any) -> None:
    olga = Person(client)
    make_operator(client, olga.id)
    catch_up(client)
    assert [each["byAnnotator"] for each in ann.get("/studies")[1]["studies"]] == [False]

    assert olga.post("/roles", {"person": ann.id, "role": "annotator"})[0] == 200

    assert [each["byAnnotator"] for each in ann.get("/studies")[1]["studies"]] == [True]


def test_a_private_study_is_hidden_from_operators_too(client: TestClient[Any], ann: Person, study: Any) -> None:
    olga = Person(client)
    make_operator(client, olga.id)

    for path in ("", "/file", "/report", "/position?entry=9"):
        status, problem = olga.get(f"/studies/{study['id']}{path}")
        assert (status, problem["code"]) == (403, "study/not_yours"), path


def test_refusals_name_the_bad_value(
    client: TestClient[Any], ann: Person, ben: Person, study: Any, match_id: str
) -> None:
    path = f"/studies/{study['id']}"
    good = legal_at(client, match_id, 9)[0]
    bad = {**good, "seat": 9}
    before = ann.get(path)[1]["version"]
    for where, wanted, status, code, expected in (
        ("variations", {"entry": 9, "steps": [bad]}, 422, "variation/illegal", "step 1: "),
        ("variations", {"entry": 9, "steps": [good, bad]}, 422, "variation/illegal", "step 2: "),
        ("variations", {"entry": 999, "steps": [good]}, 422, "study/refused", "not 999"),
        ("variations", {"entry": 9, "variation": 77, "step": 1, "steps": [good]}, 422, "study/refused", "variation 77"),
        ("variations", {"entry": 9, "steps": []}, 400, "request/malformed", "steps"),
        ("comments", {"entry": 0, "text": "x"}, 422, "study/refused", "not 0"),
        ("comments", {"entry": 9, "text": "x" * 20_000}, 422, "study/refused", "not 20000"),
        ("comments", {"entry": 9, "text": "  "}, 422, "study/refused", "a comment"),
        ("marks", {"entry": 9, "glyphs": ["splendid"]}, 400, "request/malformed", "splendid"),
        ("marks", {"entry": 9, "glyphs": ["good", "good"]}, 422, "study/refused", "once"),
    ):
        response = ann.post(f"{path}/{where}", wanted)
        assert (response[0], response[1]["code"]) == (status, code), response
        assert expected in response[1]["detail"], response
    assert ann.post(f"{path}/comments", {"entry": 9, "text": "x" * 1_000_000})[0] == 413
    assert ben.post(f"{path}/comments", {"entry": 9, "text": "Mine"})[1]["code"] == "study/not_yours"
    assert ann.post(f"{path}/marks", {"entry": 9, "shapes": [{"part": "<b>"}]})[0] == 400
    assert ann.get("/studies/00000000-0000-0000-0000-000000000000")[0] == 404
    assert ann.get(path)[1]["version"] == before, "what is refused changes nothing"


def test_a_refused_change_of_a_study_changes_nothing(
    client: TestClient[Any], ann: Person, ben: Person, study: Any
) -> None:
    path = f"/studies/{study['id']}"
    wanted = {"title": "A closer one", "visibility": "public", "remove": [ben.id]}

    answer = client.patch(f"/api{path}", json=wanted, headers=ann.headers)

    assert (answer.status_code, answer.json()["code"]) == (422, "study/refused"), answer.text
    after = ann.get(path)[1]
    assert (after["version"], after["title"]) == (study["version"], "A close one")


def test_a_study_file_for_another_match_is_refused_by_its_digest(
    client: TestClient[Any], ann: Person, study: Any
) -> None:
    """The match exists, but its entry has another digest than the study states."""
    first = MATCHES.of(client).writer.matches.streams.records(UUID(study["id"]))[0]
    opened = STUDY.read(first)
    assert isinstance(opened, StudyOpened)
    other = STUDY.seal(UUID(int=7), None, replace(opened, head="ab" * 32), first.timestamp)

    response = client.post("/api/studies", content=study_bytes(study_file((other,))), headers=ann.headers)

    assert (response.status_code, response.json()["code"]) == (409, "study/wrong_match"), response.text
    assert "ab" * 32 in response.json()["detail"]


def test_a_file_with_marks_of_unknown_parts_is_refused(
    client: TestClient[Any], ann: Person, ben: Person, study: Any, match_id: str
) -> None:
    ring, _ = shapes(client, match_id)
    first = MATCHES.of(client).writer.matches.streams.records(UUID(study["id"]))[0]

    def file_with(number: int, *parts: str) -> bytes:
        records = [STUDY.seal(UUID(int=number), None, STUDY.read(first), first.timestamp)]
        stream = STUDY.apply(None, records[0])
        for part in parts:
            fact = PlaceMarked(by=ann.id, at=StudyPlace(9), shapes=(Shape(part),))
            records.append(STUDY.seal(stream.id, stream, fact, first.timestamp))
            stream = STUDY.apply(stream, records[-1])
        return study_bytes(study_file(tuple(records)))

    odd = file_with(70, "nowhere")
    before = len(ben.get("/studies?mine=true")[1]["studies"])

    for person in (ann, ben):
        response = client.post("/api/studies", content=odd, headers=person.headers)
        assert (response.status_code, response.json()["code"]) == (422, "study/refused")
        message = "the file marks 'nowhere' after entry 9, but the board has no such part"
        assert response.json()["detail"] == message
    reader = Reader(client, ben)
    assert "the file marks 'nowhere' after entry 9, but the board has no such part" in unescape(
        reader.uploads("/studies", "/studies/import", odd, 422)
    )
    assert len(ben.get("/studies?mine=true")[1]["studies"]) == before
    for content in (file_with(71, "nowhere", ring["part"]), file_with(72, ring["part"])):
        response = client.post("/api/studies", content=content, headers=ann.headers)
        assert response.status_code == 201, "what was marked and is not marked any more is not looked at"


def test_a_study_round_trips_through_a_file(
    client: TestClient[Any], ann: Person, ben: Person, study: Any, match_id: str
) -> None:
    path = f"/studies/{study['id']}"
    ann.post(f"{path}/comments", {"entry": 9, "text": "One\n\n- two"})
    ann.post(f"{path}/variations", {"entry": 9, "steps": legal_at(client, match_id, 9)[:1]})
    client.patch(f"/api{path}", json={"visibility": "unlisted"}, headers=ann.headers)

    def download(query: str) -> bytes:
        return client.get(f"/api{path}/file{query}", headers=ben.headers).content

    content, whole = download(""), download("?log=true")

    def upload(person: Person, content: bytes) -> Any:
        response = client.post("/api/studies", content=content, headers=person.headers)
        return response.status_code, response.json()

    assert upload(ann, content)[1]["id"] == study["id"], "the same again changes nothing"
    status, copy = upload(ben, whole)
    assert (status, copy["owner"], copy["visibility"]) == (201, ben.id, "private")
    assert copy["id"] != study["id"]
    assert [comment["text"] for comment in copy["comments"]] == ["One\n\n- two"]
    assert len(whole) > len(content)
    report = client.get(f"/api{path}/report", headers=ann.headers).text
    assert report.startswith("# A close one\n")
    assert "> - two" in report
    assert upload(ann, content[:-20])[1]["code"] == "log/false"
    other = content.replace(match_id.encode(), b"00000000-0000-0000-0000-000000000007")
    assert upload(ann, other)[0] in {409, 422}


def test_an_operator_imports_any_study_unchanged(client: TestClient[Any], ann: Person, study: Any) -> None:
    olga = Person(client)
    make_operator(client, olga.id)
    content = client.get(f"/api/studies/{study['id']}/file", headers=ann.headers).content

    assert client.post("/api/studies", content=content, headers=olga.headers).json()["owner"] == ann.id


def test_a_running_match_is_annotated_without_variations(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    version = ann.get(f"/matches/{match_id}")[1]["version"]
    study = ann.post(f"/matches/{match_id}/annotations", {"title": "Live"})[1]

    assert ann.post(f"/studies/{study['id']}/comments", {"entry": version, "text": "Now!"})[0] == 201
    assert ann.get(f"/studies/{study['id']}/position?entry={version}")[1]["code"] == "study/refused"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("[x](data:text/html,hi)", "<p>[x](data:text/html,hi)</p>"),
        ("[x](//evil.example)", "<p>[x](//evil.example)</p>"),
        ("<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"),
        ("**b** *i* `c<d`", "<p><strong>b</strong> <em>i</em> <code>c&lt;d</code></p>"),
        ("# no heading", "<p># no heading</p>"),
    ],
)
def test_markdown_renders_only_its_subset(text: str, html: str) -> None:
    assert str(render_markdown(text)).strip() == html


def test_a_link_discloses_no_referrer() -> None:
    html = str(render_markdown("[web](https://example.org) [here](/tables)"))

    assert html.count('rel="nofollow noopener noreferrer ugc"') == 2
