"""Declaration of the accounts subject for the web process."""

from __future__ import annotations

from typing import Final

from api.accounts import routes
from api.accounts.errors import REFUSALS
from api.accounts.pages import account, passkeys, preferences, provider, signing_in
from api.http.subjects import Subject

SUBJECT: Final = Subject(
    "accounts",
    refusals=REFUSALS,
    routes=(routes.ROUTER,),
    pages=(
        *signing_in.HANDLERS,
        *account.HANDLERS,
        *passkeys.HANDLERS,
        *preferences.HANDLERS,
        *provider.HANDLERS,
    ),
)
