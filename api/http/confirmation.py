"""The request for confirmation before an action: the page shows the form again with a question."""


class Unconfirmed(Exception):
    """Nothing was done. The form describes the effect and must be sent again to confirm."""
