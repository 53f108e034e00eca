"""Commands of a running match: act, take back, resign, replace, time out, pause, resume, void."""

from datetime import datetime
from typing import Any

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.hidden import Hidden
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.matches.aggregate import (
    Match,
    has_pauses_left,
    info_of,
    legal_actions,
    pauses_alone,
    require_actor,
    require_not_over,
    require_playable,
    require_running,
    seat_of,
    seats_to_act,
    take_back_versions,
)
from domain.matches.errors import (
    AlreadySeated,
    BadSignature,
    NotAllowed,
    NotRunning,
    NotSeated,
    PauseRefused,
    ResignRefused,
    TakeBackRefused,
    TimeOutRefused,
)
from domain.matches.fact_base import ReplacedFor
from domain.matches.facts import (
    SERVICE,
    ActionTaken,
    Actor,
    PauseAsked,
    Paused,
    Resigned,
    Resumed,
    SeatReplaced,
    TakenBack,
    TimedOut,
    Voided,
    is_bot,
)
from domain.matches.play.clocks import MICROSECONDS, time_left
from domain.matches.play.hint_tables import require_alone
from domain.matches.redaction.disclosure import reveals
from domain.matches.seats.bots import check_bot
from domain.matches.seats.one_device import require_matching_player, require_pausable
from domain.matches.seats.opening import check_player, require_substitute_allowed
from domain.matches.signatures.signing_keys import require_keys
from domain.signatures.keys import NamedKey

REASON_MAX = 200


def perform(match: Match, seat: int, by: Actor, action: object) -> ActionTaken[Any, Any]:
    """Return the fact of an action with all its effects and draws; secret actions are hidden as a whole (DESIGN §3).

    Raise `IllegalAction` if the seat may not take it. From format 3 on, note whether it reveals hidden information.
    """
    assert match.key is not None
    title, chance = match.definition, SeededChance(match.key)
    effects = checked_decide(title.rules, match.state, Seat(seat), action, chance)
    if type(action) in title.codec.secret_actions:
        fact = ActionTaken(seat, by, effects, chance.draws, hidden_action=Hidden(action, (seat,)))
    else:
        fact = ActionTaken(seat, by, effects, chance.draws, action)
    return replace(fact, reveals=True) if match.format > 2 and reveals(match, fact) else fact


def act(match: Match, seat: int, by: Actor, action: object) -> ActionTaken[Any, Any]:
    """Return the fact of a player's action; raise `NotSeated`, `IllegalAction`, or an error of `require_running`."""
    require_actor(match, seat, by)
    require_running(match)
    return perform(match, seat, by, action)


def skip(match: Match, seat: int) -> ActionTaken[Any, Any]:
    """Return the service's fact that takes the first legal action for a seat: it closes, declines or commits least."""
    require_running(match)
    return perform(match, seat, SERVICE, legal_actions(match, seat)[0])


def take_back(match: Match, seat: int, by: Actor, to_version: int) -> TakenBack:
    """Return to an earlier position of the seat's turn; only while nothing new was revealed since (DESIGN §3).

    Raise `TakeBackRefused` for another entry, or once the table's take-backs of this turn are used up; `NotSeated` for
    another actor, or an error of `require_running`.
    """
    info_of(match, seat)
    require_actor(match, seat, by)
    require_running(match)
    allowed = take_back_versions(match, seat)
    if allowed and match.turn.taken_back_count >= match.table.take_backs:
        raise TakeBackRefused(f"seat {seat} has used its {match.table.take_backs} take-backs of this turn")
    if to_version not in allowed:
        detail = f"possible: {', '.join(map(str, allowed))}" if allowed else "nothing can be taken back now"
        raise TakeBackRefused(f"seat {seat} cannot take back to entry {to_version}; {detail}")
    return TakenBack(seat, by, to_version)


def resign(match: Match, seat: int, by: Actor) -> Resigned:
    """Resign a seat, which is then placed last; raise `NotSeated` unless `by` plays it.

    Raise `NotRunning` before the start, `MatchOver` after the end, `NotAllowed` if it has resigned, `ResignRefused` if
    the table forbids it.
    """
    info = info_of(match, seat)
    require_actor(match, seat, by)
    require_playable(match)
    if match.status == "open":
        raise NotRunning(f"match {match.id} has not started; leave the seat instead")
    if info.resigned:
        raise NotAllowed(f"seat {seat} has already resigned")
    if match.table.resigning is False:
        raise ResignRefused("players cannot resign at this table; let a bot take over")
    return Resigned(seat, by)


def replace_seat(
    match: Match,
    seat: int,
    by: Actor,
    actor: Actor,
    stands_in_for: Actor = "",
    keys: tuple[NamedKey, ...] = (),
    reason: ReplacedFor | None = None,
) -> SeatReplaced:
    """Give a seat to a bot or another player, with their signing keys.

    A player may hand over to a bot, any player may take an empty seat of a fork (or its opener give it), and only the
    service may do anything else (`NotSeated`), such as seating substitutes at event tables before the start; other open
    tables raise `NotRunning`. Without a `reason` the service states the matching one. Raise `NotAllowed` for a resigned
    seat or a wrong reason, `AlreadySeated` for a person with another seat, `BotCannotPlay` or `BadSignature`.
    """
    info = info_of(match, seat)
    check_player(actor)
    check_bot(match.definition, actor)
    require_playable(match)
    is_kept = by == SERVICE and match.table.event_id != "" and info.actor is not None
    if match.status == "open" and not is_kept:
        raise NotRunning(f"match {match.id} has not started; take the seat instead")
    hands_over = info.actor == by and is_bot(actor)
    sits_down = info.actor is None and by in (actor, match.opened_by)
    if not (by == SERVICE or hands_over or sits_down):
        raise NotSeated(f"{by!r} cannot give seat {seat} to {actor!r}")
    require_substitute_allowed(match, stands_in_for)
    if info.resigned:
        raise NotAllowed(f"seat {seat} has resigned")
    if not is_bot(actor) and (other := seat_of(match, actor)) is not None:
        raise AlreadySeated(f"{actor!r} already sits on seat {other}")
    require_alone(match, seat, actor)
    require_matching_player(match.table, actor)
    if is_bot(actor) and keys:
        raise BadSignature(f"the bot {actor!r} cannot sign")
    require_keys(keys, actor)
    if reason is None:
        reason = reason_for(match, by, actor, stands_in_for)
    fact = SeatReplaced(seat, by, actor, stands_in_for, keys, reason)
    check_reason(match, fact)
    return fact


def reason_for(match: Match, by: Actor, actor: Actor, stands_in_for: Actor) -> ReplacedFor:
    """Return the table's reason why the service replaces a player; "" for another actor or before log format 3."""
    if by != SERVICE or match.format < 3:
        return ""
    if match.table.event_id and match.status == "open" and is_bot(actor):
        return "no_show"
    if stands_in_for:
        return "substitute"
    return "returned" if match.table.event_id and not is_bot(actor) else "handed_over"


def check_reason(match: Match, fact: SeatReplaced) -> None:
    """Raise `NotAllowed` for a reason that the seat and its table contradict; always for `time_out`.

    That reason only follows a time-out, without a command.
    """
    by, actor, reason = fact.by, fact.actor, fact.reason
    is_named = by == SERVICE and match.format > 2
    of_event = match.table.event_id != ""
    is_valid = {
        "": not is_named,
        "time_out": False,
        "substitute": is_named and fact.stands_in_for != "",
        "no_show": is_named and of_event and match.status == "open" and is_bot(actor),
        "returned": is_named and of_event and not is_bot(actor) and fact.stands_in_for == "",
        "erased": is_named and match.seats[fact.seat].is_person and is_bot(actor),
        "handed_over": is_named,
    }
    if not is_valid[reason]:
        raise NotAllowed(f"{by!r} cannot give a seat to {actor!r} for the reason {reason!r}")


def time_out(match: Match, seat: int, by: Actor, bot: Actor | None = None, *, at: datetime) -> TimedOut:
    """Record that a seat's clock ran out, as computed from the log; the table's policy follows.

    Raise `NotAllowed` unless `by` is the service, an error of `require_running`, `BotCannotPlay`, or `TimeOutRefused`
    if no clock runs for a person there, time is left, or `bot` is not given exactly for the policy `bot`.
    """
    if by != SERVICE:
        raise NotAllowed(f"{by!r} cannot report a time-out; only the service can")
    info = info_of(match, seat)
    require_running(match)
    if match.table.clock.kind == "none":
        raise TimeOutRefused("this table has no clock")
    if seat not in seats_to_act(match):
        raise TimeOutRefused(f"seat {seat} has no action to take now")
    policy = match.table.time_out
    if (policy == "bot") != (bot is not None and is_bot(bot)):
        raise TimeOutRefused(f"the bot {bot!r} cannot take over: the policy of the table is {policy!r}")
    if bot is not None:
        check_player(bot)
        check_bot(match.definition, bot)
    if not info.is_person:
        raise TimeOutRefused(f"no person plays on seat {seat}, so no clock runs there")
    if (remaining := time_left(match, seat, at)) > 0:
        raise TimeOutRefused(f"seat {seat} has {remaining / MICROSECONDS} seconds left on its clock")
    return TimedOut(seat, by, policy, bot)


def ask_pause(match: Match, seat: int, by: Actor) -> PauseAsked:
    """Ask for a pause; it starts when every person at the table has asked.

    Raise `PauseRefused` if a rated match has too few people left, the agreed pauses are used up or the seat has asked
    already; `OneDeviceRefused` on one device; `NotSeated` for another actor.
    """
    info_of(match, seat)
    require_actor(match, seat, by)
    require_running(match)
    require_pausable(match.table)
    if pauses_alone(match):
        raise PauseRefused(f"seat {seat} alone cannot pause a rated match")
    if not has_pauses_left(match):
        raise PauseRefused(f"at this table players may agree on at most {match.table.pauses} pauses")
    if seat in match.pause_asked_by:
        raise PauseRefused(f"seat {seat} has already asked for a pause")
    return PauseAsked(seat, by)


def pause(match: Match, by: Actor, dispute: str = "") -> Paused:
    """Pause the match for an arbiter; raise `NotAllowed` unless the service does it.

    A dispute may take over a pause that already exists; raise `PauseRefused` if another dispute holds the match. Any
    other pause needs a running match (`NotRunning`).
    """
    if by != SERVICE:
        raise NotAllowed(f"{by!r} cannot pause the match alone; ask for a pause")
    if dispute == "" or match.status != "paused":
        require_running(match)
    elif match.docket.held_by:
        raise PauseRefused(f"match {match.id} is already waiting for a ruling")
    return Paused(by, dispute)


def withdraw_pause(match: Match, seat: int, by: Actor) -> Resumed:
    """Withdraw a seat's request for a pause, before the match is paused; raise `PauseRefused` if it has made none."""
    info_of(match, seat)
    require_actor(match, seat, by)
    require_running(match)
    if seat not in match.pause_asked_by:
        raise PauseRefused(f"seat {seat} has not asked for a pause")
    return Resumed(by, withdrawn=seat)


def resume(match: Match, by: Actor, charged: int | None = None) -> Resumed:
    """End a pause; any player may, but only the service while a ruling is due, and only it can charge a clock.

    Raise `PauseRefused` if the match is not paused or must wait, `NotSeated` for other actors.
    """
    if charged is not None:
        info_of(match, charged)
    require_playable(match)
    if match.status != "paused":
        raise PauseRefused(f"match {match.id} is not paused")
    if by != SERVICE and seat_of(match, by) is None:
        raise NotSeated(f"{by!r} does not play in this match")
    if by != SERVICE and match.docket.held_by:
        raise PauseRefused(f"match {match.id} is paused until the ruling")
    if charged is not None and (by != SERVICE or match.docket.held_since is None):
        raise PauseRefused(f"no dispute of seat {charged} paused match {match.id}")
    return Resumed(by, charged)


def void(match: Match, by: Actor, reason: str = "") -> Voided:
    """Void a match that is not over; only the service may, or the opener before the start.

    Raise `NotAllowed` for other actors, and for a reason over `REASON_MAX` characters; `MatchOver` after the end.
    """
    require_not_over(match)
    if by != SERVICE and not (match.status == "open" and by == match.opened_by):
        raise NotAllowed(f"{by!r} cannot void match {match.id}")
    if len(reason) > REASON_MAX:
        raise NotAllowed(f"a reason has at most {REASON_MAX} characters, not {len(reason)}")
    return Voided(by, reason)
