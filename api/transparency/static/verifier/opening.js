// Before the start: opening a table, taking and leaving seats, and shares of luck: commit, close, open (docs/specifications/chance.md).

import { mayBeAbsent } from "./absences.js";
import { isHex, quote } from "./canonical.js";
import { nextSeed, serviceShare, shareCommitment } from "./chance.js";
import { isBot, isLocal, isPerson, SERVICE } from "./facts.js";
import { hash, hex, unhex } from "./sha256.js";

// An empty seat.
const emptySeat = () => ({ actor: null, shareBy: null, commitment: null, share: null, ready: false, standing: "", resigned: false });

const TIMES_MAX = 3, UNREADY = "a player has let the others wait three times", NOBODY = "nobody is left of the people who were paired", LEFT = "somebody has left three times after the table was closed";

const isFull = (line) => line.seats.every((seat) => seat.actor);

// How long a table waits for a seat, in microseconds; an event table states its time until closing.
const patience = ({ table, closed, status, isEvent }) => 1_000_000n * BigInt(isEvent && status === "open" && !closed ? table.waitSeconds : ["per_move", "increment"].includes(table.clock.kind) ? 120 : 86_400);

// Earlier tables of events state no time.
const hasDeadline = (line) => line.status === "waiting" || !line.isEvent || Boolean(line.table.waitSeconds);
const isWaiting = (line) => hasDeadline(line) && line.waitsSince !== null;
function isLate(line) { line.must(!hasDeadline(line) || (isWaiting(line) && line.at - line.waitsSince >= patience(line)), "the seat still has time to get ready"); }

const isService = ({ shareBy }) => shareBy === null || shareBy === "service";

function opened(line, body, entry) {
  line.must(line.version === 1, "a match is opened only once"); line.must(!(body.table.event || body.paired) || body.by === SERVICE, "only the service opens a table of an event, or of paired players");
  line.must(body.table.clock.kind === "none" || body.table.clock.seconds > 0, "the clock has no time"); const { oneDevice, rated, event, clock, ...asked } = body.table;
  line.must(!asked.hints || !(rated || event), "a table with hints is rated, or belongs to an event"); line.must(!("waitSeconds" in asked) || event, "only a table of an event has a waiting time");
  line.must(!oneDevice || !(rated || event || clock.kind !== "none" || "leavingMax" in asked || ["signed", "programs", "hints", "talk"].some((each) => asked[each])), "a table on one device has no clock, no rating, no event, and no options for accounts"); line.must(!body.paired || !(event || oneDevice || asked.hints), "a table of paired players has no event, hints or shared device"); line.must(mayBeAbsent(body.table, body.format ?? 1), "only a correspondence table of format 3 has days of absence"); Object.assign(line, { status: "open", table: body.table, opener: body.by, paired: body.paired, title: body.title, format: body.format ?? 1, luckId: entry.match, matches: [entry.match] });
  Object.assign(line, { seats: Array.from({ length: body.seats }, emptySeat), seed: line.seedOf(body, entry), isEvent: Boolean(body.table.event), house: body.house });
}

function taken(line, body, entry) {
  const seat = line.seat(body.seat), isFirst = line.format === 1;
  line.must(!seat.actor, `seat ${body.seat} is taken`); line.mayBeSeated(body.by, body.seat); line.must(!(isBot(body.by) || isLocal(body.by)) || body.shareBy === "service", "a bot or a local guest cannot contribute a share");
  line.must(!("standsInFor" in body) || line.isEvent, "players can stand in for others only at a table of a tournament or league"); line.must(!(isLocal(body.by) || isFirst) || !body.keys, "a local guest has no key, and format 1 has none");
  line.must("share" in body === isFirst, isFirst ? "the seat must commit to a share" : "a share must not be a hidden value", isFirst ? "commitment" : "legality");
  line.must(!isFirst || body.shareBy !== "awaited", "no share is awaited in format 1");
  line.must("commitment" in body === (!isFirst && body.shareBy === "client"), "only a player who contributes a share commits to one, and must do so");
  const secret = isFirst ? entry.opened.get(body.share) : null;
  Object.assign(seat, emptySeat(), { actor: body.by, standsInFor: body.standsInFor ?? "", shareBy: body.shareBy, commitment: isFirst ? body.share.commitment : (body.commitment ?? null) });
  const due = secret && line.seed && hex(serviceShare(line.seed, line.luckId, body.seat, entry.version));
  line.must(!due || secret.value === due, "the share of the service is not derived from the seed", "commitment");
  line.played.add(body.by); line.waitsSince = isFull(line) ? line.at : null;
}

function committed(line, body) {
  const seat = line.seat(body.seat), isLeft = line.status === "waiting" && seat.shareBy === "awaited" && body.shareBy === "service";
  line.must((!line.closed || isLeft) && line.format > 1, "the shares are already fixed");
  line.must(seat.actor && !seat.ready && !isBot(seat.actor), `seat ${body.seat} is ready, or has no player who can contribute a share`);
  line.must(body.shareBy !== "awaited" && !(isLocal(seat.actor) && "commitment" in body), "a commitment cannot be awaited, and a local guest cannot make one"); line.must("commitment" in body === (body.shareBy === "client"), "only a player who contributes a share commits to one, and must do so");
  if (body.by === SERVICE) {
    line.must(body.shareBy === "service" && seat.shareBy === "awaited" && (line.isEvent || line.status === "waiting"), `the service may not act for seat ${body.seat}`);
    isLate(line);
  } else line.must(body.by === seat.actor, `${quote(body.by)} does not sit on seat ${body.seat}`);
  Object.assign(seat, { shareBy: body.shareBy, commitment: body.commitment ?? null });
}

function ready(line, body) {
  const seat = line.seat(body.seat), isByService = body.by === SERVICE;
  line.must(seat.actor && !seat.ready, `seat ${body.seat} is already ready, or empty`); line.must("share" in body === "salt" in body, "a share and its salt must be revealed together", "body");
  line.must(body.by === seat.actor || (isByService && (line.isEvent || line.status === "waiting")), `${quote(body.by)} does not sit on seat ${body.seat}; a share is opened only by the player of its seat`);
  if (isByService && seat.shareBy !== "service") isLate(line);
  if (line.format === 1) {
    line.must("share" in body && !(isBot(body.by) && seat.shareBy === "client") && /^([0-9a-f]{2}){0,64}$/.test(body.salt), "the share is missing");
    line.must(hex(hash(unhex(body.salt), JSON.stringify(body.share))) === seat.commitment, "share and salt do not match its commitment");
    seat.share = unhex(body.share);
  } else if (seat.shareBy === "client" && !isByService) {
    line.must(line.closed, "the table is not closed yet"); line.must("share" in body && isHex(body.salt), "share and salt must be 64 lower-case hexadecimal digits each");
    const due = shareCommitment(line.entry.match, body.seat, body.salt, body.share, body.by);
    line.must(due === seat.commitment, "share and salt do not match its commitment"); seat.share = unhex(body.share);
  } else {
    line.must(!("share" in body), "there is no share to open"); line.must(seat.shareBy !== "awaited", `seat ${body.seat} has not committed to a share yet`);
    line.must(!isByService || line.closed || line.seats.every(isService), "the table is not closed yet");
    Object.assign(seat, { shareBy: "service", commitment: null, share: null });
  }
  line.must(!isLocal(body.by) || body.standing === "guest", "a local guest must have the standing of a guest"); Object.assign(seat, { ready: true, standing: body.standing ?? "", awaited: isByService });
}

function left(line, body) {
  const seat = line.seat(body.seat);
  line.must(seat.actor, `seat ${body.seat} is empty`);
  const isFreed = body.unready && body.by === SERVICE, isAwaited = line.format === 1 || line.closed || seat.shareBy === "awaited" || line.seats.every(isService);
  const inVain = isWaiting(line) && !seat.ready && isPerson(seat.actor) && (isFreed ? isAwaited : body.by === seat.actor);
  line.must(!body.unready || inVain, "this seat was not expected to get ready"); line.must(body.by !== SERVICE || !body.unready || !line.isEvent, "a seat of an event cannot be freed");
  if (body.by === SERVICE && body.unready) isLate(line);
  line.must([seat.actor, line.opener, SERVICE].includes(body.by), `${quote(body.by)} may not leave seat ${body.seat}`);
  if (body.unready) line.unready.push(seat.actor);
  if (!isFreed) line.waitsSince = null;
  Object.assign(seat, emptySeat()); line.isBroken = line.closed;
}

function reopen(line, body, entry) {
  const before = line.seed;
  Object.assign(line, { isBroken: false, closed: false, reopened: line.reopened + 1, seed: line.seedOf(body, entry), waitsSince: isFull(line) ? line.at : null });
  if (before && line.seed) line.must(hex(nextSeed(before, line.luckId, line.reopened)) === hex(line.seed), "the seed is not derived from the one before", "commitment");
  for (const seat of line.seats) Object.assign(seat, { share: null, commitment: null, ready: false, shareBy: isBot(seat.actor) ? "service" : seat.shareBy === "client" ? "awaited" : seat.shareBy });
}

function started(line, body, entry) {
  line.must(line.isComplete, "the match cannot start here"); line.must(body.effects.every(({ type }) => type.startsWith(`${line.title}.`)), "an effect belongs to another title", "body");
  for (const [name, standing] of [["provisional", "provisional"], ["guests", "guest"], ["programs", "bot"]]) {
    const due = line.seats.flatMap((seat, number) => (seat.standing === standing ? [number] : []));
    line.must(JSON.stringify(body[name] ?? []) === JSON.stringify(due), `${name} should be ${quote(due)}`);
  }
  Object.assign(line, { startedAt: entry.version, beganAt: entry.version, began: line.seats.map((seat) => seat.actor), awaited: line.seats.map((seat) => seat.awaited) });
  line.began.forEach((actor) => line.played.add(actor)); line.mix(); line.go("running");
  Object.assign(line.clock, { bases: line.seats.map(() => line.ran), began: line.ran, away: line.seats.map(() => 0n), awayBefore: line.seats.map(() => 0n), spent: line.seats.map(() => 0n) });
}

// The automatic facts before the start, and in a line that waits for shares: one of these bodies must follow.
export function openingFollows(line) {
  if (line.status !== "open" && line.status !== "waiting") return null;
  const by = SERVICE;
  if (line.isBroken) {
    const late = line.last.type === "seat_left" && line.last.by === SERVICE && line.last.unready ? line.seats.findIndex((seat) => isPerson(seat.actor) && !seat.ready) : -1;
    return late >= 0 ? [{ type: "seat_left", seat: late, by, unready: true }] : [{ type: "table_reopened", by }];
  }
  if (line.status === "open" && line.unready.some((actor) => line.unready.filter((each) => each === actor).length >= TIMES_MAX)) return [{ type: "voided", by, reason: UNREADY }];
  if (line.status === "open" && line.reopened >= TIMES_MAX && !line.isEvent && line.last.type === "table_reopened") return [{ type: "voided", by, reason: LEFT }]; if (line.paired && line.status === "open" && line.last.type !== "match_opened" && line.seats.every((seat) => !seat.actor)) return [{ type: "voided", by, reason: NOBODY }];
  const bot = line.status === "open" ? line.seats.findIndex((seat) => isBot(seat.actor) && !seat.ready) : -1;
  if (bot >= 0) return [{ type: "seat_ready", seat: bot, by: line.seats[bot].actor, standing: undefined }];
  const shares = line.seats.map((seat) => seat.shareBy);
  if (line.format > 1 && !line.closed && (line.status === "waiting" || isFull(line)) && shares.includes("client") && !shares.includes("awaited")) return [{ type: "table_closed", by }];
  line.isComplete = (line.status === "waiting" || isFull(line)) && line.seats.every((seat) => seat.ready);
  return line.isComplete ? [line.status === "open" ? { type: "match_started" } : { type: "resumed", by, charged: undefined, withdrawn: undefined }] : null;
}

const only = (line) => line.fail("this cannot happen here");

export const OPENING_FACTS = {
  match_opened: opened, seat_taken: taken, share_committed: committed, seat_ready: ready, seat_left: left, match_started: started,
  table_closed: (line) => (line.due()?.[0].type === "table_closed" ? Object.assign(line, { closed: true, waitsSince: line.at }) : only(line)),
  table_reopened: (line, body, entry) => (line.isBroken ? reopen(line, body, entry) : only(line)),
};
