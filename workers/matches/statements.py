"""The table of duties and its statements."""

from typing import Final

from sqlalchemy import Column, Index, and_, bindparam, case, delete, func, or_, select, update

from projections.platform.statements import any_of, insert_new, upsert
from projections.platform.tables import NUMBER, TEXT, by_name, read_model
from workers.queues import BOT_TURN, SERVICE_TURN

DUTIES: Final = read_model(
    "duties",
    Column("match_id", TEXT, primary_key=True),
    Column("job", TEXT, nullable=False),
    Column("seat", NUMBER, primary_key=True),
    Column("version", NUMBER, nullable=False),
    Column("issued", NUMBER, nullable=False),
    Column("actions_max", NUMBER, nullable=False),
    Column("seconds", NUMBER, nullable=False),
    Column("due_us", NUMBER, nullable=False),
    Column("attempt", NUMBER, nullable=False),
    Column("leased_us", NUMBER, nullable=False),
    Column("job_id", TEXT, nullable=False),
    Column("slice", NUMBER, nullable=False),
    Column("queue", TEXT, nullable=False),
    Column("account", TEXT, nullable=False),
    Column("busy_us", NUMBER, nullable=False),
)
TABLES: Final = by_name(DUTIES)
Index("duties_by_lease", DUTIES.c.queue, DUTIES.c.leased_us, DUTIES.c.due_us)
Index("duties_at_work", DUTIES.c.queue, DUTIES.c.account, DUTIES.c.busy_us)


SECOND: Final = 1_000_000
COLUMNS: Final = DUTIES.c
OF_MATCH: Final = COLUMNS.match_id == bindparam("match_id")
OF_SEAT: Final = and_(OF_MATCH, COLUMNS.seat == bindparam("seat"))
READ_OWN: Final = select(DUTIES).where(OF_SEAT)
FREE: Final = (
    select(
        DUTIES,
        func.row_number()
        .over(
            partition_by=COLUMNS.account,
            order_by=(
                case((and_(COLUMNS.job_id != "", COLUMNS.issued == COLUMNS.version), 0), else_=1),
                COLUMNS.due_us,
                COLUMNS.match_id,
            ),
        )
        .label("place"),
    )
    .where(
        COLUMNS.queue == bindparam("queue"),
        or_(
            COLUMNS.due_us <= bindparam("now"),
            and_(COLUMNS.due_us > bindparam("turn_latest"), COLUMNS.job.in_([BOT_TURN, SERVICE_TURN])),
        ),
        COLUMNS.slice.in_(any_of("slices")),
        or_(
            COLUMNS.leased_us <= bindparam("now"),
            COLUMNS.leased_us > COLUMNS.seconds * SECOND + bindparam("lease_longest"),
        ),
    )
    .subquery("free")
)
BUSY: Final = DUTIES.alias("busy")
AT_WORK: Final = (
    select(func.count())
    .select_from(BUSY)
    .where(
        BUSY.c.queue == bindparam("queue"),
        BUSY.c.account == FREE.c.account,
        BUSY.c.busy_us > bindparam("now"),
        BUSY.c.busy_us <= BUSY.c.seconds * SECOND + bindparam("lease"),
    )
    .scalar_subquery()
)
READ_DUE: Final = (
    select(*(FREE.c[column.name] for column in DUTIES.columns))
    .where(or_(FREE.c.account == "", FREE.c.place + AT_WORK <= bindparam("share")))
    .order_by(FREE.c.due_us)
    .limit(bindparam("limit"))
)
"""For each account, the earliest due duties up to its free share.

Duties issued before whose lease has ended come first, because their jobs may still be queued. An impossibly late due
time or lease was written before the clock was set back and counts as over.
"""
ADD_MISSING: Final = insert_new(DUTIES)
WRITE: Final = upsert(DUTIES, kept=("slice",))
KNOWN: Final = ("match_id", "seat", "version", "attempt", "leased_us")
"""Columns by which a lease identifies an unchanged row; their parameters begin with `known_`."""
LEASED: Final = ("issued", "attempt", "leased_us", "job_id", "busy_us")
"""The columns that a lease changes."""
LEASE_ONE: Final = (
    update(DUTIES)
    .where(*(COLUMNS[name] == bindparam(f"known_{name}") for name in KNOWN))
    .values({name: bindparam(name) for name in LEASED})
)
ISSUED_AS: Final = update(DUTIES).where(OF_SEAT).values(job_id=bindparam("job_id"))
OF_VERSION: Final = and_(OF_SEAT, COLUMNS.version == bindparam("version"))
HURRY: Final = update(DUTIES).where(OF_VERSION, COLUMNS.due_us > bindparam("now")).values(due_us=bindparam("now"))
AGAIN: Final = update(DUTIES).where(OF_VERSION, COLUMNS.leased_us > bindparam("now")).values(leased_us=bindparam("now"))
FORGET: Final = delete(DUTIES).where(OF_SEAT)
FORGET_EXPIRED: Final = delete(DUTIES).where(OF_MATCH, COLUMNS.seat >= 0)
OWED: Final = (
    select(COLUMNS.job, func.count(), func.sum(case((COLUMNS.due_us <= bindparam("late"), 1), else_=0)))
    .where(COLUMNS.due_us <= bindparam("now"))
    .group_by(COLUMNS.job)
)
"""Numbers of due and late duties by job."""
