"""Opening a store of matches."""

from collections.abc import Callable, Mapping
from datetime import datetime
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.dependencies import Dependencies, no_notification, no_standing
from domain.eventstore.guard import UNGUARDED, Guard
from domain.eventstore.lines import CACHED_MATCHES_MAX, Lines
from domain.eventstore.match_store import MatchStore
from domain.eventstore.streams import Streams
from domain.kernel.title import Titles
from domain.matches.entropy import Entropy, system_entropy
from domain.matches.facts import Actor, Standing
from domain.matches.titles import prepare_readers
from domain.signatures.acts import ServiceKey
from domain.titles import TITLES


def open_store(
    env: Mapping[str, str],
    *,
    titles: Titles = TITLES,
    entropy: Entropy = system_entropy,
    on_append: Callable[[int, Mapping[UUID, int]], None] = no_notification,
    standing: Callable[[Actor, datetime], Standing] = no_standing,
    service_key: ServiceKey | None = None,
    matches_kept: int = CACHED_MATCHES_MAX,
    guard: Guard = UNGUARDED,
) -> Matches:
    """Open the store with settings of the library (`store_settings.store_env`), creating it if missing.

    Without `guard` nothing is checked against the transparency log. `matches_kept` is the number of cached matches.
    """
    prepare_readers(titles)
    dependencies = Dependencies(titles, entropy, on_append, standing, service_key)
    store = MatchStore(env, dependencies)
    lines = Lines(store.recorder, store.mapper, titles, matches_kept, guard)
    return Matches(store, dependencies, lines, Streams(store.recorder, store.mapper, guard))
