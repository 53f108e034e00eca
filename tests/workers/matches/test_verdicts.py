"""At a table with hints bots wait for the verdict on a choice, a second at most."""

from datetime import timedelta

from domain.matches.facts import Table
from tests.projections.tables import BOT, at, open_started_match, take_action
from tests.workers.matches.backend import MatchBackend
from workers.matches.duties import VERDICT_WAIT

SECOND = timedelta(seconds=1)


def test_bots_at_a_table_with_hints_wait_up_to_a_second(evaluating_backend: MatchBackend) -> None:
    backend = evaluating_backend
    match = open_started_match(backend.matches, 1, ("anna", BOT), Table(hints=True))
    backend.issue(0)
    at_once = backend.jobs()
    backend.lose_jobs()

    match = take_action(backend.matches, match, 0, 1)
    backend.issue(1 + VERDICT_WAIT.total_seconds() - 0.1)
    before = backend.jobs()
    backend.issue(1 + VERDICT_WAIT.total_seconds())

    assert VERDICT_WAIT <= SECOND
    assert (len(at_once), before) == (1, []), "for the start of a match there is nothing to wait for"
    assert backend.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_bots_wait_no_longer_than_for_the_verdict(evaluating_backend: MatchBackend) -> None:
    """They waited the whole second, although the verdict was known after a fifth of it."""
    backend = evaluating_backend
    match = open_started_match(backend.matches, 1, ("anna", BOT), Table(hints=True))
    backend.issue(0)
    backend.lose_jobs()
    match = take_action(backend.matches, match, 0, 1)
    backend.issue(1.1)
    before = backend.jobs()

    backend.duties.make_due_now(match.id, match.version - 1, at(1.2), reissue=False)
    issued = backend.issue(1.2)
    backend.duties.make_due_now(match.id, match.version, at(1.2), reissue=False)
    backend.issue(1.2)

    assert (before, issued) == ([], 0)
    assert backend.jobs() == [f"bot-{match.id}-{match.version}-1"]
    backend.duties.make_due_now(match.id, match.version, at(1.3), reissue=False)
    assert backend.issue(1.3) == 0, "the bots are at work"


def test_delayed_bots_continue_as_soon_as_the_verdict_is_known(evaluating_backend: MatchBackend) -> None:
    """They waited for the lease of the delayed job: three seconds, and eight for a strong bot."""
    backend = evaluating_backend
    match = open_started_match(backend.matches, 1, ("anna", BOT), Table(hints=True))
    match = take_action(backend.matches, match, 0, 1)
    backend.issue(2.0)
    backend.lose_jobs()
    issued = backend.issue(2.1)

    backend.duties.make_due_now(match.id, match.version, at(2.2), reissue=True)
    backend.issue(2.2)

    assert issued == 0
    assert backend.jobs() == [f"bot-{match.id}-{match.version}-2"]
