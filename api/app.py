"""The composition root of the web process: everything is made here and passed on as arguments."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from jinja2 import Environment, FileSystemBytecodeCache
from litestar import Litestar
from litestar.datastructures import State
from litestar.middleware import DefineMiddleware
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template.config import TemplateConfig

from api import VERSION, site
from api.accounts.coming_in import WaysIn
from api.accounts.people import People
from api.accounts.provider import ProviderService
from api.accounts.service import AccountService
from api.accounts.ways import Ways
from api.analyses.opening import open_teacher
from api.dependencies import DEPENDENCIES
from api.friends.store import FriendStore
from api.guarding import STANDING_GUARDS, guarded
from api.integrity.addresses import Addresses, AddressNotes, DailySalt, note_address
from api.matches.bots import default_bot
from api.matches.demo import Demo
from api.matches.direct import DirectWays
from api.matches.invitations import Invitations
from api.matches.opening import begin_records, open_matches
from api.matches.pages.pictures import Pictures
from api.matches.pages.replay_overview import Overviews
from api.matches.presence import Presence
from api.matches.service import MatchService
from api.matches.short import ShortWays
from api.notifications.service import NotificationService, open_notifications
from api.operations import API
from api.quick.pairing import Pairing
from api.quick.store import PoolStore
from api.refusals import REFUSALS
from api.studies.markdown import comments_used
from api.studies.presenting import Presentations
from api.talk.store import TalkStore
from api.talk.talking import Talk
from api.titles.actions import wire_types
from api.titles.drawing import Drawings, load_drawings
from api.titles.offers import build_offers
from api.tournaments import codes as seat_codes
from api.tournaments.codes import SeatCodes
from api.tournaments.photo_store import PhotoStore
from api.tournaments.photos import PhotoResources
from api.transparency import routes as transparency_routes
from api.transparency.service import house_key, open_transparency
from api.web import errors
from api.web.application import Application
from api.web.bells import HEARTBEAT_SECONDS, Bells
from api.web.channels import Channels
from api.web.documented import KNOWS_NOBODY, TLOG_PATH, TrueDocument
from api.web.draining import Draining
from api.web.files import files
from api.web.forgery import forbids_forgery
from api.web.form_bounds import PARTS_MAX
from api.web.guards import Identify
from api.web.headers import secure
from api.web.ids import Ids
from api.web.inputs import Asking, methods_by_path, query_parameters
from api.web.languages import speaks, teach
from api.web.limits import TEXT_BYTES_MAX, Limits
from api.web.metrics import Metrics, metrics
from api.web.orders import take_order
from api.web.parts import Uses, draw_parts_once
from api.web.readiness import ready
from api.web.shared_pages import SharedPages
from api.web.streams import Streams
from api.web.templating import loader_of, template_folders
from api.web.threads import ContextThreads
from api.web.under_way import UnderWay
from api.web.who_may import describe_words
from domain.eventstore.application import Matches
from domain.kernel.decoding import prepare_types
from domain.kernel.title import Titles, default_title
from domain.matches.entropy import Entropy, system_entropy
from domain.matches.shelves import install
from domain.titles import TITLES
from projections import catalogue
from projections.platform.doorbell import LOOK_SECONDS, Doorbell
from projections.platform.rings import Advanced, Appended, Attended, Presented, Ring
from projections.platform.settings import Settings
from projections.platform.store import ReadStore
from projections.platform.telemetry.exposition import exposed
from projections.platform.telemetry.spans import tracing

HERE: Final = Path(__file__).parent
HASHERS: Final = 2
"""The most threads that hash passwords: each needs much memory."""
PEOPLE_READERS: Final = 2
"""Threads that ask a server for people; they share a connection, so that more would wait for each other."""
COMPILED: Final = HERE / "web" / "templates" / "__pycache__"
"""Beside the sources, as Python keeps its own; where that cannot be written to, every start compiles anew."""

KNOWN_TO_ALL: Final = ["^/static/", f"^{TLOG_PATH}", *(f"^{path}$" for path in KNOWS_NOBODY)]
"""What is answered without a look at who asks."""
IDENTIFY: Final = DefineMiddleware(Identify, exclude=KNOWN_TO_ALL, exclude_http_methods=())


def open_doorbell(stack: ExitStack, app: Litestar, bells: Bells, has_rung: threading.Event) -> Doorbell:
    """Brings the rings of other processes to those who wait in this one. With an SQLite store nobody else appends."""
    settings: Settings = app.state.settings
    app.state.presentations = presentations = Presentations(bells)
    app.state.presence = presence = Presence(bells)
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

    doorbell = Doorbell(settings.redis, hears, hear, look_seconds=app.state.look_seconds)
    presentations.tell_by(doorbell.ring)
    presence.tell_by(doorbell.ring)
    stack.callback(doorbell.close)
    return doorbell


def open_bells(app: Litestar, settings: Settings) -> Bells:
    """What wakes those who wait in this process, and the channels that wait for many."""
    bells = Bells(asyncio.get_running_loop(), app.state.heartbeat_seconds, others_append=settings.log_file is None)
    app.state.draining.tell(bells.close)
    app.state.channels = Channels(bells, app.state.under_way)
    return bells


def demo_of(app: Litestar, bells: Bells) -> Demo:
    """The demonstration table; its ids are this service's own."""
    settings: Settings = app.state.settings
    secret: str = app.state.people.secret("demo")
    title = default_title(app.state.titles)
    return Demo(app.state.tables, bells, title.name, default_bot(settings.bots, title), UUID(secret[:32]))


def notifications_of(app: Litestar, stack: ExitStack, log_and_reads: tuple[Matches, ReadStore]) -> NotificationService:
    """What tells people things when they are away from the pages."""
    engine: Any = app.template_engine
    state = app.state
    shared = (state.people, engine.engine, state.streams.is_at, state.limits)
    return open_notifications(stack, state.settings, log_and_reads, *shared)


def open_company(stack: ExitStack, app: Litestar, bells: Bells, doorbell: Doorbell) -> Invitations:
    """What people say to each other and show, whom they follow, and whom they have invited, which is given back."""
    place = app.state.settings.people_place
    app.state.photos = open_photos(stack, app)
    said = TalkStore(place)
    stack.callback(said.close)
    app.state.talk = Talk(said, bells, doorbell, app.state.limits)
    app.state.friends = FriendStore(place)
    stack.callback(app.state.friends.close)
    app.state.invitations = invited = Invitations(place)
    stack.callback(invited.close)
    return invited


def open_photos(stack: ExitStack, app: Litestar) -> PhotoResources:
    """Where photos of the tables of events are kept."""
    settings: Settings = app.state.settings
    store = PhotoStore(settings.people_place)
    stack.callback(store.close)
    return PhotoResources(store, app.state.limits, settings.photos_per_event)


def open_pairing(stack: ExitStack, app: Litestar, bells: Bells, doorbell: Doorbell) -> Pairing:
    """The pools in which people wait for each other."""
    store = PoolStore(app.state.settings.people_place)
    stack.callback(store.close)
    return Pairing(store, app.state.tables, bells, doorbell, app.state.ids)


@contextmanager
def seen(app: Litestar) -> Iterator[None]:
    """The figures of this process, as far as they are of what is running, where they are served, and its traces."""
    settings: Settings = app.state.settings
    figures: Metrics = app.state.metrics
    templates: Any = app.template_engine
    used: dict[str, Uses] = {
        "answers": app.state.tables.answers_used,
        "parts": templates.engine.parts_used,
        "pages": templates.engine.shared_pages.used,
        "pictures": app.state.pictures.used,
        "overviews": app.state.overviews.used,
        "channels": app.state.channels.used,
        "comments": comments_used,
    }
    figures.open(app.state.tables, app.state.transparency, app.state.notifications, used)
    with exposed(settings.metrics, figures), tracing(settings, "web") as app.state.traces:
        yield


def loops_of(app: Litestar) -> list[Coroutine[Any, Any, None]]:
    """What goes on beside the requests."""
    loops = [
        app.state.metrics.watch_loop(),
        app.state.addresses.forget_loop(),
        app.state.pairing.run(),
        app.state.presence.run(),
    ]
    return loops if app.state.demo is None else [*loops, app.state.demo.run()]


@asynccontextmanager
async def running(app: Litestar) -> AsyncIterator[None]:
    """What lives as long as the service: the store, the read models, the doorbell."""
    settings: Settings = app.state.settings
    prepare_types()
    async with AsyncExitStack() as later:
        stack = later.enter_context(ExitStack())
        bells = open_bells(app, settings)
        has_rung = threading.Event()
        doorbell = open_doorbell(stack, app, bells, has_rung)
        later.push_async_callback(app.state.limits.close)
        people: People = app.state.people
        matches_, leaves = open_matches(
            stack,
            settings,
            bells,
            doorbell,
            has_rung,
            app.state.titles,
            app.state.entropy,
            people.standing,
            house_key(people),
        )
        reads = ReadStore(settings.reads_url)
        stack.callback(reads.close)
        catalogue.prepare(reads)
        begin_records(matches_, people, datetime.now(UTC))
        app.state.accounts = accounts = open_accounts(stack, people, app.state.limits)
        ways = Ways(settings.people_place, settings.passkey_domain, settings.openid_issuer)
        stack.callback(ways.close)
        app.state.ways_in = WaysIn(ways, accounts, app.state.limits, settings)
        app.state.provider = provider = ProviderService(ways, accounts, settings)
        later.push_async_callback(provider.close)
        app.state.addresses = open_addresses(later, settings)
        invited = open_company(stack, app, bells, doorbell)
        app.state.tables = MatchService(
            matches_,
            reads,
            accounts,
            bells,
            app.state.drawings,
            invited,
            settings,
        )
        stack.callback(app.state.tables.close)
        app.state.pairing = open_pairing(stack, app, bells, doorbell)
        app.state.notifications = notifications_of(app, stack, (matches_, reads))
        open_teacher(stack, app, settings)
        app.state.pictures, app.state.overviews = Pictures(app, app.state.tables), Overviews()
        app.state.transparency = open_transparency(
            settings, matches_, leaves, people, reads, app.state.entropy, has_rung
        )
        stack.callback(app.state.transparency.close)
        stack.enter_context(seen(app))
        app.state.demo = demo_of(app, bells) if settings.demo else None
        async with asyncio.TaskGroup() as tasks:
            background = [tasks.create_task(loop) for loop in loops_of(app)]
            yield
            for task in background:
                task.cancel()


def template_engine() -> JinjaTemplateEngine:
    """Templates that speak every language, draw once what stays the same, and are read and compiled once."""
    environment = Environment(loader=loader_of(template_folders()), autoescape=True, auto_reload=False)
    with suppress(OSError):
        COMPILED.mkdir(exist_ok=True)
    if os.access(COMPILED, os.W_OK):
        environment.bytecode_cache = FileSystemBytecodeCache(str(COMPILED))
    teach(environment)
    environment.extend(parts_used=draw_parts_once(environment), shared_pages=SharedPages(environment))
    return JinjaTemplateEngine.from_environment(environment)


def describe_api() -> OpenAPIConfig:
    """The document of the API."""
    return OpenAPIConfig(
        title="Esporles",
        version=VERSION,
        description=f"{errors.describe_refusals()}\n\n{describe_words()}",
        path="/api/schema",
        render_plugins=[TrueDocument()],
        components=Components(security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}),
    )


def open_accounts(stack: ExitStack, people: People, limits: Limits) -> AccountService:
    """The service of accounts with its threads."""
    hashing = ContextThreads(HASHERS, "hashing")
    stack.callback(hashing.shutdown)
    asking = ContextThreads(PEOPLE_READERS, "people")
    stack.callback(asking.shutdown)
    return AccountService(people, hashing, asking, limits)


def open_addresses(later: AsyncExitStack, settings: Settings) -> AddressNotes:
    """What notes where people come from."""
    store, salt = Addresses(settings.people_place), DailySalt(settings.redis)
    later.callback(store.close)
    later.push_async_callback(salt.close)
    return AddressNotes(store, salt)


def open_people(settings: Settings, entropy: Entropy) -> People:
    """Those of the house: not a new house beside a folder that was never moved."""
    settings.require_moved()
    return People(settings.people_place, entropy)


def create_app(
    settings: Settings,
    entropy: Entropy = system_entropy,
    titles: Titles = TITLES,
    drawings: Drawings | None = None,
    *,
    look_seconds: float = LOOK_SECONDS,
    heartbeat_seconds: float = HEARTBEAT_SECONDS,
    draining: Draining | None = None,
) -> Litestar:
    """Build the web service for these titles, with the drawings of `api.titles` unless others are given. `entropy`
    supplies ids, seeds and secrets; no setting changes it. Streams look again at every heartbeat, and every
    `look_seconds` while there is no doorbell. `draining` announces that the process is about to stop."""
    install(settings.data, titles)
    errors.install_refusals(REFUSALS)
    people, limits = open_people(settings, entropy), Limits(settings)
    app = Application(
        route_handlers=[API, transparency_routes.TLOG, metrics, ready, site.ROUTER, *files()],
        state=State(
            {
                "settings": settings,
                "titles": titles,
                "drawings": load_drawings(titles) if drawings is None else drawings,
                "short_ways": ShortWays(settings, titles, note_address),
                "direct_ways": DirectWays(site.refuse),
                "offers": build_offers(titles, settings.bots),
                "people": people,
                "forms_secret": people.secret("csrf"),
                "entropy": entropy,
                "metrics": Metrics(),
                "under_way": UnderWay(),
                "traces": None,
                "limits": limits,
                "seat_codes": SeatCodes(people.secret(seat_codes.SECRET), limits),
                "streams": Streams(settings),
                "standing_guards": STANDING_GUARDS,
                "ids": Ids(UUID(people.secret("ids")[:32]), entropy),
                "heartbeat_seconds": heartbeat_seconds,
                "look_seconds": look_seconds,
                "draining": draining or Draining(),
            }
        ),
        request_class=Asking,
        before_request=take_order,
        lifespan=[running],
        on_shutdown=[people.close],
        dependencies=DEPENDENCIES,
        signature_namespace=wire_types(titles),
        middleware=[speaks, IDENTIFY, forbids_forgery],
        guards=[guarded],
        exception_handlers=site.REFUSED,
        before_send=[secure],
        request_max_body_size=TEXT_BYTES_MAX,
        multipart_form_part_limit=PARTS_MAX,
        template_config=TemplateConfig(instance=template_engine()),
        openapi_config=describe_api(),
        logging_config=None,
    )
    app.state.query_parameters, app.state.methods = query_parameters(app), methods_by_path(app)
    return app
