"""The composition root of the web process, which creates all objects and passes them on.

In `create_app`, `drawings` default to the drawings of `api.titles`, and `entropy` supplies ids, seeds and secrets; no
setting changes it. Streams check for changes at every heartbeat, and every `look_seconds` while notifications are
unavailable. `build` creates the application from its parts; tests, which start many services in one process, pass a
function that registers the routes once.
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
from api.disputes.guards import shields_what_ifs
from api.http import errors
from api.http.app_state import SETTINGS, TITLES_PLAYED
from api.http.application import FAST_ROUTES, Application
from api.http.bells import HEARTBEAT_SECONDS
from api.http.documented import TrueDocument
from api.http.draining import DRAINING, Draining
from api.http.files import files
from api.http.forgery import FORMS_SECRET, gives_token
from api.http.form_bounds import PARTS_MAX
from api.http.headers import RESPONSE_HEADERS, SecurityHeaders
from api.http.ids import IDS, Ids
from api.http.inputs import METHODS, QUERY_PARAMETERS, Asking, methods_by_path, query_parameters
from api.http.languages import speaks, teach
from api.http.limits import LIMITS, TEXT_BYTES_MAX, Limits
from api.http.metrics import METRICS, Metrics
from api.http.orders import take_order
from api.http.page_links import PAGE_LINKS
from api.http.parts import draw_parts_once
from api.http.pipeline import BASE_STEPS, ROUTE_PIPELINE, Pipeline, Step
from api.http.shared_pages import SharedPages
from api.http.streams import STREAMS, Streams
from api.http.templating import loader_of, template_folders
from api.http.under_way import UNDER_WAY, UnderWay
from api.http.who_may import describe_words
from api.integrity.addresses import notes_addresses
from api.lifespan import ENTROPY, HEARTBEAT, LOOK, running
from api.matches.fast_routes import FastRoutes
from api.matches.guards import shields_private_tables
from api.matches.wire import Act
from api.studies.wire import PlayVariation, with_steps
from api.subjects import API, JOINED
from api.titles.actions import with_action
from api.titles.drawing import DRAWINGS, Drawings, load_drawings
from api.titles.offers import OFFERS, build_offers
from api.tournaments import codes as seat_codes
from api.tournaments.codes import SEAT_CODES, SeatCodes
from domain.kernel.title import Titles
from domain.matches.entropy import Entropy, system_entropy
from domain.matches.shelves import install
from domain.titles import TITLES
from projections.platform.doorbell import LOOK_SECONDS
from projections.platform.settings import Settings

HERE: Final = Path(__file__).parent
COMPILED: Final = HERE / "http" / "templates" / "__pycache__"
"""Cache of compiled templates, next to the sources; if it is not writable, every start compiles again."""

PIPELINE: Final = Pipeline(
    (
        *BASE_STEPS,
        Step("addresses", notes_addresses, only_changes=True),
        Step("private tables", shields_private_tables, repeats=True),
        Step("what-ifs", shields_what_ifs, repeats=True),
    )
)
"""The steps of every request to a route, in order."""


def template_engine() -> JinjaTemplateEngine:
    """Return the template engine with localisation, cached parts and compiled templates."""
    environment = Environment(loader=loader_of(template_folders()), autoescape=True, auto_reload=False)
    with suppress(OSError):
        COMPILED.mkdir(exist_ok=True)
    if os.access(COMPILED, os.W_OK):
        environment.bytecode_cache = FileSystemBytecodeCache(str(COMPILED))
    teach(environment)
    environment.extend(parts_used=draw_parts_once(environment), shared_pages=SharedPages(environment))
    return JinjaTemplateEngine.from_environment(environment)


def describe_api() -> OpenAPIConfig:
    """Return the configuration of the OpenAPI document."""
    return OpenAPIConfig(
        title="Esporles",
        version=VERSION,
        description=f"{errors.describe_refusals()}\n\n{describe_words()}",
        path="/api/schema",
        render_plugins=[TrueDocument()],
        components=Components(security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}),
    )


def wire_types(titles: Titles) -> dict[str, Any]:
    """Return request types with actions of the titles, by the names in handlers; empty for the default titles."""
    if titles is TITLES:
        return {}
    return {"Act": with_action(Act, titles), "PlayVariation": with_steps(PlayVariation, titles)}


def open_people(settings: Settings, entropy: Entropy) -> People:
    """Open the accounts database; raise if the data folder still has the old layout."""
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
    build: Callable[..., Application] = Application,
) -> Litestar:
    """Build the web service for these titles. `draining` announces the shutdown."""
    install(settings.data, titles)
    errors.install_refusals(JOINED.refusals)
    people, limits = open_people(settings, entropy), Limits(settings)
    app = build(
        route_handlers=[API, *JOINED.roots, pages.ROUTER, *files()],
        state=State(
            (
                SETTINGS.item(settings),
                TITLES_PLAYED.item(titles),
                DRAWINGS.item(load_drawings(titles) if drawings is None else drawings),
                OFFERS.item(build_offers(titles, settings.bots)),
                PEOPLE.item(people),
                FORMS_SECRET.item(people.secret("csrf")),
                ENTROPY.item(entropy),
                METRICS.item(Metrics()),
                UNDER_WAY.item(UnderWay()),
                LIMITS.item(limits),
                SEAT_CODES.item(SeatCodes(people.secret(seat_codes.SECRET), limits)),
                STREAMS.item(Streams(settings)),
                ROUTE_PIPELINE.item(PIPELINE),
                PAGE_LINKS.item(JOINED.links),
                RESPONSE_HEADERS.item(SecurityHeaders(settings)),
                IDS.item(Ids(UUID(people.secret("ids")[:32]), entropy)),
                HEARTBEAT.item(heartbeat_seconds),
                LOOK.item(look_seconds),
                DRAINING.item(draining or Draining()),
            )
        ),
        request_class=Asking,
        before_request=take_order,
        lifespan=[running],
        on_shutdown=[people.close],
        dependencies=DEPENDENCIES,
        signature_namespace=wire_types(titles),
        middleware=[speaks, gives_token],
        guards=[PIPELINE.run],
        exception_handlers=pages.REFUSED,
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
