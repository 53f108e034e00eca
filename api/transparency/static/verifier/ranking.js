// The order of the standings: points, stages and tie-breaks, counted from the rounds of each entry (docs/specifications/standings.md).
// All values are whole numbers; quotients are rounded down.

import { compare } from "./canonical.js";
import { hash, uuidBytes } from "./sha256.js";

const MILLION = 1_000_000, BY_PLACE = ["elimination", "final"], BEHIND_ALL = 1_000;
export const TIE_BREAKS = ["opponents", "share", "wins", "victory_points", "lot"];

const sum = (values) => values.reduce((total, each) => total + each, 0);
const average = (values) => (values.length ? Math.floor((sum(values) * MILLION) / values.length) : 0);
const isPaired = (game) => !game.isBye, isPlayed = (game) => isPaired(game) && !game.isAbsent;

// The value of an entry for each tie-break, the higher the better. `field` has the rounds, points, seedings and id of the event.
const VALUES = {
  victory_points: ({ games }, name) => sum(games.get(name).map((game) => game.score)),
  share: ({ games }, name) => {
    const paired = games.get(name).filter(isPaired);
    return Math.floor(sum(paired.map((game) => game.share)) / Math.max(1, paired.length));
  },
  margin: ({ games }, name) => sum(games.get(name).filter(isPaired).map((game) => game.margin)),
  wins: ({ games }, name) => games.get(name).filter((game) => isPaired(game) && game.place === 1).length,
  opponents: ({ games, points }, name) => average(games.get(name).flatMap((game) => game.opponents.map((other) => points.get(other)))),
  seat_adjusted: (field, name) => {
    const averages = (field.averages ??= averagesOf(field.games));
    return sum(field.games.get(name).filter(isPaired).map((game) => game.points * MILLION - (averages.get(seatOf(game)) ?? 0)));
  },
  seeding: (field, name) => -(field.seedings.get(name) || (field.unseeded ??= Math.max(0, ...field.seedings.values()) + 1)),
  lot: ({ id }, name) => hash(uuidBytes(id), name).subarray(0, 6).reduce((value, byte) => value * 256 + byte, 0),
};

export const isTieBreak = (name) => name === "head_to_head" || Object.hasOwn(VALUES, name);

const seatOf = ({ size, seat }) => `${seat} of ${size}`;

// The average points of each seat at tables of each size, without rows of absent entries.
function averagesOf(games) {
  const bySeat = new Map();
  for (const game of [...games.values()].flat().filter(isPlayed)) bySeat.set(seatOf(game), [...(bySeat.get(seatOf(game)) ?? []), game.points]);
  return new Map([...bySeat].map(([seat, points]) => [seat, average(points)]));
}

// The average points of tied entries at their shared tables; all 0 unless each has met all others.
function headToHead({ games }, group) {
  const tied = new Set(group), isTied = (other) => tied.has(other), isShared = ({ opponents }) => opponents.some(isTied);
  const haveMet = group.every((name) => new Set(games.get(name).flatMap((game) => game.opponents.filter(isTied))).size === tied.size - 1);
  return new Map(group.map((name) => [name, haveMet ? average(games.get(name).filter(isShared).map((game) => game.points)) : 0]));
}

// Sorts names by their keys, and groups those with equal keys. Entries of a group stay in order.
function grouped(names, keyOf) {
  const keys = new Map(names.map((name) => [name, keyOf(name)])), groups = [];
  for (const name of names.toSorted((one, other) => compare(keys.get(one), keys.get(other)))) {
    const last = groups.at(-1);
    if (last && compare(keys.get(last[0]), keys.get(name)) === 0) last.push(name);
    else groups.push([name]);
  }
  return groups;
}

// The last round of an entry in an elimination or final, and its place there: 0 for a bye, or a table without a result.
function lastPlaces(rounds, stage, games) {
  const found = new Map();
  for (const { number, people } of rounds.filter((round) => round.stage === stage)) for (const name of people) {
    const game = games.get(name).find((each) => each.round === number && isPaired(each));
    found.set(name, [-number, game?.isAbsent ? BEHIND_ALL : game?.place ?? 0]);
  }
  return found;
}

// The stages whose points count in this one: earlier ones only while it is a Swiss that carries points.
function firstCounted(stages, stage) {
  let first = stage;
  while (first > 0 && stages[first].kind === "swiss" && (stages[first].carry ?? true)) first -= 1;
  return first;
}

// The rows of entries whose last stage is this one, best first, after `before` others.
function rankStage({ id, plan, entries, rounds, games }, stage, people, before) {
  const { stages, tieBreaks } = plan, first = firstCounted(stages, stage);
  const counted = new Map([...games].map(([name, all]) => [name, all.filter((game) => game.stage >= first && game.stage <= stage)]));
  const points = new Map([...counted].map(([name, all]) => [name, sum(all.map((game) => game.points)) - entries.get(name).penalty]));
  const field = { id, games: counted, points, seedings: new Map([...entries].map(([name, { seeding }]) => [name, seeding])) };
  const places = BY_PLACE.includes(stages[stage].kind) ? lastPlaces(rounds, stage, games) : new Map();
  const values = new Map(people.map((name) => [name, []]));
  let groups = grouped(people, (name) => [...(places.get(name) ?? [0, 0]), -points.get(name)]);
  for (const tieBreak of tieBreaks) {
    groups = groups.flatMap((group) => {
      const shared = tieBreak === "head_to_head" ? headToHead(field, group) : null;
      for (const name of group) values.get(name).push(shared ? shared.get(name) : VALUES[tieBreak](field, name));
      return grouped(group, (name) => [-values.get(name).at(-1)]);
    });
  }
  const row = (name, rank) => {
    const own = counted.get(name), tables = own.filter(isPlayed), won = tables.filter((game) => game.place === 1), byes = own.length - own.filter(isPaired).length;
    return { entry: name, rank, points: points.get(name), tieBreaks: values.get(name), played: tables.length, byes, wins: won.length, penalty: entries.get(name).penalty, stage };
  };
  let rank = before + 1;
  return groups.flatMap((group) => {
    rank += group.length;
    return group.map((name) => row(name, rank - group.length));
  });
}

// The rows of the standings, best first. `entries`: penalty, seeding and isIn by name, in the order of entry; `rounds`: number, stage and
// people of each published round; `games`: the rows of each entry in the rounds that count.
export function rankAll(event) {
  const rows = [], ranked = new Set(), names = [...event.entries.keys()];
  for (let stage = event.plan.stages.length - 1; stage >= 0; stage--) {
    const paired = new Set(event.rounds.filter((round) => round.stage === stage).flatMap((round) => round.people));
    const people = names.filter((name) => !ranked.has(name) && (paired.has(name) || (stage === 0 && event.entries.get(name).isIn)));
    rows.push(...rankStage(event, stage, people, rows.length));
    people.forEach((name) => ranked.add(name));
  }
  return rows;
}
