"""Limits on body sizes and on rates per person, network address and account name.

Counters are in Redis, shared by all processes; without Redis each process counts separately. Counters may be lost
without harm (DESIGN §5).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from http import HTTPStatus
from time import time
from typing import Any, Final, Literal, cast

import msgspec
import structlog
from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage, SlidingWindowCounterSupport
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from limits.errors import StorageError
from litestar.connection import ASGIConnection
from litestar.exceptions import TooManyRequestsException
from litestar.handlers.base import BaseRouteHandler
from redis.asyncio import Redis

from api.http.app_state import SETTINGS, AppKey
from api.http.digests import digest
from api.http.guards import used_private_socket
from api.http.identity import Person
from projections.platform.networks import network_of
from projections.platform.settings import Settings
from projections.platform.valkey import async_valkey

REDIS_TIMEOUT_SECONDS: Final = 0.5
"""Redis timeout; requests wait no longer to be counted."""
BODY_BYTES_MAX: Final = 16 * 1024
"""Maximum body of an API request unless its route overrides it: names, numbers, a reason."""
TEXT_BYTES_MAX: Final = 64 * 1024
"""Maximum body with long texts or lists, and maximum form; files have separate limits."""
FORM_BYTES_MAX: Final = 2 * 1024 * 1024
"""Maximum form with a pasted file. Longer uploads use `multipart`, which needs no decoding."""
LIMIT: Final = "limit"
"""Handler option with the kind of limit; the default is `change`."""
Kind = Literal[
    "change",
    "account",
    "guess",
    "code",
    "seat",
    "analysis",
    "challenge",
    "challenge_to_one",
    "creation",
    "guest_creation",
    "newcomer",
    "letter_from_one",
    "letter_to_one",
    "invitation",
    "invitation_to_one",
    "talk",
    "photo",
]
ContactKind = Literal["invitation", "challenge"]
"""Kinds of contact with a person; each has a separate limit."""
CODES_PER_HOUR: Final = 5
"""Table codes that one address may try in an hour; a correct one resets the count."""
ANALYSES_PER_HOUR: Final = 12
"""Analyses that one person may request in an hour; each takes minutes of CPU time."""
CHALLENGES_PER_HOUR: Final = 30
"""Challenges that one person may send in an hour; each sends mail and push messages."""
CHALLENGES_TO_ONE_PER_DAY: Final = 20
"""Challenges from one account to another account in a day."""
INVITATIONS_PER_DAY: Final = 10_000
"""Invitations from one account in a day, to events, leagues, studies and roles.

A file of players is imported as a whole, with at most 10,000 rows.
"""
INVITATIONS_TO_ONE_PER_DAY: Final = 30
"""Invitations from one account to another account in a day: an organiser fills the seats of a club night one by one."""
CONCURRENT_COUNTS_MAX: Final = 100
"""Counters of one request that are updated before other requests run."""
CONTACTS_PER_DAY: Final[Mapping[ContactKind, int]] = {
    "challenge": CHALLENGES_TO_ONE_PER_DAY,
    "invitation": INVITATIONS_TO_ONE_PER_DAY,
}
PHOTOS_PER_HOUR: Final = 300
"""Photos of one person in an hour, enough for an organiser in a large hall; each is decoded."""
LETTERS_TO_ONE_PER_DAY: Final = 3
"""Confirmation letters per day from one network to one mailbox, for guests and accounts on their first day.

Counted by network, so that strangers cannot use up the letters of the mailbox owner.
"""
LETTERS_FROM_ONE_PER_HOUR: Final = 300
"""Confirmation letters per hour and network: a whole hall may share an address."""
SEATS_PER_HOUR: Final = 20
"""Codes tried per hour for one seat, from any address; with 10,000 codes guessing takes weeks."""
REFUNDABLE: Final = frozenset[Kind](
    ("creation", "guest_creation", "newcomer", "challenge", "challenge_to_one", "invitation", "invitation_to_one")
)
"""Kinds charged before validation, so that concurrent requests never exceed a limit, and refunded on rejection.

Guesses are always charged, and so are photos, because each is decoded first.
"""
CREATES: Final = {"creates": True}
"""Option of handlers that add a table, fork, study, event or league to the log, permanently."""
SIGN_IN_LIMIT: Final = {LIMIT: "account"}
"""Option of sign-in handlers: limited by address, because passwords are guessed there."""
NEWCOMER_LIMIT: Final = SIGN_IN_LIMIT | {"newcomers": True}
"""Option of handlers that create an account or guest."""
GUEST_LIMIT: Final = {LIMIT: "guest"}
"""Option of handlers that create a guest for an unknown caller, who is then limited like a sign-in."""

LimiterCall = Callable[[SlidingWindowCounterRateLimiter, RateLimitItem, str, int], Awaitable[int | None]]

log = structlog.get_logger("limits")


class Charge(msgspec.Struct, frozen=True):
    """A charge for one request."""

    kind: Kind
    limiter: SlidingWindowCounterRateLimiter
    allowed: RateLimitItem
    key: str
    cost: int


CHARGES: Final[ContextVar[list[Charge] | None]] = ContextVar("charges", default=None)
"""The charges of this request, which are refunded on rejection."""


class Limits:
    """Counters and limits; a limit of 0 means unlimited."""

    def __init__(self, settings: Settings, timeout_seconds: float = REDIS_TIMEOUT_SECONDS) -> None:
        self._local = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._shared: SlidingWindowCounterRateLimiter | None = None
        self._redis: Redis | None = None
        if settings.redis:
            self._redis = async_valkey(settings.redis, socket_timeout=timeout_seconds)
            pool: Any = self._redis.connection_pool
            # The library accepts a pool, contrary to its type hints; the address only selects the kind of server.
            storage = RedisStorage("async+redis://shared:6379", True, "redispy", connection_pool=pool)
            self._shared = SlidingWindowCounterRateLimiter(storage)
        self._allowed: dict[Kind, RateLimitItem | None] = {
            "change": rate_limit(RateLimitItemPerMinute, settings.changes_per_minute, "change"),
            "account": rate_limit(RateLimitItemPerMinute, settings.accounts_per_minute, "account"),
            "guess": rate_limit(RateLimitItemPerHour, settings.guesses_per_hour, "guess"),
            "code": rate_limit(RateLimitItemPerHour, CODES_PER_HOUR, "code"),
            "analysis": rate_limit(RateLimitItemPerHour, ANALYSES_PER_HOUR, "analysis"),
            "challenge": rate_limit(RateLimitItemPerHour, CHALLENGES_PER_HOUR, "challenge"),
            "challenge_to_one": rate_limit(RateLimitItemPerDay, CHALLENGES_TO_ONE_PER_DAY, "challenge_to_one"),
            "creation": rate_limit(RateLimitItemPerHour, settings.creations_per_hour, "creation"),
            "guest_creation": rate_limit(RateLimitItemPerHour, settings.guest_creations_per_hour, "guest_creation"),
            "newcomer": rate_limit(RateLimitItemPerDay, settings.newcomers_per_day, "newcomer"),
            "letter_from_one": rate_limit(RateLimitItemPerHour, LETTERS_FROM_ONE_PER_HOUR, "letter_from_one"),
            "letter_to_one": rate_limit(RateLimitItemPerDay, LETTERS_TO_ONE_PER_DAY, "letter_to_one"),
            "invitation": rate_limit(RateLimitItemPerDay, INVITATIONS_PER_DAY, "invitation"),
            "invitation_to_one": rate_limit(RateLimitItemPerDay, INVITATIONS_TO_ONE_PER_DAY, "invitation_to_one"),
            "photo": rate_limit(RateLimitItemPerHour, PHOTOS_PER_HOUR, "photo"),
            "seat": rate_limit(RateLimitItemPerHour, SEATS_PER_HOUR, "seat"),
            "talk": rate_limit(RateLimitItemPerMinute, settings.messages_per_minute, "talk"),
        }

    async def spend(self, kind: Kind, key: str, cost: int = 1) -> int | None:
        """Charge `cost`; return None if allowed, otherwise the seconds until the next attempt."""
        return await self._call(partial(charge, kind), kind, key, cost)

    async def find_wait(self, kind: Kind, key: str) -> int | None:
        """Return the result of `spend` without charging."""
        return await self._call(find_wait, kind, key, 1)

    async def _call(self, call: LimiterCall, kind: Kind, key: str, cost: int) -> int | None:
        """Count with the shared storage, or with this process's own if there is none or it fails.

        None for an unlimited kind.
        """
        allowed = self._allowed[kind]
        if allowed is None:
            return None
        if self._shared is not None:
            try:
                return await call(self._shared, allowed, key, cost)
            except StorageError:
                log.warning("rate limits are counted by this process only", kind=kind)
        return await call(self._local, allowed, key, cost)

    def exclude_newcomer(self) -> None:
        """Exclude newcomers from the request's refund, because the account exists even if the request is rejected."""
        charges = CHARGES.get()
        if charges is not None:
            charges[:] = [each for each in charges if each.kind != "newcomer"]

    async def reset(self, kind: Kind, key: str) -> None:
        """Reset the counter of a kind for one key; unavailable shared storage is ignored."""
        allowed = self._allowed[kind]
        if allowed is None:
            return
        await self._local.clear(allowed, key)
        if self._shared is not None:
            with suppress(StorageError):
                await self._shared.clear(allowed, key)

    async def count_password_attempt(self, name: str) -> None:
        """Count an attempt with a password or passkey for an account; raise 429 if there were too many."""
        if (wait := await self.spend("guess", name)) is not None:
            raise rate_limit_error(f"too many attempts for this account in an hour; retry in {wait} s", wait)

    async def reset_password_attempts(self, name: str) -> None:
        """Reset the attempts after a success."""
        await self.reset("guess", name)

    async def count_contacts(self, kind: ContactKind, by: str, other_ids: Iterable[str]) -> None:
        """Count a contact of one account with each of the others; raise 429 if one exceeds its daily limit.

        No contact is counted then. Invitations also count towards the account's daily number. The keys contain digests
        of the ids, because they live for two days and an account may be erased before.
        """
        to_one: Kind = "invitation_to_one" if kind == "invitation" else "challenge_to_one"
        pairs = [digest(f"{by}/{other_id}") for other_id in other_ids]
        waits = [wait for wait in await call_in_batches(partial(self.find_wait, to_one), pairs) if wait is not None]
        if waits:
            count_max, longest = CONTACTS_PER_DAY[kind], max(waits)
            message = f"at most {count_max} {kind}s a day to the same account"
            raise rate_limit_error(f"{message}; retry in {longest} s", longest)
        if kind == "invitation" and (wait := await self.spend("invitation", digest(by), len(pairs))) is not None:
            raise rate_limit_error(f"at most {INVITATIONS_PER_DAY} invitations a day; retry in {wait} s", wait)
        await call_in_batches(partial(self.spend, to_one), pairs)

    async def close(self) -> None:
        """Close the Redis connections."""
        if self._redis is not None:
            await self._redis.connection_pool.disconnect()


LIMITS: Final = AppKey[Limits]("limits")


def rate_limit(period: type[RateLimitItem], amount: int, kind: Kind) -> RateLimitItem | None:
    """Return a limit of `amount` per period; None if the amount is 0."""
    return period(amount, namespace=f"esporles/{kind}") if amount else None


def rate_limit_error(sentence: str, wait: int) -> TooManyRequestsException:
    """Return a 429 error with Retry-After."""
    return TooManyRequestsException(sentence, headers={"Retry-After": str(wait)})


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the network of the client's address, by which anonymous callers are counted; or "unknown"."""
    return "unknown" if connection.client is None else network_of(connection.client.host)


async def charge(
    kind: Kind, limiter: SlidingWindowCounterRateLimiter, allowed: RateLimitItem, key: str, cost: int
) -> int | None:
    """Charge and return None, or return the seconds to wait without charging.

    Refundable kinds are noted for `refund`.
    """
    if not await limiter.hit(allowed, key, cost=cost):
        return await seconds_until_reset(limiter, allowed, key)
    charges = CHARGES.get()
    if charges is not None and kind in REFUNDABLE:
        charges.append(Charge(kind, limiter, allowed, key, cost))
    return None


async def refund(charges: Iterable[Charge]) -> None:
    """Refund the charges of a rejected request that belong to the current window; storage errors are ignored.

    Charges of the previous window stay: the library changes only the current window, which would become negative.
    """
    for each in charges:
        storage = cast("SlidingWindowCounterSupport", each.limiter.storage)
        key, seconds = each.allowed.key_for(each.key), each.allowed.get_expiry()
        with suppress(StorageError):
            *_, current_count, _ = await storage.get_sliding_window(key, seconds)
            if (refunded := min(each.cost, current_count)) > 0:
                await each.limiter.hit(each.allowed, each.key, cost=-refunded)


def is_refusal(status: int) -> bool:
    """Return whether the status means that nothing was done; after a server error this is unknown."""
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR


async def find_wait(
    limiter: SlidingWindowCounterRateLimiter, allowed: RateLimitItem, key: str, cost: int
) -> int | None:
    """Return the seconds to wait or None, without charging."""
    return None if await limiter.test(allowed, key, cost=cost) else await seconds_until_reset(limiter, allowed, key)


async def seconds_until_reset(limiter: SlidingWindowCounterRateLimiter, allowed: RateLimitItem, key: str) -> int:
    """Return the seconds until the window resets, at least 1."""
    window = await limiter.get_window_stats(allowed, key)
    return max(1, round(window.reset_time - time()))


async def call_in_batches(call: Callable[[str], Awaitable[int | None]], keys: Sequence[str]) -> list[int | None]:
    """Call `call` for each key, at most `CONCURRENT_COUNTS_MAX` concurrently.

    Return the results in the order of the keys.
    """
    found: list[int | None] = []
    for start in range(0, len(keys), CONCURRENT_COUNTS_MAX):
        found += await asyncio.gather(*map(call, keys[start : start + CONCURRENT_COUNTS_MAX]))
    return found


async def within_limits(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Raise 429 if the caller changes things too often; the service itself is exempt.

    People are counted by account, anonymous callers and sign-ups by network address. Routes that create accounts,
    guests, tables or events have further limits.
    """
    if used_private_socket(connection):
        return
    person = connection.user.person if connection.scope.get("user") is not None else None
    limit = handler.opt.get(LIMIT)
    kind: Kind = "account" if limit == "account" or (limit == "guest" and person is None) else "change"
    address = address_of(connection)
    key = person.id if person is not None and kind == "change" else address
    limits = LIMITS.of(connection)
    if (wait := await limits.spend(kind, key)) is not None:
        raise rate_limit_error(rate_limit_message(wait), wait)
    settings = SETTINGS.of(connection)
    if handler.opt.get("newcomers") or (limit == "guest" and person is None):
        await count_newcomer(limits, settings, address)
    if handler.opt.get("creates"):
        await count_creation(limits, settings, person, address)


async def count_newcomer(limits: Limits, settings: Settings, address: str) -> None:
    """Charge a network address for a new guest or account; raise 429 if there are too many."""
    if (wait := await limits.spend("newcomer", address)) is not None:
        message = f"at most {settings.newcomers_per_day} new guests and accounts a day from one network address"
        raise rate_limit_error(f"{message}; retry in {wait} s", wait)


async def count_creation(limits: Limits, settings: Settings, person: Person | None, address: str) -> None:
    """Charge an account, and for guests or without one the network address; raise 429 if there are too many."""
    creations = "tables, forks, studies, events and leagues an hour"
    if person is not None and (wait := await limits.spend("creation", person.id)) is not None:
        raise rate_limit_error(f"at most {settings.creations_per_hour} {creations}; retry in {wait} s", wait)
    if person is not None and not person.is_guest:
        return
    if (wait := await limits.spend("guest_creation", address)) is not None:
        message = f"guests of one network address: at most {settings.guest_creations_per_hour} {creations}"
        raise rate_limit_error(f"{message}; retry in {wait} s", wait)


def rate_limit_message(wait: int) -> str:
    """Return the message for a caller that exceeds a rate limit."""
    return f"too many requests of this kind in a minute; retry in {wait} s"
