// Rounds, tables and results in the records of a tournament, and the standings computed from them (docs/specifications/standings.md).

import { Fault, isObject, isUuid, quote } from "./canonical.js";
import { actor, boolean, isBot, many, SERVICE, text, whole } from "./facts.js";
import { rowsOf } from "./tables.js";

const ANY = whole(-Number.MAX_SAFE_INTEGER), BY_PLACE = ["elimination", "final"], BEHIND_ALL = 1_000;
const seated = (each) => isObject(each) && whole(1)(each.table) && many(text(), 20)(each.entries) && isUuid(each.match);
const FIELDS = {
  by: actor, plan: isObject, entry: text(), actor: (value) => value === "" || actor(value), bot: (value) => value === "" || isBot(value), waiting: boolean, drawn: boolean, round: whole(1), stage: whole(0), table: whole(1), sixtieths: ANY,
  tables: many((each) => many(text(), 20)(each) || seated(each)), byes: many(text()), matches: many(isUuid), places: many(whole(1), 20), scores: many(ANY, 20),
};
const paired = (event, { round, tables, byes }) => Object.assign(event.round(round), { tables, byes });
const setByHand = (event, { round, table, places, scores, by, type }) => event.round(round).byHand.set(table, { ranking: places, scores, isOfDeadline: by === SERVICE && type === "tournament.result_ruled" });
// By the organiser; or by the service at a deadline, possibly with places drawn from the luck of the match.
function ruled(event, body) {
  setByHand(event, body);
  if (body.drawn) event.round(body.round).drawn.set(body.table, body.places);
}
const nameOf = (player) => (player.startsWith("bot:") ? "a bot" : player);

function absent(event, { round, entry, bot = "", reason }) {
  const { absent: all, players, matches, isOpened } = event.round(round), isOfPlan = !bot && !reason && matches && !isOpened;
  all.set(entry, isOfPlan ? event.plan.bot ?? "" : bot); players.add(`${entry} ${nameOf("bot:")}`);
}

function present(event, { round, entry, actor: player = "" }) { event.round(round).absent.delete(entry); event.round(round).players.add(`${entry} ${nameOf(player)}`); }

function reseated(event, { round, tables, byes }) {
  const found = Object.assign(event.round(round), { byes });
  for (const { table, entries, match } of tables) {
    [found.tables[table - 1], found.matches[table - 1]] = [entries, match]; found.byHand.delete(table);
  }
}

// Stores the rule of standings that the plan names, rule 1 without the field. Later plans must not change it.
function planned(event, plan) {
  const rule = plan.standings ?? 1;
  if (("standings" in plan && rule !== 2) || (event.plan && rule !== event.rule)) event.fail(`the rule of the standings cannot be ${quote(plan.standings)}`);
  return Object.assign(event, { plan, rule });
}

const isIn = (value) => (event, { entry }) => Object.assign(event.of(entry), { isIn: value });
// Required fields and effect of each fact that affects the standings.
const FACTS = {
  tournament_opened: ["by plan", (event, { by, plan }) => planned(event, plan).opener = by],
  plan_changed: ["by plan", (event, { plan }) => planned(event, plan)],
  entry_made: ["entry", (event, { entry, actor: player = "", waiting = false }) => event.entries.set(entry, { player, isIn: !waiting })],
  entry_promoted: ["entry", isIn(true)], entry_withdrawn: ["entry", isIn(false)], entry_returned: ["entry", isIn(true)],
  pairing_asked: ["round stage", (event, { round, stage }) => event.rounds.set(round, { stage, tables: [], byes: [], absent: new Map(), players: new Set(), byHand: new Map(), drawn: new Map() })],
  pairing_proposed: ["round tables byes", paired], pairing_edited: ["round tables byes", paired],
  round_published: ["round matches", (event, { round, matches }) => Object.assign(event.round(round), { matches })],
  round_closed: ["by round", (event, { round }) => Object.assign(event.round(round), { closed: event.version })],
  round_opened: ["round", (event, { round }) => Object.assign(event.round(round), { isOpened: true })],
  no_show_noted: ["by round entry", absent], no_show_withdrawn: ["by round entry", present], substitute_named: ["round entry", present],
  tables_reseated: ["by round tables byes", reseated],
  result_entered: ["by round table places scores", setByHand], result_ruled: ["by round table places scores", ruled],
  result_withdrawn: ["by round table", (event, { round, table }) => event.round(round).byHand.delete(table)],
  penalty_given: ["by entry sixtieths", (event, { entry, sixtieths }) => Object.assign(event.of(entry), { penalty: (event.of(entry).penalty ?? 0) + sixtieths })],
};
const OTHERS = ["tournament_ended", "person_invited", "invitation_declined", "invitation_withdrawn", "pairs_set", "pairing_failed", "tables_locked", "round_begun", "announced", "import_noted", "calendar_set", "prizes_set", "checked_in", "check_in_undone", "check_in_closed",
  "players_reminded", "deadline_passed", "announcement_shown", "result_claimed", "result_confirmed", "code_renewed", "photo_added", "photo_removed"];

export class Tournament {
  constructor() { Object.assign(this, { version: 0, entries: new Map(), rounds: new Map(), unknown: [] }); }

  fail(why) { throw new Fault(this.version, "body", why); }

  of(entry) { return this.entries.get(entry) ?? this.fail(`there is no entry ${quote(entry)}`); }

  round(number) { return this.rounds.get(number) ?? this.fail(`no pairing of round ${number} was requested`); }

  take({ version, body }) {
    this.version = version;
    const kind = /^tournament\.(\w+)$/.exec(body?.type)?.[1], [fields, act] = Object.hasOwn(FACTS, kind) ? FACTS[kind] : [];
    if ((version === 1) !== (kind === "tournament_opened")) this.fail("a tournament is opened by its first record, and only by that");
    if (!act) return void (OTHERS.includes(kind) || this.unknown.push(version));
    for (const name of fields.split(" ")) if (!(name in body)) this.fail(`the field ${name} is missing`);
    for (const name in FIELDS) if (name in body && !FIELDS[name](body[name])) this.fail(`${name} cannot be ${quote(body[name])}`);
    act(this, body);
  }

  // The tables of published rounds in order, each with its players and its match.
  tables() {
    return [...this.rounds].sort(([one], [other]) => one - other).flatMap(([round, { tables, matches, byHand, drawn, closed, stage }]) => tables.flatMap((entries, i) => {
      if (!matches) return [];
      const isHere = !this.plan.faceToFace && entries.every((entry) => this.of(entry).player);
      return [{ round, table: i + 1, entries, match: matches[i], isHere, byHand: byHand.get(i + 1), drawn: drawn.get(i + 1), closed, stage }];
    }));
  }

  // Whether this person may have started at a table for an entry.
  mayPlay(round, entry, player) { return player === this.of(entry).player || this.round(round).players.has(`${entry} ${nameOf(player)}`); }

  // The standings from the counted results of the tables, without tie-breaks.
  standings(tables) {
    const { stages = [{ kind: "swiss" }], scoring = {} } = this.plan, empty = { points: 0, played: 0, byes: 0, wins: 0, round: 0, place: 0 };
    const own = new Map([...this.entries].filter(([, { isIn }]) => isIn).map(([entry]) => [entry, [{ ...empty }]]));
    const at = (entry, stage) => own.set(entry, own.get(entry) ?? []).get(entry)[stage] ??= { ...empty };
    for (const [round, { stage, byes, matches }] of this.rounds) for (const entry of matches ? byes : []) {
      const found = at(entry, stage);
      Object.assign(found, { byes: found.byes + 1, points: found.points + (scoring.bye ?? 360), round, place: 0 });
    }
    for (const { round, stage, entries, byHand, result } of tables) {
      if (!result) continue;
      const rows = rowsOf(scoring, this.rule, { entries, byHand, result, absent: this.round(round).absent });
      entries.forEach((entry, seat) => {
        const found = at(entry, stage), { points, place, isAbsent } = rows[seat];
        Object.assign(found, { played: found.played + !isAbsent, wins: found.wins + (place === 1), points: found.points + points });
        if (round > found.round) Object.assign(found, { round, place: isAbsent ? BEHIND_ALL : place });
      });
    }
    return [...own].map(([entry, parts]) => {
      const stage = parts.length - 1, penalty = this.of(entry).penalty ?? 0, sum = { ...parts[stage] };
      for (let i = stage; i > 0 && stages[i].kind === "swiss" && (stages[i].carry ?? true); i--) {
        for (const name of ["points", "played", "byes", "wins"]) sum[name] += parts[i - 1]?.[name] ?? 0;
      }
      const order = BY_PLACE.includes(stages[stage].kind) ? [-sum.round, sum.place] : [];
      return { entry, stage, penalty, ...sum, points: sum.points - penalty, order: [-stage, ...order, penalty - sum.points] };
    });
  }
}
