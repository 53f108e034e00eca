"""Where a match was played, as the keys of services in its proof show."""

from uuid import UUID

from domain.matches.verification.tally import SignaturesShown
from domain.proofs.origin import origin_statements

OWN = {"bb", "cc"}


def last_elsewhere(house: str, *signed_from: tuple[str, int], streams: tuple[UUID | None, ...] = ()) -> list[str]:
    """Return the ends of the statements about a log of 90 entries, for a service with two keys."""
    signatures = SignaturesShown(services_from=signed_from, house=house)
    statements = origin_statements(signatures, OWN.__contains__, 90, streams)
    return [each.removeprefix("where it was played: ") for each in statements]


def test_a_match_that_this_service_opened_with_any_of_its_keys_is_its_own() -> None:
    assert last_elsewhere("bb", ("bb", 5), ("cc", 70)) == []


def test_a_match_that_continues_here_has_an_entry_from_which_it_was_played_here() -> None:
    (claim,) = last_elsewhere("aa", ("aa", 5), ("bb", 70), ("cc", 61))

    assert claim.endswith("entries 1 to 60 were not played on the service of this proof")


def test_a_match_without_signatures_of_this_service_was_played_elsewhere() -> None:
    (claim,) = last_elsewhere("aa", ("aa", 5))

    assert "entries 1 to 90 were not played" in claim


def test_an_opening_without_a_service_and_a_shared_prefix_are_reported() -> None:
    shared, unnamed = last_elsewhere("", streams=(UUID(int=1), UUID(int=1), None))

    assert shared.startswith("entries 1 to 2, shared with a parent that this service lacks")
    assert unnamed == "the opening names no service, so the log may have been imported"
