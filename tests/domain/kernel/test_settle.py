"""After an action, reactions precede automatic steps, until a decision is due."""

import pytest

from domain.kernel.settle import SETTLE_MAX, position_after, settle

State = tuple[str, ...]
NOTHING: State = ()
ZERO: State = ("0",)
ONE: State = ("1",)


def evolve(state: tuple[str, ...], effect: str) -> tuple[str, ...]:
    return (*state, effect)


def nothing(_state: tuple[str, ...], _effect: str) -> tuple[str, ...]:
    return ()


def still(_state: tuple[str, ...]) -> tuple[str, ...]:
    return ()


def test_caused_effects_keep_their_order() -> None:
    assert settle(NOTHING, ("a", "b"), evolve=evolve, react=nothing, advance=still) == ("a", "b")
    assert settle(NOTHING, (), evolve=evolve, react=nothing, advance=still) == ()


def test_a_reaction_precedes_pending_effects() -> None:
    answers = {"a": ("a1", "a2"), "a1": ("deep",)}

    effects = settle(NOTHING, ("a", "b"), evolve=evolve, react=lambda _, effect: answers.get(effect, ()), advance=still)

    assert effects == ("a", "a1", "deep", "a2", "b")


def test_a_reaction_sees_the_state_after_its_effect() -> None:
    states: list[tuple[str, ...]] = []

    def react(state: tuple[str, ...], _effect: str) -> tuple[str, ...]:
        states.append(state)
        return ()

    settle(ZERO, ("a", "b"), evolve=evolve, react=react, advance=still)

    assert states == [("0", "a"), ("0", "a", "b")]


def test_automatic_steps_run_until_a_decision_is_due() -> None:
    def advance(state: tuple[str, ...]) -> tuple[str, ...]:
        return ("step", "end of step") if len(state) < 4 else ()

    assert settle(NOTHING, ("a",), evolve=evolve, react=nothing, advance=advance) == (
        "a",
        "step",
        "end of step",
        "step",
        "end of step",
    )


def test_rules_that_never_settle_fail_an_assertion() -> None:
    with pytest.raises(AssertionError, match=f"over {SETTLE_MAX} effects"):
        settle(NOTHING, ("a",), evolve=lambda state, _: state, react=nothing, advance=lambda _: ("again",))


def test_a_settled_state_is_not_folded_again() -> None:
    settled = settle(ZERO, ("a", "b"), evolve=evolve, react=nothing, advance=still)

    def refuse(_state: State, _effect: str) -> State:
        raise AssertionError("folded again")

    assert position_after(settled, ZERO, refuse) == ("0", "a", "b")


def test_effects_are_folded_from_another_state() -> None:
    settled = settle(ZERO, ("a",), evolve=evolve, react=nothing, advance=still)

    assert position_after(settled, ONE, evolve) == ("1", "a")
    assert position_after(("a", "b"), ZERO, evolve) == ("0", "a", "b")
