"""The starters of a match: the result is theirs even if replaced; rounds in which they acted."""

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.matches.aggregate import Handover, Starter
from domain.matches.facts import MatchStarted, Standing
from tests.domain.matches.match_helpers import (
    BOT,
    START,
    act_once,
    facts,
    play_out,
    resume_match,
    start_match,
    uuid,
    verify_log,
)

M = uuid(1)


def test_the_starter_remains_the_starter_when_replaced_by_a_bot(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea"))
    handed = sqlite.replace_seat(M, 1, "bea", actor=BOT, at=START)
    ended = play_out(sqlite, handed)

    assert [starter.actor for starter in ended.starters] == ["anna", "bea"]
    assert ended.handovers == (Handover(1, BOT, match.version + 1),)
    assert (ended.starters[0].rounds, ended.starters[1].rounds) == (5, 0)
    verify_log(sqlite, M)


def test_a_round_is_counted_once_for_each_who_acts_in_it(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea"))
    assert match.starters == (Starter("anna"), Starter("bea"))

    while match.state.round < 3:
        match = act_once(sqlite, match)

    assert [starter.rounds for starter in match.starters] == [2, 2]


def test_the_start_names_guests_and_the_provisional(sqlite: Matches) -> None:
    known: dict[str, Standing] = {"anna": "guest", "bea": "provisional"}
    sqlite.dependencies.standing = lambda actor, _at: known.get(actor, "")
    match = start_match(sqlite, M, ("anna", "bea", "carl"))

    (fact,) = [fact for fact in facts(sqlite, M) if isinstance(fact, MatchStarted)]
    assert (fact.guests, fact.provisional) == ((0,), (1,))
    assert [starter.standing for starter in match.starters] == ["guest", "provisional", ""]
    verify_log(sqlite, M)


def test_the_start_names_the_accounts_of_bots(sqlite: Matches) -> None:
    known: dict[str, Standing] = {"bea": "bot"}
    sqlite.dependencies.standing = lambda actor, _at: known.get(actor, "")
    match = start_match(sqlite, M, ("anna", "bea"))

    (fact,) = [fact for fact in facts(sqlite, M) if isinstance(fact, MatchStarted)]
    assert fact.programs == (1,)
    assert [starter.standing for starter in match.starters] == ["", "bot"]
    verify_log(sqlite, M)


def test_a_replacing_line_keeps_the_starters_and_a_fork_has_new_ones(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea"))
    before = match.version
    sqlite.replace_seat(M, 1, "bea", actor=BOT, at=START)
    play_out(sqlite, sqlite.get(M))
    fork = fork_match(
        sqlite, M, at_version=before, new_id=uuid(2), luck="same", by="carl", at=START, seats=("carl", BOT)
    )
    resume_match(sqlite, M, before, uuid(3))

    assert [starter.actor for starter in sqlite.get(uuid(3)).starters] == ["anna", "bea"]
    assert [starter.actor for starter in fork.starters] == ["carl", BOT]
    assert fork.handovers == ()
