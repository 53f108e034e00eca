"""Values of exceptions, from which pages and clients build messages."""

from domain.matches.errors import OnlyPlainBot, TooManyListed


def test_a_refusal_keeps_the_name_of_the_bot_that_is_allowed() -> None:
    refused = OnlyPlainBot("only the bot 'greedy' plays on", "greedy")

    assert (str(refused), refused.values) == ("only the bot 'greedy' plays on", {"bot": "greedy"})


def test_a_refusal_keeps_the_bound_of_listed_tables() -> None:
    refused = TooManyListed("the limit is 3", {"tables": 3, "most": 3})

    assert (str(refused), refused.values) == ("the limit is 3", {"tables": 3, "most": 3})
