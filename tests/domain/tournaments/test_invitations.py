"""Accounts that others enter become players once they have accepted."""

from functools import partial

import msgspec
import pytest

from domain.invitations.decisions import visible_invitations
from domain.kernel.values import replace
from domain.standings.contest import ENTRIES_MAX
from domain.tournaments import acts, facts, invitations, registration, substitutes
from domain.tournaments.errors import EnteredAlready, TournamentRefused
from domain.tournaments.invitation_facts import TO_ENTER, PersonInvited
from tests.domain.tournaments.building import BY, Story
from tests.domain.tournaments.test_acts import act


def test_only_accounts_that_entered_returned_or_took_a_seat_themselves_have_accepted() -> None:
    entered = facts.EntryMade("ann", "e1", "ann")
    story = Story(size=2).take(entered, facts.EntryMade(BY, "e2", "ben"), facts.EntryMade(BY, "e3", "", "Jana"))
    story.take(
        facts.EntryMade(BY, "e4", "cleo"), facts.EntryWithdrawn(BY, "e4", "Ill."), facts.EntryReturned("cleo", "e4")
    )
    story.set(("e1", "e2"), ("e3", "e4")).take(
        facts.SubstituteNamed(BY, 1, "e1", "dora"), facts.SubstituteNamed("emil", 1, "e2", "emil")
    )

    accepted = [actor for actor in ("ann", "ben", "cleo", "dora", "emil", "") if story.state.has_accepted(actor)]
    assert accepted == ["ann", "cleo", "emil"]


def test_accounts_entered_by_others_are_invited_while_bots_and_names_enter_at_once() -> None:
    story = Story(size=2)
    invitation = registration.enter(story.state, BY, actor="ann", club="Brno", family="N", seeding=3, as_organiser=True)
    story.take(invitation, registration.enter(story.state, BY, actor="bot:random@1"))
    story.take(registration.enter(story.state, BY, name="Jana")).take(registration.enter(story.state, BY, actor=BY))

    assert invitation == PersonInvited(BY, "ann", enters=True, club="Brno", family="N", seeding=3)
    assert [entry.actor for entry in story.state.entries] == ["bot:random@1", "", BY]
    assert invitations.is_entered(story.state, "ann")
    story.take(registration.enter(story.state, "ann", actor="ann"))
    entry = story.state.entries[-1]
    assert (entry.club, entry.family, entry.seeding, entry.status) == ("Brno", "N", 3, "in")
    assert story.state.invitations.open == ()


def test_an_open_or_declined_invitation_is_not_repeated() -> None:
    story = Story(registration="invite")
    story.take(*invitations.invite(story.state, "ann", BY))
    assert invitations.invite(story.state, "ann", BY) == ()
    story.take(registration.enter(story.state, BY, actor="ann", as_organiser=True, club="Brno"))
    with pytest.raises(EnteredAlready, match="'ann' is already invited"):
        registration.enter(story.state, BY, actor="ann", as_organiser=True)
    story.take(invitations.decline(story.state, "ann", "", 0))

    with pytest.raises(TournamentRefused, match="has declined an invitation to this event"):
        invitations.invite(story.state, "ann", BY)
    with pytest.raises(TournamentRefused, match="has declined an invitation to this event"):
        registration.enter(story.state, BY, actor="ann", as_organiser=True)
    with pytest.raises(TournamentRefused, match="no such open invitation"):
        invitations.decline(story.state, "ann", "", 0)
    story.take(registration.enter(story.state, "ann", actor="ann"))
    assert story.state.entries[0].club == "", "the details went with the answer"


def test_a_withdrawn_invitation_opens_nothing() -> None:
    story = Story(registration="invite")
    story.take(*invitations.invite(story.state, "ann", BY))
    story.take(*invitations.take_back(story.state, "ann", BY))

    assert not invitations.is_entered(story.state, "ann")
    with pytest.raises(TournamentRefused, match="this event is by invitation only"):
        registration.enter(story.state, "ann", actor="ann")
    with pytest.raises(TournamentRefused, match="no open invitation"):
        invitations.take_back(story.state, "ann", BY)
    story.take(*invitations.invite(story.state, "ann", BY))
    assert story.state.invitations.may_enter("ann", TO_ENTER)


def test_a_late_entry_is_accepted_if_the_organiser_gave_a_reason() -> None:
    story = Story(4, late_entry=False).pair()
    story.take(*invitations.invite(story.state, "eva", BY))
    with pytest.raises(TournamentRefused, match="the event has started and does not allow late entries"):
        story.enter("eva")
    invitation = registration.enter(story.state, BY, actor="late", as_organiser=True, reason="The train was late.")
    entered = story.take(invitation).enter("late").state.entries[-1]

    assert isinstance(invitation, PersonInvited)
    assert (invitation.reason, entered.actor) == ("The train was late.", "late")


def test_entries_and_open_invitations_together_are_bounded() -> None:
    story = Story(1)
    many = replace(story.state, entries=story.state.entries * (ENTRIES_MAX - 1))
    invitation = registration.enter(many, BY, actor="ann", as_organiser=True)
    assert isinstance(invitation, PersonInvited)
    full = replace(many, invitations=many.invitations.with_new(invitation))

    with pytest.raises(TournamentRefused, match="entries, including open invitations"):
        registration.enter(full, BY, actor="ben", as_organiser=True)


def test_an_entry_that_withdrew_itself_or_never_accepted_is_invited_to_return() -> None:
    story = Story(2).take(facts.EntryMade(BY, "e3", "cleo"))
    story.take(*registration.withdraw(story.state, "e1", "p1"), *registration.withdraw(story.state, "e2", BY, "So."))
    story.take(*registration.withdraw(story.state, "e3", BY, "So."))
    assert registration.return_entry(story.state, "e2", BY, "So.") == (facts.EntryReturned(BY, "e2", "So."),)
    for entry, actor in (("e1", "p1"), ("e3", "cleo")):
        (invitation,) = registration.return_entry(story.state, entry, BY, "So.")
        assert invitation == PersonInvited(BY, actor, entry=entry, reason="So.")
        story.take(invitation)
        assert registration.return_entry(story.state, entry, BY, "So.") == ()

    returns = invitations.open_invitation(story.state, "p1", "e1", 0)
    story.take(invitations.decline(story.state, "p1", "e1", 0))
    with pytest.raises(TournamentRefused, match="has declined"):
        registration.return_entry(story.state, "e1", BY, "So.")
    story.take(*registration.return_entry(story.state, "e1", "p1"))
    assert not invitations.holds(story.state, returns), "the entry has returned"
    story.take(*registration.withdraw(story.state, "e1", "p1"))
    assert registration.return_entry(story.state, "e1", BY, "So.") != (), "who came back may be asked again"
    story.take(*registration.return_entry(story.state, "e3", "cleo"))
    assert (story.state.entries[2].status, story.state.invitations.open) == ("in", ())
    assert registration.enter(story.state, "eva", actor="eva").entry == "e4", "an invitation to return is no entry"


def test_a_substitute_is_named_on_acceptance_of_the_latest_invitation() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    for actor in ("sue", "tom"):
        (invitation,) = substitutes.decide_substitute(story.state, 1, "e1", actor, BY, "Ill.")
        assert invitation == PersonInvited(BY, actor, entry="e1", round=1, reason="Ill.")
        story.take(invitation)
        assert substitutes.decide_substitute(story.state, 1, "e1", actor, BY, "Ill.") == ()

    assert [each.actor for each in story.state.invitations.open] == ["tom"]
    with pytest.raises(TournamentRefused, match="no such open invitation"):
        invitations.open_invitation(story.state, "sue", "e1", 1)
    assert story.state.players.isdisjoint({"sue", "tom"})
    story.take(*substitutes.decide_substitute(story.state, 1, "e1", "tom", "tom", "Ill."))
    assert story.state.rounds[0].tables[0].stand_in_of("e1") == "tom"
    assert story.state.has_accepted("tom")
    story.take(*substitutes.decide_substitute(story.state, 1, "e1", "eva", BY, "Ill."))
    story.take(invitations.decline(story.state, "eva", "e1", 1))
    with pytest.raises(TournamentRefused, match="has declined"):
        substitutes.decide_substitute(story.state, 1, "e1", "eva", BY, "Ill.")


def test_an_older_record_of_an_invitation_opens_the_entry_as_before() -> None:
    story = Story(registration="invite")
    stored = b'{"type":"tournament.person_invited","by":"olga","actor":"ann"}'
    fact = msgspec.json.decode(stored, type=facts.Fact)
    story.take(fact).enter("ann")

    assert msgspec.json.encode(fact) == stored
    assert [entry.actor for entry in story.state.entries] == ["ann"]


def test_accepting_a_seat_is_recorded_and_uses_no_role() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    own = substitutes.decide_substitute(story.state, 1, "e1", "sue", "sue", "Ill.")[0]
    assert not acts.needs_no_role(story.state, own), "an organiser who names their own account uses the role"
    story.take(*substitutes.decide_substitute(story.state, 1, "e1", "sue", BY, "Ill."))

    record = act(story, own)
    assert record is not None
    assert (record.kind, record.by, record.entries, record.actor) == ("substitute_named", "sue", ("e1",), "sue")
    assert acts.needs_no_role(story.state, own)


def test_an_invitation_holds_only_while_it_can_be_accepted() -> None:
    story = Story(4, size=2, late_entry=False).set(("e1", "e2"), ("e3", "e4"))
    (seat,) = substitutes.decide_substitute(story.state, 1, "e1", "sue", BY, "Ill.")
    late = registration.enter(story.state, BY, actor="late", as_organiser=True, reason="The train was late.")
    story.take(seat, late, PersonInvited(BY, "eva"))

    def holding() -> list[str]:
        return [each.actor for each in story.state.invitations.open if invitations.holds(story.state, each)]

    assert holding() == ["sue", "late"], "without a reason nobody enters late here"
    story.result(1, 2, 1).result(2, 2, 1).close()
    assert holding() == ["late"]
    with pytest.raises(TournamentRefused, match="no such open invitation"):
        invitations.decline(story.state, "sue", "e1", 1)
    story.take(facts.TournamentEnded(BY))
    assert holding() == []


def test_a_person_who_declined_is_not_invited_to_another_seat_or_as_an_entry() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    story.take(*substitutes.decide_substitute(story.state, 1, "e1", "sue", BY, "Ill."))
    story.take(invitations.decline(story.state, "sue", "e1", 1))

    with pytest.raises(TournamentRefused, match="'sue' has declined"):
        substitutes.decide_substitute(story.state, 1, "e2", "sue", BY, "Ill.")
    with pytest.raises(TournamentRefused, match="'sue' has declined"):
        registration.enter(story.state, BY, actor="sue", as_organiser=True)
    with pytest.raises(TournamentRefused, match="'sue' has declined"):
        invitations.invite(story.state, "sue", BY)


def test_organisers_see_the_answers_and_other_people_their_own_open_invitations() -> None:
    story = Story().take(*(PersonInvited(BY, actor) for actor in ("ann", "ben", "cleo")))
    story.take(invitations.decline(story.state, "ann", "", 0), *invitations.take_back(story.state, "ben", BY))

    def list_visible(actor: str, *, is_organiser: bool) -> list[str]:
        can_accept = partial(invitations.holds, story.state)
        shown = visible_invitations(story.state.invitations, actor, can_accept, is_organiser=is_organiser)
        return [each.actor for each in shown]

    assert list_visible(BY, is_organiser=True) == ["ann", "cleo"]
    assert (list_visible("cleo", is_organiser=False), list_visible("ann", is_organiser=False)) == (["cleo"], [])
