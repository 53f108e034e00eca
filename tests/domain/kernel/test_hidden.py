"""Hidden values cannot leak by accident."""

import msgspec
import pytest

from domain.kernel.hidden import MISSING, Hidden, Sealed, decoder_of, open_hidden

KNOWN = Hidden((1, 2), (0,), "aa")
CLOSED: Hidden[tuple[int, ...]] = Hidden(MISSING, (0,), "aa")


def test_a_closed_value_cannot_be_read() -> None:
    assert KNOWN.value == (1, 2)
    assert (KNOWN.is_known, CLOSED.is_known) == (True, False)
    with pytest.raises(LookupError, match="the hidden value aa is not visible to this reader"):
        _ = CLOSED.value
    assert KNOWN.known_or(()) == (1, 2)
    assert CLOSED.known_or((0, 0)) == (0, 0)


def test_equal_means_the_same_audience_and_value_or_the_same_commitment() -> None:
    assert Hidden((1, 2), (0,), "bb") == KNOWN
    assert Hidden((1, 2), (1,), "aa") != KNOWN
    assert Hidden((1, 3), (0,), "aa") != KNOWN
    assert Hidden(MISSING, (0,), "aa") == CLOSED
    assert Hidden(MISSING, (0,), "bb") != CLOSED
    assert KNOWN != CLOSED
    assert KNOWN != (1, 2)
    assert hash(KNOWN) == hash(Hidden((9,), (0,)))


def test_neither_repr_shows_the_value() -> None:
    assert repr(KNOWN) == "Hidden(audience=(0,), known)"
    assert repr(CLOSED) == "Hidden(audience=(0,), closed)"
    assert repr(MISSING) == "MISSING"


def test_an_opened_value_has_the_type_of_its_field() -> None:
    sealed = Sealed("aa", (0,))

    values = decoder_of(Hidden[tuple[int, ...]])
    assert open_hidden(values, sealed, b"[1,2]") == KNOWN
    assert open_hidden(values, sealed, None) == CLOSED
    with pytest.raises(msgspec.ValidationError):
        open_hidden(values, sealed, b'["x"]')
