"""`esporles account`: accounts and roles; the first operator comes from here."""

import getpass
import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from api.accounts import BadName, BadPassword, NameTaken, People
from ops.console import SUCCESS, Finding, WrongUsage, answer
from ops.stores import settings_for

ROLES = ("player", "operator")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=("create", "role"), help="make an account, or give an account a role")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--role", choices=ROLES, default="player")
    parser.add_argument("--data", type=Path, help="the data folder (ESPORLES_DATA, var)")


def read_password() -> str:
    """Asked for on a terminal, else the first line of stdin; never an argument, which others could read."""
    if sys.stdin.isatty():
        return getpass.getpass("Password: ")
    return sys.stdin.readline().rstrip("\n")


def run(arguments: Namespace) -> int:
    people = People(settings_for(arguments.data).people_path)
    with closing(people):
        if arguments.what == "create":
            try:
                person = people.create(arguments.name, read_password(), datetime.now(UTC), role=arguments.role)
            except (BadName, BadPassword) as error:
                raise WrongUsage(str(error)) from error
            except NameTaken as error:
                raise Finding(str(error)) from error
        else:
            found = people.by_name(arguments.name)
            if found is None:
                raise Finding(f"no account has the name {arguments.name!r}")
            people.set_role(found.id, arguments.role)
            person = found
    text = f"{person.name} is a {arguments.role} (id {person.id})"
    answer(arguments.json)({"id": person.id, "name": person.name, "role": arguments.role}, text)
    return SUCCESS
