"""Requests for changes of the log's key and their installation, in the folder of a service that is stopped."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from api.accounts.people import People
from api.transparency.errors import NothingSigned, TreeContinued, TreeDiffers
from api.transparency.key_changes import ChangeRefused, Installed, install_note, request_change, request_root
from api.transparency.labels import vrf_key_of
from api.transparency.latest_checkpoint import LatestCheckpoint
from api.transparency.log_keys import LogKeys, secrets_of, signer_of
from api.transparency.log_secrets import LogSecrets
from api.transparency.proofs import Prover
from api.transparency.sequencer import Sequencer
from api.transparency.store import TreeStore
from domain.matches.entropy import system_entropy
from domain.transparency.errors import TransparencyFault
from domain.transparency.key_notes import Reason
from domain.transparency.notes import VerifierKey
from ops.accounts import has_people, open_people, require_tree
from ops.console import Finding, WrongUsage
from ops.stores import open_matches
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings


class Places(NamedTuple):
    """The open accounts and tree of a service, with the name of its tree in the settings."""

    people: People
    secrets: LogSecrets
    store: TreeStore
    origin: str


@contextmanager
def open_places(settings: Settings) -> Iterator[Places]:
    """Open accounts and tree; raise `Finding` if one is missing, or if a change is refused within."""
    require_tree(settings)
    if not has_people(settings):
        raise Finding(f"no accounts at {settings.people_file}: the service has never run there")
    try:
        with open_people(settings) as people, closing(TreeStore(settings.tree_place)) as store:
            yield Places(people, secrets_of(people, settings), store, settings.log_origin)
    except BadSetting as fault:
        raise WrongUsage(str(fault)) from fault
    except (ChangeRefused, NothingSigned, TreeContinued, TreeDiffers, TransparencyFault) as fault:
        raise Finding(str(fault)) from fault


def request_root_key(settings: Settings, root: VerifierKey) -> str:
    """Return the request to name a root key."""
    with open_places(settings) as (_, secrets, store, origin):
        return request_root(store, signer_of(secrets, origin), root)


def request_key(settings: Settings, reason: Reason, overlap_days: int, origin: str, size: int | None) -> str:
    """Create the next key of the log and return the request to change to it; also while the service runs."""
    with open_places(settings) as (_, secrets, store, current_origin):
        return request_change(
            store,
            secrets,
            signer_of(secrets, current_origin),
            reason,
            until=datetime.now(UTC) + timedelta(days=overlap_days),
            entropy=system_entropy,
            origin=origin,
            size=size,
        )


def install(settings: Settings, text: str) -> Installed:
    """Announce a signed note about keys in the tree, and sign with the new key afterwards.

    Raise `Finding` if the service runs, or the note does not fit.
    """
    with open_matches(settings, to_write=True) as matches, open_places(settings) as (people, secrets, store, origin):
        if not store.try_to_lead():
            raise Finding("another process maintains the tree; stop the service first")
        vrf, latest = vrf_key_of(people), LatestCheckpoint(settings.data)

        def make_sequencer(keys: LogKeys, announced: VerifierKey) -> Sequencer:
            return Sequencer(matches, store, keys.signer, system_entropy, vrf, keys.former, announced)

        latest.check(store)
        installed = install_note(store, secrets, origin, text, make_sequencer, datetime.now(UTC))
        latest.follow(store)
    return installed


def load_history(settings: Settings) -> bytes:
    """Return the history of the log's keys up to the published checkpoint."""
    with open_places(settings) as (people, secrets, store, origin):
        return Prover(store, signer_of(secrets, origin).key, settings.witnesses, vrf_key_of(people)).key_history()
