"""At a table with hints bots wait for the verdict on a choice, a second at most."""

from datetime import timedelta

from domain.matches.facts import Table
from tests.projections.tables import BOT, at, open_started_match, take_action
from tests.workers.matches.backend import MatchBackend
from workers.matches.duties import VERDICT_WAIT

SECOND = timedelta(seconds=1)


def test_bots_at_a_table_with_hints_wait_up_to_a_second(judging: MatchBackend) -> None:
    house = judging
    match = open_started_match(house.matches, 1, ("anna", BOT), Table(hints=True))
    house.issue(0)
    at_once = house.jobs()
    house.lose_jobs()

    match = take_action(house.matches, match, 0, 1)
    house.issue(1 + VERDICT_WAIT.total_seconds() - 0.1)
    before = house.jobs()
    house.issue(1 + VERDICT_WAIT.total_seconds())

    assert VERDICT_WAIT <= SECOND
    assert (len(at_once), before) == (1, []), "for the start of a match there is nothing to wait for"
    assert house.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_bots_wait_no_longer_than_for_the_verdict(judging: MatchBackend) -> None:
    """They waited the whole second, although the verdict was known after a fifth of it."""
    house = judging
    match = open_started_match(house.matches, 1, ("anna", BOT), Table(hints=True))
    house.issue(0)
    house.lose_jobs()
    match = take_action(house.matches, match, 0, 1)
    house.issue(1.1)
    before = house.jobs()

    house.duties.make_due_now(match.id, match.version - 1, at(1.2), reissue=False)
    of_another = house.issue(1.2)
    house.duties.make_due_now(match.id, match.version, at(1.2), reissue=False)
    house.issue(1.2)

    assert (before, of_another) == ([], 0)
    assert house.jobs() == [f"bot-{match.id}-{match.version}-1"]
    house.duties.make_due_now(match.id, match.version, at(1.3), reissue=False)
    assert house.issue(1.3) == 0, "the bots are at work"


def test_delayed_bots_continue_as_soon_as_the_verdict_is_known(judging: MatchBackend) -> None:
    """They waited for the lease of the delayed job: three seconds, and eight for a strong bot."""
    house = judging
    match = open_started_match(house.matches, 1, ("anna", BOT), Table(hints=True))
    match = take_action(house.matches, match, 0, 1)
    house.issue(2.0)
    house.lose_jobs()
    held = house.issue(2.1)

    house.duties.make_due_now(match.id, match.version, at(2.2), reissue=True)
    house.issue(2.2)

    assert held == 0
    assert house.jobs() == [f"bot-{match.id}-{match.version}-2"]
