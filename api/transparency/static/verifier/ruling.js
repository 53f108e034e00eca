// Forks, rulings, and the result as it counts (docs/specifications/facts.md).

import { compare, quote } from "./canonical.js";
import { isLocal, isPerson, SERVICE } from "./facts.js";
import { endAbsences } from "./absences.js";
import { wrongPlaces } from "./playing.js";

const MEASURES_MAX = 16, WORDS = /[^\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function forked(line, body, entry) {
  const { seats, format = 1, awaits = [], clocks = [], ruling = "", practice = "" } = body, people = seats.filter((actor) => isPerson(actor)), isFresh = body.luck === "fresh";
  line.must(body.parent === line.matches.at(-1) && body.at === line.version - 1, "it does not name the entry before it");
  line.must(seats.length === line.seats.length, `there are ${line.seats.length} seats, not ${seats.length}`);
  line.must(new Set(people).size === people.length && !seats.includes(SERVICE) && !people.some(isLocal), "a player has two seats, or the service or a local guest has one");
  line.must("seed" in body === isFresh, "fresh luck needs a seed, and no other luck has one"); line.must(isFresh || line.status !== "waiting", "a line that waits has no luck to keep"); line.must(format === line.format || (line.format === 1 && format === 2), "a fork must have the format of its parent");
  line.must(!awaits.length || (isFresh && format > 1), "shares are awaited only for fresh luck");
  for (const seat of awaits) line.must(isPerson(seats[seat]), `the share of seat ${seat} is awaited, but no person plays there`);
  const waited = format > 1 ? line.seats.flatMap(({ actor, resigned }, seat) => (isPerson(actor) && !resigned ? [seat] : [])) : [], isSeated = line.seats.every(({ actor }, seat) => actor === seats[seat]);
  line.must(!ruling || (body.by === SERVICE && isFresh && isSeated && waited.join() === awaits.join() && !body.dispute && !practice), "only the service resumes a match after a ruling, with fresh luck and the same players");
  line.must(!line.table.hints || people.length < 2, "one person plays with hints");
  line.must(!practice || !isFresh, "a practice match has the luck of its parent");
  line.must(!clocks.length || (ruling && clocks.length === line.seats.length), "clocks are set for every seat, and only after a ruling");
  const isSame = line.format === format;
  Object.assign(line, { format, closed: false, reopened: 0, heldBy: "", isRuledOn: false, late: null, beganAt: entry.version, waitsSince: line.at, carries: ruling, table: { ...line.table, oneDevice: false, rated: line.table.rated && ruling !== "" } });
  if (!ruling) Object.assign(line, { opener: body.by, isEvent: line.isEvent && Boolean(body.dispute) });
  Object.assign(line, { parents: [...(line.parents ?? []), body], matches: [...line.matches, entry.match], asked: new Set() });
  seats.forEach((actor, number) => fresh(line.seats[number], actor, number, { isFresh, isSame, awaits, format })); people.forEach((actor) => line.played.add(actor));
  if (isFresh) {
    Object.assign(line, { luckId: entry.match, seed: line.seedOf(body, entry), key: null, ownLuck: format > 1 ? [] : line.ownLuck });
    if (!awaits.length) line.mix();
  }
  line.clock.runsSince = null; if (!ruling) endAbsences(line);
  Object.assign(line.clock, { budget: clocks.length ? clocks : null, began: line.ran, awayBefore: [...line.clock.away], bases: line.seats.map((_, seat) => line.ownRan(seat)), spent: line.seats.map(() => 0n) });
  line.go(awaits.length ? "waiting" : "running");
}

// A seat of a fork: in format 1 it keeps its share, later it commits to a new one or leaves it to the service.
function fresh(seat, actor, number, { isFresh, isSame, awaits, format }) {
  seat.actor = actor;
  if (!isFresh || (format === 1 && isSame)) return;
  const isAwaited = awaits.includes(number);
  Object.assign(seat, { share: null, commitment: null, shareBy: isAwaited ? "awaited" : "service", ready: !isAwaited });
}

const isDecisive = ({ type }) => ["line_resumed", "result_set", "match_voided"].includes(type);

function measured(line, { type, seat, scores, ranking }, seats) {
  if (seat !== undefined) line.seat(seat);
  line.must(type !== "time_taken" || (line.table.clock.kind !== "none" && !line.isOver()), "the table has no clock, or the match is over"); line.must(!scores || scores.length === seats, `there are ${seats} seats, not ${scores?.length} scores`);
  const wrong = ranking && wrongPlaces(line, ranking, seats);
  if (wrong) line.fail(wrong);
}

function ruled(line, body, entry) {
  const isCarried = Boolean(line.parents?.at(-1).ruling);
  line.must(!["none", "open", "superseded"].includes(line.status), "no ruling can be given before the start, or on a superseded line");
  line.must(isPerson(body.by) && !line.played.has(body.by), `${quote(body.by)} plays in the match, or may not give rulings`);
  line.must(isCarried || body.at < line.version, `there is no entry ${body.at} to rule on`);
  for (const name of ["rule", "reasons", "ruling", "dispute"]) line.must(WORDS.test(body[name]), `it names no ${name}`);
  line.must(!body.authority || line.format > 2, "a ruling states the authority of its author only from format 3 on");
  const measures = body.measures ?? [];
  line.must(measures.length <= MEASURES_MAX, `${measures.length} measures are too many`);
  line.must(!body.upheld || (body.appealOf && !measures.length), "only a ruling on appeal can uphold another, and one that upholds cannot have measures");
  measures.forEach((each) => measured(line, each, line.seats.length));
  line.must(measures.filter(isDecisive).length < 2, "a ruling can do only one of these: resume the match, set its result, or void it");
  line.must(!line.ruled.has(body.ruling), `${quote(body.ruling)} was given before`);
  const first = line.rulings.find((each) => each.ruling === body.appealOf);
  line.must(!body.appealOf || (first ? first.dispute === body.dispute : isCarried), "it appeals against no known ruling"); line.must(line.status !== "void" || body.appealOf, "the match is void");
  line.must(!(line.isCutShort && first?.measures.some(isDecisive)) || body.upheld || measures.some(isDecisive), "the match was stopped by the ruling: uphold it, or decide otherwise");
  if (first) first.isReplaced ||= !body.upheld;
  line.ruled.add(body.ruling); line.rulings.push({ ...body, measures, version: line.version, isReplaced: false, isCarried: Boolean(line.carries) && line.carries !== body.ruling }); line.counts.rulings += 1;
  const isRunning = !line.isOver();
  follow(line, body, measures, entry);
  // Whether a ruling has ended the match early.
  if (isRunning) line.isCutShort = line.status === "void" || line.rulings.some((each) => !each.isReplaced && each.measures.some(({ type }) => type === "result_set"));
}

// The immediate effects of a ruling.
function follow(line, body, measures, entry) {
  for (const each of measures) if (each.type === "time_taken" && line.clock.spent) line.clock.spent[each.seat] += BigInt(each.seconds) * 1_000_000n;
  if (line.carries === body.ruling) {
    const measure = measures.find((each) => each.type === "line_resumed");
    line.must(measure?.line === entry.match && measure.version === line.beganAt - 1, "it does not resume this line from there"); line.carries = "";
    return;
  }
  if (line.carries) return void line.must(!measures.some(isDecisive), "only the ruling of this line decides it");
  for (const each of measures) {
    if (each.type === "line_resumed") {
      line.must(each.version >= line.startedAt && each.version < line.version - 1 && !line.matches.includes(each.line), `the match cannot resume from entry ${each.version}`);
      line.go("superseded");
    }
    if (each.type === "result_set" && !line.isOver()) line.toBeSet = { scores: each.scores, ranking: each.ranking };
    if (each.type === "match_voided") line.go("void");
  }
  const isVoiding = ({ measures: own }) => own.some(({ type }) => type === "match_voided"), voiding = line.rulings.filter(isVoiding);
  if (line.status === "void" && voiding.length && voiding.every((each) => each.isReplaced)) {
    line.must(line.result || measures.some((each) => each.type === "result_set"), "the match was stopped by the ruling: uphold it, or decide otherwise");
    line.status = "ended";
  }
  if (line.status === "paused" && line.heldBy && line.heldBy === body.dispute && !line.toBeSet) line.isRuledOn = true;
}

// The counted result: set or played, less penalty points; null if there is none.
export function counted(line) {
  const standing = line.rulings.filter((each) => !each.isReplaced).flatMap((each) => each.measures);
  if (line.status === "void" || line.status === "superseded" || standing.some((each) => each.type === "match_voided")) return null;
  const base = standing.findLast((each) => each.type === "result_set") ?? line.result;
  if (!base) return null;
  const taken = line.seats.map((_, seat) => standing.filter((each) => each.type === "points_taken" && each.seat === seat).reduce((sum, each) => sum + each.points, 0));
  if (!taken.some(Boolean)) return { scores: base.scores, ranking: base.ranking };
  const scores = base.scores.map((score, seat) => score - taken[seat]);
  const orders = line.seats.map(({ resigned }, seat) => (resigned ? [1, 0, 0, base.ranking[seat]] : [0, -scores[seat], taken[seat], base.ranking[seat]]));
  return { scores, ranking: orders.map((own) => 1 + orders.filter((other) => compare(other, own) < 0).length) };
}

// Returns the seats whose players did not earn the result, by rule 2 of standings (docs/specifications/standings.md); none if a ruling set it.
export function notPlayed(line) {
  const isSet = line.rulings.some((each) => !each.isReplaced && each.measures.some((measure) => measure.type === "result_set"));
  const noShows = [...line.seats.keys()].filter((seat) => line.awaited?.[seat] && !line.came.has(seat) && line.missed.has(seat));
  return isSet ? { gaveUp: [], handedOver: [], noShows: [] } : { gaveUp: line.gaveUp, handedOver: line.gaveUp.filter((seat) => !line.seats[seat].resigned), noShows };
}

export const RULING_FACTS = { match_forked: forked, ruling_given: ruled };
