"""The lifespan of the web process: resources that open at start and close at shutdown."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Any, Final
from uuid import UUID

from litestar import Litestar

from api.accounts.passkey_service import PASSKEY_SERVICE, PasskeyService
from api.accounts.people import PEOPLE, People
from api.accounts.provider import PROVIDER, ProviderService
from api.accounts.service import ACCOUNTS, AccountService
from api.accounts.sign_in_methods import SignInMethods
from api.clubs.store import CLUB_TEXTS, ClubTexts
from api.contests.entrants import CONTEST_STORE
from api.contests.holiday_service import HOLIDAYS
from api.contests.holiday_store import HolidayStore
from api.contests.private_store import ContestStore
from api.contests.sanction_texts import SANCTION_TEXTS, SanctionTexts
from api.friends.store import FRIENDS, FriendStore
from api.http.app_state import SETTINGS, TITLES_PLAYED, AppKey, lifetime
from api.http.channels import CHANNELS, Channels
from api.http.draining import DRAINING
from api.http.identity import CALLER_ACCOUNTS
from api.http.ids import IDS
from api.http.limits import LIMITS, Limits
from api.http.metrics import METRICS
from api.http.notifier import Notifier
from api.http.page_responses import TEMPLATE_VALUES
from api.http.parts import CacheUses
from api.http.request_tracking import TRACES
from api.http.requests_in_progress import REQUESTS_IN_PROGRESS
from api.http.streams import STREAMS
from api.http.threads import ContextThreads
from api.integrity.addresses import ADDRESSES, Addresses, AddressRecorder, DailySalt
from api.keys.names import NameRegister
from api.matches.bots import default_bot
from api.matches.demo import DEMO_KEY, Demo
from api.matches.invitations import INVITATIONS, Invitations
from api.matches.match_store import open_matches, update_records
from api.matches.pages.replay_overview import OVERVIEWS, Overviews
from api.matches.pages.replay_position import SHOW_REPLAY
from api.matches.pages.terms import values_for_templates
from api.matches.presence import PRESENCE, Presence
from api.matches.service import MATCHES, MatchService
from api.matches.writer_metrics import collect_command_times
from api.notifications.metrics import collect_outbox
from api.notifications.service import NOTIFICATIONS, NotificationService, open_notifications
from api.quick.pairing import PAIRING, Pairing
from api.quick.store import PoolStore
from api.rankings.counts import COUNTS, CountCache
from api.rankings.freezing import RankingDuties
from api.site.calendar_store import CALENDAR_STORE, CalendarStore
from api.site.learning_stores import open_learning_stores
from api.site.pages.pictures import PICTURES, PictureCache
from api.site.pages.replay import show_replay
from api.studies.markdown import comment_cache_info
from api.studies.presentations import PRESENTATIONS, Presentations
from api.talk.state import TALK, Talk
from api.talk.store import TalkStore
from api.titles.drawing import DRAWINGS
from api.titles.offers import OFFERS
from api.tournaments.photo_store import PhotoStore
from api.tournaments.photos import PHOTOS, PhotoResources
from api.transparency.beginnings import begin_tree
from api.transparency.log_keys import secrets_of, service_key
from api.transparency.metrics import collect_tree
from api.transparency.service import TRANSPARENCY, open_transparency
from domain.eventstore.application import Matches
from domain.kernel.decoding import prepare_types
from domain.kernel.title import default_title
from domain.matches.entropy import Entropy
from projections import catalogue
from projections.follow import log_change
from projections.platform.clock import now
from projections.platform.messages import Advanced, Appended, Attended, Message, Presented
from projections.platform.pubsub import PubSubClient
from projections.platform.settings import Settings
from projections.platform.store import ReadStore
from projections.platform.telemetry.exposition import serve_metrics
from projections.platform.telemetry.spans import tracing

HASHING_THREADS: Final = 2
"""Maximum number of threads that hash passwords, because each hash needs much memory."""
ACCOUNT_READER_THREADS: Final = 2
"""Threads that query an accounts server; they share a connection, so more would wait for each other."""
ENTROPY: Final = AppKey[Entropy]("entropy")
DEMO_LOOK_KEY: Final = AppKey[float]("look_seconds")
"""Polling interval of streams in seconds while notifications are unavailable."""
HEARTBEAT_KEY: Final = AppKey[float]("heartbeat_seconds")
"""Seconds between the heartbeats of streams."""


def open_process_notifications(
    stack: ExitStack, app: Litestar, notifier: Notifier, wake: threading.Event
) -> PubSubClient:
    """Pass notifications of other processes to listeners in this one; return the client, closed with the stack.

    Open presentations and presence, which also send to other processes. Appended or missed entries set `wake`; with
    SQLite no other process appends.
    """
    settings = SETTINGS.of(app)
    presentations = PRESENTATIONS.put(app, Presentations(notifier))
    presence = PRESENCE.put(app, Presence(notifier))
    always_heard = (Advanced, Presented, Attended)
    message_kinds = always_heard if settings.log_file is not None else (Appended, *always_heard)

    def receive(message: Message | None) -> None:
        if isinstance(message, Presented):
            presentations.receive(message)
        elif isinstance(message, Attended):
            presence.receive(message)
        else:
            notifier.receive(message)
        if not isinstance(message, always_heard):
            wake.set()

    pubsub = PubSubClient(settings.redis, message_kinds, receive, poll_seconds=DEMO_LOOK_KEY.of(app))
    presentations.set_notifier(pubsub.publish)
    presence.set_sender(pubsub.publish)
    stack.callback(pubsub.close)
    return pubsub


def open_notifier(app: Litestar, settings: Settings) -> Notifier:
    """Open the notifications within this process, closed when draining begins, and the shared streams (`CHANNELS`)."""
    notifier = Notifier(asyncio.get_running_loop(), HEARTBEAT_KEY.of(app), others_append=settings.log_file is None)
    DRAINING.of(app).add_listener(notifier.close)
    CHANNELS.put(app, Channels(notifier, REQUESTS_IN_PROGRESS.of(app)))
    return notifier


def make_demo(app: Litestar, notifier: Notifier) -> Demo:
    """Return the demonstration table of the default title and bot, whose ids are unique to this service."""
    settings = SETTINGS.of(app)
    secret: str = PEOPLE.of(app).secret("demo")
    title = default_title(TITLES_PLAYED.of(app))
    return Demo(MATCHES.of(app), notifier, title.name, default_bot(settings.bots, title), UUID(secret[:32]))


def open_notification_service(
    app: Litestar, stack: ExitStack, log_and_reads: tuple[Matches, ReadStore]
) -> NotificationService:
    """Open the notifications by mail and push."""
    engine: Any = app.template_engine
    dependencies = (PEOPLE.of(app), engine.engine, STREAMS.of(app).is_at_table, LIMITS.of(app))
    return open_notifications(stack, SETTINGS.of(app), log_and_reads, *dependencies)


def open_social_stores(stack: ExitStack, app: Litestar, notifier: Notifier, pubsub: PubSubClient) -> Invitations:
    """Open the stores for people and their contacts until the end of the stack; return the invitations.

    The others become values of the application.
    """
    location = SETTINGS.of(app).people_place
    PHOTOS.put(app, open_photos(stack, app))
    contests = CONTEST_STORE.put(app, ContestStore(location))
    stack.callback(contests.close)
    sanctions = SANCTION_TEXTS.put(app, SanctionTexts(location, beside=contests))
    stack.callback(sanctions.close)
    holidays = HOLIDAYS.put(app, HolidayStore(location, beside=contests))
    stack.callback(holidays.close)
    calendars = CALENDAR_STORE.put(app, CalendarStore(location, beside=contests))
    stack.callback(calendars.close)
    messages = TalkStore(location)
    stack.callback(messages.close)
    TALK.put(app, Talk(messages, notifier, pubsub, LIMITS.of(app)))
    club_texts = CLUB_TEXTS.put(app, ClubTexts(location, beside=contests))
    stack.callback(club_texts.close)
    friends = FRIENDS.put(app, FriendStore(location))
    stack.callback(friends.close)
    invitations = INVITATIONS.put(app, Invitations(location))
    stack.callback(invitations.close)
    return invitations


def open_photos(stack: ExitStack, app: Litestar) -> PhotoResources:
    """Open the store of photos until the stack closes."""
    settings = SETTINGS.of(app)
    store = PhotoStore(settings.people_place)
    stack.callback(store.close)
    return PhotoResources(store, LIMITS.of(app), settings.photos_per_event)


def open_quick_pairing(stack: ExitStack, app: Litestar, notifier: Notifier, pubsub: PubSubClient) -> Pairing:
    """Open the pools of players who wait for an opponent until the stack closes."""
    store = PoolStore(SETTINGS.of(app).people_place)
    stack.callback(store.close)
    return Pairing(store, MATCHES.of(app), notifier, pubsub, IDS.of(app))


@contextmanager
def expose_metrics(app: Litestar) -> Iterator[None]:
    """Register and serve the metrics of this process, and open its traces, until the context ends."""
    settings = SETTINGS.of(app)
    figures = METRICS.of(app)
    templates: Any = app.template_engine
    cache_uses: dict[str, CacheUses] = {
        "answers": MATCHES.of(app).reading.count_cache_uses,
        "parts": templates.engine.parts_used,
        "pages": templates.engine.shared_pages.count_uses,
        "pictures": PICTURES.of(app).count_uses,
        "overviews": OVERVIEWS.of(app).count_uses,
        "channels": CHANNELS.of(app).count_uses,
        "comments": comment_cache_info,
    }
    tables = MATCHES.of(app)
    record_lookup = (
        partial(collect_command_times, tables),
        partial(collect_tree, TRANSPARENCY.of(app)),
        partial(collect_outbox, NOTIFICATIONS.of(app)),
    )
    figures.register(tables.writer.meter.measures, record_lookup, cache_uses)
    with serve_metrics(settings.metrics, figures), tracing(settings, "web") as traces:
        TRACES.put(app, traces)
        yield


def background_loops(app: Litestar) -> list[Coroutine[Any, Any, None]]:
    """Return the background loops, not yet started, with the demonstration's loop if there is one.

    They watch metrics, delete old addresses, pair players, publish presence, commit to names of new accounts, and
    define standard ranking lists.
    """
    loops = [
        METRICS.of(app).watch_loop(),
        ADDRESSES.of(app).forget_loop(),
        PAIRING.of(app).run(),
        PRESENCE.of(app).run(),
        NameRegister(PEOPLE.of(app), MATCHES.of(app).writer).run(),
        RankingDuties(MATCHES.of(app), ACCOUNTS.of(app)).run(),
    ]
    demo = DEMO_KEY.of(app)
    return loops if demo is None else [*loops, demo.run()]


@asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """Open stores, read models and notifications and run the background loops; close them at shutdown.

    Prepare the database of the read models, and record the configured operators. Raise `StoreBusy` if the log is in
    use.
    """
    settings = SETTINGS.of(app)
    prepare_types()
    async with AsyncExitStack() as async_stack:
        stack = async_stack.enter_context(ExitStack())
        stack.enter_context(lifetime(app))
        notifier = open_notifier(app, settings)
        wake = threading.Event()
        pubsub = open_process_notifications(stack, app, notifier, wake)
        async_stack.push_async_callback(LIMITS.of(app).close)
        people = PEOPLE.of(app)
        matches_, leaves = open_matches(
            stack,
            settings,
            notifier,
            pubsub,
            wake,
            TITLES_PLAYED.of(app),
            ENTROPY.of(app),
            people.standing,
            service_key(secrets_of(people, settings)),
        )
        # Before the first record is written: a log with entries and no tree is a fault.
        begin_tree(settings, matches_)
        reads = ReadStore(settings.reads_url)
        stack.callback(reads.close)
        catalogue.prepare(reads, log_change)
        update_records(matches_, people, now())
        accounts = ACCOUNTS.put(app, open_accounts(stack, people, LIMITS.of(app)))
        CALLER_ACCOUNTS.put(app, accounts)
        open_templates(app)
        open_sign_in(stack, async_stack, app, accounts)
        ADDRESSES.put(app, open_addresses(async_stack, settings))
        invitations = open_social_stores(stack, app, notifier, pubsub)
        tables = MatchService(matches_, reads, accounts, notifier, DRAWINGS.of(app), invitations, settings)
        MATCHES.put(app, tables)
        stack.callback(tables.close)
        COUNTS.put(app, CountCache(tables.writer))
        PAIRING.put(app, open_quick_pairing(stack, app, notifier, pubsub))
        NOTIFICATIONS.put(app, open_notification_service(app, stack, (matches_, reads)))
        open_learning_stores(stack, app, settings)
        PICTURES.put(app, PictureCache(app, tables))
        OVERVIEWS.put(app, Overviews())
        SHOW_REPLAY.put(app, show_replay)
        transparency = TRANSPARENCY.put(
            app, open_transparency(settings, matches_, leaves, people, reads, ENTROPY.of(app), wake)
        )
        stack.callback(transparency.close)
        stack.enter_context(expose_metrics(app))
        DEMO_KEY.put(app, make_demo(app, notifier) if settings.demo else None)
        async with asyncio.TaskGroup() as tasks:
            background = [tasks.create_task(loop) for loop in background_loops(app)]
            yield
            for task in background:
                task.cancel()


def open_templates(app: Litestar) -> None:
    """Provide the values of subjects to templates."""
    TEMPLATE_VALUES.put(app, values_for_templates(TITLES_PLAYED.of(app), OFFERS.of(app)))


def open_accounts(stack: ExitStack, people: People, limits: Limits) -> AccountService:
    """Return the account service; its threads end with the stack."""
    hashing = ContextThreads(HASHING_THREADS, "hashing")
    stack.callback(hashing.shutdown)
    readers = ContextThreads(ACCOUNT_READER_THREADS, "people")
    stack.callback(readers.shutdown)
    return AccountService(people, hashing, readers, limits)


def open_sign_in(stack: ExitStack, async_stack: AsyncExitStack, app: Litestar, accounts: AccountService) -> None:
    """Open the sign-in methods without a password: passkeys and the provider."""
    settings = SETTINGS.of(app)
    methods = SignInMethods(settings.people_place, settings.passkey_domain, settings.openid_issuer)
    stack.callback(methods.close)
    PASSKEY_SERVICE.put(app, PasskeyService(methods, accounts, LIMITS.of(app), settings))
    async_stack.push_async_callback(PROVIDER.put(app, ProviderService(methods, accounts, settings)).close)


def open_addresses(async_stack: AsyncExitStack, settings: Settings) -> AddressRecorder:
    """Open the store of network addresses."""
    store, salt = Addresses(settings.people_place), DailySalt(settings.redis)
    async_stack.callback(store.close)
    async_stack.push_async_callback(salt.close)
    return AddressRecorder(store, salt)
