"""The lifespan of the web process: resources that open at start and close at shutdown."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from litestar import Litestar

from api.accounts.coming_in import WAYS_IN, WaysIn
from api.accounts.people import PEOPLE, People
from api.accounts.provider import PROVIDER, ProviderService
from api.accounts.service import ACCOUNTS, AccountService
from api.accounts.ways import Ways
from api.friends.store import FRIENDS, FriendStore
from api.http.answering import TRACES
from api.http.app_state import SETTINGS, TITLES_PLAYED, AppKey, lifetime
from api.http.bells import Bells
from api.http.browser import TEMPLATE_VALUES
from api.http.channels import CHANNELS, Channels
from api.http.draining import DRAINING
from api.http.identity import PEOPLE_KNOWN
from api.http.ids import IDS
from api.http.limits import LIMITS, Limits
from api.http.metrics import METRICS
from api.http.parts import Uses
from api.http.streams import STREAMS
from api.http.threads import ContextThreads
from api.http.under_way import UNDER_WAY
from api.integrity.addresses import ADDRESSES, Addresses, AddressNotes, DailySalt
from api.matches.bots import default_bot
from api.matches.demo import DEMO_TABLE, Demo
from api.matches.figures import held
from api.matches.invitations import INVITATIONS, Invitations
from api.matches.opening import begin_records, open_matches
from api.matches.pages.replay_overview import OVERVIEWS, Overviews
from api.matches.pages.replay_place import SHOW_REPLAY
from api.matches.pages.terms import values_for_templates
from api.matches.presence import PRESENCE, Presence
from api.matches.service import MATCHES, MatchService
from api.notifications.figures import outbox
from api.notifications.service import NOTIFICATIONS, NotificationService, open_notifications
from api.quick.pairing import PAIRING, Pairing
from api.quick.store import PoolStore
from api.site.opening import open_teacher
from api.site.pages.pictures import PICTURES, Pictures
from api.site.pages.replay import show_replay
from api.studies.markdown import comments_used
from api.studies.presenting import PRESENTATIONS, Presentations
from api.talk.store import TalkStore
from api.talk.talking import TALK, Talk
from api.titles.drawing import DRAWINGS
from api.titles.offers import OFFERS
from api.tournaments.photo_store import PhotoStore
from api.tournaments.photos import PHOTOS, PhotoResources
from api.transparency.figures import tree
from api.transparency.service import TRANSPARENCY, house_key, open_transparency
from domain.eventstore.application import Matches
from domain.kernel.decoding import prepare_types
from domain.kernel.title import default_title
from domain.matches.entropy import Entropy
from projections import catalogue
from projections.platform.doorbell import Doorbell
from projections.platform.rings import Advanced, Appended, Attended, Presented, Ring
from projections.platform.settings import Settings
from projections.platform.store import ReadStore
from projections.platform.telemetry.exposition import exposed
from projections.platform.telemetry.spans import tracing

HASHERS: Final = 2
"""Maximum number of threads that hash passwords, because each hash needs much memory."""
PEOPLE_READERS: Final = 2
"""Threads that query an accounts server; they share a connection, so more would wait for each other."""
ENTROPY: Final = AppKey[Entropy]("entropy")
LOOK: Final = AppKey[float]("look_seconds")
"""Polling interval of streams in seconds while notifications are unavailable."""
HEARTBEAT: Final = AppKey[float]("heartbeat_seconds")
"""Seconds between the heartbeats of streams."""


def open_doorbell(stack: ExitStack, app: Litestar, bells: Bells, has_rung: threading.Event) -> Doorbell:
    """Pass notifications of other processes to listeners in this one. With SQLite no other process appends."""
    settings = SETTINGS.of(app)
    presentations = PRESENTATIONS.put(app, Presentations(bells))
    presence = PRESENCE.put(app, Presence(bells))
    beside = (Advanced, Presented, Attended)
    hears = beside if settings.log_file is not None else (Appended, *beside)

    def hear(ring: Ring | None) -> None:
        if isinstance(ring, Presented):
            presentations.hear(ring)
        elif isinstance(ring, Attended):
            presence.hear(ring)
        else:
            bells.hear(ring)
        if not isinstance(ring, beside):
            has_rung.set()

    doorbell = Doorbell(settings.redis, hears, hear, look_seconds=LOOK.of(app))
    presentations.tell_by(doorbell.ring)
    presence.tell_by(doorbell.ring)
    stack.callback(doorbell.close)
    return doorbell


def open_bells(app: Litestar, settings: Settings) -> Bells:
    """Open the notifications within this process, and the shared streams."""
    bells = Bells(asyncio.get_running_loop(), HEARTBEAT.of(app), others_append=settings.log_file is None)
    DRAINING.of(app).tell(bells.close)
    CHANNELS.put(app, Channels(bells, UNDER_WAY.of(app)))
    return bells


def demo_of(app: Litestar, bells: Bells) -> Demo:
    """Return the demonstration table, whose ids are unique to this service."""
    settings = SETTINGS.of(app)
    secret: str = PEOPLE.of(app).secret("demo")
    title = default_title(TITLES_PLAYED.of(app))
    return Demo(MATCHES.of(app), bells, title.name, default_bot(settings.bots, title), UUID(secret[:32]))


def notifications_of(app: Litestar, stack: ExitStack, log_and_reads: tuple[Matches, ReadStore]) -> NotificationService:
    """Open the notifications by mail and push."""
    engine: Any = app.template_engine
    shared = (PEOPLE.of(app), engine.engine, STREAMS.of(app).is_at, LIMITS.of(app))
    return open_notifications(stack, SETTINGS.of(app), log_and_reads, *shared)


def open_company(stack: ExitStack, app: Litestar, bells: Bells, doorbell: Doorbell) -> Invitations:
    """Open the stores of talk, photos, friends and invitations; return the invitations."""
    place = SETTINGS.of(app).people_place
    PHOTOS.put(app, open_photos(stack, app))
    said = TalkStore(place)
    stack.callback(said.close)
    TALK.put(app, Talk(said, bells, doorbell, LIMITS.of(app)))
    friends = FRIENDS.put(app, FriendStore(place))
    stack.callback(friends.close)
    invited = INVITATIONS.put(app, Invitations(place))
    stack.callback(invited.close)
    return invited


def open_photos(stack: ExitStack, app: Litestar) -> PhotoResources:
    """Open the store of photos."""
    settings = SETTINGS.of(app)
    store = PhotoStore(settings.people_place)
    stack.callback(store.close)
    return PhotoResources(store, LIMITS.of(app), settings.photos_per_event)


def open_pairing(stack: ExitStack, app: Litestar, bells: Bells, doorbell: Doorbell) -> Pairing:
    """Open the pools of players who wait for an opponent."""
    store = PoolStore(SETTINGS.of(app).people_place)
    stack.callback(store.close)
    return Pairing(store, MATCHES.of(app), bells, doorbell, IDS.of(app))


@contextmanager
def seen(app: Litestar) -> Iterator[None]:
    """Register and serve the metrics of this process, and open its traces."""
    settings = SETTINGS.of(app)
    figures = METRICS.of(app)
    templates: Any = app.template_engine
    used: dict[str, Uses] = {
        "answers": MATCHES.of(app).reading.answers_used,
        "parts": templates.engine.parts_used,
        "pages": templates.engine.shared_pages.used,
        "pictures": PICTURES.of(app).used,
        "overviews": OVERVIEWS.of(app).used,
        "channels": CHANNELS.of(app).used,
        "comments": comments_used,
    }
    tables = MATCHES.of(app)
    looked_up = (
        partial(held, tables),
        partial(tree, TRANSPARENCY.of(app)),
        partial(outbox, NOTIFICATIONS.of(app)),
    )
    figures.open(tables.writer.meter.measures, looked_up, used)
    with exposed(settings.metrics, figures), tracing(settings, "web") as traces:
        TRACES.put(app, traces)
        yield


def loops_of(app: Litestar) -> list[Coroutine[Any, Any, None]]:
    """Return the background loops."""
    loops = [
        METRICS.of(app).watch_loop(),
        ADDRESSES.of(app).forget_loop(),
        PAIRING.of(app).run(),
        PRESENCE.of(app).run(),
    ]
    demo = DEMO_TABLE.of(app)
    return loops if demo is None else [*loops, demo.run()]


@asynccontextmanager
async def running(app: Litestar) -> AsyncIterator[None]:
    """Open stores, read models and notifications; close them at shutdown."""
    settings = SETTINGS.of(app)
    prepare_types()
    async with AsyncExitStack() as later:
        stack = later.enter_context(ExitStack())
        stack.enter_context(lifetime(app))
        bells = open_bells(app, settings)
        has_rung = threading.Event()
        doorbell = open_doorbell(stack, app, bells, has_rung)
        later.push_async_callback(LIMITS.of(app).close)
        people = PEOPLE.of(app)
        matches_, leaves = open_matches(
            stack,
            settings,
            bells,
            doorbell,
            has_rung,
            TITLES_PLAYED.of(app),
            ENTROPY.of(app),
            people.standing,
            house_key(people),
        )
        reads = ReadStore(settings.reads_url)
        stack.callback(reads.close)
        catalogue.prepare(reads)
        begin_records(matches_, people, datetime.now(UTC))
        accounts = ACCOUNTS.put(app, open_accounts(stack, people, LIMITS.of(app)))
        PEOPLE_KNOWN.put(app, accounts)
        open_templates(app)
        open_sign_in(stack, later, app, accounts)
        ADDRESSES.put(app, open_addresses(later, settings))
        invited = open_company(stack, app, bells, doorbell)
        tables = MatchService(matches_, reads, accounts, bells, DRAWINGS.of(app), invited, settings)
        MATCHES.put(app, tables)
        stack.callback(tables.close)
        PAIRING.put(app, open_pairing(stack, app, bells, doorbell))
        NOTIFICATIONS.put(app, notifications_of(app, stack, (matches_, reads)))
        open_teacher(stack, app, settings)
        PICTURES.put(app, Pictures(app, tables))
        OVERVIEWS.put(app, Overviews())
        SHOW_REPLAY.put(app, show_replay)
        transparency = TRANSPARENCY.put(
            app, open_transparency(settings, matches_, leaves, people, reads, ENTROPY.of(app), has_rung)
        )
        stack.callback(transparency.close)
        stack.enter_context(seen(app))
        DEMO_TABLE.put(app, demo_of(app, bells) if settings.demo else None)
        async with asyncio.TaskGroup() as tasks:
            background = [tasks.create_task(loop) for loop in loops_of(app)]
            yield
            for task in background:
                task.cancel()


def open_templates(app: Litestar) -> None:
    """Provide the values of subjects to templates."""
    TEMPLATE_VALUES.put(app, values_for_templates(TITLES_PLAYED.of(app), OFFERS.of(app)))


def open_accounts(stack: ExitStack, people: People, limits: Limits) -> AccountService:
    """Return the account service with its threads."""
    hashing = ContextThreads(HASHERS, "hashing")
    stack.callback(hashing.shutdown)
    asking = ContextThreads(PEOPLE_READERS, "people")
    stack.callback(asking.shutdown)
    return AccountService(people, hashing, asking, limits)


def open_sign_in(stack: ExitStack, later: AsyncExitStack, app: Litestar, accounts: AccountService) -> None:
    """Open the sign-in methods without a password: passkeys and the provider."""
    settings = SETTINGS.of(app)
    ways = Ways(settings.people_place, settings.passkey_domain, settings.openid_issuer)
    stack.callback(ways.close)
    WAYS_IN.put(app, WaysIn(ways, accounts, LIMITS.of(app), settings))
    later.push_async_callback(PROVIDER.put(app, ProviderService(ways, accounts, settings)).close)


def open_addresses(later: AsyncExitStack, settings: Settings) -> AddressNotes:
    """Open the store of network addresses."""
    store, salt = Addresses(settings.people_place), DailySalt(settings.redis)
    later.callback(store.close)
    later.push_async_callback(salt.close)
    return AddressNotes(store, salt)
