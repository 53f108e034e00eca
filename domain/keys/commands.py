"""Commands about the keys that people sign with."""

from datetime import datetime
from typing import Final
from uuid import UUID

from domain.keys.state import KEYS, KeyGivenUp, KeyRegistered, Keyring, stream_of
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import BadSignature, NoSuchKey
from domain.matches.facts import Actor, ShareBy
from domain.matches.seats.luck_shares import commit_share, has_committed
from domain.matches.seats.opening import check_player, take_seat
from domain.matches.seats.reserved import require_unreserved
from domain.matches.signatures.signing_keys import name_key
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.signatures.errors import SignatureFault
from domain.signatures.keys import NamedKey, check_another, require_key

EMPTY_KEYRING: Final = Keyring()
RETIRED_MAX: Final = 256


def keyring_of(matches: MatchReader, person: Actor) -> Keyring:
    """Return a person's keys."""
    stream = matches.streams.find(KEYS, stream_of(person))
    return EMPTY_KEYRING if stream is None else stream.state


def keys_of(matches: MatchReader, person: Actor) -> tuple[NamedKey, ...]:
    """Return the keys to name when a person takes a seat; empty for bots and the service."""
    return keyring_of(matches, person).seat_keys()


def require_registrable(key: str) -> None:
    """Raise `BadSignature` for a key (hex) that no one can register; an empty text stands for no key.

    It is called before a guest is created for a visitor who brings the key.
    """
    if key:
        try:
            require_key(key)
        except SignatureFault as fault:
            raise BadSignature(str(fault)) from fault


def add_key(batch: Transaction, person: Actor, key: NamedKey) -> Keyring:
    """Register a key; no change if it is known, unless an earlier key now vouches for it.

    Raise `BadSignature` for a retired key, a false voucher, or too many keys, registered or retired, and
    `UnknownActor` for a malformed id of a person.
    """
    check_player(person)
    stream = batch.find(KEYS, stream_of(person))
    keyring = EMPTY_KEYRING if stream is None else stream.state
    known_keys = [each.key for each in keyring.keys]
    if key.key in known_keys:
        index = known_keys.index(key.key)
        if key.by == "" or keyring.keys[index].by != "":
            return keyring
        known_keys = known_keys[:index]
    if key.key in keyring.retired:
        raise BadSignature(f"the key {key.key} was revoked; create a new one")
    if len(keyring.retired) >= RETIRED_MAX:
        raise BadSignature(f"{person!r} has revoked {RETIRED_MAX} keys and cannot register more")
    try:
        check_another(known_keys, key, person)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault
    return batch.record(KEYS, stream_of(person), KeyRegistered(person, key)).state


def register_key(matches: MatchWriter, person: Actor, key: NamedKey, *, at: datetime) -> Keyring:
    """Register a key for a person's future seats."""
    return matches.transact(lambda batch: add_key(batch, person, key), at=at)


def retire_key(matches: MatchWriter, person: Actor, key: str, *, at: datetime) -> Keyring:
    """Retire a key of a person; raise `NoSuchKey` if they have no such key.

    Seats that have named it keep it until they continue unsigned.
    """

    def compose(batch: Transaction) -> Keyring:
        stream = batch.find(KEYS, stream_of(person))
        if stream is None or key not in [each.key for each in stream.state.keys]:
            raise NoSuchKey(f"{person!r} has no key {key!r}")
        return batch.record(KEYS, stream.id, KeyGivenUp(person, key)).state

    return matches.transact(compose, at=at)


def retire_all_keys(matches: MatchWriter, person: Actor, *, at: datetime) -> None:
    """Retire all keys of a person, if they have any, in one transaction."""

    def compose(batch: Transaction) -> None:
        stream = batch.find(KEYS, stream_of(person))
        for each in () if stream is None else stream.state.keys:
            batch.record(KEYS, stream_of(person), KeyGivenUp(person, each.key))

    matches.transact(compose, at=at)


def take_seat_with_key(
    matches: MatchWriter,
    match_id: UUID,
    seat: int,
    player: Actor,
    key: str,
    *,
    at: datetime,
    share: str | None = None,
    share_by: ShareBy | None = None,
) -> Match:
    """Take a seat with the account's keys, and register the key (hex) that the browser brings in the same transaction.

    An empty key, and any key of a bot account, is not registered: the program of a bot could not sign with it.
    Raise `BadSignature` for a key that cannot be registered, `SeatReserved` at a table of an event, and the
    errors of `take_seat`.
    """
    brings_key = key != "" and matches.standing(player, at) != "bot"

    def compose(batch: Transaction) -> Match:
        keys = add_key(batch, player, NamedKey(key)).seat_keys() if brings_key else batch.keys_of(player)
        return batch.append(
            match_id,
            lambda match: take_seat(require_unreserved(match, seat), seat, player, share, share_by=share_by, keys=keys),
        )

    return matches.transact(compose, at=at)


def add_seat_key(
    matches: MatchWriter, match_id: UUID, person: Actor, key: NamedKey, *, at: datetime, share: str | None = None
) -> Match:
    """Register a key and name it at the person's seat, in one transaction; the seat may also commit to a share of luck.

    Without a seat the key is only registered, and a seat that has it already does not name it again. Its
    voucher counts there only if the seat has named the voucher. Raise `BadSignature` for a key that cannot be
    registered.
    """

    def compose(batch: Transaction) -> Match:
        add_key(batch, person, key)
        match = batch.match(match_id)
        seat = seat_of(match, person)
        if seat is not None and share and not has_committed(match, seat, person, share):
            match = batch.add(match_id, commit_share(match, seat, person, share))
        if seat is None or key.key in [each.key for each in match.seats[seat].keys]:
            return match
        is_vouched = key.by in [each.key for each in match.seats[seat].keys]
        return batch.add(match_id, name_key(match, seat, person, key if is_vouched else NamedKey(key.key)))

    return matches.transact(compose, at=at)
