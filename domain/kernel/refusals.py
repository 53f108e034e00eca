"""Reasons why a part of the board cannot be chosen."""

from domain.kernel.messages import Message
from domain.kernel.values import Value


class Refusal(Value, frozen=True):
    """A rule that forbids a choice: its id in the rules of the title, and the reason as a sentence."""

    rule: str
    words: Message
