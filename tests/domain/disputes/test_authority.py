"""A ruling states whether its author is an arbiter of the whole service or of the event alone."""

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.errors import RulingRefused
from domain.matches.facts import SERVICE, RulingGiven
from domain.matches.rulings.ruling import check_authority
from domain.roles.commands import change_role
from tests.domain.disputes.disputing import CUP, M, at_table_of_cup, give_ruling, raise_dispute, start_running_match
from tests.domain.matches.match_helpers import START, build_ruling, facts, verify_log


def authority_in(matches: Matches) -> str:
    """Return the authority that the only ruling of the match states."""
    (fact,) = (fact for fact in facts(matches, M) if isinstance(fact, RulingGiven))
    return fact.authority


def test_an_arbiter_of_the_service_rules_as_one(matches: Matches) -> None:
    raise_dispute(matches, start_running_match(matches).version)
    give_ruling(matches, 100, by="ada")

    assert authority_in(matches) == "service"
    verify_log(matches, M)


def test_an_arbiter_of_the_event_alone_rules_as_one_of_the_event(matches: Matches) -> None:
    raise_dispute(matches, at_table_of_cup(matches).version)
    change_role(matches, "eve", "arbiter", scope=CUP, by=SERVICE, granted=True, at=START)
    give_ruling(matches, 100, by="eve")

    assert authority_in(matches) == "event"
    verify_log(matches, M)


def test_a_log_of_an_earlier_format_has_no_such_field(matches: Matches) -> None:
    match = replace(start_running_match(matches), format=2)
    check_authority(match, build_ruling("one"))

    with pytest.raises(RulingRefused, match="rulings in a log of format 2 do not state the authority of their author"):
        check_authority(match, replace(build_ruling("one"), authority="service"))
