"""Forms of the organisers' pages. They have fields for path parameters of the API, such as the round."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

import msgspec

from api.http.forms import Form
from api.http.structs import RequestStruct, Short
from api.tournaments.photo_schemas import Caption, RemovePhoto, Seen
from api.tournaments.schemas import (
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
from domain.matches.errors import BotCannotPlay, UnknownActor
from domain.roles.errors import NoSuchPerson
from domain.standings.errors import PlacesContradict, WrongResult
from domain.standings.results import places_by_score
from domain.tournaments.errors import EnteredAlready, NoSuchEntry, PhotoTooLarge, PhotoUnreadable

Number = Annotated[int, msgspec.Meta(ge=0, le=2_000)]


class OfRound(RequestStruct, frozen=True):
    """A form about a round."""

    round: Number


class OfEntry(RequestStruct, frozen=True):
    """A form about an entry."""

    entry: Short
    reason: Reason = ""


class AnswerButton(AnswerInvitation, frozen=True):
    """The button that accepts or declines an invitation."""

    accept: bool = False


class SwapInRound(SwapPeople, frozen=True, kw_only=True):
    """A swap; `sure` repeats the places to confirm the cost shown."""

    round: Number
    sure: Short = ""

    @property
    def places(self) -> str:
        """The places, as `sure` repeats them."""
        return f"{self.first} {self.second}"


class MoveInRound(MovePerson, frozen=True, kw_only=True):
    """A move; `sure` repeats the places to confirm the cost shown."""

    round: Number
    sure: Short = ""

    @property
    def places(self) -> str:
        """The places, as `sure` repeats them."""
        return f"{self.entry} {self.table}"


class NoShowInRound(NoteNoShow, frozen=True, kw_only=True):
    """A no-show; `sure` repeats the entry to confirm."""

    round: Number
    sure: Short = ""


class CameInRound(GiveReason, frozen=True, kw_only=True):
    """The withdrawal of a no-show."""

    round: Number
    entry: Short


class SubstituteInRound(NameSubstitute, frozen=True, kw_only=True):
    """A substitute."""

    round: Number


class ResultOfTable(RequestStruct, frozen=True):
    """`GiveResult` or `RuleTable`; without places they follow from the points."""

    round: Number
    table: Number
    scores: Scores
    places: Places = ()
    reason: Reason = ""
    ruling: bool = False
    sure: bool = False

    @property
    def ranking(self) -> tuple[int, ...]:
        """The given places, or the places by points."""
        return self.places or places_by_score(self.scores)


class PenaltyInPoints(RequestStruct, frozen=True):
    """`GivePenalty` in whole points."""

    entry: Short
    points: Annotated[int, msgspec.Meta(ge=-1_000, le=1_000)]
    reason: Reason = ""


class OfTable(OfRound, frozen=True):
    """A form about a table."""

    table: Number


class PastedPeople(RequestStruct, frozen=True):
    """People as text, one per line."""

    text: str


class AnnounceLater(RequestStruct, frozen=True):
    """`Announce` with a local time of the event; `preview` only renders it."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
    since: Annotated[str, msgspec.Meta(max_length=20)] = ""
    preview: bool = False


class PastedFile(RequestStruct, frozen=True):
    """A file as pasted text; `what` is its kind."""

    text: str
    what: Short = "players"
    sure: bool = False


class PhotoForm(RequestStruct, frozen=True, kw_only=True):
    """A photo of a table, as a browser uploads it."""

    photo: Any
    caption: Caption = ""
    seen: Seen = ""


class TakeAwayPhoto(RemovePhoto, frozen=True, kw_only=True):
    """The removal of a photo."""

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
WORKBENCH_FORMS: Final = (
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
