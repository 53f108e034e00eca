"""People with other ways in than a password."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.accounts.holders import ANN, Holder


@pytest.fixture
def holder(own_client: TestClient[Any]) -> Holder:
    """Ann, with a passkey, at a browser where nobody is signed in."""
    holder = Holder(own_client)
    holder.signs_up(ANN)
    assert holder.adds("Key ring").status_code == 200
    holder.leaves()
    return holder
