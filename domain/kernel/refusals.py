"""Why nothing can be chosen at a part of the table."""

from domain.kernel.messages import Message
from domain.kernel.values import Value


class Refusal(Value, frozen=True):
    """A rule that stands against a choice: its id in the rules of the title, and the reason as a sentence."""

    rule: str
    words: Message
