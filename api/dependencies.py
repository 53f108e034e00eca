"""What handlers are given by name: the services of this process, who asks, and the settings."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request
from litestar.di import Provide

from api.accounts.coming_in import WAYS_IN, WaysIn
from api.accounts.provider import PROVIDER, ProviderService
from api.accounts.service import ACCOUNTS, AccountService
from api.http.app_state import SETTINGS
from api.http.guards import Caller
from api.http.ids import IDS, Ids
from api.http.writer import OneWriter
from api.matches.one_device import provide_device, provide_holder
from api.matches.service import MATCHES, MatchService
from api.tournaments.routes import tournaments
from projections.platform.settings import Settings


def provide_caller(request: Request[Caller, Any, Any]) -> Caller:
    return request.user


def provide_matches(request: Request[Caller, Any, Any]) -> MatchService:
    return MATCHES.of(request)


def provide_writer(request: Request[Caller, Any, Any]) -> OneWriter:
    return MATCHES.of(request).writer


def provide_accounts(request: Request[Caller, Any, Any]) -> AccountService:
    return ACCOUNTS.of(request)


def provide_ways(request: Request[Caller, Any, Any]) -> WaysIn:
    return WAYS_IN.of(request)


def provide_provider(request: Request[Caller, Any, Any]) -> ProviderService:
    return PROVIDER.of(request)


def provide_settings(request: Request[Caller, Any, Any]) -> Settings:
    return SETTINGS.of(request)


def provide_ids(request: Request[Caller, Any, Any]) -> Ids:
    return IDS.of(request)


DEPENDENCIES: Final = {
    "caller": Provide(provide_caller, sync_to_thread=False),
    "matches": Provide(provide_matches, sync_to_thread=False),
    "writer": Provide(provide_writer, sync_to_thread=False),
    "accounts": Provide(provide_accounts, sync_to_thread=False),
    "ways": Provide(provide_ways, sync_to_thread=False),
    "provider": Provide(provide_provider, sync_to_thread=False),
    "settings": Provide(provide_settings, sync_to_thread=False),
    "ids": Provide(provide_ids, sync_to_thread=False),
    "holder": Provide(provide_holder, sync_to_thread=False),
    "one_device": Provide(provide_device, sync_to_thread=False),
    "tournaments": Provide(tournaments.provide_tournaments, sync_to_thread=False),
}
