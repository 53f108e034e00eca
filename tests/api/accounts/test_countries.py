"""The country that a person states, over the API and on the account page."""

from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.countries import country_name, country_names
from api.http.languages import LANGUAGES, use_language
from domain.contests.countries import CODES
from tests.api.http.forms import Visitor
from tests.api.service import PASSWORD, Member, Person


def state(person: Person, country: str) -> tuple[int, Any]:
    response = person.client.put("/api/me/country", json={"country": country}, headers=person.headers)
    return response.status_code, response.json()


def test_a_person_states_a_country_and_withdraws_it(ann: Person) -> None:
    assert ann.get("/me/country") == (200, {"country": ""})
    assert state(ann, "ES") == (200, {"country": "ES"})
    assert ann.get("/me/country") == (200, {"country": "ES"})
    assert state(ann, "") == (200, {"country": ""})
    assert ann.get("/me/country") == (200, {"country": ""})


def test_an_unknown_country_is_refused(ann: Person) -> None:
    status, refusal = state(ann, "QQ")

    assert (status, refusal["code"], refusal["detail"]) == (
        422,
        "account/unknown_country",
        "there is no country with the code 'QQ'",
    )
    assert state(ann, "Spain")[0] == 400
    assert ann.client.get("/api/me/country").status_code == 401


def test_erasing_a_person_deletes_the_country(client: TestClient[Any], ann: Person) -> None:
    state(ann, "ES")
    people = PEOPLE.of(client)
    people.erase(ann.id)

    assert people.countries.country_of(ann.id) == ""


def test_the_account_page_has_a_form_for_the_country(client: TestClient[Any]) -> None:
    Member(client, "Margalida")
    visitor = Visitor(client)
    visitor.sends("/sign-in", {"name": "Margalida", "password": PASSWORD})
    assert '<option value="">not stated</option>' in visitor.goes("/account")

    page = visitor.sends("/account/country", {"country": "ES"}).text
    refused = visitor.sends("/account/country", {"country": "QQ"})

    assert '<option value="ES" selected>Spain</option>' in page
    assert (refused.status_code, "There is no such country." in refused.text) == (422, True)
    assert '<option value="ES" selected>Spain</option>' in visitor.goes("/account")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_country_has_a_name_in_every_language(language: str) -> None:
    with use_language(language):
        names = country_names()

        assert names.keys() == CODES
        assert not [code for code, name in names.items() if name == code]
        assert country_name("ES") == names["ES"]


def test_countries_are_sorted_by_name_without_accents() -> None:
    with use_language("en"):
        names = list(country_names().values())

    assert names[:2] == ["Afghanistan", "Åland Islands"]
    assert names.index("Curaçao") < names.index("Cyprus") < names.index("Czechia")
