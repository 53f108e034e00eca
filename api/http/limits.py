"""Limits: how long a body may be, how often one caller may change something, one address knock at the door of accounts,
and how many passwords may be tried for one name.

Counted in Redis, so that all processes of the service count together; without it, or while it is gone, each process
counts for itself. Losing the counts loses nothing else (DESIGN §5).
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
from api.http.guards import came_by_private_socket
from api.http.identity import Person
from projections.platform.networks import network_of
from projections.platform.settings import Settings
from projections.platform.valkey import async_valkey

PATIENCE_SECONDS: Final = 0.5
"""Longer than this no request waits for being counted."""
BODY_BYTES_MAX: Final = 16 * 1024
"""The longest body of a request to the API, unless its route says otherwise: names, numbers, a reason."""
TEXT_BYTES_MAX: Final = 64 * 1024
"""The longest where people write whole texts or name many others, and the longest form; files have their own bounds."""
FORM_BYTES_MAX: Final = 2 * 1024 * 1024
"""The longest form into which a file is pasted. Longer uploads come as `multipart`, which need not be decoded."""
LIMIT: Final = "limit"
"""The option by which a handler names its kind; without one a change is a change."""
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
Approach = Literal["invitation", "challenge"]
"""The kinds of ways to reach a person; each has its own bound."""
CODES_PER_HOUR: Final = 5
"""Codes tried for a table from one address before it has to wait; a right one forgives those before it."""
ANALYSES_PER_HOUR: Final = 12
"""Matches one person may have analysed: each takes minutes of a processor."""
CHALLENGES_PER_HOUR: Final = 30
"""Challenges of one person, each of which is told by mail and push."""
CHALLENGES_TO_ONE_PER_DAY: Final = 20
"""Challenges from one account to the same other account."""
INVITATIONS_PER_DAY: Final = 10_000
"""Invitations from one account: to events, leagues, studies and roles in events. A file of players is imported as
a whole, and has at most 10,000 rows."""
INVITATIONS_TO_ONE_PER_DAY: Final = 30
"""Invitations from one account to the same other account: an organiser fills the seats of a club night one by one."""
COUNTED_AT_ONCE: Final = 100
"""Counts of one request before other requests are served."""
APPROACHES_PER_DAY: Final[Mapping[Approach, int]] = {
    "challenge": CHALLENGES_TO_ONE_PER_DAY,
    "invitation": INVITATIONS_TO_ONE_PER_DAY,
}
PHOTOS_PER_HOUR: Final = 300
"""Photos of one person: an organiser who goes round a large hall takes so many, and each is decoded."""
LETTERS_TO_ONE_PER_DAY: Final = 3
"""Confirmation letters from one network to one mailbox, for guests and accounts of the first day. Counted by network,
so that strangers elsewhere cannot use up the letters of the owner."""
LETTERS_FROM_ONE_PER_HOUR: Final = 300
"""Confirmation letters for one network: a whole hall may share its address."""
SEATS_PER_HOUR: Final = 20
"""Codes tried for one seat from anywhere: of 10,000 there are, so that guessing takes weeks."""
REFUNDABLE: Final = frozenset[Kind](
    ("creation", "guest_creation", "newcomer", "challenge", "challenge_to_one", "invitation", "invitation_to_one")
)
"""Charged before the request is checked, so that concurrent requests never exceed the limit, and refunded if it is
refused. Guesses are always charged, and so are photos, because each is decoded first."""
CREATES: Final = {"creates": True}
"""Option of the handlers that add a table, fork, study, event or league to the log: each stays there."""
DOOR: Final = {LIMIT: "account"}
"""Option of the handlers by which somebody becomes known: counted by address, for passwords are guessed there."""
MAKES_NEWCOMERS: Final = DOOR | {"newcomers": True}
"""Option of the handlers that make a new account or guest."""
MAY_MAKE_GUESTS: Final = {LIMIT: "guest"}
"""Option of the handlers that make a guest of somebody unknown: such a one comes in by the same door."""

Ask = Callable[[SlidingWindowCounterRateLimiter, RateLimitItem, str, int], Awaitable[int | None]]

log = structlog.get_logger("limits")


class Charge(msgspec.Struct, frozen=True):
    """A charge for one request."""

    kind: Kind
    limiter: SlidingWindowCounterRateLimiter
    allowed: RateLimitItem
    who: str
    cost: int


CHARGES: Final[ContextVar[list[Charge] | None]] = ContextVar("charges", default=None)
"""The charges of this request that are refunded if it is refused."""


class Limits:
    """What has been counted, and what is allowed a minute: 0 allows everything."""

    def __init__(self, settings: Settings, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._alone = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._shared: SlidingWindowCounterRateLimiter | None = None
        self._redis: Redis | None = None
        if settings.redis:
            self._redis = async_valkey(settings.redis, socket_timeout=patience_seconds)
            pool: Any = self._redis.connection_pool
            # The library takes a pool and does not say so in its types; the address only names the kind of server.
            storage = RedisStorage("async+redis://shared:6379", True, "redispy", connection_pool=pool)
            self._shared = SlidingWindowCounterRateLimiter(storage)
        self._allowed: dict[Kind, RateLimitItem | None] = {
            "change": item(RateLimitItemPerMinute, settings.changes_per_minute, "change"),
            "account": item(RateLimitItemPerMinute, settings.accounts_per_minute, "account"),
            "guess": item(RateLimitItemPerHour, settings.guesses_per_hour, "guess"),
            "code": item(RateLimitItemPerHour, CODES_PER_HOUR, "code"),
            "analysis": item(RateLimitItemPerHour, ANALYSES_PER_HOUR, "analysis"),
            "challenge": item(RateLimitItemPerHour, CHALLENGES_PER_HOUR, "challenge"),
            "challenge_to_one": item(RateLimitItemPerDay, CHALLENGES_TO_ONE_PER_DAY, "challenge_to_one"),
            "creation": item(RateLimitItemPerHour, settings.creations_per_hour, "creation"),
            "guest_creation": item(RateLimitItemPerHour, settings.guest_creations_per_hour, "guest_creation"),
            "newcomer": item(RateLimitItemPerDay, settings.newcomers_per_day, "newcomer"),
            "letter_from_one": item(RateLimitItemPerHour, LETTERS_FROM_ONE_PER_HOUR, "letter_from_one"),
            "letter_to_one": item(RateLimitItemPerDay, LETTERS_TO_ONE_PER_DAY, "letter_to_one"),
            "invitation": item(RateLimitItemPerDay, INVITATIONS_PER_DAY, "invitation"),
            "invitation_to_one": item(RateLimitItemPerDay, INVITATIONS_TO_ONE_PER_DAY, "invitation_to_one"),
            "photo": item(RateLimitItemPerHour, PHOTOS_PER_HOUR, "photo"),
            "seat": item(RateLimitItemPerHour, SEATS_PER_HOUR, "seat"),
            "talk": item(RateLimitItemPerMinute, settings.messages_per_minute, "talk"),
        }

    async def spend(self, kind: Kind, who: str, cost: int = 1) -> int | None:
        """Count one, or `cost` at once. Return `None` when it is allowed, else in how many seconds to try again."""
        return await self._ask(partial(charge, kind), kind, who, cost)

    async def find_wait(self, kind: Kind, who: str) -> int | None:
        """Return what `spend` would, and count nothing."""
        return await self._ask(look, kind, who, 1)

    async def _ask(self, ask: Ask, kind: Kind, who: str, cost: int) -> int | None:
        allowed = self._allowed[kind]
        if allowed is None:
            return None
        if self._shared is not None:
            try:
                return await ask(self._shared, allowed, who, cost)
            except StorageError:
                log.warning("the limits are counted by this process alone", kind=kind)
        return await ask(self._alone, allowed, who, cost)

    def keep_newcomer(self) -> None:
        """Exclude newcomers from the refund, because the account exists even if the request is refused."""
        charges = CHARGES.get()
        if charges is not None:
            charges[:] = [each for each in charges if each.kind != "newcomer"]

    async def forgive(self, kind: Kind, who: str) -> None:
        """What was counted is forgotten."""
        allowed = self._allowed[kind]
        if allowed is None:
            return
        await self._alone.clear(allowed, who)
        if self._shared is not None:
            with suppress(StorageError):
                await self._shared.clear(allowed, who)

    async def try_password(self, name: str) -> None:
        """Counts a password that is tried for a name, or an answer for a passkey, from wherever it comes; refused when
        there were too many."""
        if (wait := await self.spend("guess", name)) is not None:
            raise too_many(f"too much was tried for this account within an hour: try again in {wait} s", wait)

    async def found_password(self, name: str) -> None:
        """It was right: what was tried before it is forgiven."""
        await self.forgive("guess", name)

    async def count_approaches(self, kind: Approach, by: str, others: Iterable[str]) -> None:
        """Count an invitation or challenge of one account to each of the others; refuse all of them if one is too many.

        The keys hold digests of the ids, because they live for two days and an account may be erased before that.
        """
        to_one: Kind = "invitation_to_one" if kind == "invitation" else "challenge_to_one"
        pairs = [digest(f"{by}/{other}") for other in others]
        waits = [wait for wait in await in_parts(partial(self.find_wait, to_one), pairs) if wait is not None]
        if waits:
            most, longest = APPROACHES_PER_DAY[kind], max(waits)
            what = f"at most {most} {kind}s a day from one account to another"
            raise too_many(f"{what}: try again in {longest} s", longest)
        if kind == "invitation" and (wait := await self.spend("invitation", digest(by), len(pairs))) is not None:
            raise too_many(f"at most {INVITATIONS_PER_DAY} invitations a day: try again in {wait} s", wait)
        await in_parts(partial(self.spend, to_one), pairs)

    async def close(self) -> None:
        if self._redis is not None:
            await self._redis.connection_pool.disconnect()


LIMITS: Final = AppKey[Limits]("limits")


def item(per: type[RateLimitItem], amount: int, kind: Kind) -> RateLimitItem | None:
    return per(amount, namespace=f"esporles/{kind}") if amount else None


def too_many(sentence: str, wait: int) -> TooManyRequestsException:
    return TooManyRequestsException(sentence, headers={"Retry-After": str(wait)})


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the key by which an unknown caller is counted."""
    return "unknown" if connection.client is None else network_of(connection.client.host)


async def charge(
    kind: Kind, limiter: SlidingWindowCounterRateLimiter, allowed: RateLimitItem, who: str, cost: int
) -> int | None:
    """Count, unless it is too much; return in how many seconds it is worth trying again."""
    if not await limiter.hit(allowed, who, cost=cost):
        return await wait_of(limiter, allowed, who)
    charges = CHARGES.get()
    if charges is not None and kind in REFUNDABLE:
        charges.append(Charge(kind, limiter, allowed, who, cost))
    return None


async def refund(charges: Iterable[Charge]) -> None:
    """Take back the charges of a refused request, as far as the current window contains them.

    A charge of the previous window stays: the library adds to the current window only, which would become negative.
    """
    for each in charges:
        storage = cast("SlidingWindowCounterSupport", each.limiter.storage)
        key, seconds = each.allowed.key_for(each.who), each.allowed.get_expiry()
        with suppress(StorageError):
            *_, counted, _ = await storage.get_sliding_window(key, seconds)
            if (refunded := min(each.cost, counted)) > 0:
                await each.limiter.hit(each.allowed, each.who, cost=-refunded)


def is_refusal(status: int) -> bool:
    """Return whether a status means that nothing was done; after a fault of the service this is unknown."""
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR


async def look(limiter: SlidingWindowCounterRateLimiter, allowed: RateLimitItem, who: str, cost: int) -> int | None:
    """Return the same, and count nothing."""
    return None if await limiter.test(allowed, who, cost=cost) else await wait_of(limiter, allowed, who)


async def wait_of(limiter: SlidingWindowCounterRateLimiter, allowed: RateLimitItem, who: str) -> int:
    window = await limiter.get_window_stats(allowed, who)
    return max(1, round(window.reset_time - time()))


async def in_parts(ask: Callable[[str], Awaitable[int | None]], keys: Sequence[str]) -> list[int | None]:
    """Ask for each key, some at a time."""
    found: list[int | None] = []
    for start in range(0, len(keys), COUNTED_AT_ONCE):
        found += await asyncio.gather(*map(ask, keys[start : start + COUNTED_AT_ONCE]))
    return found


async def within_limits(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A caller that changes things too quickly must wait; the service itself never does."""
    if came_by_private_socket(connection):
        return
    person = connection.user.person if connection.scope.get("user") is not None else None
    named = handler.opt.get(LIMIT)
    kind: Kind = "account" if named == "account" or (named == "guest" and person is None) else "change"
    address = address_of(connection)
    who = person.id if person is not None and kind == "change" else address
    limits = LIMITS.of(connection)
    if (wait := await limits.spend(kind, who)) is not None:
        raise too_many(too_often(wait), wait)
    settings = SETTINGS.of(connection)
    if handler.opt.get("newcomers") or (named == "guest" and person is None):
        await count_newcomer(limits, settings, address)
    if handler.opt.get("creates"):
        await count_creation(limits, settings, person, address)


async def count_newcomer(limits: Limits, settings: Settings, address: str) -> None:
    """Count a new guest or account of a network address."""
    if (wait := await limits.spend("newcomer", address)) is not None:
        what = f"at most {settings.newcomers_per_day} new guests and accounts a day from one network address"
        raise too_many(f"{what}: try again in {wait} s", wait)


async def count_creation(limits: Limits, settings: Settings, person: Person | None, address: str) -> None:
    """Count a creation for its account and, by a guest, for the network address."""
    what = "tables, forks, studies, events and leagues an hour"
    if person is not None and (wait := await limits.spend("creation", person.id)) is not None:
        raise too_many(f"at most {settings.creations_per_hour} {what}: try again in {wait} s", wait)
    if person is not None and not person.is_guest:
        return
    if (wait := await limits.spend("guest_creation", address)) is not None:
        whose = f"by the guests of one network address at most {settings.guest_creations_per_hour} {what}"
        raise too_many(f"{whose}: try again in {wait} s", wait)


def too_often(wait: int) -> str:
    """What is said to a caller that changes things too quickly."""
    return f"too many requests of this kind within a minute: try again in {wait} s"
