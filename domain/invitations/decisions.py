"""Decisions about invitations that tournaments and leagues share; `refusal` is their exception, `event` their noun."""

from collections.abc import Callable

from domain.invitations.state import F, Invitation, Invitations
from domain.matches.facts import Actor

Refusal = Callable[[str], Exception]


def require_not_declined(
    invitations: Invitations[F], actor: Actor, scopes: tuple[str, ...], event: str, refusal: Refusal
) -> None:
    """Raise `refusal` if an account has declined an invitation in one of the scopes and not entered since.

    `event` is the noun in the message, such as "tournament".
    """
    if invitations.has_declined(actor, *scopes):
        raise refusal(f"{actor!r} has declined an invitation to this {event}")


def open_invitation(
    invitations: Invitations[F],
    actor: Actor,
    target: str,
    holds: Callable[[Invitation[F]], bool],
    event: str,
    refusal: Refusal,
) -> Invitation[F]:
    """Return an account's open invitation for a target; raise `refusal` if it has none, or none that `holds` accepts.

    `holds` decides whether an invitation can still be accepted; `event` is the noun in the message.
    """
    invitation = invitations.find(actor, target)
    if invitation is None or not invitation.is_open or not holds(invitation):
        raise refusal(f"{actor!r} has no such open invitation to this {event}")
    return invitation


def open_invitations(invitations: Invitations[F], actor: Actor, event: str, refusal: Refusal) -> tuple[F, ...]:
    """Return the facts of all open invitations of an account, to withdraw them; raise `refusal` if it has none.

    `event` is the noun in the message.
    """
    facts = tuple(each.fact for each in invitations.open if each.actor == actor)
    if not facts:
        raise refusal(f"{actor!r} has no open invitation to this {event}")
    return facts


def visible_invitations(
    invitations: Invitations[F], actor: Actor, holds: Callable[[Invitation[F]], bool], *, is_organiser: bool
) -> list[Invitation[F]]:
    """Return the invitations to show that can still be accepted by `holds`, in the order in which they were made.

    A person sees their own open ones, organisers all open or declined ones.
    """
    answers = {"", "declined"} if is_organiser else {""}
    made = invitations.made.values()
    return [each for each in made if each.answer in answers and (is_organiser or each.actor == actor) and holds(each)]
