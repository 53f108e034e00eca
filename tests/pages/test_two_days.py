"""A two-day tournament in a browser, with an organiser, two arbiters, four people, and bots.

It includes check-in, late entry, no-show, a withdrawal from a proposal, a dispute with its appeal, and prizes. The
whole runs with `ops/test --all`. With `ESPORLES_PICTURES=docs/screenshots/organisers` it runs too, and writes the
pictures of `docs/organise/running-an-event.md` there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.pages import two_days
from tests.pages.browsing import PHONE, Player
from tests.pages.conftest import OPERATOR
from tests.pages.pictures import DESK, PICTURES, check_page
from tests.pages.two_days import Cast
from tests.seeding import IS_EXPLORING
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

IS_WHOLE: Final = IS_EXPLORING or bool(PICTURES)
"""A plain run plays the first day, without the dispute."""


@pytest.mark.walk
def test_a_two_day_tournament_from_announcement_to_prizes(
    new_player: Callable[..., Player], operator: Client, service: Serving
) -> None:
    assert operator.get("/me")["role"] == "operator"
    officials, phones = [new_player(DESK) for _ in range(3)], [new_player(PHONE) for _ in range(4)]
    cast = Cast(*officials, *phones)
    two_days.sign_up_all(cast)
    event = two_days.announces(cast.organiser, 2 if IS_WHOLE else 1, check_page)
    two_days.plans_two_days(cast.organiser, event, check_page)
    two_days.promises_prizes(cast.organiser, event, check_page)
    two_days.names_the_arbiter(cast.organiser, event)
    two_days.gather(cast, event, check_page)

    two_days.begin_the_first_day(cast, event, check_page)
    two_days.notes_who_did_not_come(cast, event)
    two_days.comes_late(cast, event)
    two_days.sits_down(cast.bel, event)
    cast.bel.awaits_the_start()
    if IS_WHOLE:
        two_days.is_settled(cast, event, check_page)
    two_days.gives_up(cast.bel)
    two_days.closes(cast.organiser, event, 2)
    if IS_WHOLE:
        two_days.play_the_second_day(cast, event)
        two_days.closes(cast.organiser, event, 3)
    two_days.find_out(cast, event, (two_days.BACK, two_days.EARLIER, OPERATOR["name"]) if IS_WHOLE else (), check_page)

    path = event.replace("/events/", "/tournaments/")
    tournament: Any = Client(service.started.url).get(path)
    awards: Any = Client(service.started.url).get(f"{path}/awards")["awards"]
    assert tournament["status"] == "ended"
    assert [len(each["tables"]) for each in tournament["rounds"]] == ([2, 3] if IS_WHOLE else [2])
    assert sum(each["amount"] for each in awards) == 15_000
