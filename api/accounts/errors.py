"""HTTP status and code of account errors."""

from __future__ import annotations

from typing import Final

from api.accounts.access import NoSuchSession, NoSuchToken, SignInTooOld, TooManyTokens
from api.accounts.contact_refusals import Blocked, OwnBlock
from api.accounts.countries import UnknownCountry
from api.accounts.names import BadName, BlankName, MixedName, NameAlike, NameTaken, ReservedName
from api.accounts.people import BadPassword, BotRefused, NoGuest, WrongCredentials
from api.accounts.provider import NoProvider, ProviderRefused, ProviderUnavailable
from api.accounts.sign_in_methods import (
    IdentityTaken,
    LastSignInMethod,
    NoSuchCeremony,
    NoSuchIdentity,
    NoSuchPasskey,
    PasskeyRefused,
    PasskeyWrong,
)
from api.http.refusal_tables import Refusals

REFUSALS: Final[Refusals] = {
    BadName: (400, "account/bad_name"),
    BlankName: (400, "account/name_blank"),
    MixedName: (400, "account/name_mixed"),
    ReservedName: (400, "account/name_reserved"),
    BadPassword: (400, "account/bad_password"),
    NameTaken: (409, "account/name_taken"),
    NameAlike: (409, "account/name_alike"),
    WrongCredentials: (401, "account/wrong_credentials"),
    UnknownCountry: (422, "account/unknown_country"),
    BotRefused: (409, "account/no_bot"),
    NoGuest: (409, "account/no_guest"),
    Blocked: (403, "person/blocked"),
    OwnBlock: (409, "person/own_block"),
    SignInTooOld: (403, "account/sign_in_again"),
    NoSuchCeremony: (409, "account/not_begun"),
    LastSignInMethod: (409, "account/last_way_in"),
    PasskeyWrong: (401, "passkey/wrong"),
    PasskeyRefused: (422, "passkey/refused"),
    NoSuchPasskey: (404, "passkey/unknown"),
    NoProvider: (404, "path/unknown"),
    ProviderUnavailable: (503, "provider/away"),
    ProviderRefused: (401, "provider/refused"),
    IdentityTaken: (409, "identity/taken"),
    NoSuchIdentity: (404, "identity/unknown"),
    NoSuchSession: (404, "session/unknown"),
    TooManyTokens: (409, "token/too_many"),
    NoSuchToken: (404, "token/unknown"),
}
"""Error -> HTTP status and code."""
