"""Commands before and between rounds: open a tournament, enter, withdraw, return; each returns its facts."""

from collections.abc import Container, Sequence
from uuid import UUID

from domain.contests.conditions import Entrant, normal_conditions, require_entry
from domain.contests.entry_clubs import choose_club
from domain.contests.prizes import Prizes, decide_prizes
from domain.contests.waiting_list import has_place, next_from_list
from domain.invitations.decisions import require_not_declined
from domain.invitations.state import Invitation
from domain.kernel.texts import fault_of_line, name_key, normalise_name
from domain.kernel.title import Titles
from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.matches.seats.acceptance import needs_acceptance
from domain.matches.seats.bots import check_bot
from domain.matches.seats.opening import check_host, check_player, options_for_seats
from domain.matches.titles import find_title
from domain.pairing.problem import Pair, pair_of
from domain.standings.contest import ENTRIES_MAX, NEWEST_RULE
from domain.tournaments import facts
from domain.tournaments.entries import EntryIndex, TournamentEntry
from domain.tournaments.errors import EnteredAlready, NoSuchEntry, TournamentRefused
from domain.tournaments.invitation_facts import SCOPES, PersonInvited, target_of
from domain.tournaments.orders import NEWEST_FORMAT
from domain.tournaments.plan import Plan, check_plan
from domain.tournaments.state import Tournament, change_entry


def open_tournament(titles: Titles, plan: Plan, by: Actor) -> facts.TournamentOpened:
    """Open a tournament by the latest standings rule, with records of the latest format."""
    check_host(by)
    stated_plan = replace(require_playable(titles, plan), standings=NEWEST_RULE)
    return facts.TournamentOpened(by, stated_plan, NEWEST_FORMAT)


def require_playable(titles: Titles, plan: Plan) -> Plan:
    """Return the plan with every option stated; raise if the title does not support it.

    Raise `PlanRefused`, `UnknownTitle`, `WrongSeatCount` for its table sizes, or `BotCannotPlay`.
    """
    check_plan(plan)
    title = find_title(titles, plan.title)
    for size in (plan.size, plan.smallest):
        options = options_for_seats(title, plan.options, size).chosen
    if plan.bot:
        check_player(plan.bot)
        check_bot(title, plan.bot)
    return replace(plan, options=dict(options), conditions=normal_conditions(titles, plan.conditions))


def change_plan(titles: Titles, state: Tournament, plan: Plan, by: Actor, reason: str = "") -> facts.PlanChanged:
    """Change the plan, except its rule of standings; needs a reason once a round is public.

    Raise `TournamentRefused` if title, options, table size, seed or stages already begun change after the first
    pairing, without that reason, or after the end; `PlanRefused`, `UnknownTitle` or `WrongSeatCount` for a bad
    plan, and `BotCannotPlay` for its bot or an entered one.
    """
    old = state.plan
    new = replace(require_playable(titles, plan), standings=old.standings)
    require_not_ended(state)
    for entry in state.entries:
        check_bot(titles[new.title], entry.actor)
    if state.rounds:
        begun_count = state.rounds[-1].stage + 1
        options = find_title(titles, old.title).rules.options(old.options).chosen
        same = (new.title, new.options, new.size, new.stages[:begun_count], new.seed)
        if same != (old.title, options, old.size, old.stages[:begun_count], old.seed):
            raise TournamentRefused("game, options, table size and started stages cannot be changed")
    stated_reason = (
        require_reason(reason, "a change of the plan after the start") if state.played_rounds else reason.strip()
    )
    return facts.PlanChanged(by, new, stated_reason)


def require_not_ended(state: Tournament) -> None:
    """Raise `TournamentRefused` if the event has ended."""
    if state.status == "ended":
        raise TournamentRefused(f"the event {state.plan.name!r} is over")


def require_reason(reason: str, subject: str) -> str:
    """Return the stripped reason; raise `TournamentRefused`, about the `subject`, if it is blank."""
    if not reason.strip():
        raise TournamentRefused(f"{subject} needs a reason")
    return reason.strip()


def entry_named(state: Tournament, name: str) -> TournamentEntry:
    """Return the entry with that id; raise `NoSuchEntry` if none."""
    entry = state.entry(name)
    if entry is None:
        raise NoSuchEntry(f"no entry {name!r} in this event")
    return entry


def enter(
    state: Tournament,
    by: Actor,
    *,
    actor: Actor = "",
    name: str = "",
    club: str = "",
    club_id: UUID | None = None,
    family: str = "",
    seeding: int = 0,
    as_organiser: bool = False,
    reason: str = "",
    waives: bool = False,
    index: EntryIndex | None = None,
    entrant: Entrant | None = None,
) -> facts.EntryMade | PersonInvited:
    """Enter a person, a bot, or with a name alone a player at face-to-face tables; full events have a waiting list.

    The account of another person is invited, and the details are stored for its entry. An organiser must give a
    reason for an entry that the plan no longer allows, or that `waives` the conditions for an `entrant`. Names are
    stored in one spelling (`normalise_name`) and compared by `name_key`. An own entry has one of the person's clubs;
    `club_id` chooses it. Raise `EnteredAlready` for a double entry, `TournamentRefused` if the plan forbids it,
    `EntryRefused` by its conditions. Pass `index` to decide many entries in linear time.
    """
    require_not_ended(state)
    plan, index = state.plan, index or EntryIndex(state.entries, state.invitations.made.values())
    name, club, family = map(require_line, (name, club, family), ("name", "club", "family"))
    require_unentered(index, actor, name)
    invitation = index.invitation(actor)
    if plan.registration == "invite" and not as_organiser and (invitation is None or not invitation.may_enter):
        raise TournamentRefused("this event is by invitation only")
    invited = invitation.fact if invitation is not None and invitation.is_open else None
    is_exception = bool(state.rounds) and not plan.late_entry
    if is_exception and not as_organiser and not (invited and invited.reason):
        raise TournamentRefused("the event has started and does not allow late entries")
    if state.rounds and state.rounds[-1].stage > 0:
        raise TournamentRefused("no entries are possible after the first stage")
    if index.count >= ENTRIES_MAX:
        raise TournamentRefused(f"an event has at most {ENTRIES_MAX} entries")
    is_waived = require_entry(
        plan.conditions,
        plan.title,
        entrant,
        is_organiser=as_organiser,
        is_invited=invited is not None,
        waives=waives if as_organiser else invited is not None and invited.waives,
    )
    subject = "an entry against the conditions" if is_waived else "a late entry against the plan"
    stated_reason = require_reason(reason, subject) if as_organiser and (is_waived or is_exception) else ""
    if needs_acceptance(by, actor):
        require_not_declined(state.invitations, actor, SCOPES, "event", TournamentRefused)
        fact = PersonInvited(by, actor, True, name, club, family, seeding, reason=stated_reason, waives=is_waived)
        return invite_entry(fact, index)
    if invited is not None:
        name, club, family = name or invited.name, club or invited.club, family or invited.family
        seeding = seeding or invited.seeding
    is_waiting = not has_place(plan.cap, index.in_count)
    index.add(actor, name, is_in=not is_waiting)
    chosen, details = choose_club(plan.conditions, entrant, club_id), (actor, name, club, family, seeding)
    return facts.EntryMade(by, f"e{index.count}", *details, is_waiting, stated_reason, club_id=chosen)


def require_unentered(index: EntryIndex, actor: Actor, name: str) -> None:
    """Raise `EnteredAlready` for a double entry, `TournamentRefused` for one without a person, a bot or a name."""
    if not actor and not name_key(name):
        raise TournamentRefused("an entry needs a person, a bot or a name")
    if actor:
        check_player(actor)
        if not actor.startswith("bot:") and actor in index.actors:
            raise EnteredAlready(f"{actor!r} has already entered")
    elif name_key(name) in index.names:
        raise EnteredAlready(f"{name!r} has already entered")


def invite_entry(fact: PersonInvited, index: EntryIndex) -> PersonInvited:
    """Return the invitation of an account that an organiser enters, and note it in `index`.

    Raise `EnteredAlready` if it is invited already, `TournamentRefused` above `ENTRIES_MAX` entries and
    invitations.
    """
    before = index.invitation(fact.actor)
    if before is not None and before.is_open and before.fact.enters:
        raise EnteredAlready(f"{fact.actor!r} is already invited")
    if index.count + index.open_count >= ENTRIES_MAX:
        raise TournamentRefused(f"an event has at most {ENTRIES_MAX} entries, including open invitations")
    index.invite(Invitation(fact))
    return fact


def require_line(text: str, subject: str) -> str:
    """Return the normal spelling of a short text; raise `TournamentRefused` for line breaks or control characters."""
    if fault := fault_of_line(f"the {subject}", text):
        raise TournamentRefused(fault)
    return normalise_name(text)


def own_or_reasoned(entry: TournamentEntry, by: Actor, reason: str, subject: str) -> str:
    """Return the reason for a change of an entry; required unless the player makes it."""
    return reason.strip() if entry.actor == by else require_reason(reason, subject)


def withdraw(state: Tournament, name: str, by: Actor, reason: str = "") -> tuple[facts.Fact, ...]:
    """Withdraw an entry and, if it had a place, promote the first on the waiting list; no change if withdrawn already.

    Raise `TournamentRefused` after the end, or if `by` is another person and gives no reason; `NoSuchEntry` if
    unknown.
    """
    require_not_ended(state)
    entry = entry_named(state, name)
    if entry.status == "withdrawn":
        return ()
    stated_reason = own_or_reasoned(entry, by, reason, "the withdrawal of another player")
    after = change_entry(state, name, status="withdrawn")
    promoted = promote_waiting(after)[:1] if entry.status == "in" else ()
    return (facts.EntryWithdrawn(by, name, stated_reason), *promoted)


def promote_waiting(state: Tournament, present: Container[str] | None = None) -> tuple[facts.EntryPromoted, ...]:
    """Promote waiting entries to free places, in order; all of them if places are unlimited.

    With `present`, only entries in it are promoted.
    """
    waiting = [
        entry.id for entry in state.entries if entry.status == "waiting" and (present is None or entry.id in present)
    ]
    return tuple(map(facts.EntryPromoted, next_from_list(state.plan.cap, count_in(state), waiting)))


def count_in(state: Tournament) -> int:
    """Return the number of entries with a place."""
    return sum(entry.status == "in" for entry in state.entries)


def return_entry(
    state: Tournament, name: str, by: Actor, reason: str = "", *, entrant: Entrant | None = None
) -> tuple[facts.Fact, ...]:
    """Let a withdrawn entry return; no change for other entries, or if it is invited to return already.

    An account that withdrew itself, or never accepted, is invited to return. Raise `TournamentRefused` if the event
    is full or has ended, the account has declined, or another person gives no reason; `EntryRefused` for an `entrant`
    who returns against the conditions; `NoSuchEntry` if unknown.
    """
    require_not_ended(state)
    entry = entry_named(state, name)
    if entry.status != "withdrawn":
        return ()
    if not has_place(state.plan.cap, count_in(state)):
        raise TournamentRefused(f"all {state.plan.cap} places are taken")
    stated_reason = own_or_reasoned(entry, by, reason, "the return of another player")
    # They met the conditions when they entered; an organiser's word lets them return whatever has changed since.
    has_word = entry.actor != by or state.invitations.is_open_for(entry.actor, target_of(name))
    require_entry(
        state.plan.conditions,
        state.plan.title,
        entrant,
        is_organiser=entry.actor != by,
        is_invited=True,
        waives=has_word,
    )
    if not needs_invitation(state, entry, by):
        return (facts.EntryReturned(by, name, stated_reason),)
    invited = PersonInvited(by, entry.actor, entry=name, reason=stated_reason)
    require_not_declined(state.invitations, entry.actor, SCOPES, "event", TournamentRefused)
    return () if state.invitations.is_open_for(entry.actor, target_of(name)) else (invited,)


def needs_invitation(state: Tournament, entry: TournamentEntry, by: Actor) -> bool:
    """Return whether an entry returns only once its account accepts: it withdrew itself, or has never accepted."""
    is_gone = entry.gone_by == entry.actor or not state.has_accepted(entry.actor)
    return is_gone and needs_acceptance(by, entry.actor)


def set_pairs(
    state: Tournament, forbidden: Sequence[Pair], wished: Sequence[Pair], by: Actor, reason: str = ""
) -> facts.PairsSet:
    """Set the pairs to keep apart or together, each once and sorted; needs a reason once a round is public.

    Raise `TournamentRefused` for contradictory pairs, without that reason or after the end, `NoSuchEntry` for an
    unknown entry.
    """
    require_not_ended(state)
    for pair in (*forbidden, *wished):
        for name in pair:
            entry_named(state, name)
        if pair[0] == pair[1]:
            raise TournamentRefused(f"{pair[0]} cannot form a pair with themselves")
    both = {pair_of(*pair) for pair in forbidden} & {pair_of(*pair) for pair in wished}
    if both:
        first, second = min(both)
        raise TournamentRefused(f"{first} and {second} cannot be both forbidden and required as a pair")
    unique = [tuple(sorted({pair_of(*pair) for pair in pairs})) for pairs in (forbidden, wished)]
    stated_reason = (
        require_reason(reason, "a change of pairs after the start") if state.played_rounds else reason.strip()
    )
    return facts.PairsSet(by, unique[0], unique[1], stated_reason)


def set_prizes(state: Tournament, prizes: Prizes, by: Actor, reason: str) -> tuple[facts.Fact, ...]:
    """Set the prizes, even of an event that has ended; the same prizes give no facts.

    Raise `PlanRefused` for bad prizes, `TournamentRefused` without a reason once a round is public.
    """
    has_started = bool(state.played_rounds)
    stated_reason = decide_prizes(state.prizes, prizes, reason, has_started=has_started, refusal=TournamentRefused)
    return () if stated_reason is None else (facts.PrizesSet(by, prizes, stated_reason),)


def penalise(state: Tournament, name: str, sixtieths: int, reason: str, by: Actor) -> facts.PenaltyGiven:
    """Deduct points from an entry in the standings; a negative number gives them back."""
    entry_named(state, name)
    return facts.PenaltyGiven(by, name, sixtieths, require_reason(reason, "a penalty"))
