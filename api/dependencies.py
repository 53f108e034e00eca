"""Dependencies of handlers by name: services of the process, the caller and the settings."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from litestar import Request
from litestar.di import Provide

from api.accounts.passkey_service import PASSKEY_SERVICE
from api.accounts.provider import PROVIDER
from api.accounts.service import ACCOUNTS
from api.contests.entrants import provide_entrants
from api.http.app_state import SETTINGS, AppKey
from api.http.guards import Caller
from api.http.ids import IDS
from api.http.writer import OneWriter
from api.matches.one_device import provide_device, provide_holder
from api.matches.service import MATCHES
from api.rankings.counts import COUNTS
from api.tournaments.routes import tournaments

T = TypeVar("T")


def value_of(key: AppKey[T]) -> Provide:
    """Declare a dependency that is a value of the application, looked up at each request."""

    def provide(request: Request[Caller, Any, Any]) -> Any:
        return key.of(request)

    return Provide(provide, sync_to_thread=False)


def provide_caller(request: Request[Caller, Any, Any]) -> Caller:
    """Return the caller."""
    return request.user


def provide_writer(request: Request[Caller, Any, Any]) -> OneWriter:
    """Return the threads for the log and the read models."""
    return MATCHES.of(request).writer


DEPENDENCIES: Final = {
    "caller": Provide(provide_caller, sync_to_thread=False),
    "matches": value_of(MATCHES),
    "writer": Provide(provide_writer, sync_to_thread=False),
    "accounts": value_of(ACCOUNTS),
    "passkey_service": value_of(PASSKEY_SERVICE),
    "provider": value_of(PROVIDER),
    "counts": value_of(COUNTS),
    "settings": value_of(SETTINGS),
    "ids": value_of(IDS),
    "holder": Provide(provide_holder, sync_to_thread=False),
    "one_device": Provide(provide_device, sync_to_thread=False),
    "entrants": Provide(provide_entrants, sync_to_thread=False),
    "tournaments": Provide(tournaments.provide_tournaments, sync_to_thread=False),
}
