"""The countries that people have stated in their accounts, for events and rankings of a country."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import bindparam, delete, select

from api.accounts.store import Store
from api.accounts.tables.contests import COUNTRIES
from domain.contests.countries import CODES
from projections.platform.statements import any_of, upsert

COLUMNS: Final = COUNTRIES.c
FIND: Final = select(COLUMNS.person, COLUMNS.country).where(COLUMNS.person.in_(any_of("people")))
FIND_PEOPLE: Final = select(COLUMNS.person).where(COLUMNS.country == bindparam("country"))
STATE: Final = upsert(COUNTRIES)
FORGET: Final = delete(COUNTRIES).where(COLUMNS.person == bindparam("person"))


class UnknownCountry(Exception):
    """No country of ISO 3166-1 has this code."""


class Countries:
    """The stated countries; erasing a person deletes theirs."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def country_of(self, person: str) -> str:
        """Return the code of a person's country, or an empty string."""
        return self.countries_of([person]).get(person, "")

    def countries_of(self, people: Iterable[str]) -> dict[str, str]:
        """Return the codes of countries by person; people who have stated none are left out."""
        return dict(self._store.rows(FIND, people=sorted(set(people))))

    def people_in(self, country: str) -> frozenset[str]:
        """Return the people who have stated a country."""
        return frozenset(person for (person,) in self._store.rows(FIND_PEOPLE, country=country))

    def set_country(self, person: str, country: str) -> None:
        """Store the country of a person by its code; empty: none. Raise `UnknownCountry` for another code."""
        if country and country not in CODES:
            raise UnknownCountry(f"there is no country with the code {country!r}")
        with self._store.transaction() as database:
            if country:
                database.change(STATE, person=person, country=country)
            else:
                database.change(FORGET, person=person)
