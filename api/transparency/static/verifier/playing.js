// A match in play: who may act, take-backs, time, pauses, leaving, the end (docs/specifications/facts.md).

import { quote } from "./canonical.js";
import { endAbsences } from "./absences.js";
import { isBot, isPerson, SERVICE, tagged } from "./facts.js";

const SECOND = 1_000_000n;

function ownSeat(line, body) {
  const seat = line.seat(body.seat);
  line.must(seat.actor && body.by === seat.actor, `${quote(body.by)} does not play on seat ${body.seat}`); line.must(!seat.resigned, `seat ${body.seat} has resigned`);
  return seat;
}

function acted(line, body) {
  const hidden = body.hiddenAct ?? body.hiddenAction, title = `${line.title}.`;
  line.must(["action", "hiddenAction", "hiddenAct"].filter((each) => each in body).length === 1, "an action must be either open or hidden", "body");
  const opened = hidden && line.entry.opened.get(hidden)?.value, action = body.action ?? (body.hiddenAct ? opened?.action : opened);
  line.must(action === undefined ? opened === undefined : tagged(action) === true, "its hidden value is no action", "body");
  for (const each of [...body.effects, ...(action ? [action] : [])]) line.must(each.type.startsWith(title), `${quote(each.type)} does not belong to ${line.title}`, "body");
  if (body.seat < 0) line.must(body.by === SERVICE, "only the service acts without a seat");
  else if (line.seat(body.seat).resigned || line.late?.seat === body.seat) line.must(body.by === SERVICE, "only the service plays for this seat");
  else ownSeat(line, body);
  if (body.seat >= 0 && isPerson(body.by)) line.came.add(body.seat);
  if (hidden) line.must(JSON.stringify(hidden.audience) === JSON.stringify(body.seat < 0 ? [] : [body.seat]), "a hidden action must be hidden from everyone but its seat");
  line.late = null; line.counts.actions += 1;
  const isDraft = shows(line, body), isHidden = line.entry.hidden.length > 0, { seat, version } = { seat: body.seat, version: line.version };
  const turn = line.turn?.seat === seat ? line.turn : { seat, count: 0, final: 0, marks: [{ versions: [version - 1], base: line.clock.bases[seat] }] };
  const isKept = !body.draws && !(line.format < 3 ? isHidden && !isDraft : body.reveals), isMarked = line.format > 2 && isKept && isHidden;
  // An open action closes a draft, so its positions cannot be restored.
  const kept = isKept ? turn.marks.filter((each) => isHidden || !each.isDraft) : [], base = seat < 0 ? null : line.ownRan(seat);
  line.turn = { ...turn, final: body.by === SERVICE ? version : turn.final, marks: [...kept, { versions: [version], base, isDraft: isMarked }] };
  if (seat >= 0) line.clock.bases[seat] = base;
}

// Returns the readers of each hidden value of an effect.
const audiences = (effect) => Object.values(effect).flatMap((value) => (Array.isArray(value?.audience) && "commitment" in value ? [value.audience.join()] : []));

// Since format 3 an action states whether it revealed something hidden. Returns whether it is a draft: only its seat knows the choice.
function shows(line, body) {
  const isSecret = "hiddenAction" in body || "hiddenAct" in body, readers = body.effects.map(audiences), isHidden = isSecret || readers.some((each) => each.length);
  const isDraft = isHidden && readers.every((each) => each.length && each.every((own) => own === String(body.seat)));
  line.must(!body.reveals || line.format > 2, "an action says whether it reveals something only from format 3 on"); line.must(line.format < 3 || !isHidden || isDraft || body.reveals, "it reveals something hidden without saying so");
  return isDraft;
}

// A take-back leads to an earlier position of the turn. Since format 3 it may name an earlier take-back, for the position after it.
function takenBack(line, body) {
  const { seat, toVersion } = body, { turn } = line;
  ownSeat(line, body);
  const marks = turn?.seat === seat ? turn.marks : [], index = marks.findIndex(({ versions }) => versions.includes(toVersion));
  line.must(index >= 0 && index < marks.length - 1 && marks[index].versions[0] >= turn.final, `seat ${seat} cannot take back to entry ${toVersion}: it is not a position of this turn, or is inside a draft that has been closed`);
  line.must(turn.count < line.table.takeBacks, `seat ${seat} has no take-backs left in this turn`);
  if (line.format > 2) marks[index].versions.push(line.version);
  line.turn = { ...turn, count: turn.count + 1, marks: marks.slice(0, index + 1) }; line.clock.bases[seat] = marks[index].base;
}

function resigned(line, body) {
  const seat = line.seat(body.seat);
  line.must(!seat.resigned && seat.actor, `seat ${body.seat} has already resigned`);
  const isLate = line.late?.seat === body.seat && line.late.policy === "resign";
  line.must(isLate ? body.by === SERVICE : body.by === seat.actor, `${quote(body.by)} may not resign for seat ${body.seat}`);
  line.must(isLate || line.table.resigning !== false, "resigning is not allowed at this table"); line.late = null; seat.resigned = true; line.quitters.push(body.seat); line.gaveUp.push(body.seat); endAbsences(line, body.seat);
  if (!isLate) line.missed.delete(body.seat);
  if (line.status === "waiting") Object.assign(seat, { ready: true, shareBy: "service", commitment: null });
  if (line.seats.filter((each) => !each.resigned).length <= 1) line.isDecided = true;
}

// Since format 3 the service states its reason, which must agree with the log.
function mustHaveReason(line, { by, actor, standsInFor, reason = "" }, seat) {
  const isNamed = by === SERVICE && line.format > 2, isBotForPerson = isPerson(seat.actor) && isBot(actor);
  line.must(isNamed === (reason !== ""), isNamed ? "the service must give a reason" : "only the service gives a reason, from format 3 on");
  const fits = { time_out: line.late?.policy === "bot", substitute: Boolean(standsInFor), returned: line.isEvent && !standsInFor && !isBot(actor), no_show: line.isEvent && line.status === "open" && isBot(actor), erased: isBotForPerson };
  line.must(fits[reason] ?? true, `the reason ${quote(reason)} does not fit this seat`);
}

function replaced(line, body) {
  if (line.status === "open") line.must(line.isEvent && body.by === SERVICE && line.seat(body.seat).actor, "a seat can be replaced only after the start");
  else line.must(!line.isOver(), "the match is not being played");
  const seat = line.seat(body.seat);
  line.must(!seat.resigned, `seat ${body.seat} has resigned`); line.mayBeSeated(body.actor, body.seat); line.must(!("standsInFor" in body) || line.isEvent, "players can stand in for others only at a table of a tournament or league");
  if (seat.actor === null) line.must([body.actor, line.opener, SERVICE].includes(body.by), `${quote(body.by)} may not seat ${quote(body.actor)}`);
  else line.must(body.by === SERVICE || (body.by === seat.actor && isBot(body.actor)), `${quote(body.by)} may not hand over seat ${body.seat}`);
  mustHaveReason(line, body, seat);
  const shareBy = isBot(body.actor) ? "service" : "awaited";
  if (line.status === "open") seat.ready = false;
  if (line.status !== "running" && line.status !== "paused" && line.format > 1) {
    if (line.status === "open") Object.assign(line, { isBroken: line.closed, waitsSince: isPerson(body.actor) && line.table.waitSeconds ? line.at : line.waitsSince });
    Object.assign(seat, { shareBy, commitment: null, share: null, ready: line.status === "waiting" && shareBy === "service", standing: "" });
  }
  // A player who hands over to a bot or erases the account gives up; only seating a person there undoes that.
  const handsOver = body.by === seat.actor, givesUp = line.status !== "open" && (handsOver || body.reason === "erased");
  if (givesUp || isPerson(body.actor)) line.gaveUp = line.gaveUp.filter((each) => each !== body.seat);
  if (givesUp) line.gaveUp.push(body.seat);
  line.missed[line.status === "open" || handsOver || isPerson(body.actor) ? "delete" : "add"](body.seat);
  Object.assign(seat, { actor: body.actor, standsInFor: body.standsInFor ?? (line.status === "open" ? "" : seat.standsInFor) });
  line.played.add(body.actor); line.late = null; endAbsences(line, body.seat);
}

// Requires that the longest possible thinking time reaches the full time, so no correct time-out is rejected (docs/specifications/facts.md).
function timedOut(line, body) {
  line.must(body.by === SERVICE, `${quote(body.by)} may not declare a time-out`);
  const seat = line.seat(body.seat);
  line.must(isPerson(seat.actor) && !seat.resigned, `no person plays on seat ${body.seat}`);
  const { kind, seconds } = line.table.clock;
  line.must(kind !== "none", "the table has no clock"); line.must(body.policy === line.table.timeOut, `the policy of the table is ${line.table.timeOut}`);
  line.must("bot" in body === (body.policy === "bot"), "a bot must be named if it takes over, and only then");
  const clock = line.clock, whole = clock.budget ? BigInt(clock.budget[body.seat]) * 1000n : BigInt(seconds) * SECOND;
  const thought = line.ownRan(body.seat) - (kind !== "per_move" || clock.budget ? clock.began - clock.awayBefore[body.seat] : clock.bases[body.seat]) + clock.spent[body.seat];
  line.must(thought >= whole, `seat ${body.seat} can have used at most ${thought / SECOND} of its ${whole / SECOND} seconds`);
  line.missed.add(body.seat); line.late = { seat: body.seat, policy: body.policy, bot: body.bot };
}

const people = (line) => line.seats.flatMap((seat, number) => (isPerson(seat.actor) && !seat.resigned ? [number] : []));

// A single person cannot pause a rated match.
const isAlone = (line) => line.table.rated && line.table.pauseSeconds && people(line).length < 2;

// Whether all active players have asked for a pause.
function isAgreed(line) {
  if (line.status !== "running" || !line.asked.size) return false;
  return !isAlone(line) && people(line).every((number) => line.asked.has(number));
}

function pauseAsked(line, body) {
  line.must(line.seat(body.seat).actor === body.by, `${quote(body.by)} does not play on seat ${body.seat}`); line.must(!line.asked.has(body.seat), `seat ${body.seat} has already asked for a pause`);
  line.must(!line.table.oneDevice, "a table on one device has no pauses"); line.must(!(line.pauses >= (line.table.pauses ?? Infinity)), "the table allows no more pauses"); line.must(!isAlone(line), "one person alone cannot pause a rated match"); line.asked.add(body.seat);
}

function paused(line, body) {
  line.must(line.status === "running" || (body.dispute && line.status === "paused"), "the match cannot be paused now");
  line.must(body.by === SERVICE, `${quote(body.by)} may not pause the match`); line.must(!line.heldBy, "the match already waits for a ruling");
  if (isAgreed(line) && !body.dispute) line.pauses += 1;
  line.stoppedAt = body.dispute && line.status === "running" ? line.at : null;
  Object.assign(line, { heldBy: body.dispute ?? "", asked: new Set() }); line.go("paused");
}

function resumed(line, body) {
  const isUnasked = "withdrawn" in body && !("charged" in body) && line.status === "running" && line.asked.delete(body.withdrawn);
  if (isUnasked) return line.must(line.seat(body.withdrawn).actor === body.by, `${quote(body.by)} has not asked for a pause`);
  line.must(line.status !== "running" && !("withdrawn" in body), "the match is not paused, and no pause was asked for");
  const isSeated = line.seats.some((seat) => seat.actor === body.by);
  line.must(body.by === SERVICE || (line.status === "paused" && isSeated && !line.heldBy), `${quote(body.by)} may not resume the match`);
  line.must(line.status !== "waiting" || line.isComplete, "the match waits for shares of luck"); if (line.status === "waiting") line.mix();
  line.must(!("charged" in body) || (line.seat(body.charged) && line.heldBy && line.stoppedAt !== null && body.by === SERVICE), "no dispute had paused the match");
  if ("charged" in body) line.clock.spent[body.charged] += line.at - line.stoppedAt;
  Object.assign(line, { heldBy: "", isRuledOn: false }); line.go("running");
}

function voided(line, body) {
  line.must(!line.isOver(), "the match is over");
  line.must(body.by === SERVICE || (line.status === "open" && body.by === line.opener), `${quote(body.by)} may not void the match`); line.go("void");
}

// Valid places: 1 + the number of seats ahead, with resigned seats last.
export function wrongPlaces(line, ranking, count = line.seats.length) {
  if (ranking.length !== count) return `there are ${count} seats, not ${ranking.length} places`;
  return ranking.every((place) => place === 1 + ranking.filter((other) => other < place).length) ? null : `${quote(ranking)} are not valid places for ${count} seats`;
}

function ended(line, body) {
  line.must(line.isDecided || line.toBeSet || line.last.type === "action_taken", "the match cannot end here");
  line.must(body.scores.length === line.seats.length, `there are ${line.seats.length} seats, not ${body.scores.length} scores`, "scores");
  const wrong = wrongPlaces(line, body.ranking);
  if (wrong) line.fail(wrong, "scores");
  if (!line.toBeSet) line.quitters.forEach((seat, i) => line.must(body.ranking[seat] === line.seats.length - i, `seat ${seat} has resigned and has another place`, "scores"));
  if (!line.toBeSet) line.seats.forEach((seat, a) => line.seats.forEach((other, b) => {
    const [first, second] = [body.ranking[a], body.ranking[b]];
    line.must(seat.resigned || !other.resigned || first < second, `seat ${b} has resigned but is not placed after seat ${a}`, "scores");
    line.must(seat.resigned || other.resigned || body.scores[a] <= body.scores[b] || first <= second, `seat ${a} has more points than seat ${b}, but a worse place`, "scores");
  }));
  Object.assign(line, { result: { scores: body.scores, ranking: body.ranking }, toBeSet: null }); line.go("ended");
}

export function playingFollows(line) {
  const by = SERVICE;
  if (line.carries) return [{ type: "ruling_given" }];
  if (line.toBeSet) return [{ type: "match_ended", ...line.toBeSet }];
  if (line.isOver() || line.status === "open") return null;
  if (line.isDecided) return [{ type: "match_ended" }];
  if (line.late) {
    const { seat, policy, bot } = line.late;
    return [policy === "bot" ? { type: "seat_replaced", seat, by, actor: bot, standsInFor: undefined, keys: undefined, reason: line.format > 2 ? "time_out" : undefined } : { type: policy === "resign" ? "resigned" : "action_taken", seat, by }];
  }
  if (line.isRuledOn) return [{ type: "resumed", by, charged: undefined, withdrawn: undefined }];
  // Seats that have resigned are skipped first.
  const skips = line.quitters.map((seat) => ({ type: "action_taken", seat, by }));
  return isAgreed(line) ? [{ type: "paused", by, dispute: undefined }, ...skips] : null;
}

export const PLAYING_FACTS = {
  action_taken: acted, taken_back: takenBack, resigned, seat_replaced: replaced, timed_out: timedOut, pause_asked: pauseAsked,
  paused, resumed, voided, match_ended: ended,
};
