"""Which records of a tournament of format 2 follow from earlier ones, so that they need no signature.

Specified in docs/specifications/proof.md, *Authority in tournaments*.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.contests.alternates import find_open_offer, require_offers
from domain.contests.prizes import BY_PLACE
from domain.contests.waiting_list import has_place
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, is_bot
from domain.matches.log.records import has_signature_field
from domain.standings.results import Results
from domain.tournaments import facts
from domain.tournaments.availability import away_players
from domain.tournaments.check_in import close_check_in
from domain.tournaments.check_in_facts import CheckedIn, CheckInClosed, CheckInUndone
from domain.tournaments.claim_facts import ResultClaimed, ResultConfirmed, contradicted_tables
from domain.tournaments.claims import agreements_needed
from domain.tournaments.contest_facts import (
    AbsencesStated,
    AlternateListed,
    AlternateRemoved,
    OfferAnswered,
    OfferLapsed,
    PlaceOffered,
)
from domain.tournaments.deadline_checks import derive_bots, derive_extension, derive_ruling
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.duties import event_offers, pairing_due
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.filling import follows_publication
from domain.tournaments.invitation_facts import TO_ENTER, target_of
from domain.tournaments.moments import Moment, require_time
from domain.tournaments.orders import is_order
from domain.tournaments.preparation import (
    is_in,
    next_stage,
    paired_players,
    players_of_next_round,
    possible_stages,
    prepare_problem,
    seed_of,
    stage_rounds,
    way_of,
)
from domain.tournaments.proposal_checks import list_misfits
from domain.tournaments.registration import count_in, promote_waiting
from domain.tournaments.rounds import check_tables, needs_match, require_latest_round, table_of
from domain.tournaments.state import Tournament

CORRECTIONS: Final[frozenset[type[Any]]] = frozenset(
    {facts.ResultEntered, facts.ResultRuled, facts.PenaltyGiven, facts.NoShowWithdrawn}
)
"""The orders that are possible after the end."""


def require_possible(state: Tournament, fact: Any) -> None:
    """Raise `TournamentRefused` for a fact of format 2 that no author may record now."""
    check = POSSIBLE.get(type(fact))
    if state.status == "ended" and type(fact) not in CORRECTIONS and (check is not None or is_order(state, fact)):
        raise TournamentRefused("after the end only a correction of a result, a penalty or an absence is possible")
    if check is not None:
        check(state, fact)


def require_new_entry(state: Tournament, fact: facts.EntryMade) -> None:
    """Raise `TournamentRefused` for an entry that exists, or that takes a place or waits against the plan."""
    if state.entry(fact.entry) is not None:
        raise TournamentRefused(f"{fact.entry!r} has already entered")
    if fact.actor and not is_bot(fact.actor) and state.entry_of(fact.actor) is not None:
        raise TournamentRefused(f"{fact.actor!r} has already entered")
    if fact.waiting == has_place(state.plan.cap, count_in(state)):
        raise TournamentRefused(f"{fact.entry} {'waits' if fact.waiting else 'has a place'} against the plan")


def require_promotion(state: Tournament, fact: facts.EntryPromoted) -> None:
    """Raise `TournamentRefused` unless the entry is the first that waits, and has a place."""
    if (fact,) != promote_waiting(state)[:1]:
        raise TournamentRefused(f"{fact.entry} is not the first that waits, or has no place")


def require_new_pairing(state: Tournament, fact: facts.PairingAsked) -> None:
    """Raise `TournamentRefused` unless the next round is paired and the one before it is closed."""
    last = state.round
    if last is not None and last.status in {"published", "opened"}:
        raise TournamentRefused(f"round {last.number} is not closed")
    if fact.round != len(state.played_rounds) + 1:
        raise TournamentRefused(f"round {fact.round} is not the next one")


def require_proposal(state: Tournament, fact: facts.PairingProposed) -> None:
    """Raise `TournamentRefused` unless the tables seat the players of the problem as it demands."""
    problem = require_latest_round(state, fact.round, "asked").problem
    check_tables(problem, fact.tables, fact.byes)
    tables = {frozenset(table) for table in fact.tables}
    if not ({frozenset(table) for table in problem.locked} <= tables and {*problem.byes} <= {*fact.byes}):
        raise TournamentRefused("a locked table or a requested bye is missing")


def require_edit(state: Tournament, fact: facts.PairingEdited) -> None:
    """Raise `TournamentRefused` unless a proposal is edited, and each of its players placed."""
    last = require_latest_round(state, fact.round, "proposed", "failed")
    check_tables(last.problem, fact.tables, fact.byes)


def require_face_to_face(state: Tournament, fact: facts.ResultEntered) -> None:
    """Raise `TournamentRefused` for an entered result of a table that is played on the service."""
    if needs_match(state, table_of(state, fact.round, fact.table)):
        raise TournamentRefused(f"table {fact.table} of round {fact.round} is played online, so no result is entered")


def require_offer(state: Tournament, fact: OfferAnswered) -> None:
    """Raise `ContestRefused` unless the answered offer is open."""
    find_open_offer(state.people.offers, fact)


def in_latest_round(*statuses: str) -> Callable[[Tournament, Any], None]:
    """Return the check that a fact concerns the latest round, in one of the statuses."""

    def check(state: Tournament, fact: Any) -> None:
        require_latest_round(state, fact.round, *statuses)

    return check


POSSIBLE: Final[Mapping[type[Any], Callable[[Tournament, Any], None]]] = {
    facts.EntryMade: require_new_entry,
    facts.EntryPromoted: require_promotion,
    facts.PairingAsked: require_new_pairing,
    facts.PairingProposed: require_proposal,
    facts.PairingEdited: require_edit,
    facts.RoundPublished: in_latest_round("proposed"),
    facts.RoundOpened: in_latest_round("published"),
    facts.RoundClosed: in_latest_round("published", "opened"),
    facts.TablesReseated: in_latest_round("published", "opened"),
    facts.NoShowNoted: in_latest_round("published", "opened"),
    facts.SubstituteNamed: in_latest_round("published", "opened"),
    facts.ResultEntered: require_face_to_face,
    OfferAnswered: require_offer,
}


def followers(state: Tournament, fact: Any) -> tuple[facts.Fact, ...]:
    """Return the records that must follow another.

    After the end of the check-in: absent entries, and their replacements. After the publication of a round: players
    at its tables who are away.
    """
    if isinstance(fact, CheckInClosed):
        return close_check_in(state, fact.by)[1:]
    return follows_publication(state) if isinstance(fact, facts.RoundPublished) else ()


def take_expected(expected: tuple[Any, ...], fact: Any) -> tuple[bool, tuple[Any, ...]]:
    """Return whether a record is the next expected one (`followers`), and the remaining ones.

    Raise `TournamentRefused` if another record must follow.
    """
    if not expected:
        return False, ()
    stated = replace(fact, signed=None) if has_signature_field(fact) else fact
    if stated != expected[0]:
        raise TournamentRefused(f"a record about {expected[0].entry} must follow")
    return True, expected[1:]


def is_own(state: Tournament, fact: Any) -> bool:
    """Return whether a person recorded this about their own entry, as the plan or an invitation allows."""
    if not fact.by or is_bot(fact.by):
        # Entries without an account, and bots, decide nothing.
        return False
    if isinstance(fact, facts.EntryMade):
        return fact.by == fact.actor and may_enter(state, fact)
    if isinstance(fact, facts.SubstituteNamed):
        entry = state.entry(fact.entry)
        is_named = entry is not None and fact.by == (fact.actor or entry.actor)
        return is_named and state.invitations.is_open_for(fact.by, target_of(fact.entry, fact.round))
    if isinstance(fact, facts.EntryWithdrawn | facts.EntryReturned | CheckedIn | CheckInUndone):
        entry = state.entry(fact.entry)
        return entry is not None and fact.by == entry.actor
    if isinstance(fact, AlternateListed | AlternateRemoved | OfferAnswered):
        return bool(fact.by == fact.player)
    if isinstance(fact, AbsencesStated):
        entry = state.entry(fact.player)
        return entry is not None and fact.by == entry.actor
    return False


def may_enter(state: Tournament, fact: facts.EntryMade) -> bool:
    """Return whether a person may enter by themselves: uninvited only in open events, in time, and unseeded."""
    is_open = state.plan.registration == "open" and (state.plan.late_entry or not state.rounds)
    return (is_open and not fact.seeding) or state.invitations.find(fact.actor, TO_ENTER) is not None


def require_derivable(state: Tournament, fact: Any, moment: Moment) -> None:
    """Raise `TournamentRefused` unless an order by the service follows from the records before it.

    Whether the results allow it is left to `fits_results`.
    """
    derive = DERIVABLE.get(type(fact))
    if derive is None:
        raise TournamentRefused(
            "the service cannot decide this in an event of a person: an organiser has to, and to sign it with a key"
        )
    derive(state, fact, moment)


def require_auto(state: Tournament, what: str) -> None:
    """Raise `TournamentRefused` unless the plan lets the service take the steps of rounds."""
    if not state.plan.auto:
        raise TournamentRefused(f"{what} by the service needs a plan with automatic rounds")


def derive_check_in(state: Tournament, _: CheckInClosed, moment: Moment) -> None:
    """Check the end of the check-in against the calendar."""
    close_check_in(state)
    require_time(state.calendar.check_in_closes, moment)


def derive_pairing(state: Tournament, fact: facts.PairingAsked, moment: Moment) -> None:
    """Check the time of a pairing, and all of its problem that does not depend on results."""
    require_auto(state, "a pairing")
    last = state.round
    if last is None and state.calendar.starts is None:
        raise TournamentRefused("the first round has no start, so an organiser asks for its pairing")
    if last is None or last.status == "closed":
        require_time(pairing_due(state, last), moment)
    require_planned(state, fact)


def require_planned(state: Tournament, fact: facts.PairingAsked) -> None:
    """Raise `TournamentRefused` for a problem of a pairing that no results give."""
    plan, problem, stage, number = state.plan, fact.problem, fact.stage, fact.round
    if stage not in possible_stages(state):
        raise TournamentRefused(f"stage {stage} does not follow")
    stated = (problem.size, problem.smallest, problem.leftover, problem.locked, problem.byes, problem.seed, fact.way)
    planned = (plan.size, plan.smallest, plan.leftover, (), (), seed_of(plan, number), way_of(plan, stage))
    is_by_entries = stage == 0 and (
        plan.stages[0].kind not in ("round_robin", "elimination") or not stage_rounds(state, 0)
    )
    if stated != planned or (is_by_entries and not has_entries(state, fact)):
        raise TournamentRefused("it is not the problem that entries and plan give")


def has_entries(state: Tournament, fact: facts.PairingAsked) -> bool:
    """Return whether the players of a problem follow from entries and absences, without results.

    A round robin names players who are away as absent; other stages leave them out.
    """
    paired = paired_players(state, fact.stage, {}, fact.round)
    is_whole = state.plan.stages[fact.stage].kind == "round_robin"
    people = players_of_next_round(state, fact.stage, {}, fact.round) if is_whole else paired
    absent = tuple(name for name in people if name not in paired)
    return (tuple(each.id for each in fact.problem.entrants), fact.problem.absent) == (people, absent)


def derive_publication(state: Tournament, fact: facts.RoundPublished, moment: Moment) -> None:
    """Check that the tables were not edited, the start of the round, and that no player has withdrawn or is away."""
    require_auto(state, "the publication of a round")
    if state.rounds[-1].edited:
        raise TournamentRefused("the tables were edited, so an organiser publishes them")
    require_time(state.calendar.round(fact.round).starts, moment)
    if not all(is_in(state, name) for name in state.rounds[-1].people):
        raise TournamentRefused("a player has withdrawn")
    is_by_place = state.plan.stages[state.rounds[-1].stage].kind in BY_PLACE
    if not is_by_place and away_players(state, fact.round) & {*state.rounds[-1].people}:
        raise TournamentRefused("a player is away")


def derive_result(state: Tournament, fact: facts.ResultEntered, moment: Moment) -> None:
    """Check that enough players of the table have claimed this result, the last of them just before."""
    table = table_of(state, fact.round, fact.table)
    claims = {(each.scores, each.places) for each in table.claims}
    before = moment.before
    is_claim = isinstance(before, ResultClaimed | ResultConfirmed)
    is_last = is_claim and (before.round, before.table) == (fact.round, fact.table)
    is_agreed = claims == {(fact.scores, fact.places)} and len(table.claims) >= agreements_needed(state, table)
    are_seated = {each.entry for each in table.claims} <= {*table.entries}
    if not (is_last and is_agreed and are_seated) or table.given is not None:
        raise TournamentRefused("its players have not agreed on this result")


def derive_closing(state: Tournament, fact: facts.RoundClosed, _: Moment) -> None:
    """Check that a round is closed automatically and no claims contradict; that results exist is checked for all."""
    require_auto(state, "the end of a round")
    last = require_latest_round(state, fact.round, "opened")
    if contradicted_tables(last.tables):
        raise TournamentRefused("players of a table have claimed different results")


def derive_end(state: Tournament, _: facts.TournamentEnded, moment: Moment) -> None:
    """Check that the end follows the last closing, and that by the plan no round has to follow."""
    if not isinstance(moment.before, facts.RoundClosed):
        raise TournamentRefused("the service ends a tournament only after the closing of its last round")
    if None not in possible_stages(state):
        raise TournamentRefused("another round must follow")


DERIVABLE: Final[Mapping[type[Any], Callable[[Tournament, Any, Moment], None]]] = {
    CheckInClosed: derive_check_in,
    DeadlineExtended: derive_extension,
    TableLeftToBots: derive_bots,
    facts.PairingAsked: derive_pairing,
    facts.RoundPublished: derive_publication,
    PlaceOffered: lambda state, fact, moment: require_offers(event_offers(state)).check_offer(fact, moment.at),
    OfferLapsed: lambda state, fact, moment: require_offers(event_offers(state)).check_lapse(fact, moment.at),
    facts.ResultEntered: derive_result,
    facts.ResultRuled: derive_ruling,
    facts.RoundClosed: derive_closing,
    facts.TournamentEnded: derive_end,
}


def fits_results(state: Tournament, fact: Any, results: Results) -> bool:
    """Return whether an order by the service agrees with the results.

    These decide the problem of a pairing, whether it still fits when it is published, and whether a round can follow.
    """
    if isinstance(fact, facts.PairingAsked):
        return prepare_problem(state, results, SERVICE) == replace(fact, signed=None)
    if isinstance(fact, facts.RoundPublished):
        return not list_misfits(state, results)
    return next_stage(state, results) is None


NEEDS_RESULTS: Final = (facts.PairingAsked, facts.RoundPublished, facts.TournamentEnded)
"""The orders of the service that `fits_results` checks."""
