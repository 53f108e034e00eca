"""The club of an entry, from the memberships of its person."""

from collections.abc import Iterable
from uuid import UUID

from domain.clubs.state import Club
from domain.contests.conditions import NO_CONDITIONS, Entrant, EntryConditions
from domain.contests.entry_errors import NotOfClubs
from domain.kernel.texts import name_key
from domain.matches.facts import Actor


def is_member(club: Club, person: Actor) -> bool:
    """Return whether a person belongs to an open club."""
    return club.is_open and person in club.members


def choose_club(conditions: EntryConditions | None, entrant: Entrant | None, wanted: UUID | None = None) -> UUID | None:
    """Return the club of an entry: the wanted one, the first of the conditions, or that of the longest membership.

    None for a person without a club, and for bots and names (`entrant` is None). Raise `NotOfClubs` if the person is
    no member of the wanted club.
    """
    seen = () if entrant is None else entrant.clubs
    own = [each.id for each in seen if each.is_member]
    if wanted is not None and wanted not in own:
        name = next((each.name for each in seen if each.id == wanted), str(wanted))
        raise NotOfClubs(
            f"an entry can have a club of its player only, and you are not a member of {name}", {"clubs": name}
        )
    preferred: Iterable[UUID] = (conditions or NO_CONDITIONS).clubs if wanted is None else (wanted,)
    return next((each for each in (*preferred, *own) if each in own), None)


def club_key(club_id: UUID | None, word: str) -> str:
    """Return the key by which entries have the same club: the id, or a plain word in any spelling; empty for none."""
    return name_key(word) if club_id is None else str(club_id)
