"""Error messages on pages: a localised sentence for each code, with the exact English one next to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from api.http.errors import Problem
from api.http.languages import _
from domain.kernel.messages import N_

SENTENCES: Final[Mapping[str, str]] = {
    "analysis/not_possible": N_("This match cannot be analysed."),
    "absence/refused": N_(
        "An absence of one day or more is announced in correspondence, in time, for at most 42 days of a match."
    ),
    "account/bad_name": N_("This name cannot be used: a name has 2 to 40 visible characters."),
    "account/bad_password": N_("This password is too short: a password has at least 8 characters."),
    "account/last_way_in": N_("This is the only way into the account. Give it another one first."),
    "account/name_alike": N_("This name looks like the name of somebody else. Choose another one."),
    "account/name_blank": N_("A name needs a letter or a digit, and nothing in it that cannot be seen."),
    "account/name_mixed": N_("This name mixes letters of several scripts: write it in one of them."),
    "account/name_reserved": N_("This name is kept for the service, for bots or for guests."),
    "account/name_taken": N_("Somebody else has this name already."),
    "account/no_bot": N_(
        "This account does not become that of a bot: it is a guest's, sits at a table, takes part in an event without"
        " bots, has another role or has played rated."
    ),
    "account/no_guest": N_("This guest has an account already. Sign in with its name and password."),
    "account/not_begun": N_("This took too long, or was begun in another window. Begin again."),
    "account/sign_in_again": N_("This can be done shortly after signing in. Sign in again."),
    "account/wrong_credentials": N_("No account has this name and password."),
    "action/illegal": N_("This is not among the things you can do now."),
    "actor/unknown": N_("There is no such bot."),
    "checkpoint/behind": N_("Not every entry of this match is covered by a signed tree yet. Try again in a moment."),
    "checkpoint/unknown": N_("Nothing has been signed here yet."),
    "appeal/refused": N_("This ruling can no longer be appealed, or not by you."),
    "arbiter/plays": N_("A player of a match cannot be its arbiter."),
    "bot/cannot_play": N_("This bot cannot play this title."),
    "caller/forbidden": N_("You may not do this. If the page has been open for long, load it again."),
    "caller/too_many_requests": N_("You are quicker than the server can follow. Wait a moment and try again."),
    "caller/unknown": N_("For this you have to sign in, or come in as a guest."),
    "components/missing": N_("The deck or the components for this are not installed here."),
    "dispute/not_a_party": N_("Only the players of the match and its arbiters may see this dispute."),
    "call/refused": N_("An arbiter cannot be called now, or no call waits here."),
    "committee/refused": N_("These people cannot hear appeals together."),
    "vote/refused": N_("This cannot be voted on or announced now."),
    "dispute/refused": N_("A dispute cannot be raised like that."),
    "dispute/settled": N_("This dispute is settled already."),
    "documentation/not_built": N_(
        "The documentation is not built. Run ops/docs in the checkout of this server, then reload this page."
    ),
    "entry/unknown": N_("The match has no such entry."),
    "fork/refused": N_("From here no new match can begin."),
    "fork/too_deep": N_("Too many forks lie behind this match. Fork one of those it comes from."),
    "table/one_device": N_(
        "On one device at least two people play, and bots; there is no clock, rating, signature, hint, pause or chat."
    ),
    "seat/not_held": N_("The device is not with this player now."),
    "hints/needs_bots": N_("With hints one person plays against bots: choose a bot for every other seat."),
    "hints/refused": N_("Hints are there only for one person alone against bots, at a table opened with hints."),
    "identity/taken": N_("Another account here is already signed in to in this way."),
    "identity/unknown": N_("This was taken away already."),
    "invitation/refused": N_("Nobody can be invited to this table now."),
    "invitation/unknown": N_("There is no such invitation, or it was taken back."),
    "key/of_program": N_("This is the account of a bot. Its program signs with a key of its own; a browser adds none."),
    "key/unknown": N_("You have no such key."),
    "league/refused": N_("This does not fit the league as it stands."),
    "lesson/not_now": N_("The lesson asks for something else now. What you can choose is marked."),
    "lesson/unknown": N_("There is no such lesson."),
    "log/false": N_("The log is not what it claims to be."),
    "log/refused": N_("This log cannot be taken in here."),
    "log/tampered": N_(
        "What is stored of this is not what this server signed, so it is not shown, and nobody can play on"
        " it. The operator of the server has been told."
    ),
    "mail/bad_address": N_("This is no mail address like ann@example.org."),
    "mail/bad_link": N_("This link is not whole, or was not made here. Open it as it stands in the message."),
    "mail/too_many_letters": N_(
        "No further letter is sent today: you have given many addresses, or many letters went to this one. Try again"
        " tomorrow."
    ),
    "match/exists": N_("There is another match with this id."),
    "match/not_allowed": N_("Only somebody else may do this."),
    "match/not_open": N_("The match has begun already."),
    "match/not_running": N_("The match has not begun, or is paused."),
    "match/over": N_("The match is over."),
    "match/rules_retired": N_("The rules have changed since this match began: it cannot be played on."),
    "match/stale": N_("The table has moved on: this can no longer be done."),
    "match/unknown": N_("There is no such table."),
    "method/not_allowed": N_("This cannot be done at this address."),
    "option/unknown": N_("These variants do not go together, or there is no such variant."),
    "passkey/refused": N_("This passkey cannot be added."),
    "passkey/unknown": N_("You have no such passkey."),
    "passkey/wrong": N_("This passkey does not open an account here."),
    "path/unknown": N_("There is no such page."),
    "pause/refused": N_("At this table there is no pause now, or none left to agree on."),
    "person/blocked": N_("This person does not want to be contacted by you."),
    "person/own_block": N_("You have blocked this person; lift the block first."),
    "person/unknown": N_("Nobody has this name."),
    "push/bad_device": N_("Your browser did not say how it can be reached."),
    "push/endpoint_refused": N_("Nothing can be sent to the push service of this browser."),
    "provider/away": N_("The other side cannot be reached just now. Try again in a moment, or sign in another way."),
    "provider/refused": N_("The other side did not say who you are, or what it said does not hold."),
    "ranking/unknown": N_("There is no such ranking."),
    "archive/search": N_("The archive cannot be searched for that."),
    "event/no_bots": N_("Accounts of bots take no part here, and {name} is one."),
    "explorer/unknown": N_("There is no such explorer."),
    "rated/guest": N_("Guests do not play rated matches. Sign up first: your account keeps the seats you have."),
    "rated/live_table": N_("You sit at a rated live table already. It comes to its end first, or you leave it."),
    "rated/no_clock": N_("A rated table has a clock. Choose one, or open the table without rating."),
    "rated/not_organiser": N_("Rated events are opened by organisers of this service. Open the event without rating."),
    "rated/too_many": N_(
        "You sit at as many rated correspondence tables as are allowed at once: {tables} of {most}. Finish one first."
    ),
    "request/malformed": N_("The form was not filled in as it was meant to be."),
    "request/media_type": N_("This kind of request is not supported here."),
    "request/too_large": N_("That was too long."),
    "request/unconfirmed": N_("Nothing has been done yet. Look at it once more, then confirm."),
    "resign/refused": N_("At this table nobody resigns: let a bot play on for you."),
    "role/plays": N_("You play there yourself: somebody else has to do this. That you tried has been noted."),
    "role/missing": N_("For this you need a role that you do not have."),
    "role/refused": N_("This role cannot be given or taken away."),
    "ruling/refused": N_("This ruling does not fit the match as it stands."),
    "seat/leaves_too_often": N_(
        "Matches with other people that you left before the end: {left} of the last {matches} ({share} %). This table"
        " asks for at most {most} %."
    ),
    "seat/no_bots": N_("This table takes no accounts of bots."),
    "seat/not_yours": N_("You do not sit there."),
    "seat/plain_bot": N_("At rated tables and at tables of events only the bot “{bot}” plays on for you."),
    "seat/reserved": N_(
        "This seat belongs to somebody who takes part in the tournament or league. Whoever cannot play tells the"
        " organiser, who may name a substitute."
    ),
    "seat/seated_already": N_("You sit at this table already."),
    "seat/taken": N_("Somebody else has taken this seat."),
    "seat/unknown": N_("The table has no such seat."),
    "seats/wrong_count": N_("With these options the title is played by another number of players."),
    "service/fault": N_("Something is wrong with the service. It has been noted."),
    "service/outcome_unknown": N_("Whether this was done is not known. Look, and do it again if it was not."),
    "service/unavailable": N_("The service cannot answer just now. Try again in a moment."),
    "signature/wrong": N_(
        "The signature of your browser does not fit. Load the page again; if that does not help, go on without signing."
    ),
    "signature/order": N_("What an official does here is signed. Sign it with the browser that holds your key."),
    "signature/missing": N_(
        "Your seat signs what it does, and this was not signed. Load the page again, or go on without signing."
    ),
    "share/wrong": N_("Your secret number is not the one that was sealed."),
    "stream/unknown": N_("There is no such page."),
    "study/closed": N_(
        "This study opens when the match has ended. Until then only its writers can read it,"
        " unless they play in the match."
    ),
    "study/exists": N_("There is another study with this id."),
    "study/not_yours": N_("This study belongs to somebody else."),
    "study/refused": N_("This cannot be written into a study."),
    "study/wrong_match": N_("The study is about another match."),
    "take_back/refused": N_("This can no longer be taken back, or the take-backs of this turn are used up."),
    "talk/message_unknown": N_("There is no such message, or it was erased."),
    "talk/not_yours": N_("This chat is for others."),
    "talk/off": N_("There is no chat at this table."),
    "talk/refused": N_("A message has something to read in it, at most 500 characters and 8 lines."),
    "talk/said_already": N_("You have just said the same."),
    "tile/unknown": N_("The tree has no such part."),
    "time_out/refused": N_("No clock of this seat has run out."),
    "photo/not_yours": N_("Photos of a table are for those who sit there and for officials of the event."),
    "photo/refused": N_("No further photo is kept: of a table and of an event there are only so many."),
    "photo/too_large": N_("This picture is too large: at most 12 MB and 50 million pixels are taken."),
    "photo/unknown": N_("There is no such photo, or it was taken away."),
    "photo/unreadable": N_("This is no picture that can be read: send a whole photo as JPEG, PNG or WebP."),
    "piece/unknown": N_("There is nothing of this name among the rules and cards of this title."),
    "title/unknown": N_("This title is not played here."),
    "session/unknown": N_("This browser is signed out already."),
    "token/scope_missing": N_("The token is not good for this."),
    "token/too_many": N_("An account has at most 100 tokens. Revoke one first."),
    "token/unknown": N_("You have no such token."),
    "tournament/entered_already": N_("Nobody takes part twice in one event."),
    "tournament/entry_unknown": N_("Nobody takes part under this name."),
    "tournament/import_refused": N_("The file cannot be read."),
    "tournament/places_contradict": N_(
        "Somebody with fewer points stands before somebody with more. If it is meant, say so."
    ),
    "tournament/plan_refused": N_("The plan contradicts itself."),
    "tournament/refused": N_("This does not fit the event as it stands."),
    "tournament/round_unknown": N_("The event has no such round, or no such table in it."),
    "table/too_many_listed": N_(
        "You have as many open tables in the lobby as are allowed at once: {tables} of {most}. Give one of them up, or"
        " open a private table."
    ),
    "seat/too_many_bot_tables": N_(
        "You have as many running tables that only bots play as are allowed at once: {tables} of {most}. Wait until one"
        " of them ends, or play at this table yourself."
    ),
    "seat/too_many_tables_with_bots": N_(
        "You have as many unfinished tables with bots as are allowed at once: {tables} of {most}. Finish one of them,"
        " or resign there and let the bots play it to the end."
    ),
    "tournament/code_locked": N_(
        "Too many wrong codes were tried. Wait an hour, or let an organiser enter the result or give you another code."
    ),
    "tournament/wrong_code": N_(
        "This is not the code of this player. It stands on the strip the organiser handed out."
    ),
    "tournament/wrong_result": N_("No table could have come to this result."),
    "tree/differs": N_("The tree is not what this server signed last, so it is not served."),
    "variation/illegal": N_("The rules do not allow this step."),
}
"""Sentences by code, for every code that a page can show."""


COMPLETE_SENTENCES: Final = frozenset(
    {
        *("event/no_bots", "hints/needs_bots", "key/of_program", "path/unknown", "seat/leaves_too_often"),
        *("person/blocked", "seat/no_bots", "rated/guest", "rated/live_table", "rated/too_many"),
        *("seat/too_many_bot_tables", "seat/too_many_tables_with_bots", "table/too_many_listed"),
    }
)
"""Codes whose sentence is complete; the exact message for programs would only add an id."""


def exact_message(problem: Problem) -> str:
    """Return the exact English message for a page; empty if the sentence is complete."""
    return "" if problem.code in COMPLETE_SENTENCES else problem.detail


def translate_problem(problem: Problem) -> str:
    """Return the error message in the reader's language."""
    return _(SENTENCES.get(problem.code, problem.title), **problem.values)
