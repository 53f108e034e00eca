"""What the forms of the organiser's desk send, and what of it can be meant."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from api.web.browser import Form, PageRequest
from domain.tournaments.errors import EventRefused, WrongResult

F = TypeVar("F", bound=Form)


async def filled(request: PageRequest, kind: type[F]) -> tuple[F, str]:
    """A form as it was filled in, and what of it cannot be read: such a field has its default, the others are kept."""
    sent, values, unread = await request.form(), dict[str, Any](), list[str]()
    for field in msgspec.structs.fields(kind):
        if field.name in sent:
            try:
                values[field.name] = msgspec.convert(sent[field.name], field.type, strict=False)
            except msgspec.ValidationError:
                unread.append(f"{field.name}: {str(sent[field.name])!r} is no whole number")
    return kind(**values), "; ".join(unread)


class EnterForm(Form, frozen=True):
    person: str = ""
    bot: str = ""
    count: int = 1
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0


class WhoForm(Form, frozen=True):
    person: str = ""
    entry: str = ""


class PairForm(Form, frozen=True):
    byes: str = ""
    again: int = 0


class MoveForm(Form, frozen=True):
    round: int = 0
    first: str = ""
    second: str = ""
    table: int = -1


class RoundForm(Form, frozen=True):
    round: int = 0
    entry: str = ""
    bot: str = ""


class ResultForm(Form, frozen=True):
    """`scores` and `places` by seat, with blanks or commas between; without places they follow from the scores."""

    round: int = 0
    table: int = 0
    scores: str = ""
    places: str = ""
    reason: str = ""


class PairsForm(Form, frozen=True):
    """Pairs of entries, one a line: `e1 e2`."""

    forbidden: str = ""
    wished: str = ""


class PenaltyForm(Form, frozen=True):
    entry: str = ""
    points: str = ""
    reason: str = ""


class TextForm(Form, frozen=True):
    text: str = ""
    what: str = "players"


def numbers(text: str, what: str) -> tuple[int, ...]:
    found = text.replace(",", " ").split()
    if not found or not all(word.removeprefix("-").isdecimal() and len(word) < 8 for word in found):
        raise WrongResult(f"{what}: {text!r} are no numbers")
    return tuple(map(int, found))


def result_of(form: ResultForm) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Points and places of the form."""
    scores = numbers(form.scores, "points")
    if form.places.strip():
        return scores, numbers(form.places, "places")
    return scores, tuple(1 + sum(other > score for other in scores) for score in scores)


def pairs_of(text: str) -> tuple[tuple[str, str], ...]:
    found = []
    for line in text.splitlines():
        both = line.replace(",", " ").split()
        if both:
            if len(both) != 2:
                raise EventRefused(f"a pair is two entries, such as e1 e2; not {line!r}")
            found.append((both[0], both[1]))
    return tuple(found)
