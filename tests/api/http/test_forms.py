"""Forms are validated by the constraints of the API, and rejected forms keep their values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.full_service import FullService, Visitor, run_full_service


@pytest.fixture(scope="module")
def full_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("forms")) as full_service:
        yield full_service


@pytest.fixture(scope="module")
def organiser(full_service: FullService) -> Visitor:
    return Visitor(full_service)


@pytest.fixture
def event(organiser: Visitor) -> str:
    return organiser.sends("/events", name="Vesnický pohár", size=2, rounds=2).removesuffix("/desk")


def fetch_event(service: FullService, event: str) -> Any:
    status, fetched = service.ask("GET", event.replace("/events/", "/tournaments/"))
    assert status == 200
    return fetched


def field(page: str, name: str, holds: str = "") -> str:
    """Return the message of the invalid field, which must have focus and refer to its message."""
    tags = re.findall(rf'<(?:input|select|textarea)[^>]* name="{re.escape(name)}"[^>]*aria-invalid="true"[^>]*>', page)
    assert len(tags) == 1, page
    described = re.search(r'aria-describedby="([^"]+)"', tags[0])
    assert described
    fault = re.search(rf'<span class="fault" id="{described[1]}">([^<]+)</span>', page)
    assert fault
    assert holds in tags[0]
    return fault[1]


def test_an_announcement_that_is_too_long_is_not_cut(full_service: FullService, organiser: Visitor, event: str) -> None:
    text = "å" * 4_001
    status, page = organiser.submit_refused(f"{event}/desk/announce", text=text)

    assert status == 400
    assert field(page, "text", "autofocus") == "Use at most 4000 characters, not 4001."
    assert f">{text}</textarea>" in page
    assert fetch_event(full_service, event)["notices"] == []


def test_a_number_above_the_maximum_is_not_clamped(full_service: FullService, organiser: Visitor, event: str) -> None:
    status, page = organiser.submit_refused(f"{event}/desk/enter", bot="random", count=600)

    assert status == 400
    assert field(page, "count", 'value="600"') == "Enter a whole number from 1 to 500, not “600”."
    assert fetch_event(full_service, event)["entries"] == []


def test_a_table_with_a_long_number_is_refused(full_service: FullService, organiser: Visitor, event: str) -> None:
    before = fetch_event(full_service, event)["version"]

    for fields in ({f"lock_{'9' * 5_000}": "1"}, {"tables": "9" * 5_000}):
        status, page = organiser.submit_refused(f"{event}/desk/pairing", **fields)
        assert status == 400
        assert "tables: Enter a whole number from 1 to 2000" in page or "This form has no such field" in page
    assert fetch_event(full_service, event)["version"] == before


def test_an_error_about_a_field_is_shown_next_to_it(organiser: Visitor, event: str) -> None:
    status, page = organiser.submit_refused(f"{event}/desk/enter", person="Nobody", club="Brno")

    assert status == 404
    assert field(page, "person", 'value="Nobody"') == "No player has this name. Check the spelling."
    assert "no account with the id or name 'Nobody'" in page
    assert 'name="club" value="Brno"' in page
    assert page.count('aria-invalid="true"') == 1, "the other forms that enter somebody are as they were"


def test_a_fault_is_shown_in_the_readers_language(full_service: FullService, event: str, organiser: Visitor) -> None:
    reader = Visitor(full_service, organiser.id)
    reader.cookies["language"] = "cs"
    page = reader.submit_refused(f"{event}/desk/enter", bot="random", count=600)[1]

    assert field(page, "count") == "Zadejte celé číslo od 1 do 500, ne „600“."


def test_a_taken_name_is_reported_next_to_the_field(full_service: FullService) -> None:
    first, second = Visitor(full_service), Visitor(full_service)
    first.sends("/sign-up", name="Vlasta", password="correct horse battery")
    status, page = second.submit_refused("/sign-up", name="vlasta", password="correct horse battery")

    assert status == 409
    assert field(page, "name", 'value="vlasta"') == "This name is already taken. Choose a different one."
    assert "correct horse" not in page
    assert second.submit_refused("/sign-in", name="Vlasta", password="wrong horse")[0] == 401


def test_a_reader_without_permission_gets_no_form_back(full_service: FullService, event: str) -> None:
    status, page = Visitor(full_service).submit_refused(f"{event}/desk/announce", text="x" * 5_000)

    assert status == 403
    assert "<textarea" not in page


def test_a_form_missing_from_its_page_is_rejected_on_an_error_page(organiser: Visitor, event: str) -> None:
    status, page = organiser.submit_refused(f"{event}/desk/result", round=1, table=1, scores="many")

    assert status == 400
    assert "scores: Enter a whole number from -100000 to 100000, not “many”." in page
    assert 'name="scores"' not in page
