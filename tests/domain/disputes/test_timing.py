"""Deadlines for rulings and appeals."""

from datetime import timedelta

import pytest

from domain.disputes.commands import appeal_ruling
from domain.disputes.errors import AppealRefused
from domain.disputes.timing import APPEAL_LIVE, TARGET_LIVE, TARGET_SLOW, appealable_until, due_at
from domain.eventstore.application import Matches
from tests.domain.disputes.disputing import HOLDING, D, M, file_appeal, give_ruling, raise_dispute, start_running_match
from tests.domain.matches.match_helpers import play_out


def test_rulings_are_due_soon_at_running_live_tables_and_within_a_day_elsewhere(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    dispute = raise_dispute(matches, match.version).state
    give_ruling(matches, 81)
    over = play_out(matches, matches.get(M))

    assert due_at(dispute, match) == dispute.raised_at + TARGET_LIVE
    assert due_at(dispute, over) == dispute.raised_at + TARGET_SLOW


def test_a_ruling_can_be_appealed_only_within_its_period(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    raise_dispute(matches, match.version)
    ruled = give_ruling(matches, 81).state
    until = appealable_until(ruled, match)

    assert until == ruled.rulings[0].at + APPEAL_LIVE
    with pytest.raises(AppealRefused, match="the time to appeal ended on 20"):
        appeal_ruling(matches, D, by="bea", reason="No.", at=until + timedelta(seconds=1))
    assert appealable_until(file_appeal(matches).state, match) is None
