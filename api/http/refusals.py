"""Error messages on pages: a localised sentence for each code, with the exact English one next to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from api.http.countries import country_name
from api.http.errors import Problem
from api.http.languages import _, join_words
from domain.kernel.messages import N_

SENTENCES: Final[Mapping[str, str]] = {
    "analysis/not_possible": N_("This match cannot be analysed."),
    "absence/refused": N_(
        "This holiday is not possible. Holidays need a correspondence match, last at least 1 day, stay within the days "
        "that are left, and cannot be announced in the last day of your turn."
    ),
    "account/bad_name": N_("This name is not valid. Use 2 to 40 visible characters."),
    "account/bad_password": N_("This password is too short. Use at least 8 characters."),
    "account/last_way_in": N_("This is the only way to sign in to this account. Add another one first."),
    "account/name_alike": N_("This name is too similar to the name of another player. Choose a different one."),
    "account/name_blank": N_("A name needs at least one letter or digit and no invisible characters."),
    "account/name_mixed": N_("This name mixes several alphabets. Use letters of only one, such as Latin or Cyrillic."),
    "account/name_reserved": N_("This name is reserved for the server, bots or guests. Choose a different one."),
    "account/name_taken": N_("This name is already taken. Choose a different one."),
    "account/no_bot": N_(
        "This account cannot become a bot account: it belongs to a guest, sits at a table, is registered for a "
        "tournament or league without bots, has another role or has played rated matches. Create a separate "
        "account for the bot."
    ),
    "account/no_guest": N_("This guest already has an account. Sign in with its name and password."),
    "account/not_begun": N_("This took too long or was started in another window. Start again."),
    "account/sign_in_again": N_("For your security, sign in again to do this."),
    "account/unknown_country": N_("There is no such country. Choose one from the list."),
    "account/wrong_credentials": N_("Wrong name or password. Try again."),
    "action/illegal": N_("You cannot do this now. Choose something else."),
    "actor/unknown": N_("This bot does not exist. Choose another one."),
    "checkpoint/behind": N_("Some entries of this match are not in the signed tree yet. Try again in a moment."),
    "checkpoint/unknown": N_("No checkpoint has been signed yet. Try again later."),
    "appeal/refused": N_("You cannot appeal this ruling, or the time for appeals is over."),
    "arbiter/plays": N_("A player of a match cannot be its arbiter. Choose another arbiter."),
    "bot/cannot_play": N_("This bot cannot play this game. Choose another bot."),
    "caller/forbidden": N_("You are not allowed to do this. If this page has been open for a long time, reload it."),
    "caller/too_many_requests": N_("You are sending requests too quickly. Wait a moment and try again."),
    "caller/unknown": N_("Sign in or continue as a guest to do this."),
    "components/missing": N_("This server does not have the deck or the components for this. Choose different ones."),
    "dispute/not_a_party": N_("Only the players of the match and its arbiters can see this dispute."),
    "call/refused": N_("You cannot call an arbiter here now, or the call has already been answered."),
    "circuit/refused": N_("This is not possible in the current state of the circuit. The reason is below."),
    "club/name_blank": N_("The name of a club needs at least one visible character."),
    "club/name_taken": N_("Another club has this name or a very similar one. Choose a different name."),
    "club/not_of_club": N_("Only the owner or the organisers of the club can do this."),
    "club/refused": N_("This is not possible in this club now."),
    "contest/club": N_("Only members of {clubs} can join."),
    "contest/condition_unmet": N_(
        "This player does not meet the conditions of entry. To let them join anyway, tick “Waive the conditions” and "
        "give a reason."
    ),
    "contest/country": N_("Only players from {countries} can join. Your account states {country}."),
    "contest/country_missing": N_("Only players from {countries} can join. State your country in your account."),
    "contest/excluded": N_("You are excluded from these events until {until}. {reason}"),
    "contest/leaves_too_many": N_(
        "You left {share} % of your last matches with other people early. You can join with at most {most} %."
    ),
    "contest/not_listed": N_("You are not on the organisers' list of names."),
    "contest/password_missing": N_("You need a password to join. Ask the organisers for it."),
    "contest/password_wrong": N_("This password is wrong. Try again, or ask the organisers."),
    "contest/person_excluded": N_("This player is excluded from these events until {until}. Lift the exclusion first."),
    "contest/rated_matches": N_("Your rated matches of {title}: {matches}. You need at least {least} to join."),
    "contest/rating": N_("Your rating in {title} is {points}. You can join with {least} to {most}."),
    "contest/rating_too_high": N_("Your rating in {title} is {points}. You can join with at most {most}."),
    "contest/rating_too_low": N_("Your rating in {title} is {points}. You can join with at least {least}."),
    "contest/unrated": N_("You have no rating in {title}. You need at least {least} to join."),
    "holiday/announced": N_("You already have a holiday from {first} to {last}. End it first."),
    "holiday/last_day": N_("{table}: you have less than 1 day left for your turn. Take your turn first."),
    "holiday/none": N_("You have no holiday to end."),
    "holiday/past": N_("This holiday begins on {first}, which is in the past."),
    "holiday/too_far_ahead": N_("This holiday begins on {first}. A holiday begins within 365 days."),
    "holiday/too_long": N_("Days of holiday left at {table}: {days}. This holiday takes {wanted}."),
    "holiday/too_short": N_("This holiday begins on {first} and ends on {last}. A holiday lasts at least 1 day."),
    "committee/refused": N_("These people cannot form an appeal committee. Choose different members."),
    "vote/refused": N_("You cannot vote on this now, or no ruling has a majority yet."),
    "dispute/refused": N_("This is not possible in a dispute. Check what you entered."),
    "dispute/settled": N_("This dispute is already settled."),
    "documentation/not_built": N_(
        "The documentation is not built. Run ops/docs in the checkout of this server, then reload this page."
    ),
    "entry/unknown": N_("This match has no entry with this number."),
    "fork/refused": N_("You cannot fork the match at this position."),
    "fork/too_deep": N_("This match is the result of too many forks. Fork one of the earlier matches instead."),
    "table/one_device": N_(
        "A table on one device needs at least two people. It has no clock, rating, signatures, hints, pauses or chat."
    ),
    "seat/not_held": N_("It is another player's turn on this device. Pass the device on."),
    "hints/needs_bots": N_("Hints are for one person against bots. Choose a bot for every other seat."),
    "hints/refused": N_("Hints are available only when you play alone against bots, at a table created with hints."),
    "identity/taken": N_("This sign-in method already belongs to another account."),
    "identity/unknown": N_("This sign-in method was already removed."),
    "invitation/refused": N_("You cannot invite anyone to this table now."),
    "invitation/unknown": N_("This invitation does not exist or was withdrawn. Ask for a new one."),
    "key/of_program": N_(
        "This is a bot account. Its program signs with its own key, so you cannot add the key of a browser."
    ),
    "key/unknown": N_("This key is not registered for your account."),
    "contest/refused": N_("This is not possible in the current state of the event. Reload the page."),
    "league/refused": N_("This is not possible in the current state of the league. Reload the page."),
    "lesson/not_now": N_("The lesson expects something else now. Your options are highlighted."),
    "lesson/unknown": N_("This lesson does not exist."),
    "log/false": N_("This log failed verification. Check that the file is complete and unchanged."),
    "log/refused": N_("This log cannot be imported here."),
    "log/tampered": N_(
        "The stored data differs from the data that this server signed, so it is not shown and play is stopped. "
        "The operator has been notified."
    ),
    "mail/bad_address": N_("Enter an e-mail address such as ann@example.org."),
    "mail/bad_link": N_(
        "This link is incomplete or was not created here. Open it exactly as it appears in the message."
    ),
    "mail/too_many_letters": N_(
        "No more e-mails can be sent today: you entered many addresses, or this address received many e-mails. Try "
        "again tomorrow."
    ),
    "match/exists": N_("Another match already has this id."),
    "match/not_allowed": N_("You are not allowed to do this."),
    "match/not_open": N_("The match has already started."),
    "match/not_running": N_("The match has not started yet or is paused."),
    "match/over": N_("The match is over."),
    "match/rules_retired": N_("The rules have changed since this match started, so it cannot be continued."),
    "match/stale": N_("The match has moved on in the meantime. Check the board and choose again."),
    "match/unknown": N_("This table does not exist. Check the link."),
    "method/not_allowed": N_("This is not possible at this address."),
    "option/unknown": N_("These variants cannot be combined, or one of them does not exist. Choose others."),
    "passkey/refused": N_("This passkey could not be added. Try again."),
    "passkey/unknown": N_("This passkey is not registered for your account."),
    "passkey/wrong": N_("No account uses this passkey. Choose another one or sign in another way."),
    "path/unknown": N_("This page does not exist. Check the address."),
    "pause/refused": N_("This table cannot be paused now, or its pauses are used up."),
    "person/blocked": N_("This player does not want to be contacted by you."),
    "person/own_block": N_("You have blocked this player. Unblock them first."),
    "person/unknown": N_("No player has this name. Check the spelling."),
    "push/bad_device": N_("Your browser did not send a valid subscription. Turn notifications on again."),
    "push/endpoint_refused": N_("This server cannot use the push service of this browser. Use another browser."),
    "provider/away": N_("The sign-in provider is not responding. Try again in a moment or sign in another way."),
    "provider/refused": N_("The sign-in provider did not confirm who you are. Try again or sign in another way."),
    "ranking/content_missing": N_("Some lines of this list are not stored yet. Try again in a moment."),
    "ranking/not_ready": N_("This month cannot be closed yet: it is not over, or results are still being rated."),
    "ranking/refused": N_("This is not possible for this ranking list. Check the rule, and give a reason."),
    "ranking/unknown_list": N_("This ranking list does not exist, or it has no such month, file or player."),
    "ranking/unknown": N_("This leaderboard does not exist."),
    "archive/search": N_("This search is not possible. Change the filters."),
    "event/no_bots": N_("Bot accounts cannot play here, and {name} is one."),
    "explorer/unknown": N_("There is no explorer for this game and number of players."),
    "rated/guest": N_("Guests cannot play rated matches. Sign up first; you keep your seats."),
    "rated/live_table": N_("You are already at a rated live table. Finish or leave it first."),
    "rated/no_clock": N_("A rated table needs a time control. Choose one, or create a casual table."),
    "rated/not_organiser": N_(
        "Only organisers of this server can create rated tournaments and leagues. Create it without rating."
    ),
    "rated/too_many": N_(
        "You have reached the limit of rated correspondence tables: {tables} of {most}. Finish one first."
    ),
    "request/malformed": N_("Some values are missing or not valid. Correct them and try again."),
    "request/media_type": N_("This format is not supported here."),
    "request/too_large": N_("This is too large. Shorten it and try again."),
    "request/unconfirmed": N_("Nothing has changed yet. Check it again, then confirm."),
    "resign/refused": N_("You cannot resign at this table. Let a bot take over instead."),
    "role/plays": N_("You play in this match, so someone else has to do this. Your attempt was recorded."),
    "role/missing": N_("You do not have the role that this requires."),
    "role/refused": N_("This role cannot be granted or removed."),
    "ruling/refused": N_("This ruling is not possible in the current state of the match."),
    "seat/leaves_too_often": N_(
        "You left {left} of your last {matches} matches with other people early ({share} %). This table accepts at "
        "most {most} %."
    ),
    "seat/no_bots": N_("Bot accounts cannot play at this table."),
    "seat/not_yours": N_("You do not have a seat at this table."),
    "seat/plain_bot": N_("At rated tables and in tournaments or leagues, only the bot “{bot}” can take over for you."),
    "seat/reserved": N_(
        "This seat is reserved for a participant of the tournament or league. If you cannot play, tell the "
        "organiser, who can name a substitute."
    ),
    "seat/seated_already": N_("You already have a seat at this table."),
    "seat/taken": N_("This seat is already taken. Choose another one."),
    "seat/unknown": N_("This table has no such seat."),
    "seats/wrong_count": N_("With these options, the game needs a different number of players."),
    "service/fault": N_("An error occurred on the server. It was logged; try again later."),
    "service/outcome_unknown": N_("It is unknown whether this was saved. Check, and try again if it was not."),
    "service/unavailable": N_("The server is not available right now. Try again in a moment."),
    "signature/wrong": N_(
        "The signature of your browser is not valid. Reload the page; if that does not help, continue without signing."
    ),
    "signature/order": N_("Officials must sign this. Sign it in the browser that has your key."),
    "signature/missing": N_(
        "Moves from your seat are signed, and this one was not. Reload the page, or continue without signing."
    ),
    "share/wrong": N_("Your secret number does not match the sealed one. Reload the page."),
    "stream/unknown": N_("This page does not exist. Check the address."),
    "study/closed": N_(
        "This study opens when the match is over. Until then, only its authors can read it, unless they play in "
        "the match."
    ),
    "study/exists": N_("Another study already has this id."),
    "study/not_yours": N_("This study belongs to someone else."),
    "study/refused": N_("This cannot be saved in the study. Check what you entered."),
    "study/wrong_match": N_("This study is about another match."),
    "take_back/refused": N_("This can no longer be taken back, or the take-backs of this turn are used up."),
    "talk/message_unknown": N_("This message does not exist or was deleted."),
    "talk/not_yours": N_("You do not have access to this chat."),
    "talk/off": N_("This table has no chat."),
    "talk/refused": N_("A message cannot be empty or longer than 500 characters and 8 lines."),
    "talk/said_already": N_("You have just sent the same message."),
    "tile/unknown": N_("The tree has no such tile."),
    "time_out/refused": N_("This player's time has not run out."),
    "photo/not_yours": N_(
        "Only the players at the table and the officials of the tournament can add or remove its photos."
    ),
    "photo/refused": N_("This table or tournament already has as many photos as it can have. Remove one first."),
    "photo/too_large": N_("This picture is too large. The limit is 12 MB and 50 million pixels."),
    "photo/unknown": N_("This photo does not exist or was removed."),
    "photo/unreadable": N_("This picture cannot be read. Send a complete photo as JPEG, PNG or WebP."),
    "piece/unknown": N_("No rule or card of this game has this name."),
    "title/unknown": N_("This game is not available here."),
    "session/unknown": N_("This browser is already signed out."),
    "token/scope_missing": N_("This API token does not allow this. Use one with the required scope."),
    "token/too_many": N_("An account can have at most 100 API tokens. Revoke one first."),
    "token/unknown": N_("This API token does not exist or was revoked."),
    "tournament/entered_already": N_("This player is already registered for this tournament."),
    "tournament/entry_unknown": N_("No player of the tournament has this name. Check the spelling."),
    "tournament/import_refused": N_("The file could not be imported. Correct it and try again."),
    "tournament/places_contradict": N_(
        "A player with fewer points is placed above a player with more. If this is correct, confirm it."
    ),
    "tournament/plan_refused": N_("These settings do not fit together. Change them and try again."),
    "tournament/refused": N_("This is not possible in the current state of the tournament. Reload the page."),
    "tournament/round_unknown": N_("This tournament has no such round or table."),
    "table/too_many_listed": N_(
        "You have reached the limit of open tables in the lobby: {tables} of {most}. Close one of them, or create "
        "a private table."
    ),
    "seat/too_many_bot_tables": N_(
        "You have reached the limit of running tables with only bots: {tables} of {most}. Wait until one of them "
        "ends, or play at this table yourself."
    ),
    "seat/too_many_tables_with_bots": N_(
        "You have reached the limit of unfinished tables with bots: {tables} of {most}. Finish one of them, or "
        "resign there and let the bots finish it."
    ),
    "tournament/code_locked": N_(
        "Too many wrong codes. Wait an hour, or ask an organiser to enter the result or to give you a new code."
    ),
    "tournament/wrong_code": N_("This is not the code of this player. It is on the strip from the organiser."),
    "tournament/wrong_result": N_("This result is not possible. Check the points and places."),
    "tree/differs": N_("The tree differs from the one that this server signed last, so it is not served."),
    "variation/illegal": N_("The rules do not allow this move."),
}
"""Sentences by code, for every code that a page can show."""


COMPLETE_SENTENCES: Final = frozenset(
    {
        *("event/no_bots", "hints/needs_bots", "key/of_program", "path/unknown", "seat/leaves_too_often"),
        *("contest/club", "contest/country", "contest/country_missing", "contest/excluded", "contest/leaves_too_many"),
        *("contest/not_listed", "contest/password_missing", "contest/password_wrong", "contest/rated_matches"),
        *("holiday/announced", "holiday/last_day", "holiday/none", "holiday/past"),
        *("holiday/too_far_ahead", "holiday/too_long", "holiday/too_short"),
        *("contest/rating", "contest/rating_too_high", "contest/rating_too_low", "contest/unrated"),
        *("person/blocked", "seat/no_bots", "rated/guest", "rated/live_table", "rated/too_many"),
        *("seat/too_many_bot_tables", "seat/too_many_tables_with_bots", "table/too_many_listed"),
    }
)
"""Codes whose sentence is complete; the exact message for programs would only add an id."""


COUNTRIES: Final = frozenset({"country", "countries"})
"""Values of messages that are codes of countries."""


def exact_message(problem: Problem) -> str:
    """Return the exact English message for a page; empty if the sentence is complete."""
    return "" if problem.code in COMPLETE_SENTENCES else problem.detail


def translate_problem(problem: Problem) -> str:
    """Return the error message in the reader's language."""
    values = {name: name_countries(value) if name in COUNTRIES else value for name, value in problem.values.items()}
    return _(SENTENCES.get(problem.code, problem.title), **values)


def name_countries(codes: object) -> str:
    """Return the names of the countries in a list of codes."""
    return join_words(map(country_name, filter(None, str(codes).split(", "))))
