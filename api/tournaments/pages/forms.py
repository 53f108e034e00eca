"""The forms of the organiser's page. What the API has in an address, such as a round, a form has in a field."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

import msgspec

from api.http.forms import Form
from api.http.wire import Asked, Short
from api.tournaments.wire import (
    AnswerInvitation,
    AskPairing,
    Enter,
    GiveReason,
    Invite,
    MovePerson,
    NameSubstitute,
    NoteNoShow,
    Places,
    Reason,
    Scores,
    SetPairs,
    SwapPeople,
)
from api.tournaments.wire_of_photos import Caption, RemovePhoto, Seen
from domain.matches.errors import BotCannotPlay, UnknownActor
from domain.roles.errors import NoSuchPerson
from domain.standings.errors import PlacesContradict, WrongResult
from domain.tournaments.errors import EnteredAlready, NoSuchEntry, PhotoTooLarge, PhotoUnreadable

Number = Annotated[int, msgspec.Meta(ge=0, le=2_000)]


class OfRound(Asked, frozen=True):
    round: Number


class OfEntry(Asked, frozen=True):
    entry: Short
    reason: Reason = ""


class AnswerButton(AnswerInvitation, frozen=True):
    """The button that accepts or declines an invitation."""

    accept: bool = False


class SwapInRound(SwapPeople, frozen=True, kw_only=True):
    """`sure` says which places once more, when the page has shown what that costs."""

    round: Number
    sure: Short = ""

    @property
    def places(self) -> str:
        return f"{self.first} {self.second}"


class MoveInRound(MovePerson, frozen=True, kw_only=True):
    round: Number
    sure: Short = ""

    @property
    def places(self) -> str:
        return f"{self.entry} {self.table}"


class NoShowInRound(NoteNoShow, frozen=True, kw_only=True):
    """`sure` is the entry once more, when the page has asked about it."""

    round: Number
    sure: Short = ""


class CameInRound(GiveReason, frozen=True, kw_only=True):
    round: Number
    entry: Short


class SubstituteInRound(NameSubstitute, frozen=True, kw_only=True):
    round: Number


class ResultOfTable(Asked, frozen=True):
    """`GiveResult`, or `RuleTable`; people give points alone where the places follow from them."""

    round: Number
    table: Number
    scores: Scores
    places: Places = ()
    reason: Reason = ""
    ruling: bool = False
    sure: bool = False

    @property
    def ranking(self) -> tuple[int, ...]:
        """The places that were given, or those that follow from the points."""
        return self.places or places_from(self.scores)


def places_from(scores: tuple[int, ...]) -> tuple[int, ...]:
    """The places by seat that follow from the points."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


class PenaltyInPoints(Asked, frozen=True):
    """`GivePenalty` in whole points, as people count them."""

    entry: Short
    points: Annotated[int, msgspec.Meta(ge=-1_000, le=1_000)]
    reason: Reason = ""


class OfTable(OfRound, frozen=True):
    table: Number


class PastedPeople(Asked, frozen=True):
    """People as they stand in a mail or a spreadsheet, one a line."""

    text: str


class AnnounceLater(Asked, frozen=True):
    """`Announce` with its time as the clock of the event shows it; `preview`: it is only looked at."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
    since: Annotated[str, msgspec.Meta(max_length=20)] = ""
    preview: bool = False


class PastedFile(Asked, frozen=True):
    """A file as people paste it; `what` it is the API has in its address."""

    text: str
    what: Short = "players"
    sure: bool = False


class PhotoForm(Asked, frozen=True, kw_only=True):
    """A photo of a table, as a browser uploads it."""

    photo: Any
    caption: Caption = ""
    seen: Seen = ""


class TakeAwayPhoto(RemovePhoto, frozen=True, kw_only=True):
    photo: UUID


ENTER: Final = Form(
    "enter",
    Enter,
    beside={NoSuchPerson: "person", EnteredAlready: "person", BotCannotPlay: "bot", UnknownActor: "bot"},
)
INVITE: Final = Form("invite", Invite, beside={NoSuchPerson: "person"})
PAIRS: Final = Form("pairs", SetPairs, lines=frozenset({"forbidden", "wished"}))
PAIRING: Final = Form("pairing", AskPairing, words=frozenset({"byes"}), beside={NoSuchEntry: "byes"})
SWAP: Final = Form("swap", SwapInRound)
MOVE: Final = Form("move", MoveInRound)
NO_SHOW: Final = Form("no-show", NoShowInRound)
CAME: Final = Form("came", CameInRound)
SUBSTITUTE: Final = Form("substitute", SubstituteInRound, beside={NoSuchPerson: "person", NoSuchEntry: "entry"})
RESULT: Final = Form("result", ResultOfTable, beside={WrongResult: "scores", PlacesContradict: "places"})
SLIP: Final = Form("slip", OfTable)
PASTE: Final = Form("paste", PastedPeople)
PENALTY: Final = Form("penalty", PenaltyInPoints, beside={NoSuchEntry: "entry"})
ANNOUNCE: Final = Form("announce", AnnounceLater)
IMPORT: Final = Form("import", PastedFile)
PHOTO: Final = Form(
    "photo",
    PhotoForm,
    files=frozenset({"photo"}),
    beside={PhotoTooLarge: "photo", PhotoUnreadable: "photo"},
)
TAKE_AWAY: Final = Form("take-away", TakeAwayPhoto)
ROUND: Final = Form("button", OfRound)
ENTRY: Final = Form("button", OfEntry)
ANSWER: Final = Form("button", AnswerButton)
TAKE_BACK: Final = Form("button", Invite)
OF_THE_DESK: Final = (
    ENTER,
    INVITE,
    PAIRS,
    PAIRING,
    SWAP,
    MOVE,
    NO_SHOW,
    CAME,
    SUBSTITUTE,
    RESULT,
    PENALTY,
    ANNOUNCE,
    IMPORT,
    SLIP,
    PASTE,
)
