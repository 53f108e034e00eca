"""The composition root of the web process, which creates all objects and passes them on.

In `create_app`, `drawings` default to the drawings of `api.titles`. `entropy` supplies ids, seeds and secrets, and
`clock` the time; no setting changes them. Streams check for changes at every heartbeat, and every `look_seconds` while
notifications are unavailable. `build` creates the application from its parts; tests, which start many services in one
process, pass a function that registers the routes once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from jinja2 import Environment, FileSystemBytecodeCache
from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template.config import TemplateConfig

from api import VERSION, pages
from api.accounts.people import PEOPLE, People
from api.dependencies import DEPENDENCIES
from api.disputes.guards import guard_what_ifs
from api.http import errors
from api.http.access import describe_access_words
from api.http.app_state import SERVICE_CLOCK, SETTINGS, TITLES_PLAYED
from api.http.application import FAST_ROUTES, Application
from api.http.csrf import FORMS_SECRET, csrf_middleware
from api.http.draining import DRAINING, Draining
from api.http.form_bounds import PARTS_MAX
from api.http.headers import RESPONSE_HEADERS, SecurityHeaders
from api.http.ids import IDS, Ids
from api.http.inputs import METHODS, QUERY_PARAMETERS, ValidatedRequest, methods_by_path, query_parameters
from api.http.languages import add_localisation, language_middleware
from api.http.limits import LIMITS, TEXT_BYTES_MAX, Limits
from api.http.metrics import METRICS, Metrics
from api.http.notifier import HEARTBEAT_SECONDS
from api.http.official_signatures import read_signature_header
from api.http.openapi import CorrectedOpenAPIPlugin
from api.http.page_links import PAGE_LINKS
from api.http.parts import install_part_cache
from api.http.pipeline import BASE_STEPS, ROUTE_PIPELINE, Pipeline, Step
from api.http.requests_in_progress import REQUESTS_IN_PROGRESS, RequestsInProgress
from api.http.shared_pages import SharedPages
from api.http.static_files import static_routers
from api.http.streams import STREAMS, Streams
from api.http.templating import loader_of, template_folders
from api.integrity.addresses import record_address
from api.lifespan import DEMO_LOOK_KEY, ENTROPY, HEARTBEAT_KEY, lifespan
from api.matches.fast_routes import FastRoutes
from api.matches.guards import requires_table_access
from api.matches.schemas import Act
from api.studies.schemas import PlayVariation, with_steps
from api.subjects import API, JOINED
from api.titles.actions import with_action
from api.titles.drawing import DRAWINGS, Drawings, load_drawings
from api.titles.offers import OFFERS, build_offers
from api.tournaments import codes as seat_codes
from api.tournaments.codes import SEAT_CODES, SeatCodes
from api.transparency.log_keys import require_key
from domain.kernel.title import Titles
from domain.matches.data_files import register_data_folder
from domain.matches.entropy import Entropy, system_entropy
from domain.titles import TITLES
from projections.platform.clock import Clock, system_clock
from projections.platform.pubsub import POLL_SECONDS
from projections.platform.settings import Settings

HERE: Final = Path(__file__).parent
COMPILED: Final = HERE / "http" / "templates" / "__pycache__"
"""Cache of compiled templates, next to the sources; if it is not writable, every start compiles again."""

PIPELINE: Final = Pipeline(
    (
        *BASE_STEPS,
        Step("addresses", record_address, only_changes=True),
        Step("private tables", requires_table_access, repeats=True),
        Step("what-ifs", guard_what_ifs, repeats=True),
    )
)
"""The steps of every request to a route, in order."""


def template_engine() -> JinjaTemplateEngine:
    """Return the template engine with localisation and cached parts; compiled templates are stored if possible."""
    environment = Environment(loader=loader_of(template_folders()), autoescape=True, auto_reload=False)
    with suppress(OSError):
        COMPILED.mkdir(exist_ok=True)
    if os.access(COMPILED, os.W_OK):
        environment.bytecode_cache = FileSystemBytecodeCache(str(COMPILED))
    add_localisation(environment)
    environment.extend(parts_used=install_part_cache(environment), shared_pages=SharedPages(environment))
    return JinjaTemplateEngine.from_environment(environment)


def describe_api() -> OpenAPIConfig:
    """Return the configuration of the OpenAPI document."""
    return OpenAPIConfig(
        title="Esporles",
        version=VERSION,
        description=f"{errors.describe_refusals()}\n\n{describe_access_words()}",
        path="/api/schema",
        render_plugins=[CorrectedOpenAPIPlugin()],
        components=Components(security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}),
    )


def wire_types(titles: Titles) -> dict[str, Any]:
    """Return request types with actions of the titles, by the names in handlers; empty for the default titles."""
    if titles is TITLES:
        return {}
    return {"Act": with_action(Act, titles), "PlayVariation": with_steps(PlayVariation, titles)}


def open_people(settings: Settings, entropy: Entropy) -> People:
    """Open the accounts database.

    Raise `BadSetting` if the data folder still has the old layout, or without the passphrase of the key in it.
    """
    settings.require_data_moved()
    people = People(settings.people_place, entropy)
    require_key(people, settings)
    return people


def account_values(people: People, limits: Limits, entropy: Entropy) -> tuple[tuple[str, object], ...]:
    """Return the values that depend on the accounts database."""
    return (
        PEOPLE.item(people),
        LIMITS.item(limits),
        FORMS_SECRET.item(people.secret("csrf")),
        SEAT_CODES.item(SeatCodes(people.secret(seat_codes.SECRET), limits)),
        IDS.item(Ids(UUID(people.secret("ids")[:32]), entropy)),
    )


def create_app(
    settings: Settings,
    entropy: Entropy = system_entropy,
    titles: Titles = TITLES,
    drawings: Drawings | None = None,
    *,
    look_seconds: float = POLL_SECONDS,
    heartbeat_seconds: float = HEARTBEAT_SECONDS,
    draining: Draining | None = None,
    clock: Clock = system_clock,
    build: Callable[..., Application] = Application,
) -> Litestar:
    """Build the web service, with its accounts database; `draining` announces shutdown. `BadSetting` for old data."""
    register_data_folder(settings.data, titles)
    errors.install_refusals(JOINED.refusals)
    people, limits = open_people(settings, entropy), Limits(settings)
    app = build(
        route_handlers=[API, *JOINED.roots, pages.ROUTER, *static_routers()],
        state=State(
            (
                SETTINGS.item(settings),
                TITLES_PLAYED.item(titles),
                DRAWINGS.item(load_drawings(titles) if drawings is None else drawings),
                OFFERS.item(build_offers(titles, settings.bots)),
                *account_values(people, limits, entropy),
                ENTROPY.item(entropy),
                METRICS.item(Metrics()),
                REQUESTS_IN_PROGRESS.item(RequestsInProgress()),
                STREAMS.item(Streams(settings)),
                ROUTE_PIPELINE.item(PIPELINE),
                PAGE_LINKS.item(JOINED.links),
                RESPONSE_HEADERS.item(SecurityHeaders(settings)),
                HEARTBEAT_KEY.item(heartbeat_seconds),
                DEMO_LOOK_KEY.item(look_seconds),
                DRAINING.item(draining or Draining()),
                SERVICE_CLOCK.item(clock),
            )
        ),
        request_class=ValidatedRequest,
        before_request=read_signature_header,
        lifespan=[lifespan],
        on_shutdown=[people.close],
        dependencies=DEPENDENCIES,
        signature_namespace=wire_types(titles),
        middleware=[language_middleware, csrf_middleware],
        guards=[PIPELINE.run],
        exception_handlers=pages.EXCEPTION_HANDLERS,
        request_max_body_size=TEXT_BYTES_MAX,
        multipart_form_part_limit=PARTS_MAX,
        template_config=TemplateConfig(instance=template_engine()),
        openapi_config=describe_api(),
        logging_config=None,
    )
    QUERY_PARAMETERS.put(app, query_parameters(app))
    METHODS.put(app, methods_by_path(app))
    FAST_ROUTES.put(app, FastRoutes(app, titles))
    return app
