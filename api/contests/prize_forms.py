"""The form of prizes, for tournaments and for divisions of a season."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from api.contests.schemas import ReasonOfChange
from api.http.form_faults import FieldFault, excerpt
from api.http.forms import Form, FormRejected
from api.http.structs import RequestStruct, Short
from domain.contests.errors import PlanRefused
from domain.contests.prizes import PLACES_MAX, Prize, Prizes, SplitRule
from domain.kernel.messages import N_, Message
from domain.kernel.texts import ONE_LINE

ROWS_OFFERED: Final = 3
CENTS: Final = 100
NO_AMOUNT: Final = N_("Enter an amount such as 20 or 12.50, not “{value}”.")
SPLITS: Final = {
    "shared": N_("tied players split the prize money of their places"),
    "broken": N_("tie-breaks decide"),
    "each": N_("each tied player gets the best prize of their places"),
}
Amount = Annotated[str, msgspec.Meta(max_length=12)]


class PrizeRow(RequestStruct, frozen=True):
    """A place with its prize; `number` identifies it even if the others are empty. `amount` is decimal text."""

    number: Annotated[int, msgspec.Meta(ge=1, le=PLACES_MAX)]
    amount: Amount = ""
    name: Short = ""


class PrizesForm(RequestStruct, frozen=True, kw_only=True):
    """The form of prizes."""

    places: Annotated[tuple[PrizeRow, ...], msgspec.Meta(max_length=PLACES_MAX)] = ()
    currency: Annotated[str, msgspec.Meta(max_length=8, pattern=ONE_LINE)] = ""
    split: SplitRule = "shared"
    reason: ReasonOfChange = ""

    def prizes(self) -> Prizes:
        """Return the prizes in the form by place, without empty ones at the end.

        Raises `FormRejected` for an invalid amount.
        """
        rows = {
            row.number: Prize(parse_amount(row.amount, f"places.{index}.amount"), row.name)
            for index, row in enumerate(self.places)
        }
        last = max((number for number, prize in rows.items() if prize != Prize()), default=0)
        places = tuple(rows.get(number, Prize()) for number in range(1, last + 1))
        return Prizes(places=places, currency=self.currency, split=self.split)


PRIZES: Final = Form("prizes", PrizesForm, beside={PlanRefused: "places.0.amount"})


def parse_amount(text: str, field: str) -> int:
    """Parse an amount with up to two decimals, after a point or comma, in hundredths; 0 for "".

    Raises `FormRejected` with the field if it is invalid.
    """
    if not text:
        return 0
    whole, _, decimals = text.replace(",", ".").partition(".")
    if (
        not (whole + decimals).isascii()
        or not whole.isdecimal()
        or len(decimals) > len("00")
        or not (decimals or "0").isdecimal()
    ):
        raise FormRejected([FieldFault(field, Message(NO_AMOUNT, {"value": excerpt(text)}))])
    return int(whole) * CENTS + int(decimals.ljust(2, "0"))


def format_amount(amount: int) -> str:
    """Return an amount, in hundredths, as decimal text."""
    whole, hundredths = divmod(amount, CENTS)
    return f"{whole}.{hundredths:02}" if hundredths else str(whole)


def rows_of(prizes: Prizes) -> list[tuple[str, str]]:
    """Return the rows of the form, with some empty ones."""
    rows = [(format_amount(prize.amount) if prize.amount else "", prize.name) for prize in prizes.places]
    return [*rows, *([("", "")] * min(ROWS_OFFERED, PLACES_MAX - len(rows)))]
