// Rounds, tables and results in the records of a tournament, and the standings computed from them (docs/specifications/standings.md).

import { Fault, isObject, isUuid, microseconds, quote } from "./canonical.js";
import { boolean, many, one, SERVICE, text, whole } from "./facts.js";
import { isTieBreak, rankAll, TIE_BREAKS } from "./ranking.js";
import { rowsOf } from "./tables.js";

const ANY = whole(-Number.MAX_SAFE_INTEGER), ENTRIES_MAX = 2_000, ROUNDS_MAX = 60, SCORE_MAX = 100_000;
// The states of a round whose tables are public.
export const PUBLIC = ["published", "opened", "closed"];
const seated = (each) => isObject(each) && whole(1)(each.table) && many(text(), 20)(each.entries) && isUuid(each.match);
const FIELDS = {
  by: text(), plan: isObject, entry: text(), actor: text(), bot: text(), waiting: boolean, seeding: ANY, drawn: boolean, overdue: many(whole(0, 19), 20), round: whole(1), stage: whole(0), table: whole(1), sixtieths: ANY,
  tables: many((each) => many(text(), 20)(each) || seated(each)), byes: many(text()), matches: many(isUuid), places: many(whole(1), 20), scores: many(ANY, 20),
};
// A round whose tables have neither matches nor results yet.
const unplayed = () => ({ tables: [], byes: [], matches: [], absent: new Map(), byHand: new Map() });
const paired = (event, { round, tables, byes }) => Object.assign(event.round(round), unplayed(), { status: "proposed", tables: tables.map((entries) => event.known(entries)), byes: event.known(byes) });
const becomes = (status) => (event, { round }) => Object.assign(event.round(round), { status, closed: status === "closed" ? event.version : undefined });

function published(event, { round, matches }) {
  const found = event.round(round);
  if (matches.length !== found.tables.length) event.fail(`round ${round} has ${found.tables.length} tables, but ${matches.length} matches`);
  Object.assign(found, { status: "published", matches });
}
const setByHand = (event, { round, table, places, scores, by, type }) => event.round(round).byHand.set(table, { ranking: places, scores, isOfDeadline: by === SERVICE && type === "tournament.result_ruled" });
// By the organiser; or by the service at a deadline, possibly with places drawn from the luck of the match.
function ruled(event, body) {
  setByHand(event, body);
  if (body.drawn) event.round(body.round).drawn.set(body.table, body.places);
}
const nameOf = (player) => (player.startsWith("bot:") ? "a bot" : player);

function absent(event, { round, entry, bot = "", reason }) {
  const { absent: all, players, status } = event.seated(round, entry), isOfPlan = !bot && !reason && status === "published";
  all.set(entry, isOfPlan ? event.plan.bot ?? "" : bot); players.add(`${entry} ${nameOf("bot:")}`);
}

function isPeriod(each) {
  const [starts, ends] = isObject(each) ? [microseconds(each.starts), microseconds(each.ends)] : [];
  return typeof starts === "bigint" && typeof ends === "bigint" && starts < ends;
}

function away(event, { player, rounds = [], periods = [], season = 0 }) {
  event.of(player);
  if (season !== 0) event.fail(`a tournament has no season ${quote(season)}`);
  if (!many(whole(1, 120), 120)(rounds) || !many(isPeriod, 20)(periods)) event.fail("its rounds or periods of absence are not possible");
}

function present(event, { round, entry, actor: player = "" }) { event.seated(round, entry).absent.delete(entry); event.round(round).players.add(`${entry} ${nameOf(player)}`); }

function reseated(event, { round, tables, byes }) {
  const found = Object.assign(event.round(round), { byes: event.known(byes) });
  for (const { table, entries, match } of tables) {
    if (table > found.tables.length) event.fail(`round ${round} has no table ${table}`);
    [found.tables[table - 1], found.matches[table - 1]] = [event.known(entries), match]; found.byHand.delete(table);
  }
}

const isOf = (checks) => (value) => isObject(value) && Object.keys(checks).every((name) => !(name in value) || checks[name](value[name]));
// Values of a plan that the standings use.
const PLANNED = {
  scoring: isOf({ measure: one("points", "victory_points", "wins", "margin"), points: many(isOf({ size: whole(2, 5), points: many(whole(0, 60_000)) })), bye: whole(0, 60_000) }),
  stages: (value) => many(isOf({ kind: one("swiss", "round_robin", "elimination", "heats", "final"), rounds: whole(0, ROUNDS_MAX), carry: boolean }))(value) && value.every((each) => "kind" in each),
};

// Stores the rule of standings that the plan names, rule 1 without the field. Later plans must not change it.
function planned(event, plan) {
  const rule = plan.standings ?? 1;
  if (("standings" in plan && rule !== 2) || (event.plan && rule !== event.rule)) event.fail(`the rule of the standings cannot be ${quote(plan.standings)}`);
  const { scoring = {}, stages = [{ kind: "swiss", rounds: 3 }] } = plan, { tieBreaks = TIE_BREAKS } = scoring;
  for (const [name, of] of [["scoring", scoring], ["stages", stages]]) if (!PLANNED[name](of)) event.fail(`${name} of the plan cannot be ${quote(of)}`);
  if (!many(isTieBreak)(tieBreaks)) event.fail(`the tie-breaks cannot be ${quote(tieBreaks)}`);
  return Object.assign(event, { plan: { ...plan, scoring, stages, tieBreaks }, rule });
}

// Starts a round again, which is the last one.
function asked({ rounds }, round) {
  for (const number of rounds.keys()) if (number >= round) rounds.delete(number);
  return rounds;
}

const isIn = (value) => (event, { entry }) => Object.assign(event.of(entry), { isIn: value });
// Required fields and effect of each fact that affects the standings.
const FACTS = {
  tournament_opened: ["by plan", (event, { by, plan, format = 1 }) => Object.assign(planned(event, plan), { opener: by, format })],
  plan_changed: ["by plan", (event, { plan }) => planned(event, plan)],
  entry_made: ["entry", (event, { entry, actor: player = "", waiting = false, seeding = 0 }) => (event.entries.has(entry) ? event.fail(`the entry ${quote(entry)} is made twice`) : event.entries.set(entry, { player, isIn: !waiting, seeding, penalty: 0 }))],
  entry_promoted: ["entry", isIn(true)], entry_withdrawn: ["entry", isIn(false)], entry_returned: ["entry", isIn(true)],
  pairing_asked: ["round stage", (event, { round, stage }) => asked(event, round).set(round, { ...unplayed(), stage, status: "asked", players: new Set(), drawn: new Map() })],
  pairing_proposed: ["round tables byes", paired], pairing_edited: ["round tables byes", paired], pairing_failed: ["round", becomes("failed")],
  round_published: ["round matches", published], round_opened: ["round", becomes("opened")], round_closed: ["by round", becomes("closed")],
  no_show_noted: ["by round entry", absent], no_show_withdrawn: ["by round entry", present], substitute_named: ["round entry", present],
  tables_reseated: ["by round tables byes", reseated],
  result_entered: ["by round table places scores", setByHand], result_ruled: ["by round table places scores", ruled],
  absences_stated: ["by player", away],
  place_offered: ["by player place round ends", (event, { place }) => event.of(place)],
  offer_answered: ["by player place round", (event, { place, accepted = false }) => accepted && Object.assign(event.of(place), { isIn: true })],
  result_withdrawn: ["by round table", (event, { round, table }) => event.round(round).byHand.delete(table)],
  penalty_given: ["by entry sixtieths", (event, { entry, sixtieths }) => Object.assign(event.of(entry), { penalty: event.of(entry).penalty + sixtieths })],
};
const OTHERS = ["tournament_ended", "person_invited", "invitation_declined", "invitation_withdrawn", "pairs_set", "tables_locked", "round_begun", "announced", "import_noted", "calendar_set", "deadline_extended", "table_left_to_bots", "prizes_set", "checked_in", "check_in_undone", "check_in_closed",
  "players_reminded", "deadline_passed", "announcement_shown", "result_claimed", "result_confirmed", "code_renewed", "alternate_listed", "alternate_removed", "offer_lapsed", "photo_added", "photo_removed"];

// Throws if a manual result cannot be the result of its table.
function mustFit({ round, table, entries, byHand }) {
  const { ranking, scores } = byHand ?? {}, isPossible = (place) => place === 1 + ranking.filter((other) => other < place).length;
  const fits = !byHand || (ranking.length === entries.length && scores.length === entries.length && ranking.every(isPossible) && scores.every((score) => Math.abs(score) <= SCORE_MAX));
  if (!fits) throw new Fault(null, "standings", `the result of table ${table} in round ${round} does not fit its ${entries.length} seats`);
}

export class Tournament {
  constructor(id) { Object.assign(this, { id, version: 0, entries: new Map(), rounds: new Map(), unknown: [] }); }

  fail(why) { throw new Fault(this.version, "body", why); }

  of(entry) { return this.entries.get(entry) ?? this.fail(`there is no entry ${quote(entry)}`); }

  known(names) { return names.map((entry) => this.of(entry) && entry); }

  round(number) { return this.rounds.get(number) ?? this.fail(`no pairing of round ${number} was requested`); }

  // The round, in which the entry has a table.
  seated(number, entry) {
    const found = this.round(number);
    return found.tables.some((entries) => entries.includes(entry)) ? found : this.fail(`${quote(entry)} has no table in round ${number}`);
  }

  take({ version, body }) {
    this.version = version;
    const kind = /^tournament\.(\w+)$/.exec(body?.type)?.[1], [fields, act] = Object.hasOwn(FACTS, kind) ? FACTS[kind] : [];
    if ((version === 1) !== (kind === "tournament_opened")) this.fail("a tournament is opened by its first record, and only by that");
    if (!act) return void (OTHERS.includes(kind) || this.unknown.push(version));
    for (const name of fields.split(" ")) if (!(name in body)) this.fail(`the field ${name} is missing`);
    for (const name in FIELDS) if (name in body && !FIELDS[name](body[name])) this.fail(`${name} cannot be ${quote(body[name])}`);
    act(this, body);
    if (this.entries.size > ENTRIES_MAX || this.rounds.size > ROUNDS_MAX) this.fail(`a tournament has at most ${ENTRIES_MAX} entries and ${ROUNDS_MAX} rounds`);
  }

  // The tables of published rounds in order, each with its players and its match.
  tables() {
    return this.published().flatMap(({ number: round, tables, matches, byHand, drawn, closed, stage }) => tables.map((entries, i) => {
      const isHere = !this.plan.faceToFace && entries.every((entry) => this.of(entry).player);
      return { round, table: i + 1, entries, match: matches[i], isHere, byHand: byHand.get(i + 1), drawn: drawn.get(i + 1), closed, stage };
    }));
  }

  // Whether this person may have started at a table for an entry.
  mayPlay(round, entry, player) { return player === this.of(entry).player || this.round(round).players.has(`${entry} ${nameOf(player)}`); }

  // The published rounds in order, each with its entries.
  published() {
    const found = [...this.rounds].filter(([, { status }]) => PUBLIC.includes(status)).sort(([one], [other]) => one - other);
    return found.map(([number, round]) => ({ ...round, number, people: [...round.tables.flat(), ...round.byes] }));
  }

  // The standings from the counted results of the tables, best first.
  standings(tables) {
    const { plan, rule, rounds, entries } = this, { scoring } = plan, games = new Map([...entries.keys()].map((name) => [name, []]));
    for (const table of tables.filter(({ result }) => result)) {
      mustFit(table);
      const rows = rowsOf(scoring, rule, { ...table, absent: rounds.get(table.round).absent });
      table.entries.forEach((entry, seat) => games.get(entry).push({ ...rows[seat], round: table.round, stage: table.stage }));
    }
    for (const { number, stage, byes } of this.published()) for (const entry of byes) {
      games.get(entry).push({ round: number, stage, isBye: true, points: scoring.bye ?? 360, score: 0, opponents: [] });
    }
    return rankAll({ id: this.id, plan, entries, rounds: this.published(), games });
  }
}
