"""Conditions of entry to a contest, and whether a person meets them.

The plan only marks that there is a password or a list of names. Both are in the accounts database, so that no record
has a password, or the id of a person who has not entered.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final, Literal, NamedTuple
from uuid import UUID

import msgspec

from domain.contests import entry_errors as errors
from domain.contests.countries import CODES, Country
from domain.contests.entry_errors import EntryRefused
from domain.contests.errors import PlanRefused
from domain.kernel.title import Titles
from domain.kernel.values import Value, replace
from domain.matches.titles import find_title

POINTS_MAX: Final = 10_000
MATCHES_MAX: Final = 100_000
BANDS_MAX: Final = 8
CLUBS_MAX: Final = 20
COUNTRIES_MAX: Final = len(CODES)
Points = Annotated[int, msgspec.Meta(ge=0, le=POINTS_MAX)]
ConditionKind = Literal["rating", "rated_matches", "leaving", "club", "list", "country", "password"]


class RatingBand(Value, frozen=True, omit_defaults=True):
    """The ratings in a title with which people may enter; 0: no bound.

    A person without a rating may enter unless there is a lower bound.
    """

    title: str
    least: Points = 0
    most: Points = 0


class EntryConditions(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The conditions of entry; a person has to meet all of them, unless an organiser waives them with a reason."""

    ratings: Annotated[tuple[RatingBand, ...], msgspec.Meta(max_length=BANDS_MAX)] = ()
    rated_matches: Annotated[int, msgspec.Meta(ge=0, le=MATCHES_MAX)] = 0
    """The least number of rated matches of the title of the contest, at tables of any size."""
    leaving_max: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    """The largest percentage of the last matches that a person may have left; None: any."""
    clubs: Annotated[tuple[UUID, ...], msgspec.Meta(max_length=CLUBS_MAX)] = ()
    """The clubs of which people have to be members: of one of them is enough."""
    countries: Annotated[tuple[Country, ...], msgspec.Meta(max_length=COUNTRIES_MAX)] = ()
    listed: bool = False
    """Only people on the organisers' list of names may enter."""
    password: bool = False
    """People need a password to enter."""


NO_CONDITIONS: Final = EntryConditions()


class TitleRating(Value, frozen=True):
    """The rating of a person in a title over all table sizes; without rated matches it is none."""

    title: str
    name: str
    points: int = 0
    matches: int = 0


class ClubSeen(Value, frozen=True):
    """A club, and whether a person is a member."""

    id: UUID
    name: str
    is_member: bool


class Exclusion(Value, frozen=True):
    """The exclusion of a person from the series of a contest; `reason` is empty for readers other than the person."""

    until: datetime
    reason: str = ""


class Entrant(Value, frozen=True, kw_only=True):
    """A person who wants to enter, with the facts that conditions compare.

    `left_percent`: None if too few matches were played for a limit. `clubs`: the clubs of the conditions.
    `knows_password`: None if no password was given.
    """

    ratings: tuple[TitleRating, ...] = ()
    left_percent: int | None = None
    clubs: tuple[ClubSeen, ...] = ()
    country: str = ""
    is_listed: bool = False
    knows_password: bool | None = None
    exclusion: Exclusion | None = None

    def rating_in(self, title: str) -> TitleRating:
        """Return the rating in a title."""
        return next((each for each in self.ratings if each.title == title), TitleRating(title, title))


class Judgement(NamedTuple):
    """Whether a person meets a condition: the refusal if not. `band`: the band of a condition on ratings."""

    kind: ConditionKind
    refusal: EntryRefused | None
    band: RatingBand | None = None


class Speech(NamedTuple):
    """The words for the person in a refusal."""

    who: str
    whose: str


TO_PERSON: Final = Speech("you", "your")
TO_ORGANISER: Final = Speech("they", "their")


def normal_conditions(titles: Titles, conditions: EntryConditions | None) -> EntryConditions | None:
    """Return the conditions in their stored form: countries sorted, everything once; None if there are none.

    Raise `PlanRefused` for bounds in the wrong order, a band without bounds, two bands of a title or an unknown
    country, and `UnknownTitle`.
    """
    if conditions is None or conditions == NO_CONDITIONS:
        return None
    for band in conditions.ratings:
        name = find_title(titles, band.title).printed_name
        if not band.least and not band.most:
            raise PlanRefused(f"the condition on ratings in {name} has no bound")
        if band.most and band.least > band.most:
            raise PlanRefused(f"no rating in {name} is at least {band.least} and at most {band.most}")
    if len({band.title for band in conditions.ratings}) < len(conditions.ratings):
        raise PlanRefused("two conditions on ratings are about the same title")
    for country in conditions.countries:
        if country not in CODES:
            raise PlanRefused(f"there is no country with the code {country!r}")
    return replace(
        conditions,
        countries=tuple(sorted({*conditions.countries})),
        clubs=tuple(dict.fromkeys(conditions.clubs)),
    )


def judge(conditions: EntryConditions, title: str, entrant: Entrant, speech: Speech = TO_PERSON) -> Iterator[Judgement]:
    """Yield whether a person meets each of the conditions of a contest of that title."""
    for band in conditions.ratings:
        yield Judgement("rating", refusal_of_rating(band, entrant.rating_in(band.title), speech), band)
    if conditions.rated_matches:
        found = entrant.rating_in(title)
        yield Judgement("rated_matches", refusal_of_matches(conditions.rated_matches, found, speech))
    if conditions.leaving_max is not None:
        yield Judgement("leaving", refusal_of_leaving(conditions.leaving_max, entrant.left_percent, speech))
    if conditions.clubs:
        yield Judgement("club", refusal_of_clubs(conditions.clubs, entrant.clubs, speech))
    if conditions.listed:
        not_listed = errors.NotListed(f"{speech.who} are not on the list of names for this event")
        yield Judgement("list", None if entrant.is_listed else not_listed)
    if conditions.countries:
        yield Judgement("country", refusal_of_country(conditions.countries, entrant.country, speech))
    if conditions.password:
        yield Judgement("password", refusal_of_password(entrant.knows_password))


def refusal_of_rating(band: RatingBand, rating: TitleRating, speech: Speech) -> EntryRefused | None:
    """Return why a rating does not fit a band, or None if it does."""
    values: dict[str, int | str] = {"title": rating.name, "points": rating.points}
    values |= {"least": band.least, "most": band.most}
    if not rating.matches:
        sentence = f"{speech.who} have no rating in {rating.name}; this event is for ratings from {band.least}"
        return errors.RatingMissing(sentence, values) if band.least else None
    is_low, is_high = rating.points < band.least, bool(band.most) and rating.points > band.most
    sentence = f"{speech.whose} rating in {rating.name} is {rating.points}; this event is for"
    if not is_low and not is_high:
        return None
    if band.least and band.most:
        return errors.RatingOutside(f"{sentence} {band.least} to {band.most}", values)
    if is_low:
        return errors.RatingTooLow(f"{sentence} at least {band.least}", values)
    return errors.RatingTooHigh(f"{sentence} at most {band.most}", values)


def refusal_of_matches(least: int, rating: TitleRating, speech: Speech) -> EntryRefused | None:
    """Return why a person has too few rated matches, or None."""
    if rating.matches >= least:
        return None
    return errors.TooFewMatches(
        f"{speech.who} have {rating.matches} rated matches of {rating.name}; this event is for people with at least "
        f"{least}",
        {"title": rating.name, "matches": rating.matches, "least": least},
    )


def refusal_of_leaving(most: int, percent: int | None, speech: Speech) -> EntryRefused | None:
    """Return why a person leaves too many matches, or None."""
    if percent is None or percent <= most:
        return None
    return errors.LeavesTooMany(
        f"{speech.who} left {percent} % of {speech.whose} last matches; this event is for people who left at most "
        f"{most} %",
        {"share": percent, "most": most},
    )


def refusal_of_clubs(clubs: tuple[UUID, ...], seen: tuple[ClubSeen, ...], speech: Speech) -> EntryRefused | None:
    """Return why a person does not belong to the clubs, or None."""
    if any(each.is_member for each in seen if each.id in clubs):
        return None
    known = {each.id: each.name for each in seen}
    names = ", ".join(known.get(each) or str(each) for each in clubs)
    return errors.NotOfClubs(
        f"this event is for members of {names}, and {speech.who} are not a member", {"clubs": names}
    )


def refusal_of_country(countries: tuple[Country, ...], country: str, speech: Speech) -> EntryRefused | None:
    """Return why a country does not fit, or None."""
    if country in countries:
        return None
    listed = ", ".join(countries)
    values: dict[str, int | str] = {"country": country, "countries": listed}
    if not country:
        return errors.CountryMissing(
            f"this event is for players from {listed}, and {speech.who} have not stated a country", values
        )
    return errors.CountryRefused(
        f"{speech.whose} country is {country}; this event is for players from {listed}", values
    )


def refusal_of_password(is_known: bool | None) -> EntryRefused | None:
    """Return why a password does not let a person in, or None; no sentence repeats a password."""
    if is_known:
        return None
    if is_known is None:
        return errors.PasswordMissing("this event requires a password")
    return errors.PasswordWrong("this is not the password of this event")


def refusal_of_exclusion(exclusion: Exclusion, *, is_organiser: bool) -> EntryRefused:
    """Return the refusal of an excluded person, with the end of the exclusion."""
    until = f"{exclusion.until:%Y-%m-%d %H:%M} UTC"
    if is_organiser:
        sentence = f"they are excluded from this series of events until {until}; lift the exclusion first"
        return errors.PersonExcluded(sentence, {"until": until})
    suffix = f": {exclusion.reason}" if exclusion.reason else ""
    sentence = f"you are excluded from this series of events until {until}{suffix}"
    return errors.Excluded(sentence, {"until": until, "reason": exclusion.reason})


def refusal_of_entry(
    conditions: EntryConditions | None,
    title: str,
    entrant: Entrant,
    *,
    is_invited: bool = False,
    speech: Speech = TO_PERSON,
) -> EntryRefused | None:
    """Return why a person does not meet the conditions of a contest of that title, or None if nothing prevents it.

    A person whom an organiser invited or enters needs no password.
    """
    for each in judge(conditions or NO_CONDITIONS, title, entrant, speech):
        if each.refusal is not None and not (is_invited and each.kind == "password"):
            return each.refusal
    return None


def require_entry(
    conditions: EntryConditions | None,
    title: str,
    entrant: Entrant | None,
    *,
    is_organiser: bool = False,
    is_invited: bool = False,
    waives: bool = False,
) -> bool:
    """Check an entry; return whether an organiser waives the conditions.

    `entrant` is None for entries that organisers vouch for: bots, names and files. `waives`: the organiser waives the
    conditions, in this entry or in the open invitation; nothing waives an exclusion. Raise `EntryRefused`, to an
    organiser `ConditionUnmet`.
    """
    if entrant is None:
        assert is_organiser or conditions is None, "the service knows whether a person meets the conditions"
        return False
    if entrant.exclusion is not None:
        raise refusal_of_exclusion(entrant.exclusion, is_organiser=is_organiser)
    if waives or conditions is None:
        return waives and conditions is not None
    speech = TO_ORGANISER if is_organiser else TO_PERSON
    refusal = refusal_of_entry(conditions, title, entrant, is_invited=is_organiser or is_invited, speech=speech)
    if refusal is not None and is_organiser:
        raise errors.ConditionUnmet(f"{refusal}; waive the conditions and give a reason to let them in", refusal.values)
    if refusal is not None:
        raise refusal
    return False
