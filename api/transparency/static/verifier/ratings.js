// Ratings counted again from outcomes and the ratings before each match (docs/specifications/ratings.md).

import { isObject, microseconds, misshapen } from "./canonical.js";
import { all, shaped, text, whole } from "./facts.js";

const MEAN = 25, DEVIATION = 25 / 3, BETA_SQUARED = (25 / 6) ** 2, TAU_SQUARED = (25 / 300) ** 2, KAPPA = 0.0001, REST_SQUARED = 0.25;
const ROUNDS_MIN = 2, FULL_MEETINGS = 3, MEETINGS_MAX = 10, KNOWN_MATCHES = 10, UNKNOWN_SHARE = 0.1, PROVISIONAL_MATCHES = 10, WINDOW = 30n * 86_400n * 1_000_000n;
const MEAN_MAX = 1_000, DEVIATION_MAX = 100, CLOSE = 1e-9;
const NATURAL = whole(0), ANY = whole(-Number.MAX_SAFE_INTEGER), real = (low, high) => (value) => typeof value === "number" && value >= low && value <= high, time = (value) => microseconds(value) !== null;
const SKILL = [["mean", real(-MEAN_MAX, MEAN_MAX)], ["deviation", real(0, DEVIATION_MAX)]], MET = [["player", text()], ["matches", NATURAL], ["recent", all(time)]];
const RATED = [["player", text()], ["skill", shaped(SKILL)], ["matches", NATURAL], ["wins", NATURAL], ["lastPeriod", NATURAL], ["best", ANY], ["met", all(shaped(MET))]];
const MOVED = [["match", text()], ["before", all(shaped(RATED))], ["after", all(shaped(RATED))]];
export const RATINGS = all(shaped(MOVED));

// A double in its only valid form: the shortest digits that give this value, and at least one after the point.
const realText = (value) => (Number.isInteger(value) ? `${Object.is(value, -0) ? "-0" : value}.0` : Math.abs(value) < 1e-5 ? value.toExponential() : String(value));

// The canonical encoding of ratings, in which mean and deviation are doubles.
export function ratingsText(value, name) {
  if (Array.isArray(value)) return `[${value.map((each) => ratingsText(each)).join()}]`;
  if (isObject(value)) return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${ratingsText(inner, key)}`).join()}}`;
  return ["mean", "deviation"].includes(name) ? realText(value) : JSON.stringify(value);
}

const listOf = ({ title, starters }) => (starters.some(({ standing }) => standing === "bot") ? `${title}~bots` : title);
const provisionalIn = ({ starters }) => starters.flatMap(({ actor, standing }) => (actor && standing === "provisional" ? [actor] : []));
const isRateable = ({ players }) => new Set(players).size > 1;
const isAdmissible = ({ isPublic, isClocked, starters }) => isPublic && isClocked && starters.every(({ standing }) => standing !== "guest");

// The edition of the rules by which a match is rated: 0, 1 (fair play), or 2.
function editionOf({ startTime, format }, { fairSince, revisedSince }) {
  if (startTime === undefined || fairSince === null || startTime < fairSince) return 0;
  return revisedSince !== null && startTime >= revisedSince && format > 2 ? 2 : 1;
}

function partOf({ actor, isSubstituted, neverCame, rounds, hasLeft }) {
  if (!actor || isSubstituted || neverCame) return "none";
  return rounds >= ROUNDS_MIN ? "played" : hasLeft ? "left" : "short";
}

// The second edition: players who left early are rated last, and the others without them.
function revised(outcome) {
  const { starters, resigned, places: ranking } = outcome;
  let parts = starters.map(partOf);
  if (outcome.isSettled) parts = parts.map((part) => (part === "none" ? part : "played"));
  if (parts.includes("short") && resigned.length >= starters.length - 1) parts = parts.map((part, seat) => (part === "played" && resigned.includes(seat) ? "left" : part));
  const seatsOf = (...kinds) => parts.flatMap((part, seat) => (kinds.includes(part) ? [seat] : [])), staying = seatsOf("played", "short"), leaving = seatsOf("left");
  if (!staying.length || (parts.includes("short") && staying.length > 1)) return null;
  const places = staying.map((seat) => 1 + staying.filter((other) => ranking[other] < ranking[seat]).length), actors = [...staying, ...leaving].map((seat) => starters[seat].actor);
  return { players: actors, places: [...places, ...leaving.map(() => staying.length + 1)], left: actors.slice(staying.length), seats: starters.length };
}

// The result to rate; null if the match is not rated, undefined if this depends on the rounds of an unknown title.
export function resultOf(outcome, rules) {
  const { status, ranking, endTime, isRated, starters } = outcome, edition = editionOf(outcome, rules);
  if (!isRated || status !== "ended" || !ranking || (edition && !isAdmissible(outcome))) return null;
  if (edition && !outcome.knowsRounds) return undefined;
  const own = starters.filter((each) => !each.isSubstituted), actors = edition ? starters.map((each) => (each.isSubstituted ? null : each.actor)) : outcome.players;
  if (edition === 1 && !outcome.isRuled && own.some(({ rounds }) => rounds < ROUNDS_MIN)) return null;
  const plain = { players: actors.filter(Boolean), places: ranking.filter((_, seat) => actors[seat]), left: [], seats: 0 }, found = edition === 2 ? revised(outcome) : plain;
  if (!found || !isRateable(found)) return null;
  // If only players who left are rated, there is no gain to limit.
  const onlyLeft = found.left.length > 0 && new Set(found.players.filter((each) => !found.left.includes(each))).size === 1, isFair = edition > 0 && !onlyLeft;
  return { ...found, onlyLeft, isFair, match: outcome.match, endTime, pool: `${listOf(outcome)} ${found.seats || found.players.length}`, provisional: isFair ? provisionalIn(outcome) : [] };
}

// Weng and Lin's update with the Plackett-Luce model, for single players.
export function updated(skills, places) {
  const order = [...places.keys()].sort((one, other) => places[one] - places[other]), ranks = order.map((seat) => places[seat]);
  const variances = order.map((seat) => skills[seat].deviation ** 2 + TAU_SQUARED), c = Math.sqrt(variances.reduce((sum, each) => sum + each + BETA_SQUARED, 0));
  const strengths = order.map((seat) => Math.exp(skills[seat].mean / c)), counts = ranks.map((rank) => ranks.filter((each) => each === rank).length);
  const sums = ranks.map((rank) => strengths.slice(ranks.indexOf(rank)).reduce((sum, each) => sum + each, 0)), after = [...skills];
  order.forEach((seat, own) => {
    let omega = 0, delta = 0;
    for (let other = 0; other < ranks.indexOf(ranks[own]) + counts[own]; other++) {
      const share = strengths[own] / sums[other];
      delta += (share * (1 - share)) / counts[other]; omega += ((other === own) - share) / counts[other];
    }
    const variance = variances[own], shrunk = 1 - delta * (variance / c ** 2) * (Math.sqrt(variance) / c);
    after[seat] = { mean: skills[seat].mean + omega * (variance / c), deviation: Math.sqrt(variance) * Math.sqrt(Math.max(KAPPA, shrunk)) };
  });
  return after;
}

// Months since the year 0, of a time in microseconds.
function periodOf(at) {
  const date = new Date(Number((at - (((at % 1000n) + 1000n) % 1000n)) / 1000n));
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

// The points of lists, rounded half to even.
function pointsOf({ mean, deviation }) {
  const exact = 1000 + 40 * (mean - 3 * deviation), low = Math.floor(exact);
  return exact - low === 0.5 ? low + Math.abs(low % 2) : Math.round(exact);
}

// A player as of a period: without a rating a new one, and less certain after whole periods without a match.
function ratedAt(found, player, period) {
  if (!found) return { player, skill: { mean: MEAN, deviation: DEVIATION }, matches: 0, wins: 0, lastPeriod: period, best: 1000 };
  const idle = period - found.lastPeriod - 1, { mean, deviation } = found.skill;
  if (idle <= 0) return found;
  return { ...found, skill: { mean, deviation: Math.max(deviation, Math.min(DEVIATION, Math.sqrt(deviation ** 2 + REST_SQUARED * idle))) } };
}

const pairOf = (one, other) => [one, other].sort().join(" ");

function repeatWeight(recent, at) {
  const meetings = recent.filter((each) => each > at - WINDOW && each <= at).length;
  return recent.length < FULL_MEETINGS || meetings < FULL_MEETINGS ? 1 : 0.5 ** (meetings - FULL_MEETINGS + 1);
}

// The weight of a result for a player: the mean, over the others, of how often they have met and how much the other has played elsewhere.
function weightOf(player, rated, { endTime, provisional }, together) {
  const others = rated.filter((each) => each.player !== player).map((other) => {
    const { matches, recent } = together.get(pairOf(player, other.player)) ?? { matches: 0, recent: [] };
    const known = Math.max(UNKNOWN_SHARE, Math.min(1, (other.matches - matches) / KNOWN_MATCHES));
    return provisional.includes(other.player) ? 0 : known * repeatWeight(recent, endTime);
  });
  return others.reduce((sum, each) => sum + each, 0) / others.length;
}

// One row for each player, in the order of their first seats: the best place, and the mean of their skills.
function onceEach(before, after, places) {
  const seats = new Map(), meanOf = (own, name) => own.reduce((sum, seat) => sum + after[seat][name], 0) / own.length;
  before.forEach(({ player }, seat) => seats.set(player, [...(seats.get(player) ?? []), seat]));
  return [...seats.values()].map((own) => {
    const skill = own.length === 1 ? after[own[0]] : { mean: meanOf(own, "mean"), deviation: meanOf(own, "deviation") };
    return { before: before[own[0]], skill, place: Math.min(...own.map((seat) => places[seat])) };
  });
}

// The ratings after a result, of the players whom it changes.
export function rate(result, stated) {
  const { players, places, left, onlyLeft, isFair } = result, period = periodOf(result.endTime), known = new Map(stated.map((each) => [each.player, each]));
  const before = players.map((player) => ratedAt(known.get(player), player, period)), skills = before.map((each) => each.skill), staying = players.length - left.length;
  let after = updated(skills, places);
  if (left.length && !onlyLeft) after = [...updated(skills.slice(0, staying), places.slice(0, staying)), ...after.slice(staying)];
  const rows = onceEach(before, after, places), own = rows.map((row) => row.before);
  const together = new Map(stated.flatMap(({ player, met }) => met.map(({ player: other, matches, recent }) => [pairOf(player, other), { matches, recent: recent.map(microseconds) }])));
  return rows.filter((row) => !onlyLeft || left.includes(row.before.player)).map(({ before: { player, matches, wins, best, skill: { mean, deviation } }, skill: full, place }) => {
    const weight = isFair ? weightOf(player, own, result, together) : 1;
    const skill = weight === 1 ? full : { mean: mean + weight * (full.mean - mean), deviation: deviation + weight * (full.deviation - deviation) }, points = pointsOf(skill);
    return { player, skill, matches: matches + 1, wins: wins + (place === 1), lastPeriod: period, best: matches < PROVISIONAL_MATCHES ? points : Math.max(best, points) };
  });
}

const isClose = (one, other) => Math.abs(one - other) <= CLOSE * Math.max(1, Math.abs(one), Math.abs(other));
const isSame = (due, said) => ["player", "matches", "wins", "lastPeriod"].every((name) => due[name] === said[name]) && ["mean", "deviation"].every((name) => isClose(due.skill[name], said.skill[name])) && Math.abs(due.best - said.best) <= 1;

// Throws the reason if the ratings before a match are not of its players, or not the ratings after their last match in the file.
function checkBefore({ match, pool, players }, { before }, latest) {
  const own = new Map(before.map((each) => [each.player, each]));
  if (own.size < before.length || before.some((each) => !players.includes(each.player))) throw new Error(`the ratings before match ${match} are not of its players`);
  for (const player of new Set(players)) {
    const last = latest.get(`${pool} ${player}`), now = own.get(player);
    if (last && (!now || now.matches < last.matches || (now.matches === last.matches && !isSame(last, now)))) throw new Error(`the rating of ${player} before match ${match} differs from the previous match`);
  }
}

// The number of ratings counted again, or -1 if a title is unknown; throws an Error with the reason if one is false.
export function checkRatings(outcomes, { fairSince, revisedSince, ratings }) {
  const rules = { fairSince: fairSince && microseconds(fairSince), revisedSince: revisedSince ? microseconds(revisedSince) : null }, all = outcomes.map((each) => resultOf(each, rules));
  if (all.includes(undefined)) return -1;
  const results = all.filter(Boolean).sort((one, other) => Number(one.endTime - other.endTime) || (one.match < other.match ? -1 : 1)), latest = new Map();
  if (results.map(({ match }) => match).join() !== ratings.map(({ match }) => match).join()) throw new Error(`${results.length} matches are rated, but the stated ratings are of other matches`);
  results.forEach((result, i) => {
    const { before, after } = ratings[i];
    checkBefore(result, ratings[i], latest);
    const due = rate(result, before);
    if (due.length !== after.length || !due.every((each, at) => isSame(each, after[at]))) throw new Error(`the ratings after match ${result.match} do not follow from its result`);
    for (const each of after) latest.set(`${result.pool} ${each.player}`, each);
  });
  return ratings.reduce((sum, { after }) => sum + after.length, 0);
}
