"""The web process's store of matches: listeners, signatures, tamper guard, and startup tasks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from datetime import datetime
from uuid import UUID

from api.accounts.people import People
from api.http.bells import Bells
from api.http.orders import order_of_request
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
from projections.platform.doorbell import Doorbell
from projections.platform.rings import Appended
from projections.platform.settings import Settings
from projections.platform.telemetry.spans import traces_of


def open_matches(
    stack: ExitStack,
    settings: Settings,
    bells: Bells,
    doorbell: Doorbell,
    has_rung: threading.Event,
    titles: Titles,
    entropy: Entropy,
    standing: Callable[[Actor, datetime], Standing],
    house: ServiceKey,
) -> tuple[Matches, TreeLeaves]:
    """Open the store and the transparency log leaves that guard it; `has_rung` is set after every append.

    With an SQLite file, this process becomes its only writer.
    """
    if settings.log_file is not None:
        stack.enter_context(writer_lock(settings.log_file.parent))

    def ring(position: int, versions: Mapping[UUID, int]) -> None:
        bells.note(versions)
        has_rung.set()
        doorbell.ring(Appended(position, versions, traces=traces_of(versions)))

    leaves = TreeLeaves(settings.tree_place)
    stack.callback(leaves.close)
    env = store_env(settings.log_place, settings.log_partitions)
    matches = open_store(
        env, titles=titles, entropy=entropy, on_append=ring, standing=standing, house=house, guard=leaves
    )
    given = matches.dependencies
    given.keys_of, given.order, given.official_keys = keys_of, order_of_request, commands.official_keys_in
    stack.callback(matches.close)
    return matches, leaves


def begin_records(matches: Matches, people: People, at: datetime) -> None:
    """Update operators and fair-play records at startup.

    Records that were tampered with are skipped; the guard has reported them.
    """
    with suppress(Tampered):
        commands.sync_operators(matches, people.operators(), at=at)
    with suppress(Tampered):
        begin_fair_play(matches, at=at)
