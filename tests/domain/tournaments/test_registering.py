"""Registration: plans, entries, pairs and refusals."""

from typing import Any

import pytest

from domain.contests.errors import PlanRefused
from domain.kernel.values import replace
from domain.matches.errors import UnknownActor, UnknownTitle, WrongSeatCount
from domain.matches.facts import Clock, Table
from domain.standings.contest import ENTRIES_MAX, Scoring, SizePoints, Stage
from domain.titles import TITLES
from domain.tournaments import facts, invitations, registration
from domain.tournaments.errors import EnteredAlready, NoSuchEntry, TournamentRefused
from domain.tournaments.preparation import entrants
from domain.tournaments.state import EVOLVE
from tests.domain.tournaments.building import BY, Story, plan_with, stated_plan


@pytest.mark.parametrize(
    ("changes", "refusal", "sentence"),
    [
        ({"name": "  "}, PlanRefused, "needs a name"),
        ({"name": "\u00ad\u200f"}, PlanRefused, "needs a name"),
        ({"smallest": 4, "size": 3}, PlanRefused, "cannot be larger than the table size"),
        ({"stages": ()}, PlanRefused, "1 to 8 stages, not 0"),
        ({"stages": (Stage("swiss"),)}, PlanRefused, r"stage 1 \(swiss\) requires a number of rounds"),
        ({"stages": (Stage("elimination", advance=4),)}, PlanRefused, "fewer than 4 can advance"),
        (
            {"stages": (Stage("swiss", 1), Stage("swiss", 1, cut=1))},
            PlanRefused,
            "stage 2: a single player cannot play",
        ),
        ({"scoring": Scoring(points=(SizePoints(4, (1,)), SizePoints(4, (2,))))}, PlanRefused, "given twice"),
        (
            {"scoring": Scoring(points=(SizePoints(4, (1, 2)),))},
            PlanRefused,
            "must decrease from place to place, at most one per place",
        ),
        (
            {"scoring": Scoring(points=(SizePoints(2, (3, 2, 1)),))},
            PlanRefused,
            "must decrease from place to place, at most one per place",
        ),
        ({"scoring": Scoring(tie_breaks=("lot", "lot"))}, PlanRefused, "a tie-break is named twice"),
        ({"title": "chess"}, UnknownTitle, "chess"),
        ({"size": 5}, WrongSeatCount, "5"),
        ({"table": Table(event="x")}, PlanRefused, "an event table cannot name another event"),
        ({"table": Table(clock=Clock("per_move"))}, PlanRefused, "requires seconds"),
        ({"table": Table(hints=True)}, PlanRefused, "hints=true: event tables have no hints"),
        ({"bot": "greedy!"}, UnknownActor, "greedy!"),
    ],
)
def test_invalid_plans_are_refused(changes: dict[str, Any], refusal: type[Exception], sentence: str) -> None:
    with pytest.raises(refusal, match=sentence):
        registration.open_tournament(TITLES, plan_with(**changes), BY)


def test_a_plan_may_name_a_bot_a_clock_and_a_final_of_any_cut() -> None:
    stages = (Stage("heats", 1), Stage("final", cut=1))
    plan = stated_plan(bot="bot:greedy@1", table=Table(clock=Clock("per_move", 60)), stages=stages)

    assert registration.open_tournament(TITLES, plan, BY).plan == plan


def test_the_plan_changes_before_the_first_round_and_later_stages_after_it() -> None:
    story = Story(4)
    other = replace(story.state.plan, size=2)
    assert registration.change_plan(TITLES, story.state, other, BY).plan == other

    story.pair()
    with pytest.raises(TournamentRefused, match="game, options, table size and started stages cannot be changed"):
        registration.change_plan(TITLES, story.state, other, BY)
    longer = replace(story.state.plan, stages=(*story.state.plan.stages, Stage("final")))
    assert story.take(registration.change_plan(TITLES, story.state, longer, BY)).state.plan == longer


def test_a_plan_states_every_option() -> None:
    """EG-26.2: so that its meaning never changes with defaults."""
    opened = registration.open_tournament(TITLES, plan_with(title="el_grande"), BY)

    assert opened.plan.options == TITLES["el_grande"].rules.options({}).chosen
    assert opened.plan.options["cards"] == "2023"


def test_a_stored_plan_without_some_options_keeps_its_meaning() -> None:
    """EG-26.1, EG-26.2: plans older than the changed default mean the cards of 2006; stated options stay."""
    silent, stated = plan_with(title="el_grande"), plan_with(title="el_grande", options={"cards": "2023"})
    story = Story().take(facts.TournamentOpened(BY, silent))
    assert story.state.plan.options == {"cards": "2006"}

    assert story.take(facts.PlanChanged(BY, stated)).state.plan.options == {"cards": "2023"}
    assert story.take(facts.PlanChanged(BY, silent)).state.plan.options == {"cards": "2006"}


def test_an_old_plan_may_change_while_its_options_mean_the_same() -> None:
    """EG-26.1: once rounds are paired the cards of 2006 stay, however the plan states them."""
    story = Story().take(facts.TournamentOpened(BY, plan_with(title="el_grande")))
    for number in range(1, 5):
        story.enter(f"p{number}")
    story.pair()
    other = plan_with(title="el_grande", name="Winter cup", options={"cards": "2006"})

    assert registration.change_plan(TITLES, story.state, other, BY).plan.name == "Winter cup"
    with pytest.raises(TournamentRefused, match="game, options, table size and started stages cannot be changed"):
        registration.change_plan(TITLES, story.state, replace(other, options={}), BY)


def test_only_bots_enter_twice() -> None:
    story = Story(1).enter("bot:random@1").enter("bot:random@1")

    assert [entry.is_bot for entry in story.state.entries] == [False, True, True]
    with pytest.raises(EnteredAlready, match="'p1' has already entered"):
        story.enter("p1")
    story.take(registration.enter(story.state, BY, name="Jana"))
    with pytest.raises(EnteredAlready, match="'Jana' has already entered"):
        registration.enter(story.state, BY, name="Jana")
    for name in ("Jana ", " Jana", "Ja\u200bna", "Ja\u00adna", "Ja\u200cna", "Ja\u200dna", "Ja\u2061na", "JANA"):
        with pytest.raises(EnteredAlready, match="has already entered"):
            registration.enter(story.state, BY, name=name)


def test_clubs_and_families_that_look_alike_are_kept_apart() -> None:
    story = Story()
    for name, club, family in (("Ana", "Palma", "Riera"), ("Blai", "Pal\u2061ma", "riera"), ("Clara", "", "")):
        story.take(registration.enter(story.state, BY, name=name, club=club, family=family))
    entrants_ = entrants(story.state, {}, 0, ("e1", "e2", "e3"))

    assert [(each.club, each.family) for each in entrants_] == [("palma", "riera")] * 2 + [("", "")]
    assert [entry.club for entry in story.state.entries] == ["Palma", "Pal\u2061ma", ""]


def test_a_direction_mark_in_a_name_is_allowed() -> None:
    entry = registration.enter(Story().state, BY, name="\u200fדנה\u200f", club="א\u200fב")

    assert isinstance(entry, facts.EntryMade)
    assert (entry.name, entry.club) == ("דנה", "א\u200fב")


def test_a_name_stored_before_names_were_normalised_is_known() -> None:
    story = Story().take(facts.EntryMade(BY, "e1", "", " Ana  María"))

    with pytest.raises(EnteredAlready, match="'Ana María' has already entered"):
        registration.enter(story.state, BY, name="Ana María")


@pytest.mark.parametrize("details", [{"name": "A\nB"}, {"name": "A", "club": "\u202eB"}, {"name": "A", "family": "\0"}])
def test_names_of_an_entry_are_one_line(details: dict[str, str]) -> None:
    with pytest.raises(TournamentRefused, match=r"contains a character that is not allowed: U\+"):
        registration.enter(Story().state, BY, **details)  # type: ignore[arg-type]  # texts alone


def test_an_entry_needs_a_person_bot_or_name() -> None:
    with pytest.raises(TournamentRefused, match="a person, a bot or a name"):
        registration.enter(Story().state, BY, name=" \u00ad")


def test_an_event_by_invitation() -> None:
    story = Story(registration="invite")
    with pytest.raises(TournamentRefused, match="this event is by invitation only"):
        story.enter("ann")
    story.take(*invitations.invite(story.state, "ann", BY))
    assert invitations.invite(story.state, "ann", BY) == ()
    story.enter("ann").enter("ben", as_organiser=True)

    assert [entry.actor for entry in story.state.entries] == ["ann", "ben"]


def test_late_entries_follow_the_plan() -> None:
    story = Story(4, late_entry=False).pair()
    with pytest.raises(TournamentRefused, match="the event has started and does not allow late entries"):
        story.enter("late")
    with pytest.raises(TournamentRefused, match="a late entry against the plan needs a reason"):
        story.enter("late", as_organiser=True)
    story.enter("late", as_organiser=True, reason=" The train was late. ")
    assert [entry.actor for entry in story.state.entries][-1] == "late"
    assert registration.enter(Story(4).pair().state, BY, actor="late", as_organiser=True, reason="So").reason == ""

    later = Story(4, stages=(Stage("heats", 1), Stage("final"))).play().pair()
    with pytest.raises(TournamentRefused, match="after the first stage"):
        later.enter("late")


def test_the_number_of_entries_is_limited() -> None:
    story = Story(1)
    many = replace(story.state, entries=story.state.entries * ENTRIES_MAX)

    with pytest.raises(TournamentRefused, match=f"an event has at most {ENTRIES_MAX}"):
        registration.enter(many, BY, name="one more")


def test_a_free_place_goes_to_the_first_waiting_entry() -> None:
    story = Story(4, cap=2)
    assert [entry.status for entry in story.state.entries] == ["in", "in", "waiting", "waiting"]
    story.take(*registration.withdraw(story.state, "e4", BY, "Ill."))
    story.take(*registration.withdraw(story.state, "e1", BY, "Ill."))

    assert [entry.status for entry in story.state.entries] == ["withdrawn", "in", "in", "withdrawn"]
    assert [entry.id for entry in story.state.taking_part] == ["e2", "e3"]
    assert registration.withdraw(story.state, "e1", BY, "Ill.") == ()
    with pytest.raises(TournamentRefused, match="all 2 places are taken"):
        registration.return_entry(story.state, "e1", BY, "Ill.")
    story.take(*registration.withdraw(story.state, "e2", BY, "Ill."))
    story.take(*registration.return_entry(story.state, "e1", BY, "Ill."))
    assert story.state.entry("e1").status == "in"  # type: ignore[union-attr]
    assert registration.return_entry(story.state, "e1", BY, "Ill.") == ()


def test_pairs_need_entries_and_are_not_both_forbidden_and_wished() -> None:
    story = Story(3)
    story.take(registration.set_pairs(story.state, [("e2", "e1"), ("e1", "e2")], [("e1", "e3")], BY))
    assert story.state.forbidden == (("e1", "e2"),)

    with pytest.raises(NoSuchEntry, match="'e9'"):
        registration.set_pairs(story.state, [("e1", "e9")], [], BY)
    with pytest.raises(TournamentRefused, match="e1 cannot form a pair with themselves"):
        registration.set_pairs(story.state, [("e1", "e1")], [], BY)
    with pytest.raises(TournamentRefused, match="e1 and e2 cannot be both"):
        registration.set_pairs(story.state, [("e1", "e2")], [("e2", "e1")], BY)


def test_a_penalty_has_a_reason() -> None:
    story = Story(1)
    with pytest.raises(TournamentRefused, match="a penalty needs a reason"):
        registration.penalise(story.state, "e1", 60, " ", BY)
    story.take(registration.penalise(story.state, "e1", 60, "late", BY))
    story.take(registration.penalise(story.state, "e1", -30, "not so late", BY))

    assert story.state.entry("e1").penalty == 30  # type: ignore[union-attr]
    assert len(story.state.penalties) == 2


def test_an_ended_event_accepts_no_changes() -> None:
    story = Story(2, size=2, stages=(Stage("swiss", 1),)).play()

    assert story.state.status == "ended"
    with pytest.raises(TournamentRefused, match="'Cup' is over"):
        story.enter("late")


def test_every_fact_can_be_applied() -> None:
    """The keys of `EVOLVE` are the union of facts, except the first, which creates the event."""
    union: set[Any] = set(facts.Fact.__args__)
    assert {facts.TournamentOpened, *EVOLVE} == union


def test_notices_and_files_are_stored() -> None:
    story = Story(1).take(facts.Announced(BY, "Noon."), facts.ImportNoted(BY, "players", "ab", 1))

    assert story.state.notices[0].text == "Noon."
    assert story.state.imports == ("ab",)
    assert Story().state.round is None
    assert Story(4).play().state.closed_rounds


@pytest.mark.parametrize("name", ["e0", "e3", "x1", "", "e", "e٢", "e" + "9" * 5_000])
def test_only_existing_ids_name_an_entry(name: str) -> None:
    with pytest.raises(NoSuchEntry, match=r"no entry '.*' in this event"):
        registration.entry_named(Story(2).state, name)


def test_an_entry_is_found_by_its_id_at_any_index() -> None:
    event = Story(3).state
    turned = replace(event, entries=event.entries[::-1])

    assert [turned.entry(entry.id) for entry in event.entries] == list(event.entries)


def test_an_event_with_an_invalid_old_name_loads_and_must_be_renamed_to_change() -> None:
    """Older versions did not check names for line breaks; records with such names still load."""
    old = plan_with(name="Cup\nfinal")
    story = Story().take(facts.TournamentOpened(BY, old))

    assert story.state.plan.name == "Cup\nfinal"
    with pytest.raises(PlanRefused, match=r"the name of the event contains a character .* U\+000A"):
        registration.change_plan(TITLES, story.state, replace(old, size=3), BY)
