"""The opener of a tournament or league is its organiser without a grant, irrevocably."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import SERVICE
from domain.roles import commands
from domain.roles.errors import RoleRefused
from domain.roles.state import NOBODY, holds, opener_grant, with_openers

AT = datetime(2026, 1, 1, tzinfo=UTC)
OLGA = opener_grant("olga", "cup", AT)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"))
    yield matches
    matches.close()


def test_an_opener_organises_that_event_and_no_other() -> None:
    roles = with_openers(NOBODY, [OLGA])

    assert holds(roles, "olga", "organiser", "cup")
    assert not holds(roles, "olga", "organiser", "league")
    assert not holds(roles, "olga", "arbiter", "cup")
    assert with_openers(roles, [OLGA]) is roles


def test_an_opener_names_officials_and_nobody_revokes_the_opener(matches: Matches) -> None:
    def change(person: str, role: str, by: str, *, granted: bool = True, scope: str = "cup") -> None:
        commands.change_role(matches, person, role, by=by, granted=granted, at=AT, scope=scope, openers=(OLGA,))  # type: ignore[arg-type]

    change("arno", "organiser", "olga")
    change("bea", "arbiter", "olga")
    with pytest.raises(RoleRefused, match="'olga' created the event and always keeps the role organiser"):
        change("olga", "organiser", "arno", granted=False)
    with pytest.raises(RoleRefused, match="'olga' cannot change the role arbiter"):
        change("bea", "arbiter", "olga", scope="other")
    change("arno", "organiser", "olga", granted=False)

    known = [(each.person, each.role, each.by) for each in commands.roles_of(matches).grants]
    # The opener's right is among the records, where a proof looks for it.
    assert known == [("olga", "organiser", SERVICE), ("bea", "arbiter", "olga")]
