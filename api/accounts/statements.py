"""SQL statements of `people.py`."""

from typing import Final

from sqlalchemy import Text, bindparam, delete, literal, null, select, update

from api.accounts.access import PERSON
from api.accounts.tables.accounts import PEOPLE, SECRETS, SESSIONS, TOKENS
from api.accounts.tables.talk import BOUNDARIES, MENTIONS, MESSAGES
from projections.platform.statements import any_of, insert_new, insert_row, upsert

COLUMNS: Final = PEOPLE.c
IS_PERSON: Final = COLUMNS.id == bindparam("person")
HAS_KEY: Final = COLUMNS.name_key == bindparam("key")


CREDENTIALS: Final = select(COLUMNS.id, COLUMNS.name, COLUMNS.role, COLUMNS.password).where(HAS_KEY)
FIND: Final = select(*PERSON).where(IS_PERSON)
STANDING: Final = select(COLUMNS.is_guest, COLUMNS.created, COLUMNS.role).where(IS_PERSON)
NAMED: Final = select(COLUMNS.id).where(HAS_KEY)
GUEST_NAMED: Final = NAMED.where(COLUMNS.is_guest == 1)
WITH_IDS: Final = select(*PERSON, COLUMNS.name_key).where(COLUMNS.id.in_(any_of("values")))
WITH_KEYS: Final = select(*PERSON, COLUMNS.name_key).where(COLUMNS.name_key.in_(any_of("values")))
NAMES: Final = select(COLUMNS.id, COLUMNS.name, COLUMNS.is_guest, COLUMNS.role).where(COLUMNS.id.in_(any_of("ids")))
NAME: Final = select(COLUMNS.name).where(IS_PERSON)
OPERATORS: Final = select(COLUMNS.id).where(COLUMNS.role == "operator").order_by(COLUMNS.id)
LAPSED_GUESTS: Final = (
    select(COLUMNS.id)
    .where(
        COLUMNS.is_guest == 1,
        COLUMNS.id.not_in(select(TOKENS.c.person)),
        COLUMNS.id.not_in(select(SESSIONS.c.person).where(SESSIONS.c.expires >= bindparam("at"))),
    )
    .order_by(COLUMNS.id)
)


ADD: Final = insert_row(PEOPLE, "id", "name", "name_key", "password", "role", "created", "is_guest")
CLAIM: Final = (
    update(PEOPLE)
    .where(IS_PERSON, COLUMNS.is_guest == 1)
    .values(
        name=bindparam("name"),
        name_key=bindparam("key"),
        password=bindparam("password"),
        created=bindparam("created"),
        is_guest=0,
    )
)
SET_ROLE: Final = update(PEOPLE).where(IS_PERSON).values(role=bindparam("role"))
MARK_BOT: Final = SET_ROLE.where(COLUMNS.role == "player", COLUMNS.is_guest == 0)
KEEP_PREFERENCES: Final = update(PEOPLE).where(IS_PERSON).values(preferences=bindparam("preferences"))
ADOPT_PREFERENCES: Final = KEEP_PREFERENCES.where(COLUMNS.preferences.is_(null()))
SET_PASSWORD: Final = update(PEOPLE).where(IS_PERSON).values(password=bindparam("password"))
SET_FIRST_PASSWORD: Final = SET_PASSWORD.where(COLUMNS.password.is_(null()), COLUMNS.is_guest == 0)
ERASE: Final = delete(PEOPLE).where(IS_PERSON)

SECRET: Final = select(SECRETS.c.value).where(SECRETS.c.name == bindparam("name"))
ADD_SECRET: Final = insert_new(SECRETS)
STORE_SECRET: Final = upsert(SECRETS)
ERASE_SECRET: Final = delete(SECRETS).where(SECRETS.c.name == bindparam("name"))
NAME_SALT: Final = "name/"
"""Prefix of the secret that salts the commitment to the name of an account; its id follows."""
NAME_COMMITTED: Final = "named/"
"""Prefix of the secret that marks an account whose commitment is recorded; its value has no meaning."""
SALT_KEY: Final = literal(NAME_SALT, Text).concat(COLUMNS.id)
UNCOMMITTED: Final = (
    select(COLUMNS.id, COLUMNS.name)
    .where(COLUMNS.is_guest == 0, literal(NAME_COMMITTED, Text).concat(COLUMNS.id).not_in(select(SECRETS.c.name)))
    .order_by(COLUMNS.id)
    .limit(bindparam("limit"))
)
WITH_SALTS: Final = select(COLUMNS.id, COLUMNS.name, SECRETS.c.value).outerjoin(SECRETS, SECRETS.c.name == SALT_KEY)
WITH_SALT: Final = WITH_SALTS.where(COLUMNS.id == bindparam("person"))
LIST_WITH_SALTS: Final = (
    WITH_SALTS.where(COLUMNS.id > bindparam("after")).order_by(COLUMNS.id).limit(bindparam("limit"))
)


MENTIONING: Final = select(MESSAGES.c.words, MESSAGES.c.id).where(
    MESSAGES.c.id.in_(select(MENTIONS.c.message).where(MENTIONS.c.person == bindparam("person")))
)
REWORD: Final = update(MESSAGES).where(MESSAGES.c.id == bindparam("message")).values(words=bindparam("words"))
BLOCKERS: Final = select(BOUNDARIES.c.person).where(
    BOUNDARIES.c.kind == "block", BOUNDARIES.c.other == bindparam("person"), BOUNDARIES.c.person.in_(any_of("others"))
)
BLOCKED: Final = select(BOUNDARIES.c.other).where(
    BOUNDARIES.c.kind == "block", BOUNDARIES.c.person == bindparam("person"), BOUNDARIES.c.other.in_(any_of("others"))
)
