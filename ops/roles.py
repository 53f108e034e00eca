"""`esporles run ROLE`: a single process of the service.

On several hosts each role runs where and as often as needed; they share PostgreSQL and one Valkey or Redis. Missing
settings are reported before a role starts.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from api.http.draining import Draining
from ops.computing.calculator import run_calculator
from ops.service import build_application, create_app
from ops.sockets import bound_socket, private_socket, url_of
from ops.transparency import tree_role
from ops.web import Sockets, run_web
from projections.platform.descriptors import raise_descriptor_limit
from projections.platform.setting_values import BadSetting, split_place
from projections.platform.settings import Settings, names_of
from projections.platform.valkey import require_no_cluster
from projections.platform.valkey_urls import BadServer
from workers.health import Health, HealthServer
from workers.main import run_follower, run_mailer, run_pusher, run_worker

WEB: Final = "web"
FOLLOWER: Final = "follower"
WORKER: Final = "worker"
CALCULATOR: Final = "calculator"
MAILER: Final = "mailer"
PUSHER: Final = "pusher"
TREE: Final = "tree"


class Running(msgspec.Struct, frozen=True, omit_defaults=True):
    """A process that is ready: its role and addresses."""

    role: str
    pid: int
    url: str = ""
    door: str = ""
    health: str = ""

    def __str__(self) -> str:
        addresses = [f"{name} {address}" for name in ("url", "door", "health") if (address := getattr(self, name))]
        return f"{self.role} is ready ({', '.join((f'process {self.pid}', *addresses))})\n"


OnReady = Callable[[Running], None]


def require_for(role: str, settings: Settings) -> None:
    """Raise `BadSetting` if the role lacks a setting.

    Workers, mailers and pushers need an address of the service, others except calculators databases on servers.
    """
    settings.require(*ROLES[role].needs)
    if role == CALCULATOR:
        return
    if role in {WORKER, MAILER, PUSHER}:
        require_service(settings)
        return
    for field in ("store", "reads"):
        if getattr(settings, f"{field}_url").startswith("sqlite:"):
            raise BadSetting(
                f"{names_of(field)} is an SQLite file, which only one machine can use: run `esporles serve` there,"
                f" or set postgresql://… for `esporles run {role}`"
            )
    if role == WEB:
        settings.require_tree_process()
        require_door(settings)
    if role == TREE:
        require_at_servers(settings)


def require_at_servers(settings: Settings) -> None:
    """Raise `BadSetting` if accounts or tree are files, which another host's web processes would not share."""
    for field, file in (("people", settings.people_file), ("tree", settings.tree_file)):
        if file is not None:
            raise BadSetting(f"{names_of(field)} is an SQLite file, but `esporles run {TREE}` requires postgresql://…")


def require_no_cluster_at(settings: Settings) -> None:
    """Raise `BadSetting` if Redis is a cluster; an unavailable server passes."""
    try:
        require_no_cluster(settings.redis)
    except BadServer as fault:
        raise BadSetting(f"{names_of('redis')}: {fault}") from fault


def require_service(settings: Settings) -> None:
    """Raise `BadSetting` if a worker has no address of the service, or its certificates cannot be loaded."""
    if not settings.services and settings.socket is None:
        raise BadSetting(f"set {names_of('services')} or {names_of('socket')}, the address of the service for workers")
    if settings.services:
        require_certificates(settings)


def require_door(settings: Settings) -> None:
    """Raise `BadSetting` if the private port lacks a token or TLS, or equals the public one.

    Without such a port do nothing.
    """
    if not settings.door:
        return
    settings.require("token")
    for field in ("tls_certificate", "tls_key"):
        if getattr(settings, field) is None:
            raise BadSetting(f"{names_of('door')} requires {names_of(field)}: the private port always uses TLS")
    if settings.port and settings.door.rpartition(":")[2] == str(settings.port):
        raise BadSetting(f"{names_of('door')} and {names_of('port')} must differ: the private port is for workers only")
    require_certificates(settings)


def require_certificates(settings: Settings) -> None:
    """Load the certificates; raise `BadSetting` if one cannot be loaded, before the process starts."""
    try:
        context, field = ssl.create_default_context(), "tls_ca"
        if settings.tls_ca is not None:
            context.load_verify_locations(settings.tls_ca)
        field = "tls_certificate"
        if settings.tls_certificate is not None:
            context.load_cert_chain(settings.tls_certificate, settings.tls_key)
    except OSError as fault:
        problem = (
            "no certificate" if field == "tls_ca" else f"no certificate that matches the key in {names_of('tls_key')}"
        )
        raise BadSetting(f"{names_of(field)}: {getattr(settings, field)} contains {problem}") from fault


def run_role(role: str, settings: Settings, players: object, on_ready: OnReady) -> int:
    """Run a role until SIGTERM or SIGINT; return the exit code. `on_ready` is called when it is ready."""
    raise_descriptor_limit()
    return ROLES[role].run(settings, players, on_ready)


def run_web_role(settings: Settings, players: Any, on_ready: OnReady) -> int:
    """Run a web process and return its exit code; raise `AddressInUse` if an address cannot be bound.

    It serves pages and API and, if set, the private socket, whose path may be too long (`SocketPathTooLong`), and the
    private port for workers of other hosts.
    """
    with ExitStack() as stack:
        public = stack.enter_context(bound_socket(settings.host, settings.port))
        sockets = [public]
        if settings.socket is not None:
            sockets.append(stack.enter_context(private_socket(settings.socket)))
        private = stack.enter_context(bound_socket(*split_place(settings.door))) if settings.door else None
        running = Running(WEB, os.getpid(), url=url_of(public), door=url_of(private, "https") if private else "")
        draining = Draining()
        application = build_application(settings, create_app, draining=draining, titles=players.titles)
        return run_web(application, settings, Sockets(tuple(sockets), private), draining, lambda: on_ready(running))


def run_with_health(
    role: str, run: Callable[[Settings, Any, Health], None], settings: Settings, players: object, on_ready: OnReady
) -> int:
    """Run a role that calls `on_ready` once when it is healthy, and reports over HTTP if an address is set.

    Returns 0 when the role stops.
    """
    address = ""
    health = Health(lambda: on_ready(Running(role, os.getpid(), health=address)))
    with ExitStack() as stack:
        if settings.health:
            server = HealthServer(settings.health, health)
            stack.callback(server.close)
            address = server.address
        run(settings, players, health)
    return 0


def run_tree(settings: Settings, players: Any, health: Health) -> None:
    """Extend the transparency tree with the titles of the players, until stopped; raise `Finding` if it differs."""
    tree_role.run_tree(settings, players.titles, health)


class Role(NamedTuple):
    """A kind of process."""

    what: str
    """Its description in `esporles run --help`."""
    run: Callable[[Settings, Any, OnReady], int]
    needs: tuple[str, ...] = ("redis",)
    """Required settings, apart from databases."""


ROLES: Final[Mapping[str, Role]] = {
    WEB: Role("serves pages, the API and the private port of workers", run_web_role),
    FOLLOWER: Role("updates read models and issues due jobs", partial(run_with_health, FOLLOWER, run_follower)),
    WORKER: Role(
        "plays bots, runs clocks and tournaments", partial(run_with_health, WORKER, run_worker), ("redis", "token")
    ),
    MAILER: Role("sends mail", partial(run_with_health, MAILER, run_mailer), ("redis", "token", "mail")),
    PUSHER: Role("sends push notifications", partial(run_with_health, PUSHER, run_pusher), ("redis", "token", "push")),
    TREE: Role("maintains the transparency tree outside the web processes", partial(run_with_health, TREE, run_tree)),
    CALCULATOR: Role("runs long computations for commands", partial(run_with_health, CALCULATOR, run_calculator)),
}
