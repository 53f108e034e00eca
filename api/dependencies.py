"""What handlers are given by name: the services of this process, who asks, and the settings."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request
from litestar.datastructures import State
from litestar.di import Provide

from api.accounts.coming_in import WaysIn
from api.accounts.provider import ProviderService
from api.accounts.service import AccountService
from api.matches.one_device import provide_device, provide_holder
from api.matches.service import MatchService
from api.tournaments.routes import tournaments
from api.web.guards import Caller
from api.web.ids import Ids
from projections.platform.settings import Settings


def provide_caller(request: Request[Caller, Any, Any]) -> Caller:
    return request.user


def provide_matches(state: State) -> MatchService:
    tables: MatchService = state.tables
    return tables


def provide_accounts(state: State) -> AccountService:
    accounts: AccountService = state.accounts
    return accounts


def provide_ways(state: State) -> WaysIn:
    ways_in: WaysIn = state.ways_in
    return ways_in


def provide_provider(state: State) -> ProviderService:
    provider: ProviderService = state.provider
    return provider


def provide_settings(state: State) -> Settings:
    settings: Settings = state.settings
    return settings


def provide_ids(state: State) -> Ids:
    ids: Ids = state.ids
    return ids


DEPENDENCIES: Final = {
    "caller": Provide(provide_caller, sync_to_thread=False),
    "matches": Provide(provide_matches, sync_to_thread=False),
    "accounts": Provide(provide_accounts, sync_to_thread=False),
    "ways": Provide(provide_ways, sync_to_thread=False),
    "provider": Provide(provide_provider, sync_to_thread=False),
    "settings": Provide(provide_settings, sync_to_thread=False),
    "ids": Provide(provide_ids, sync_to_thread=False),
    "holder": Provide(provide_holder, sync_to_thread=False),
    "one_device": Provide(provide_device, sync_to_thread=False),
    "tournaments": Provide(tournaments.provide_tournaments, sync_to_thread=False),
}
