"""The fields of the conditions of entry, in the forms of tournaments and leagues and on the page of the conditions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple
from uuid import UUID

import msgspec

from api.accounts.names import NAME_LENGTH_MAX
from api.accounts.people import BadPassword
from api.contests.schemas import LISTED_MAX, Password, ReasonOfChange
from api.http.countries import country_names
from api.http.forms import Form
from api.http.ids import id_in_address
from api.http.structs import RequestStruct, Short
from domain.contests.conditions import (
    BANDS_MAX,
    CLUBS_MAX,
    COUNTRIES_MAX,
    MATCHES_MAX,
    NO_CONDITIONS,
    EntryConditions,
    Points,
    RatingBand,
)
from domain.contests.countries import Country
from domain.contests.entry_errors import PasswordMissing, PasswordWrong
from domain.contests.errors import PlanRefused
from domain.kernel.values import replace
from domain.roles.errors import NoSuchPerson

CLUBS_LENGTH_MAX: Final = CLUBS_MAX * 120
"""Enough for an address of each club."""


class BandRow(RequestStruct, frozen=True):
    """The bounds of a rating in a title; 0 or empty: no bound. `title` identifies the row even if both are empty."""

    title: Short
    least: Points = 0
    most: Points = 0


class ConditionFields(RequestStruct, frozen=True, kw_only=True):
    """The conditions of entry that need no private data."""

    ratings: Annotated[tuple[BandRow, ...], msgspec.Meta(max_length=BANDS_MAX)] = ()
    rated_matches: Annotated[int, msgspec.Meta(ge=0, le=MATCHES_MAX)] = 0
    leaving_max: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    countries: Annotated[tuple[Country, ...], msgspec.Meta(max_length=COUNTRIES_MAX)] = ()
    clubs: Annotated[str, msgspec.Meta(max_length=CLUBS_LENGTH_MAX)] = ""
    """Ids of clubs or addresses of their pages, separated by spaces or lines."""

    def conditions(self, before: EntryConditions | None = None) -> EntryConditions:
        """Return the conditions in the form; the conditions without a field are taken from `before`.

        Raise `PlanRefused` for a word that names no club.
        """
        bands = (RatingBand(row.title, row.least, row.most) for row in self.ratings if row.least or row.most)
        return replace(
            before or NO_CONDITIONS,
            ratings=tuple(bands),
            rated_matches=self.rated_matches,
            leaving_max=self.leaving_max,
            countries=self.countries,
            clubs=parse_clubs(self.clubs),
        )


def parse_clubs(text: str) -> tuple[UUID, ...]:
    """Return the clubs in a text of ids and addresses; raise `PlanRefused` for other words and too many."""
    found = {word: id_in_address(word) for word in text.split()}
    for word, club_id in found.items():
        if club_id is None:
            raise PlanRefused(f"{word!r} is neither the id nor the address of a club")
    if len(found) > CLUBS_MAX:
        raise PlanRefused(f"a condition names at most {CLUBS_MAX} clubs")
    return tuple(dict.fromkeys(club_id for club_id in found.values() if club_id is not None))


class ConditionsForm(RequestStruct, frozen=True, kw_only=True):
    """New conditions of entry; `reason` is needed after the start."""

    conditions: ConditionFields = ConditionFields()
    reason: ReasonOfChange = ""


class EntryPasswordForm(RequestStruct, frozen=True):
    """A new password for entry; empty: none is needed any longer."""

    password: Password = ""
    reason: ReasonOfChange = ""


class EntryListForm(RequestStruct, frozen=True):
    """The only people who may enter, one id or name per line."""

    people: Annotated[str, msgspec.Meta(max_length=LISTED_MAX * (NAME_LENGTH_MAX + 1))] = ""
    reason: ReasonOfChange = ""

    def names(self) -> tuple[str, ...]:
        """Return the ids and names."""
        return tuple(filter(None, map(str.strip, self.people.splitlines())))


class JoinForm(RequestStruct, frozen=True):
    """The entry of the reader."""

    password: Password = ""
    club_id: UUID | None = None


CONDITIONS: Final = Form("conditions", ConditionsForm)
ENTRY_PASSWORD: Final = Form(
    "entry-password", EntryPasswordForm, verbatim=frozenset({"password"}), beside={BadPassword: "password"}
)
ENTRY_LIST: Final = Form("entry-list", EntryListForm, beside={NoSuchPerson: "people"})
JOIN: Final = Form(
    "join",
    JoinForm,
    verbatim=frozenset({"password"}),
    beside={PasswordMissing: "password", PasswordWrong: "password"},
)


class ConditionsOffered(NamedTuple):
    """The choices of a form of conditions, with the present ones."""

    bands: tuple[RatingBand, ...]
    countries: dict[str, str]
    present: EntryConditions

    @property
    def clubs(self) -> str:
        """The addresses of the present clubs, one per line."""
        return "\n".join(f"/clubs/{club_id}" for club_id in self.present.clubs)


def offer_conditions(titles: Iterable[str], present: EntryConditions | None) -> ConditionsOffered:
    """Return the choices of a form: a band for each title, and all countries in the reader's language."""
    conditions = present or NO_CONDITIONS
    bands = {band.title: band for band in conditions.ratings}
    rows = {**{title: RatingBand(title) for title in titles}, **bands}
    return ConditionsOffered(tuple(rows.values())[:BANDS_MAX], country_names(), conditions)
