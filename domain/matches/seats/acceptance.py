"""Invitations to tournaments and leagues: an account becomes a player when it accepts."""

from domain.matches.facts import Actor, is_bot


def needs_acceptance(by: Actor, actor: Actor) -> bool:
    """Return whether `by` can only invite `actor`, because the account belongs to another person.

    Names without an account and bots of the service need not accept. An outside bot has an account, and accepts like a
    person.
    """
    return bool(actor) and actor != by and not is_bot(actor)
