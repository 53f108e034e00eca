"""A service with its mail and push servers, shared by the tests of a module."""

from collections.abc import Iterator

import pytest

from tests.notifications.away import Away, away_in


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Away]:
    folder = tmp_path_factory.mktemp("away")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
        with away_in(folder) as away:
            yield away
