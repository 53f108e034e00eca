"""The forms of a table page.

They are buttons of a page that updates itself: errors are shown in a notice, and no form is shown again. A button sends
the version it was rendered for as `version`, and the seat if needed; a share of randomness has no seat, because the
reader has one seat. Browsers that can make a share set `ownLuck`.
"""

from __future__ import annotations

from typing import Final

from api.http.forms import Form
from api.http.structs import RequestStruct, Seat, Short, Version
from api.keys.schemas import Key, Voucher
from api.matches.schemas import AnyAction, SignedBy


class ActForm(RequestStruct, frozen=True):
    """The form of an action."""

    version: Version
    action: AnyAction
    signed: SignedBy | None = None
    sure: bool = False
    """Whether the action is confirmed, or needs no confirmation."""


class SitForm(RequestStruct, frozen=True):
    """The form that takes a seat."""

    seat: Seat
    own_luck: bool = False
    key: Voucher = ""


class CommitForm(RequestStruct, frozen=True):
    """The form that commits to a share of randomness."""

    commitment: Short = ""
    key: Voucher = ""


class BotForm(RequestStruct, frozen=True):
    """The form that assigns a bot to a seat."""

    seat: Seat
    bot: Short = ""


class SeatForm(RequestStruct, frozen=True):
    """The form that leaves a seat."""

    seat: Seat


class ShareForm(RequestStruct, frozen=True):
    """The form that reveals a share of randomness."""

    share: str = ""
    salt: str = ""
    signed: SignedBy | None = None


class VersionForm(RequestStruct, frozen=True):
    """A form about a version of the match."""

    version: Version
    signed: SignedBy | None = None


class SignedForm(RequestStruct, frozen=True):
    """A form with an optional signature."""

    signed: SignedBy | None = None


class KeyForm(RequestStruct, frozen=True):
    """The form with a browser's public key."""

    key: Key


ACT: Final = Form("button", ActForm)
SIT: Final = Form("button", SitForm)
BOT: Final = Form("button", BotForm)
LEAVE: Final = Form("button", SeatForm)
COMMIT: Final = Form("button", CommitForm)
SHARE: Final = Form("button", ShareForm)
VERSION: Final = Form("button", VersionForm)
SIGNED: Final = Form("button", SignedForm)
KEY: Final = Form("button", KeyForm)
