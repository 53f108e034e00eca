"""HTTP status and error codes of match exceptions."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from api.matches.invitations import InvitationRefused, InvitationUnknown
from domain.kernel.rules import IllegalAction, MissingComponents, UnknownOption
from domain.matches import errors as match

REFUSALS: Final[Refusals] = {
    match.TooManyListed: (409, "table/too_many_listed"),
    match.TooManyBotTables: (409, "seat/too_many_bot_tables"),
    match.TooManyTablesWithBots: (409, "seat/too_many_tables_with_bots"),
    IllegalAction: (422, "action/illegal"),
    MissingComponents: (422, "components/missing"),
    UnknownOption: (422, "option/unknown"),
    InvitationRefused: (409, "invitation/refused"),
    InvitationUnknown: (404, "invitation/unknown"),
    match.AlreadySeated: (409, "seat/seated_already"),
    match.ForkRefused: (422, "fork/refused"),
    match.ForkTooDeep: (422, "fork/too_deep"),
    match.ImportRefused: (409, "log/refused"),
    match.LogFault: (422, "log/false"),
    match.MatchExists: (409, "match/exists"),
    match.MatchOver: (409, "match/over"),
    match.NoSuchEntry: (404, "entry/unknown"),
    match.NoSuchMatch: (404, "match/unknown"),
    match.NotAllowed: (403, "match/not_allowed"),
    match.NotOpen: (409, "match/not_open"),
    match.NotRunning: (409, "match/not_running"),
    match.RulesRetired: (409, "match/rules_retired"),
    match.NoSuchStream: (404, "stream/unknown"),
    match.NotSeated: (403, "seat/not_yours"),
    match.OnlyPlainBot: (409, "seat/plain_bot"),
    match.AbsenceRefused: (409, "absence/refused"),
    match.PauseRefused: (409, "pause/refused"),
    match.ResignRefused: (409, "resign/refused"),
    match.RulingRefused: (422, "ruling/refused"),
    match.SeatReserved: (403, "seat/reserved"),
    match.SeatTakenAlready: (409, "seat/taken"),
    match.Tampered: (503, "log/tampered"),
    match.StaleVersion: (409, "match/stale"),
    match.HintsRefused: (409, "hints/refused"),
    match.HintsNeedBots: (409, "hints/needs_bots"),
    match.OneDeviceRefused: (409, "table/one_device"),
    match.NotHeld: (409, "seat/not_held"),
    match.TakeBackRefused: (409, "take_back/refused"),
    match.TimeOutRefused: (409, "time_out/refused"),
    match.BotCannotPlay: (422, "bot/cannot_play"),
    match.UnknownActor: (422, "actor/unknown"),
    match.UnknownSeat: (422, "seat/unknown"),
    match.UnknownTitle: (422, "title/unknown"),
    match.WrongSeatCount: (422, "seats/wrong_count"),
    match.WrongShare: (422, "share/wrong"),
    match.BadSignature: (422, "signature/wrong"),
    match.SignatureMissing: (422, "signature/missing"),
    match.KeyOfProgram: (403, "key/of_program"),
    match.NoSuchKey: (404, "key/unknown"),
    match.OrderUnsigned: (422, "signature/order"),
}
"""The status and error code of each exception."""
