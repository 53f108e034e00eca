"""Verification of the visible part of redacted logs: actors, permissions and sizes.

Legality may depend on hidden information, so an action is only checked against its seat and player. All other facts are
verified as in a complete log.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from math import inf
from typing import Any, Final

import msgspec

from domain.kernel.chance import NUMBERS_MAX, Draw
from domain.kernel.hidden import Hidden
from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.values import replace
from domain.matches.aggregate import (
    RULED_ON,
    Match,
    info_of,
    is_gathering,
    pause_is_agreed,
    require_actor,
    require_running,
    seats_to_act,
)
from domain.matches.consequences import find_match_end, is_alone, seats_with_standing
from domain.matches.errors import LogFault
from domain.matches.facts import (
    SERVICE,
    ActionTaken,
    Fact,
    MatchEnded,
    MatchForked,
    MatchStarted,
    Paused,
    Resigned,
    Resumed,
    SeatReady,
    SeatReplaced,
    SeatTaken,
    TableClosed,
    TableReopened,
    TimedOut,
    Voided,
    is_bot,
)
from domain.matches.forks import forking
from domain.matches.log.entries import Entry
from domain.matches.play import commands
from domain.matches.redaction.disclosure import hides, reveals_openly
from domain.matches.seats import opening
from domain.matches.seats.luck_shares import must_reopen, next_closing
from domain.matches.signatures.signing import (
    Past,
    require_signed,
    signature_of,
    signing_seat,
    with_signature,
    without_signature,
)
from domain.matches.verification.expected_facts import REPEAT, REPEAT_AT, require_freed

KINDS: Final = ("roll", "draw")
CONSEQUENCE_TYPES: Final = (MatchForked, MatchEnded, MatchStarted, TableClosed, TableReopened)
"""Facts that are never signed."""
LABEL_MAX: Final = 200
NUMBER_MAX: Final = 2**53 - 1
SIZE_MAX: Final = 10_000
"""Maximum pool size; the pools of all titles are far smaller."""


def check_redacted_fact(match: Match, fact: Fact, at: datetime, past: Past) -> Fact:
    """Return the expected fact with the values visible to this reader; raise an error if it is not allowed.

    `LogFault` stands for a wrong consequence, signature or field, other `MatchError`s for a command that is refused.
    """
    require_due(match, fact)
    if (policy := find_time_out_consequence(match)) is not None:
        return policy
    if not isinstance(fact, CONSEQUENCE_TYPES):
        return check_signed(match, fact, at, past)
    return check_fact(match, fact, at)


def check_signed(match: Match, fact: Fact, at: datetime, past: Past) -> Fact:
    """Return the expected fact with the stored signature, if the reader knows one, after checking both.

    Raise as `check_signature` and `check_fact` do.
    """
    if not check_signature(match, fact, past):
        return check_fact(match, fact, at)
    expected = check_fact(match, without_signature(fact), at)
    signed = signature_of(fact)
    return expected if signed is None else with_signature(expected, signed)


def check_signature(match: Match, fact: Fact, past: Past) -> bool:
    """Check the signature of a fact; return False if it is hidden together with a secret action.

    Raise `LogFault` if no key of the seat can have signed the hidden action, or as `require_signed` does.
    """
    if isinstance(fact, ActionTaken) and fact.hidden_act is not None and not fact.hidden_act.is_known:
        signer = signing_seat(match, fact)
        if signer is None or not signer[1].keys or fact.signed is not None:
            raise LogFault(match.version + 1, "legality", f"it cannot be signed with a key of seat {fact.seat}")
        return False
    require_signed(match, fact, past, openly=True)
    return True


def check_retired(match: Match, fact: Fact, past: Past) -> None:
    """Check the signature of a fact under retired rules, as `check_signature`; nothing else can be verified."""
    if find_time_out_consequence(match) is None and not isinstance(fact, CONSEQUENCE_TYPES):
        check_signature(match, fact, past)


def check_fact(match: Match, fact: Fact, at: datetime) -> Fact:
    """Return the expected fact without its signature; raise `LogFault` or the command's error if it is not allowed."""
    if type(fact) in CHECKS:
        CHECKS[type(fact)](match, fact)
        return fact
    if type(fact) in REPEAT_AT:
        return REPEAT_AT[type(fact)](match, fact, at)
    return REPEAT[type(fact)](match, fact)


def require_due(match: Match, fact: Fact) -> None:
    """Raise `LogFault` for a missing consequence of the position, and for a consequence that is not due."""
    due_type = find_due_before_draw(match)
    if due_type is not None and type(fact) is not due_type:
        raise LogFault(
            match.version + 1, "legality", f"{due_type.__name__} must follow here, not {type(fact).__name__}"
        )
    if due_type is None and isinstance(fact, TableClosed | TableReopened | MatchStarted):
        raise LogFault(match.version + 1, "legality", f"{type(fact).__name__} cannot happen here")
    require_freed(match, fact)
    timed_out = match.timed_out
    if (
        timed_out is not None
        and timed_out.policy == "skip"
        and not (isinstance(fact, ActionTaken) and fact.seat == timed_out.seat)
    ):
        raise LogFault(match.version + 1, "legality", f"the service must play for seat {timed_out.seat} here")


def find_due_before_draw(match: Match) -> type[Fact] | None:
    """Return the type of the fact due next that does not depend on hidden information, or None.

    Before the start or while a fork waits, it follows from the seats; later as in `find_due_during_play`.
    """
    if not is_gathering(match):
        return find_due_during_play(match)
    if match.status == "waiting" and (is_alone(match) or match.docket.is_cut_short):
        return MatchEnded
    if must_reopen(match):
        return TableReopened
    if match.status == "open" and opening.dissolution_reason(match):
        return Voided
    if any(info.is_bot and not info.ready for info in match.seats):
        return SeatReady
    if next_closing(match) is not None:
        return TableClosed
    if all(info.ready for info in match.seats):
        return MatchStarted if match.status == "open" else Resumed
    return None


def find_due_during_play(match: Match) -> type[Fact] | None:
    """Return the type of the fact due from resignations, pause requests or a ruling, or None.

    None after a time-out, and while a resigned seat must be skipped.
    """
    if match.status not in ("running", "paused") or match.timed_out is not None:
        return None
    if is_alone(match) or match.docket.is_cut_short:
        return MatchEnded
    if match.status == "paused":
        return Resumed if match.docket.held_by == RULED_ON else None
    is_skipped = any(seat in match.resigned for seat in seats_to_act(match))
    return Paused if pause_is_agreed(match) and not is_skipped else None


def find_time_out_consequence(match: Match) -> Fact | None:
    """Return the resignation or replacement that follows a time-out; None without one or if the service must play."""
    timed_out = match.timed_out
    if timed_out is None or timed_out.policy == "skip":
        return None
    if timed_out.policy == "resign" or timed_out.bot is None:
        return Resigned(timed_out.seat, SERVICE)
    return SeatReplaced(timed_out.seat, SERVICE, timed_out.bot, reason="time_out" if match.format > 2 else "")


def check_action(match: Match, fact: ActionTaken[Any, Any]) -> None:
    """Raise `NotSeated` or `LogFault` for an action of the wrong actor or seat, wrong secrecy or impossible draws.

    The service plays only for a seat that has resigned or just timed out. Raise also an error of `require_running`.
    """
    require_running(match)
    is_for_player = fact.seat != SERVICE_SEAT and fact.by == SERVICE
    if is_for_player:
        info = info_of(match, fact.seat)
        is_late = match.timed_out is not None and match.timed_out.seat == fact.seat
        if not info.resigned and not is_late:
            raise LogFault(match.version + 1, "legality", f"the service does not play for seat {fact.seat} here")
    else:
        require_actor(match, fact.seat, fact.by)
        if fact.seat in match.resigned:
            raise LogFault(match.version + 1, "legality", f"the service plays for seat {fact.seat}, which has resigned")
    if fact.seat not in seats_to_act(match):
        raise LogFault(match.version + 1, "legality", f"seat {fact.seat} has no action to take here")
    secret: Hidden[Any] | None = fact.hidden_action if fact.hidden_act is None else fact.hidden_act
    form_count = sum(form is not None for form in (fact.action, fact.hidden_action, fact.hidden_act))
    if form_count != 1 or (secret is not None and secret.audience != (fact.seat,)):
        why = f"an action must be either open or hidden from everyone except seat {fact.seat}"
        raise LogFault(match.version + 1, "legality", why)
    check_reveals(match, fact)
    check_sizes(match, fact.draws)


def check_reveals(match: Match, fact: ActionTaken[Any, Any]) -> None:
    """Raise `LogFault` for a wrong `reveals`; for a draft it may depend on information closed to this reader.

    Before format 3 it must be unset.
    """
    if match.format < 3:
        is_wrong = fact.reveals
    else:
        is_wrong = not fact.reveals if reveals_openly(match, fact) else fact.reveals and not hides(fact)
    if is_wrong:
        raise LogFault(match.version + 1, "legality", "it states wrongly whether it reveals hidden information")


def check_start(match: Match, fact: MatchStarted[Any]) -> None:
    """Raise `LogFault` for wrong seats of provisional players, guests or bots, or impossible draws, at the start."""
    expected = tuple(seats_with_standing(match, standing) for standing in ("provisional", "guest", "bot"))
    if (fact.provisional, fact.guests, fact.programs) != expected:
        raise LogFault(match.version + 1, "legality", "its lists of bot, provisional and guest seats are wrong")
    check_sizes(match, fact.draws)


def check_sizes(match: Match, draws: tuple[Draw, ...]) -> None:
    """Raise `LogFault` for draws with impossible labels, kinds, sizes or outcomes."""
    for draw in draws:
        if not 1 <= len(draw.label) <= LABEL_MAX:
            raise LogFault(match.version + 1, "chance", "a draw has no label, or one that is too long")
        count_max = min(draw.pool_size, NUMBERS_MAX) if draw.kind == "draw" else NUMBERS_MAX
        if not (draw.kind in KINDS and 1 <= draw.pool_size <= SIZE_MAX and 0 <= draw.count <= count_max):
            size = f"{draw.kind!r} with {draw.count} of {draw.pool_size}"
            raise LogFault(match.version + 1, "chance", f"the draw {draw.label!r} cannot be {size}")
        if not is_possible(draw):
            raise LogFault(match.version + 1, "chance", f"the draw {draw.label!r} has an impossible outcome")


def is_possible(draw: Draw) -> bool:
    """Return whether a draw is possible, judged by its visible values."""
    hidden = draw.hidden_outcome
    if (hidden is None) != (draw.hidden_pool is None):
        return False
    if draw.outcome is None or hidden is not None:
        is_hidden = draw.kind == "draw" and draw.pool is None and draw.outcome is None and hidden is not None
        return is_hidden and (hidden is None or not hidden.is_known or len(hidden.value) == draw.count)
    if draw.kind == "roll":
        faces = range(1, draw.pool_size + 1)
        return draw.pool is None and len(draw.outcome) == draw.count and all(face in faces for face in draw.outcome)
    if draw.pool is None:
        return False
    sizes_match = (len(draw.outcome), len(draw.pool)) == (draw.count, draw.pool_size)
    return sizes_match and not Counter(draw.outcome) - Counter(draw.pool)


def check_seat_taken(match: Match, fact: SeatTaken) -> None:
    """Raise `LogFault`, or as `opening.take_seat` does, if the seat cannot be taken or cannot commit like this."""
    if fact.share is None:
        commitment = fact.commitment or None
        expected = opening.take_seat(
            match, fact.seat, fact.by, commitment, fact.stands_in_for, fact.share_by, fact.keys
        )
        if expected != fact:
            raise LogFault(match.version + 1, "legality", "the seat cannot commit to this value")
        return
    if fact.commitment:
        raise LogFault(match.version + 1, "legality", "it commits both to a share and to a hidden share")
    share_commitment = None if fact.share_by == "service" else fact.share.commitment
    opening.take_seat(replace(match, format=2), fact.seat, fact.by, share_commitment, fact.stands_in_for)


def check_fork(match: Match, fact: MatchForked) -> None:
    """Raise `LogFault` or `ForkRefused` for a fork that contradicts its parent or its fields, or as `check_players`."""
    if fact.parent != str(match.id) or fact.at != match.version:
        raise LogFault(match.version + 1, "legality", f"it forks {fact.parent} at entry {fact.at}, not its own line")
    forking.check_position(match, match.version)
    forking.check_format(match, fact.format)
    forking.check_players(match, fact.seats)
    forking.check_awaited(match, fact.seats, fact.awaits, fact.luck, fact.format)
    forking.check_practice(fact.practice, fact.luck)
    forking.check_replacement(match, fact)
    if (fact.seed is None) != (fact.luck == "same"):
        raise LogFault(match.version + 1, "legality", f"luck={fact.luck} does not match its seed")


def check_resumed(match: Match, fact: Resumed) -> None:
    """Raise as `commands.resume` or `withdraw_pause` does, or `LogFault` if a fork's waiting may not end like this."""
    if fact.withdrawn is not None and fact.charged is None:
        commands.withdraw_pause(match, fact.withdrawn, fact.by)
    elif match.status != "waiting":
        commands.resume(match, fact.by, fact.charged)
    elif fact != Resumed(SERVICE) or not all(info.ready for info in match.seats):
        raise LogFault(match.version + 1, "legality", "only the service continues a line, when all seats are ready")


def check_time_out(match: Match, fact: TimedOut) -> None:
    """Raise `LogFault` for a time-out that contradicts the table, or an error of `require_running`.

    The clock is not known to this reader and not checked.
    """
    require_running(match)
    if fact.by != SERVICE or fact.policy != match.table.time_out or match.table.clock.kind == "none":
        raise LogFault(
            match.version + 1, "legality", f"a time-out by {fact.by!r} with {fact.policy!r} is not possible here"
        )
    if not info_of(match, fact.seat).is_person or (fact.policy == "bot") != is_bot(fact.bot):
        raise LogFault(
            match.version + 1, "legality", f"{fact.bot!r} cannot play on for seat {fact.seat} after a time-out"
        )


def check_void(match: Match, fact: Voided) -> None:
    """Raise `LogFault` for a dissolved table without its due reason, `NotAllowed` for the wrong actor."""
    if match.status == "open" and (reason := opening.dissolution_reason(match)) and fact != Voided(SERVICE, reason):
        raise LogFault(match.version + 1, "legality", f"its reason must be: {reason}")
    commands.void(match, fact.by, fact.reason)


def check_service_fact(match: Match, fact: TableClosed | TableReopened) -> None:
    """Raise `LogFault` for a table closed or reopened by anyone except the service."""
    if fact.by != SERVICE:
        raise LogFault(match.version + 1, "legality", f"{fact.by!r} may not close or reopen a table")


def check_end(match: Match, _fact: MatchEnded) -> None:
    """Raise `LogFault` for an end after the end; scores and places are compared elsewhere."""
    is_due = find_match_end(match) if match.status == "waiting" else is_alone(match) or match.docket.is_cut_short
    if match.is_over or (match.status != "running" and not is_due):
        raise LogFault(match.version + 1, "legality", f"match {match.id} is {match.status} and cannot end here")


def check_audiences(version: int, fact: Fact, hidden: Iterable[Hidden[Any]], seats: int) -> None:
    """Raise `LogFault` for impossible audiences.

    Hidden values of actions and starts are for some of the seats (sorted), seeds, shares and pools for none.
    """
    seat_range = range(seats)
    draws = fact.draws if isinstance(fact, ActionTaken | MatchStarted) else None
    pools = {id(draw.hidden_pool) for draw in draws or ()}
    for each in hidden:
        is_shown = draws is not None and id(each) not in pools
        if bool(each.audience) != is_shown or list(each.audience) != sorted({*each.audience} & {*seat_range}):
            raise LogFault(version, "commitment", f"{each.commitment} cannot be visible to the seats {each.audience}")


def check_numbers(entry: Entry) -> None:
    """Raise `LogFault` for a number in body or openings that is no whole number up to `NUMBER_MAX`.

    JSON readers cannot represent larger ones exactly.
    """
    for content in (entry.body, *(each.value for each in entry.secrets)):
        if any(abs(number) > NUMBER_MAX for number in numbers_in(msgspec.json.decode(content))):
            raise LogFault(entry.version, "body", f"it contains a number that is not a whole number up to {NUMBER_MAX}")


def numbers_in(value: object) -> Iterator[float]:
    """Yield all numbers in a JSON value; a number with a fraction or exponent as infinity."""
    if isinstance(value, float):
        yield inf
    elif isinstance(value, int):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from numbers_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner)


CHECKS: Final[Mapping[type[Any], Callable[[Match, Any], None]]] = {
    ActionTaken: check_action,
    MatchStarted: check_start,
    SeatTaken: check_seat_taken,
    MatchForked: check_fork,
    Resumed: check_resumed,
    TimedOut: check_time_out,
    Voided: check_void,
    TableClosed: check_service_fact,
    TableReopened: check_service_fact,
    MatchEnded: check_end,
}
