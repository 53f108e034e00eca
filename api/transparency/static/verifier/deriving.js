// Which records of a tournament follow from earlier ones (docs/specifications/proof.md, "Authority in tournaments").

import { microseconds } from "./canonical.js";
import { SERVICE } from "./facts.js";
import { hash, hex, unhex } from "./sha256.js";
import { PUBLIC } from "./standings.js";

const PAIRED_BEFORE = 600_000_000n, DAY = 86_400_000_000n, OPEN = ["published", "opened"], BOTS_TIME = 3n * 3_600_000_000n, LINE_COUNT = 5, BY_PLACE = ["elimination", "final"], CORRECTIONS = ["result_entered", "result_ruled", "penalty_given", "no_show_withdrawn"];
const WAYS = { heats: "tables", round_robin: "design", elimination: "bracket", final: "bracket" };
const timeOf = (text) => (text ? microseconds(text) : null);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
// In these records the prefix decides, whatever follows it.
const isBot = (actor) => actor.startsWith("bot:");
const covers = ({ round, until }, number) => round <= number && (!until || number <= until);
const must = (holds, why) => Boolean(holds) || why;
// The first reason among several findings, or true.
const every = (...found) => found.find((each) => each !== true) ?? true;

// What has happened besides the results: the calendar, check-ins, invitations, and the state of each round.
export class Progress {
  constructor(event) { Object.assign(this, { event, calendar: {}, dates: [], isCheckedIn: false, isOver: false, here: new Set(), waiting: new Set(), from: new Map(), away: new Map(), alternates: new Map(), offers: [], invited: new Map(), rounds: [], before: null }); }

  get last() { return this.rounds.at(-1); }

  entry(name) { return this.event.entries.get(name); }

  get inCount() { return [...this.event.entries.values()].filter((each) => each.isIn).length; }

  get hasPlace() { const { cap = 0 } = this.event.plan; return !cap || this.inCount < cap; }

  round(number) { return this.rounds[number - 1]; }

  tables(number) { return this.event.rounds.get(number)?.tables ?? []; }

  isHere(number, table) { return !this.event.plan.faceToFace && this.tables(number)[table - 1]?.every((entry) => this.entry(entry)?.player); }

  // The start and the deadline of a round, or null.
  times(number) { return this.dates[number - 1] ?? { starts: null, deadline: null }; }

  // Moves the deadline of a round, and the later rounds as far as they would overlap with it.
  extend(number, deadline) {
    const later = this.dates.slice(number), first = later.flatMap(({ starts, deadline: ends }) => [starts, ends]).find((each) => each !== null) ?? deadline;
    const shift = first < deadline ? deadline - first : 0n, moved = (moment) => (moment === null ? null : moment + shift);
    this.dates = [...this.dates.slice(0, number - 1), { ...this.times(number), deadline }, ...later.map((each) => ({ starts: moved(each.starts), deadline: moved(each.deadline) }))];
    this.round(number).isExtended = true;
  }

  // Whether the deadline of a round is still to be enforced, or tables are undecided after it.
  isRunningOut(number) {
    const { deadline } = this.times(number), { last } = this;
    return last?.number === number && last.status === "opened" && deadline !== null && (last.expired !== deadline || last.isUndecided);
  }

  // The accepted offer of the place of an entry that covers a round.
  standIn(entry, number) { return this.offers.findLast((each) => each.answer === "accepted" && each.place === entry && covers(each, number)); }

  // The open offer that a record ends.
  offerOf({ player, place, round, season = 0 }) { return this.offers.find((each) => each.answer === "open" && each.player === player && each.place === place && each.round === round && season === 0); }

  // Until which round the place of an entry is vacant from a round on: its player is away, or has left (0) and substitutes play on; null if it is not.
  vacant(entry, number) {
    const { plan, rounds } = this.event, { isIn } = this.entry(entry) ?? {}, kinds = possibleStages(this).filter((each) => each !== null).map((each) => plan.stages[each].kind);
    const isNext = number === this.rounds.length + 1 && (!this.last || PUBLIC.includes(this.last.status)) && !this.isOver, hasPlayed = [...rounds.values()].some((each) => PUBLIC.includes(each.status) && [...each.tables.flat(), ...each.byes].includes(entry));
    if (!isNext || !kinds.length || kinds.some((each) => BY_PLACE.includes(each)) || this.standIn(entry, number)) return null;
    if (isIn) return this.saysAway(entry, number) ? number : null;
    return isIn === false && !this.waiting.has(entry) && hasPlayed && plan.withdrawal === "substitute" ? 0 : null;
  }

  // The strongest alternate who was not asked for this place, and neither plays nor is asked elsewhere.
  nextAlternate(entry, number) {
    const isBusy = (each) => each.answer === "open" || (each.place === entry && each.round === number) || (each.answer === "accepted" && covers(each, number));
    const out = [...this.offers.filter(isBusy), ...this.event.entries.values()].map(({ player }) => player);
    return [...this.alternates].filter(([player]) => !out.includes(player)).sort(([, one], [, other]) => other - one)[0]?.[0];
  }

  isAway(entry, number) { return !this.standIn(entry, number) && this.saysAway(entry, number); }

  // Whether an entry has stated that it is away in a round: by number, or by date for at least half of it, without a deadline at its start.
  saysAway(entry, number) {
    const { rounds = [], periods = [] } = this.away.get(entry) ?? {}, { starts, deadline: ends } = this.times(number);
    if (rounds.includes(number) || starts === null) return rounds.includes(number);
    const away = periods.map((each) => [timeOf(each.starts), timeOf(each.ends)]);
    if (ends === null || ends <= starts) return away.some(([from, to]) => from <= starts && starts < to);
    const lengths = away.map(([from, to]) => (to < ends ? to : ends) - (from > starts ? from : starts)).filter((each) => each > 0n);
    return 2n * lengths.reduce((sum, each) => sum + each, 0n) >= ends - starts;
  }

  // Whether the players of the latest round keep their seats when they are away.
  get isByPlace() { return BY_PLACE.includes(this.event.plan.stages[this.last.stage].kind); }

  afterBreaks(moment) { return (this.calendar.breaks ?? []).reduce((at, { starts, ends }) => (timeOf(starts) <= at && at < timeOf(ends) ? timeOf(ends) : at), moment); }

  // The result that counts at a table, and the claims of its players.
  at(number, table) {
    const { tables } = this.round(number);
    if (!this.tables(number)[table - 1]) throw new Error("there is no such table");
    if (!tables.has(table)) tables.set(table, { claims: new Map(), given: null, bots: null });
    return tables.get(table);
  }

  // Closes all invitations to a seat in a round.
  closeSeat(target) { for (const key of this.invited.keys()) if (key.slice(key.indexOf(" ") + 1) === target) this.invited.set(key, false); }

  claimsOf({ claims }) { return [...new Set([...claims.values()].map((each) => JSON.stringify(each)))]; }

  take({ at, body }) {
    const kind = body.type.slice("tournament.".length), { entry, round: number, table, by } = body, last = this.last, found = kind.startsWith("result_") && this.at(number, table);
    const result = { scores: body.scores, places: body.places };
    if (kind === "calendar_set") Object.assign(this, { calendar: body.calendar, dates: (body.calendar.rounds ?? []).map(({ starts, deadline }) => ({ starts: timeOf(starts), deadline: timeOf(deadline) })) });
    if (kind === "deadline_extended") this.extend(number, timeOf(body.deadline));
    if (kind === "check_in_closed") this.isCheckedIn = true;
    if (kind === "absences_stated") this.away.set(body.player, body);
    if (kind === "alternate_listed") this.alternates.set(body.player, body.strength ?? 0);
    if (kind === "alternate_removed") this.alternates.delete(body.player);
    if (kind === "alternate_removed") for (const each of this.offers) if (each.answer === "open" && each.player === body.player) each.answer = "declined";
    if (kind === "place_offered") this.offers.push({ ...body, answer: "open" });
    if (["offer_answered", "offer_lapsed"].includes(kind)) Object.assign(this.offerOf(body) ?? {}, { answer: body.accepted ? "accepted" : "over" });
    if (kind === "checked_in") this.here.add(entry);
    if (kind === "check_in_undone") this.here.delete(entry);
    if (kind === "entry_made" && body.waiting) this.waiting.add(entry);
    if (["entry_promoted", "entry_withdrawn", "entry_returned"].includes(kind)) this.waiting.delete(entry);
    if (["entry_made", "entry_promoted", "entry_returned"].includes(kind)) this.from.set(entry, this.rounds.length + 1);
    if (number && ["person_invited", "substitute_named"].includes(kind)) this.closeSeat(`${entry ?? ""}/${number}`);
    if (kind === "person_invited") this.invited.set(`${body.actor} ${entry ?? ""}/${number ?? 0}`, true);
    if (["invitation_declined", "invitation_withdrawn"].includes(kind)) this.invited.set(`${body.actor} ${entry ?? ""}/${number ?? 0}`, false);
    if (kind === "pairing_asked") this.rounds.splice(number - 1, Infinity, { number, status: "asked", stage: body.stage, problem: body.problem, tables: new Map(), isEdited: false, expired: null });
    if (kind === "pairing_failed") last.status = "failed";
    if (kind === "pairing_proposed" || kind === "pairing_edited") Object.assign(last, { status: "proposed", isEdited: last.isEdited || kind === "pairing_edited" });
    if (["round_published", "round_opened", "round_closed"].includes(kind)) Object.assign(this.round(number), { status: kind.slice(6), closedAt: kind === "round_closed" ? at : null });
    if (kind === "deadline_passed" && this.round(number)) Object.assign(this.round(number), { expired: timeOf(body.deadline), isUndecided: "until" in body });
    if (kind === "tables_reseated") for (const each of body.tables) last.tables.delete(each.table);
    if (kind === "result_claimed") { found.claims.delete(entry); found.claims.set(entry, result); }
    if (kind === "result_confirmed" && (entry === body.agreesWith || !found.claims.has(body.agreesWith))) throw new Error("there is no claim to confirm");
    if (kind === "result_confirmed") { found.claims.delete(entry); found.claims.set(entry, found.claims.get(body.agreesWith)); }
    if (kind === "result_entered" || kind === "result_ruled") Object.assign(found, { given: result, bots: null });
    if (kind === "table_left_to_bots") this.at(number, table).bots = timeOf(body.until);
    if ((kind === "result_entered" && by !== SERVICE) || kind === "result_ruled") found.claims.clear();
    if (kind === "result_withdrawn") found.given = null;
    if (kind === "tournament_ended" || kind === "pairing_asked") this.isOver = kind === "tournament_ended";
    Object.assign(this, { before: { ...body, kind } });
  }
}

const lastIs = (progress, number, ...statuses) => must(progress.last?.number === number && statuses.includes(progress.last.status), `round ${number} is not the latest, or not ${statuses.join(" or ")}`);
const latest = (...statuses) => (progress, { round }) => lastIs(progress, round, ...statuses);

// Every player of a problem sits at one table of a possible size, or has a bye.
function misplaced({ entrants, absent = [], size }, tables, byes) {
  const players = entrants.map(({ id }) => id).filter((id) => !absent.includes(id)).sort(), placed = [...tables.flat(), ...byes].sort();
  return must(same(players, placed) && tables.every((table) => table.length >= 2 && table.length <= size), "every player needs one table of a possible size, or a bye");
}

const FIRST = ["result_entered", "result_withdrawn", "result_ruled", "penalty_given", "no_show_noted", "no_show_withdrawn", "tables_reseated", "round_closed", "tournament_ended"];
const ORDERS = [...FIRST, "plan_changed", "calendar_set", "deadline_extended", "table_left_to_bots", "checked_in", "check_in_undone", "check_in_closed", "person_invited", "entry_made", "entry_withdrawn", "entry_returned", "absences_stated", "alternate_listed", "alternate_removed", "place_offered", "offer_answered", "offer_lapsed", "substitute_named", "pairs_set", "pairing_asked", "pairing_edited", "round_published"];
export const isOrder = (format, kind) => (format === 1 ? FIRST : ORDERS).includes(kind);

// Whether a record is possible, whoever wrote it: true, or the reason why not.
const POSSIBLE = {
  entry_made(progress, { entry, actor = "", waiting = false }) {
    const isKnown = actor && !isBot(actor) && [...progress.event.entries.values()].some(({ player }) => player === actor);
    return every(must(!progress.entry(entry) && !isKnown, `${entry} or its player has already entered`), must(waiting !== progress.hasPlace, `${entry} waits, or has a place, against the plan`));
  },
  entry_promoted: (progress, { entry }) => must(progress.hasPlace && [...progress.waiting][0] === entry, `${entry} is not the first that waits, or has no place`),
  pairing_asked: (progress, { round }) => every(must(!OPEN.includes(progress.last?.status), "the round before it is not closed"), must(round === progress.rounds.filter(({ status }) => status === "closed").length + 1, `round ${round} is not the next one`)),
  pairing_proposed(progress, { round, tables, byes }) {
    const isAsked = lastIs(progress, round, "asked");
    if (isAsked !== true) return isAsked;
    const { problem } = progress.last, sets = tables.map((table) => [...table].sort().join(" ")), wrong = misplaced(problem, tables, byes);
    return wrong !== true ? wrong : must(problem.locked.every((table) => sets.includes([...table].sort().join(" "))) && problem.byes.every((each) => byes.includes(each)), "a locked table or a requested bye is missing");
  },
  pairing_edited(progress, { round, tables, byes }) {
    const isProposed = lastIs(progress, round, "proposed", "failed");
    return isProposed === true ? misplaced(progress.last.problem, tables, byes) : isProposed;
  },
  round_published: latest("proposed"),
  round_opened: latest("published"), round_closed: latest(...OPEN), tables_reseated: latest(...OPEN), no_show_noted: latest(...OPEN), substitute_named: latest(...OPEN),
  offer_answered: (progress, body) => must(progress.offerOf(body), `no place is offered to ${body.player} in round ${body.round}`),
  result_entered: (progress, { round, table }) => must(progress.tables(round)[table - 1] && !progress.isHere(round, table), "the table is played online, or there is none"),
};

export function whyImpossible(progress, kind, body) {
  if (progress.isOver && !CORRECTIONS.includes(kind) && (ORDERS.includes(kind) || POSSIBLE[kind])) return "after the end only a result, a penalty or an absence can be corrected";
  const found = POSSIBLE[kind]?.(progress, body) ?? true;
  return found === true ? null : found;
}

// The records that must follow the end of the check-in: absent entries are withdrawn, then present ones that wait get their places.
export function afterCheckIn(progress, by) {
  const { cap = 0 } = progress.event.plan, isThere = (entry) => progress.here.has(entry) || isBot(progress.entry(entry).player);
  const gone = [...progress.event.entries].filter(([entry, { isIn }]) => isIn && !isThere(entry)).map(([entry]) => entry), free = cap ? Math.max(0, cap - progress.inCount + gone.length) : Infinity;
  const promoted = [...progress.waiting].filter(isThere).slice(0, free);
  return [...gone.map((entry) => ({ type: "tournament.entry_withdrawn", by, entry, reason: "did not check in" })), ...promoted.map((entry) => ({ type: "tournament.entry_promoted", entry }))];
}

// The records that must follow the publication of a round: alternates, and no-shows of the players at its tables who are away.
export function afterPublication(progress, round) {
  const botAt = (table) => (progress.isHere(round, table) ? progress.event.plan.bot ?? "" : "");
  const after = (entry, at) => (progress.standIn(entry, round) ? [playsOn(round, entry, progress.standIn(entry, round).player)] : progress.isAway(entry, round) ? [noShow(round, entry, botAt(at + 1))] : []);
  return progress.tables(round).flatMap((entries, at) => entries.flatMap((entry) => after(entry, at)));
}
const playsOn = (round, entry, actor) => ({ type: "tournament.substitute_named", by: SERVICE, round, entry, actor, reason: "an alternate plays in the seat" });
const noShow = (round, entry, bot) => ({ type: "tournament.no_show_noted", by: SERVICE, round, entry, ...(bot && { bot }), reason: "the player is away" });

// Whether a person decided about their own entry, as the plan or an invitation allows.
export function isOwn(progress, kind, { by, entry, player, actor = "", round, seeding = 0 }) {
  if (!by || isBot(by)) return false;
  const { registration = "open", lateEntry = true } = progress.event.plan, own = progress.entry(entry)?.player;
  if (kind === "entry_made") return by === actor && (progress.invited.has(`${by} /0`) || (registration === "open" && (lateEntry || !progress.rounds.length) && !seeding));
  if (kind === "substitute_named") return own !== undefined && by === (actor || own) && progress.invited.get(`${by} ${entry}/${round}`) === true;
  if (["alternate_listed", "alternate_removed", "offer_answered"].includes(kind)) return by === player;
  if (kind === "absences_stated") return by === progress.entry(player)?.player;
  return ["entry_withdrawn", "entry_returned", "checked_in", "check_in_undone"].includes(kind) && by === own;
}

// Places by lot of a table without a match, from the digest of the record before.
export function lotsAfter(previous, entries) {
  const order = [...entries].sort((one, other) => (lotOf(previous, one) < lotOf(previous, other) ? -1 : 1));
  return entries.map((entry) => order.indexOf(entry) + 1);
}
const lotOf = (previous, entry) => hex(hash("esporles.lots/1\0", unhex(previous), entry));

// The players of the next round of the first stage are known without results; the rest of the problem is compared with the plan.
function problemOf(progress, { round, stage, problem, way }) {
  if (!possibleStages(progress).includes(stage)) return `stage ${stage} does not follow`;
  const { event, from, rounds } = progress, { plan } = event, { kind } = plan.stages[stage], size = plan.size ?? 4;
  const isPlan = problem.size === size && problem.smallest === (plan.smallest ?? 2) && problem.leftover === (plan.leftover ?? "short") && !problem.locked.length && !problem.byes.length;
  const isSeed = problem.seed === Number((BigInt(plan.seed ?? 0) * 1_000_003n + BigInt(round) * 1_009n) % 2n ** 31n), isWay = way === (kind === "swiss" ? (size === 2 ? "dutch" : "tables") : WAYS[kind]);
  const people = [...event.entries].filter(([entry, { isIn }]) => isIn && (from.get(entry) ?? 1) <= round).map(([entry]) => entry), away = BY_PLACE.includes(kind) ? [] : people.filter((entry) => progress.isAway(entry, round));
  const isFree = stage > 0 || ["round_robin", "elimination"].includes(kind) ? rounds.length > 0 : false, isWhole = kind === "round_robin", players = isWhole ? people : people.filter((entry) => !away.includes(entry));
  const isFull = same(problem.entrants.map(({ id }) => id), players) && same(problem.absent ?? [], isWhole ? away : []);
  return must(isPlan && isSeed && isWay && (isFree || isFull), "it is not the problem that entries and plan give");
}

// The stages that the next round can have by any results; null is the end. Only the end of an elimination depends on them.
function possibleStages(progress) {
  const { stages } = progress.event.plan, played = progress.rounds.filter(({ status }) => PUBLIC.includes(status));
  if (!played.length) return [0];
  const stage = Math.max(...played.map((each) => each.stage)), own = played.filter((each) => each.stage === stage), { kind, rounds: due = 0 } = stages[stage];
  const after = stage + 1 < stages.length ? stage + 1 : null, { tables, byes } = progress.event.round(own.at(-1).number), isFinal = tables.length === 1 && !byes.length;
  if (kind === "elimination") return isFinal ? [after] : [stage, after];
  return [own.length >= (kind === "round_robin" && !due ? own[0].problem.rounds : Math.max(1, due)) ? after : stage];
}

// Whether the tournament is over: true, a reason, or null if the results decide.
function ending(progress) {
  const stages = possibleStages(progress);
  return stages.length > 1 && stages.includes(null) ? null : must(stages.includes(null), "another round must follow");
}

const isAuto = ({ event }) => must(event.plan.auto === true, "the service does this only if the plan has automatic rounds");
const isTime = (due, at) => must(due === null || at >= due, "the service did this too early");

const ranked = (scores) => scores.map((own) => 1 + scores.filter((other) => other > own).length);

// Overdue seats, the longest overdue first, are behind the others, who are placed by score.
function areLast(overdue, scores, places) {
  const present = [...scores.keys()].filter((seat) => !overdue.includes(seat)), late = overdue.map((seat) => places[seat]);
  const isOrdered = late.at(-1) === present.length + 1 && late.every((place, i) => place > present.length && place <= (late[i - 1] ?? place));
  return new Set(overdue).size + present.length === scores.length && isOrdered && same(present.map((seat) => places[seat]), ranked(present.map((seat) => scores[seat])));
}

// Whether the service may decide a table of the latest round: its deadline has passed, and the time of the organiser.
function isDecidable(progress, { round, table }, at) {
  const { deadline } = progress.times(round), { consequence = "organiser", extensionDays = 0, organiserDays = 7 } = progress.calendar, { given, bots } = progress.at(round, table);
  const isLate = progress.isRunningOut(round) && (progress.last.isExtended || !extensionDays) && !given && bots === null;
  return every(must(isLate, "no deadline of this table has passed"), isTime(isLate && deadline + (consequence === "organiser" ? DAY * BigInt(organiserDays) : 0n), at));
}

// Five lines in which bots played on give each seat its median points.
function areLines(lines, scores, places) {
  const medians = scores.map((_, seat) => lines.map((line) => line[seat]).sort((one, other) => one - other)[(LINE_COUNT - 1) / 2]);
  return lines.length === LINE_COUNT && lines.every((line) => line.length === scores.length) && same(scores, medians) && same(places, ranked(scores));
}

// Orders of the service that follow from earlier records: true, the reason why not, or null if only the results decide.
const DERIVED = {
  check_in_closed: (progress, _, { at }) => every(must(progress.calendar.checkInCloses && !progress.isCheckedIn && !progress.rounds.length, "no check-in is open"), isTime(timeOf(progress.calendar.checkInCloses), at)),
  pairing_asked(progress, body, { at }) {
    const { last, calendar } = progress, { starts } = progress.times(body.round);
    if (!last && starts === null) return "the first round has no start";
    const closes = last ? null : timeOf(calendar.checkInCloses), before = starts === null ? null : starts - PAIRED_BEFORE;
    const due = before === null ? (last ? progress.afterBreaks(last.closedAt) : null) : closes !== null && closes > before ? closes : before;
    return every(isAuto(progress), last && last.status !== "closed" ? true : isTime(due, at), problemOf(progress, body));
  },
  round_published(progress, { round }, { at }) {
    const people = [...progress.tables(round).flat(), ...(progress.event.rounds.get(round)?.byes ?? [])];
    return every(isAuto(progress), must(!progress.last.isEdited, "its tables were edited"), isTime(progress.times(round).starts, at), must(people.every((entry) => progress.entry(entry)?.isIn), "a player has withdrawn"), must(progress.isByPlace || !people.some((entry) => progress.isAway(entry, round)), "a player is away"));
  },
  place_offered(progress, { player, place, round, until = 0, ends, season = 0 }, { at }) {
    const { alternates } = progress.event.plan, isOpen = progress.offers.some((each) => each.answer === "open" && each.place === place && each.round === round), last = at + BigInt(alternates?.hours ?? 24) * 3_600_000_000n;
    const isNext = alternates && !isOpen && season === 0 && progress.vacant(place, round) === until && progress.nextAlternate(place, round) === player;
    return every(must(isNext, "the place is not vacant, or another alternate is the next one"), must(at < timeOf(ends) && timeOf(ends) <= last, "the offer has another end than the plan gives"));
  },
  offer_lapsed(progress, body, { at }) {
    const offer = progress.offerOf(body);
    return must(offer && (timeOf(offer.ends) <= at || progress.vacant(offer.place, offer.round) !== (offer.until ?? 0)), "the offer has not ended");
  },
  result_entered(progress, { round, table, scores, places }) {
    const { claims, given } = progress.at(round, table), { before } = progress, entries = progress.tables(round)[table - 1], { absent } = progress.event.round(round);
    const due = progress.event.plan.confirmAll ? Math.max(2, entries.filter((entry) => !absent.has(entry) && !isBot(progress.entry(entry).player)).length) : 2;
    const isLast = ["result_claimed", "result_confirmed"].includes(before?.kind) && before.round === round && before.table === table;
    return must(isLast && !given && claims.size >= due && [...claims.keys()].every((entry) => entries.includes(entry)) && [...claims.values()].every((each) => same(each, { scores, places })), "its players have not agreed on this result");
  },
  deadline_extended(progress, { round, deadline }, { at }) {
    const own = progress.times(round).deadline, { extensionDays = 0 } = progress.calendar, isDue = progress.isRunningOut(round) && !progress.last.isExtended && extensionDays;
    return every(must(isDue, "no deadline of this round is extended"), isTime(own, at), must(timeOf(deadline) === own + DAY * BigInt(extensionDays), "the calendar extends the deadline by another time"));
  },
  table_left_to_bots: (progress, { round, table, until }, { at }) => every(isDecidable(progress, { round, table }, at), must(progress.calendar.consequence === "bots" && progress.isHere(round, table) && timeOf(until) === at + BOTS_TIME, "the calendar does not leave this table to bots until then")),
  result_ruled(progress, { round, table, scores, places, drawn = false, overdue = [], bot = "", lines = [] }, { at, previous }) {
    const { consequence = "organiser" } = progress.calendar, isHere = progress.isHere(round, table), entries = progress.tables(round)[table - 1], { bots } = progress.at(round, table);
    if (bots !== null) {
      const isPlain = scores.length === entries.length && !drawn && !overdue.length, isByLines = bot && lines.length > 0;
      return every(isByLines || isTime(bots, at), must(isPlain && (isByLines ? areLines(lines, scores, places) : !lines.length && same(places, ranked(scores))), "this is not the outcome of a table that was left to bots"));
    }
    const isLot = drawn === isHere && !overdue.length && same(scores, entries.map(() => 0)) && (isHere || same(places, lotsAfter(previous, entries)));
    const isScore = !["lots", "bots"].includes(consequence) && isHere && !drawn && (overdue.length ? consequence === "overdue" && areLast(overdue, scores, places) : same(places, ranked(scores)));
    return every(isDecidable(progress, { round, table }, at), must(!lines.length && (isLot || isScore), "this is not the consequence of the deadline that the calendar names"));
  },
  round_closed(progress) {
    const isOne = [...progress.last.tables.values()].every((each) => each.claims.size === 0 || new Set([...progress.claimsOf(each), ...(each.given ? [JSON.stringify(each.given)] : [])]).size < 2);
    return every(isAuto(progress), must(progress.last.status === "opened", "the round is not open"), must(isOne, "players of a table have claimed different results"));
  },
  tournament_ended: (progress) => (progress.before?.kind === "round_closed" ? ending(progress) : "the service ends a tournament only after the closing of its last round"),
};

// Why an order of the service does not follow from earlier records; null if it does; `open`: the results decide.
export function whyNotDerived(progress, kind, record) {
  if (!DERIVED[kind]) return { why: "the service cannot decide this in an event of a person: an organiser has to, and to sign it with a key" };
  const found = DERIVED[kind](progress, record.body, record);
  return found === true ? {} : found === null ? { isOpen: true } : { why: found };
}
