"""Shared rollouts give the same choice as a single process, whatever happens to the assistants."""

import os
import select
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from domain.titles import TITLES
from tests.workers.bots.test_search import EVALUATIONS, SEED, positions
from workers.bots import ASSISTANTS, BOTS, shared_bots
from workers.bots.kinds import never
from workers.bots.race import Tried
from workers.bots.search import LEVELS, Search
from workers.bots.sharing import Assistants

TRIES: Final = 10_000
"""Enough for several rounds of a race and of a playoff."""
STRONG: Final = Search(EVALUATIONS, LEVELS["search-strong"])


@pytest.fixture(scope="module")
def assistants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistants]:
    """One more than any level uses."""
    assistants = Assistants(tmp_path_factory.mktemp("data"), ASSISTANTS + 1)
    assistants.start()
    yield assistants
    assistants.close()


def position(title: str, seats: int = 2) -> tuple[Any, ...]:
    """Return rules, view and legal actions of a position with many choices."""
    rules = TITLES[title].rules
    state, seat = next(each for each in positions(title, seats, {}, 1) if len(rules.legal_actions(*each)) > 5)
    return rules, rules.view(state, seat), rules.legal_actions(state, seat)


def compare_actions(
    search: Search, title: str, seats: int = 2, is_late: Callable[[], bool] = never
) -> tuple[Tried, ...]:
    rules, view, legal = position(title, seats)
    return search.compare(rules, view, legal, SEED, TRIES, is_late)


def stop(pid: int, signal_number: int) -> None:
    """Send the signal and wait for its effect if it kills, however busy the machine is."""
    pid_file = os.pidfd_open(pid)
    os.kill(pid, signal_number)
    if signal_number == signal.SIGKILL:
        select.select([pid_file], [], [])
    os.close(pid_file)


def at_question(number: int, action: Callable[[], None]) -> Callable[[], bool]:
    """Return a function that is never late and calls `action` at its n-th call.

    The first round of a race is the worker's, which calls it before each of its rollouts; later calls depend on the
    speed of the assistants.
    """
    calls = count(1)

    def is_late() -> bool:
        if next(calls) == number:
            action()
        return False

    return is_late


@pytest.mark.parametrize(("title", "seats"), [("el_grande", 2), ("el_grande", 5), ("la_granja", 2), ("la_granja", 4)])
def test_shared_rollouts_give_the_same_results(title: str, seats: int, assistants: Assistants) -> None:
    """Compares every rollout of every action, not only the choice."""
    alone = compare_actions(STRONG, title, seats)

    assert compare_actions(STRONG.with_play(assistants.play), title, seats) == alone
    assert len(assistants.pids) == ASSISTANTS + 1


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGSTOP])
def test_an_assistant_that_dies_or_hangs_does_not_change_the_choice(signal_number: int, assistants: Assistants) -> None:
    assistants.start()
    alone, before = compare_actions(STRONG, "el_grande"), assistants.pids

    shared = compare_actions(
        STRONG.with_play(assistants.play), "el_grande", is_late=at_question(5, lambda: stop(before[0], signal_number))
    )

    assert shared == alone
    assert compare_actions(STRONG.with_play(assistants.play), "el_grande") == alone
    if signal_number == signal.SIGSTOP:
        os.kill(before[0], signal.SIGCONT)
    else:
        assert assistants.pids[0] != before[0]
        assert assistants.pids[1:] == before[1:]


def test_an_interrupted_choice_restarts_the_assistants(assistants: Assistants) -> None:
    """A job may time out anywhere in a race, even in the middle of a message."""

    def time_out() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        compare_actions(STRONG.with_play(assistants.play), "el_grande", is_late=at_question(5, time_out))

    assert assistants.pids == ()
    assert compare_actions(STRONG.with_play(assistants.play), "el_grande") == compare_actions(STRONG, "el_grande")
    assert len(assistants.pids) == ASSISTANTS + 1


@pytest.mark.parametrize("patience", [0, 5])
def test_a_late_shared_choice_is_the_best_so_far(patience: int, assistants: Assistants) -> None:
    calls = count(1)
    rules, view, legal = position("la_granja")

    action = STRONG.with_play(assistants.play)(rules, view, legal, SEED, 100_000, lambda: next(calls) > patience)

    assert action in legal
    assert next(calls) <= patience + 4


def test_an_assistant_that_cannot_start_is_not_restarted(tmp_path: Path) -> None:
    """Its deck files cannot be read, so the worker, which has read them already, continues alone."""
    folder = tmp_path / "la_granja" / "deck"
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_text("[[cards]\n")
    assistants = Assistants(tmp_path, 1)
    assistants.start()
    (first,) = assistants.pids

    assert compare_actions(STRONG.with_play(assistants.play), "el_grande") == compare_actions(STRONG, "el_grande")

    assert assistants.pids == (first,)
    assistants.close()


def test_only_levels_with_several_processes_are_shared(assistants: Assistants) -> None:
    shared = shared_bots(BOTS, assistants.play)

    assert {name for name in BOTS if shared[name] is not BOTS[name]} == {"search-strong"}
    assert {name: kind.actor for name, kind in shared.items()} == {name: kind.actor for name, kind in BOTS.items()}
