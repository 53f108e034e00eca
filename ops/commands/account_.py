"""`esporles account`: manage accounts, passwords and roles, including the first operator."""

import getpass
import re
import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from eventsourcing.persistence import StoredEvent

from api.accounts.names import BadName, NameTaken
from api.accounts.people import BadPassword, People
from api.clubs.departures import leave_clubs_in_log
from api.clubs.store import ClubTexts
from api.contests.departures import find_current, leave_contests
from api.http.identity import Person
from api.matches.bots import default_bot
from domain.eventstore.application import Matches
from domain.eventstore.mapper import Unreadable, plain_state
from domain.keys.commands import register_key
from domain.matches.errors import MatchError
from domain.matches.facts import SERVICE
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record
from domain.matches.seats.departures import find_waiting_for, remove_person
from domain.roles.commands import change_role
from domain.roles.errors import RoleRefused
from domain.roles.state import EVERYWHERE, ROLE_NAMES, Role, check_role
from domain.signatures.keys import NamedKey
from ops.accounts import open_people
from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.keys import check_key_file, fingerprint, make_key
from ops.progress import Steps, progress, silence
from ops.service_client import fetch, find_address
from ops.stores import open_matches, read_settings
from projections.platform.settings import Settings

WHAT: Final = {
    "create": "create an account",
    "role": "grant or revoke a role",
    "password": "set a new password, end all sessions and revoke all tokens",
    "erase": "erase an account after it left its matches, events and clubs; logs keep only its id",
    "purge": "erase guests whose sessions have expired and who do not appear in the log",
    "collisions": "list accounts whose names look alike, and names that are no longer allowed",
}
ACTIONS_WITHOUT_PERSON: Final = frozenset({"purge", "collisions"})
ACTIONS_WITH_KEY: Final = frozenset({"create", "role"})
PERSON: Final = re.compile(rb'"([0-9a-f]{32})"')
"""The form of account ids in the log."""
BATCH: Final = 1_000


def arguments(parser: ArgumentParser) -> None:
    """Add WHAT, an optional NAME, `--role`, `--event`, `--revoke`, `--key` and `--data`.

    The role is `player` by default.
    """
    help_text = "; ".join(f"{what}: {does}" for what, does in WHAT.items())
    parser.add_argument("what", choices=tuple(WHAT), metavar="WHAT", help=help_text)
    parser.add_argument("name", metavar="NAME", nargs="?", help="name of the account; not for `purge` and `collisions`")
    parser.add_argument("--role", choices=ROLE_NAMES, default="player")
    parser.add_argument("--event", metavar="ID", default=EVERYWHERE, help="limit the role to one tournament or league")
    parser.add_argument("--revoke", action="store_true", help="revoke the role")
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="create, role: the key with which the account signs as an official; created if FILE does not exist",
    )
    add_data_option(parser)


def read_password() -> str:
    """Read a password from the terminal or the first line of stdin, never from arguments, which others could see."""
    if sys.stdin.isatty():
        return getpass.getpass("Password: ")
    return sys.stdin.readline().rstrip("\n")


def record_role(settings: Settings, person: Person, role: Role, event: str, *, granted: bool) -> None:
    """Record in the log that a role is granted or else revoked, through the running service or directly in its store.

    Raises `WrongUsage` if the store refuses it, `Finding` if the service does.
    """
    service = find_address(settings.data)
    if service is not None:
        content = {"person": person.id, "role": role, "event": event or None, "granted": granted}
        fetch(service, "POST", "/api/roles", msgspec.json.encode(content))
        return
    with open_matches(settings, to_write=True) as matches:
        try:
            change_role(matches, person.id, role, by=SERVICE, granted=granted, at=datetime.now(UTC), scope=event)
        except MatchError as error:
            raise WrongUsage(str(error)) from error


def create(people: People, name: str) -> Person:
    """Create an account with a password from stdin.

    Raises `WrongUsage` for a bad name or password, `Finding` if the name is taken or looks like another.
    """
    try:
        return people.create(name, read_password(), datetime.now(UTC))
    except (BadName, BadPassword) as error:
        raise WrongUsage(str(error)) from error
    except NameTaken as error:
        raise Finding(str(error)) from error


def require_stopped(settings: Settings) -> None:
    """Raise `Finding` if the service runs, because keys are then registered on its page."""
    if find_address(settings.data) is not None:
        raise Finding("the service is running; register the key at /account/keys")


def require_valid_role(role: str, event: str) -> None:
    """Raise `WrongUsage` for a role that does not exist in the event; every account may be a player."""
    try:
        if role != "player":
            check_role(role, event)
    except RoleRefused as error:
        raise WrongUsage(str(error)) from error


def register(settings: Settings, person: Person, path: Path) -> str:
    """Register the key in a file for an account and return its public key in hex; a missing file gets a new key.

    Raises `WrongUsage` if the file holds no key or the log refuses it.
    """
    key = make_key(path)
    with open_matches(settings, to_write=True) as matches:
        try:
            register_key(matches, person.id, NamedKey(key.key), at=datetime.now(UTC))
        except MatchError as error:
            raise WrongUsage(str(error)) from error
    return key.key


def set_role(settings: Settings, people: People, person: Person, arguments: Namespace) -> None:
    """Grant or, with `--revoke`, revoke a role in the log, and set the account's role for `player` and `operator`.

    `player` is no role of the log: with or without `--revoke` it revokes an operator's there. Other roles stay. Raises
    `WrongUsage` or `Finding` as `record_role`.
    """
    granted = not arguments.revoke
    if arguments.role != "player":
        record_role(settings, person, arguments.role, arguments.event, granted=granted)
    elif person.role == "operator":
        record_role(settings, person, "operator", EVERYWHERE, granted=False)
    if arguments.role in ("player", "operator"):
        people.set_role(person.id, arguments.role if granted else "player")


def change_password(people: People, person: Person) -> None:
    """Set a new password from stdin, which ends sessions and revokes tokens.

    Raises `WrongUsage` for a guest or bad password.
    """
    if person.is_guest:
        raise WrongUsage(f"{person.name} is a guest account without a password")
    try:
        people.set_password(person.id, read_password())
    except BadPassword as error:
        raise WrongUsage(str(error)) from error


def find_named(matches: Matches, ids: frozenset[str], step: Steps = silence) -> set[str]:
    """Return those of `ids` that the log names anywhere; `step` gets the position after each batch.

    Raises `Finding` for an unreadable row.
    """
    named, position = set[str](), 0
    while rows := matches.log.recorder.select_notifications(position, BATCH, inclusive_of_start=False):
        named |= ids & {name.decode() for row in rows for name in PERSON.findall(plain_row(matches, row))}
        position = rows[-1].id
        step(position)
    return named


def plain_row(matches: Matches, row: StoredEvent) -> bytes:
    """Return the content of a log row as text; raise `Finding` if it is unreadable, since it may name anyone."""
    event = matches.log.mapper.to_domain_event(row)
    if isinstance(event, Unreadable):
        raise Finding(f"row {row.originator_version} of {row.originator_id} cannot be read; no guest was erased")
    return plain_state(event) if isinstance(event, Entry | Record) else row.state


def purge(settings: Settings, people: People) -> tuple[str, ...]:
    """Erase guests who can never return and whom the log does not name; return their ids in order.

    Safe while the service runs, because none of them can act. Raises `Finding`, erasing none, for an unreadable row.
    """
    lapsed = frozenset(people.lapsed_guests(datetime.now(UTC)))
    with open_matches(settings, to_write=False) as matches, progress("searching the log") as step:
        erased = tuple(sorted(lapsed - find_named(matches, lapsed, step)))
    people.erase(*erased)
    return erased


def erase(settings: Settings, people: People, person: Person) -> None:
    """Erase an account and remove it from matches, events and clubs, through the running service or else in its store.

    Bots take its seats in running matches. Raises `Finding` if the service refuses.
    """
    service = find_address(settings.data)
    if service is not None:
        fetch(service, "DELETE", f"/api/accounts/{person.id}")
        return
    with open_matches(settings, to_write=True) as matches:
        for match_id in tuple(find_waiting_for(matches, person.id)):
            remove_person(matches, match_id, person.id, partial(default_bot, settings.bots), at=datetime.now(UTC))
        leave_contests(matches, person.id, find_current(matches, person.id), at=datetime.now(UTC))
        with closing(ClubTexts(settings.people_place)) as texts:
            leave_clubs_in_log(matches, texts, person.id, at=datetime.now(UTC))
    people.erase(person.id)


def change(settings: Settings, people: People, person: Person, arguments: Namespace) -> int:
    """Erase an account for `erase`, else set its password; print the result and return `SUCCESS`.

    Raises `Finding` if the service refuses to erase it, `WrongUsage` for a guest's or a bad password.
    """
    if arguments.what == "erase":
        erase(settings, people, person)
        text = f"erased {person.name} (id {person.id})"
    else:
        change_password(people, person)
        text = f"changed the password of {person.name} (id {person.id})"
    result_writer(arguments.json)({"id": person.id, "name": person.name, "done": arguments.what}, text)
    return SUCCESS


def list_collisions(people: People, arguments: Namespace) -> int:
    """Print accounts with names that look alike or that are not allowed any longer; change none of them.

    Returns `NEGATIVE` if there are any.
    """
    lookalikes, disallowed = people.collisions()
    lines = [f"{' and '.join(map(repr, each.names))} look alike (ids {', '.join(each.ids)})" for each in lookalikes]
    lines += [f"{each.reason} (id {each.id})" for each in disallowed]
    text = "\n".join(lines) or "no names look alike, and all names are allowed"
    result_writer(arguments.json)({"alike": lookalikes, "doubtful": disallowed}, text)
    return NEGATIVE if lines else SUCCESS


def run(arguments: Namespace) -> int:
    """Run the action WHAT, print its result and return the exit status, 0 except for collisions.

    Raises `WrongUsage` if NAME is missing or superfluous, `Finding` if no account has the name. `create` and `role`
    also set the role and register the key of `--key`, which requires a stopped service. A bad key file or role is
    refused before anything is stored; a new account stays if the log refuses its role or key.
    """
    settings = read_settings(arguments)
    if (arguments.name is None) != (arguments.what in ACTIONS_WITHOUT_PERSON):
        raise WrongUsage(f"{arguments.what} takes {'no NAME' if arguments.name else 'a NAME'}")
    if arguments.key and arguments.what in ACTIONS_WITH_KEY:
        require_stopped(settings)
        check_key_file(arguments.key)
    if arguments.what == "create" or arguments.key:
        require_valid_role(arguments.role, arguments.event)
    with open_people(settings) as people:
        if arguments.what == "purge":
            erased = purge(settings, people)
            text = f"{len(erased)} guests erased"
            result_writer(arguments.json)({"forgotten": erased}, text)
            return SUCCESS
        if arguments.what == "collisions":
            return list_collisions(people, arguments)
        person = create(people, arguments.name) if arguments.what == "create" else people.by_name(arguments.name)
        if person is None:
            raise Finding(f"no account named {arguments.name!r}")
        if arguments.what in {"password", "erase"}:
            return change(settings, people, person, arguments)
        key = register(settings, person, arguments.key) if arguments.key else ""
        set_role(settings, people, person, arguments)
    scope = f" in {arguments.event}" if arguments.event else ""
    verb = "is no longer" if arguments.revoke else "is"
    text = f"{person.name} {verb} {arguments.role}{scope} (id {person.id})"
    if key:
        text += f"\nsigns with {fingerprint(key)}"
    document = {"id": person.id, "name": person.name, "role": arguments.role, "event": arguments.event or None}
    signs = {"key": key, "fingerprint": fingerprint(key)} if key else {}
    result_writer(arguments.json)(document | {"granted": not arguments.revoke} | signs, text)
    return SUCCESS
