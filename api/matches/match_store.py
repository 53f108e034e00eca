"""The web process's store of matches: listeners, signatures, tamper guard, and startup tasks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from datetime import datetime
from uuid import UUID

from api.accounts.people import People
from api.http.notifier import Notifier
from api.http.official_signatures import request_signature
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.eventstore.writer_lock import writer_lock
from domain.kernel.title import Titles
from domain.keys.commands import keys_of
from domain.matches.entropy import Entropy
from domain.matches.errors import Tampered
from domain.matches.facts import Actor, Standing
from domain.ratings.facts import begin_fair_play
from domain.roles import commands
from domain.signatures.acts import ServiceKey
from projections.leaves import TreeLeaves
from projections.platform.messages import Appended
from projections.platform.pubsub import PubSubClient
from projections.platform.settings import Settings
from projections.platform.telemetry.spans import trace_contexts_of


def open_matches(
    stack: ExitStack,
    settings: Settings,
    notifier: Notifier,
    pubsub: PubSubClient,
    appended: threading.Event,
    titles: Titles,
    entropy: Entropy,
    standing: Callable[[Actor, datetime], Standing],
    service_key: ServiceKey,
) -> tuple[Matches, TreeLeaves]:
    """Open the store and the transparency log leaves that guard it; both are closed with `stack`.

    After every append, subscribers of this process are notified, `appended` is set, and `Appended` is published to
    other processes. With an SQLite file, this process becomes its only writer; raises `StoreBusy` if another one is.
    """
    if settings.log_file is not None:
        stack.enter_context(writer_lock(settings.log_file.parent))

    def notify(position: int, versions: Mapping[UUID, int]) -> None:
        notifier.queue_appended(versions)
        appended.set()
        pubsub.publish(Appended(position, versions, traces=trace_contexts_of(versions)))

    leaves = TreeLeaves(settings.tree_place)
    stack.callback(leaves.close)
    env = store_env(settings.log_place, settings.log_partitions)
    matches = open_store(
        env, titles=titles, entropy=entropy, on_append=notify, standing=standing, service_key=service_key, guard=leaves
    )
    dependencies = matches.dependencies
    dependencies.keys_of = keys_of
    dependencies.order = request_signature
    dependencies.official_keys = commands.official_keys_in
    stack.callback(matches.close)
    return matches, leaves


def update_records(matches: Matches, people: People, at: datetime) -> None:
    """Record the configured operators and begin the fair-play records, at startup.

    Records that were tampered with are skipped; the guard has reported them.
    """
    with suppress(Tampered):
        commands.sync_operators(matches, people.operators(), at=at)
    with suppress(Tampered):
        begin_fair_play(matches, at=at)
