// A line of a match, entry by entry: seats, permitted facts, luck (docs/specifications/facts.md). It knows no rules of a title.

import { keyOf, repeat, saltOf, serviceShare, wrongDraw } from "./chance.js";
import { noteAct } from "./acts.js";
import { Fault, quote } from "./canonical.js";
import { isBot, isLocal, isPerson, SERVICE, wrongBody } from "./facts.js";
import { openingFollows, OPENING_FACTS } from "./opening.js";
import { ABSENCE_FACTS, away } from "./absences.js";
import { noteOvertime, noteTimes } from "./overtime.js";
import { PLAYING_FACTS, playingFollows } from "./playing.js";
import { RULING_FACTS } from "./ruling.js";
import { hex } from "./sha256.js";
import { newSigning, sign } from "./signing.js";
import { noteRound, noteStarters } from "./starters.js";

const GOING = ["running", "paused", "waiting"], OPEN = ["open"], RUNNING = ["running"], COMING = ["open", "waiting"];
// The states of the line in which a fact is permitted, and the message otherwise.
const WHEN = {
  seat_taken: OPEN, seat_left: OPEN, match_started: OPEN, share_committed: COMING, seat_ready: COMING, action_taken: RUNNING, taken_back: RUNNING, timed_out: RUNNING,
  absence_announced: ["running", "paused"], absence_ended: ["running", "paused"], pause_asked: RUNNING, resigned: GOING, match_ended: GOING, match_forked: GOING, resumed: GOING,
};
// Facts that end a turn: in format 3 no action before them can be taken back.
const ENDS_TURN = new Set(["match_started", "match_forked", "resigned", "seat_replaced", "timed_out", "pause_asked", "paused", "resumed", "ruling_given"]);
const KEYS = (line, body) => line.must(!line.isOver() && line.seat(body.seat).actor === body.by && isPerson(body.by), `${quote(body.by)} does not play on seat ${body.seat}`);
const HANDLERS = new Map(Object.entries({ ...OPENING_FACTS, ...PLAYING_FACTS, ...ABSENCE_FACTS, ...RULING_FACTS, key_named: KEYS, signing_stopped: (line, body) => (body.by === SERVICE && line.format > 2 ? line.must(!line.isOver() && line.seat(body.seat).actor, `no one plays on seat ${body.seat}`) : KEYS(line, body)) }));

export class Line {
  constructor() {
    Object.assign(this, { status: "none", version: 0, at: 0n, last: null, matches: [], seats: [], played: new Set() });
    Object.assign(this, { seed: null, key: null, labels: new Set(), closed: false, reopened: 0, unready: [], waitsSince: null });
    Object.assign(this, { asked: new Set(), pauses: 0, heldBy: "", rulings: [], ruled: new Set(), carries: "", result: null, acts: [], overtime: new Map(), gaveUp: [], came: new Set(), missed: new Set(), turn: null, quitters: [], roundAt: new Map(), endTime: null });
    this.clock = { total: 0n, runsSince: null, bases: [], spent: [], budget: null };
    this.counts = { openings: 0, closed: 0, draws: 0, hiddenDraws: 0, actions: 0, rulings: 0 }; this.signing = newSigning();
  }

  fail(why, kind = "legality") { throw new Fault(this.version, kind, why); }

  must(holds, why, kind) { if (!holds) this.fail(why, kind); }

  seat(number) { return this.seats[number] ?? this.fail(`there is no seat ${number}`); }

  // A person has at most one seat, and is the only one at a table with hints.
  mayBeSeated(actor, seat) {
    this.must(!(this.table.hints && isPerson(actor)) || ((this.status !== "open" || actor === this.opener) && this.seats.every((each, number) => number === seat || !isPerson(each.actor))), "another person plays with hints there");
    this.must(actor !== SERVICE, "the service cannot have a seat"); this.must(!isPerson(actor) || this.seats.every((each) => each.actor !== actor), `${quote(actor)} already has a seat`); this.must(isBot(actor) || isLocal(actor) === Boolean(this.table.oneDevice), "local guests play only at tables on one device, and only they and bots play there");
  }

  // Verifies an entry as far as possible without the rules; its form and openings have been checked before.
  take(entry) {
    const body = entry.body;
    this.version = entry.version;
    const wrong = wrongBody(body);
    if (wrong) this.fail(wrong, "body");
    const isFork = body.type === "match_forked", match = this.matches.at(-1);
    if (this.version === 1) this.must(body.type === "match_opened", `a line begins with match_opened, not ${body.type}`, "body");
    else this.must(isFork ? !this.matches.includes(entry.match) : entry.match === match, isFork ? "a fork needs a new match id" : "it is an entry of another match", "chain");
    const isDue = this.mustFollow(body);
    away(this, entry.at); Object.assign(this, { at: entry.at, entry }); sign(this, body, entry, isDue); noteAct(this, body, isDue); noteOvertime(this, body);
    this.must(WHEN[body.type]?.includes(this.status) ?? true, `the match is not ${WHEN[body.type]?.join(" or ")}`);
    noteStarters(this, body); HANDLERS.get(body.type)(this, body, entry); noteRound(this, body); noteTimes(this, body); if (ENDS_TURN.has(body.type)) this.turn = null; this.draw(body); this.salts(entry); if (!isFork) this.last = body;
  }

  // The automatic fact due here, if any; also used at the end of a file.
  due() {
    if (this.status === "none") return null;
    const isEnding = this.status === "waiting" && (this.isDecided || this.toBeSet);
    return (isEnding ? null : openingFollows(this)) ?? playingFollows(this);
  }

  // A fork may begin wherever its line was.
  mustFollow(body) {
    const due = body.type === "match_forked" && !this.carries && this.status !== "open" ? null : this.due();
    if (!due) return false;
    for (const each of due) if (Object.keys(each).every((name) => JSON.stringify(body[name]) === JSON.stringify(each[name]))) return true;
    const words = Object.entries(due[0]).filter(([name]) => name !== "type").map(([name, value]) => ` ${name} ${quote(value)}`).join("");
    this.fail(body.type === due[0].type ? `${body.type} should have${words}` : `${due[0].type}${words} must follow here, not ${body.type}`);
  }

  // The key of the luck: known if the seed and all shares are.
  mix() {
    Object.assign(this, { key: null, ownLuck: this.seats.flatMap((seat, number) => (seat.shareBy === "client" ? [number] : [])) });
    if (!this.seed) return;
    const shares = this.seats.map((each, seat) => each.share ?? (each.shareBy === "client" ? null : serviceShare(this.seed, this.luckId, seat)));
    if (shares.every(Boolean)) this.key = keyOf(this.seed, shares, this.luckId);
  }

  // The places by seat that a deadline draws from the luck; before the start, the service's shares replace those that are not open.
  // Null if the seed is not known.
  lots() {
    const shares = () => this.seats.map((each, seat) => each.share ?? serviceShare(this.seed, this.luckId, seat));
    const key = this.key ?? (this.seed && this.format > 1 ? keyOf(this.seed, shares(), this.luckId) : null), seats = [...this.seats.keys()];
    if (!key) return null;
    const drawn = repeat(key, { label: "deadline/places", kind: "draw", count: seats.length }, seats);
    return seats.map((seat) => 1 + drawn.indexOf(seat));
  }

  // The value of a hidden seed, or null if the file does not open it.
  seedOf(body, entry) {
    const opened = entry.opened.get(body.seed);
    if (opened) this.must(typeof opened.value === "string" && /^[0-9a-f]{64}$/.test(opened.value), "the seed is not 32 bytes", "commitment");
    return opened ? Uint8Array.from(opened.value.match(/../g), (pair) => parseInt(pair, 16)) : null;
  }

  draw(body) {
    const opened = (hidden) => this.entry.opened.get(hidden)?.value;
    for (const draw of body.draws ?? []) {
      this.must(!this.labels.has(draw.label), `two draws have the label ${quote(draw.label)}`, "chance"); this.labels.add(draw.label);
      const wrong = wrongDraw(draw, opened, this.key);
      if (wrong) this.fail(wrong, "chance");
      this.counts[this.key ? "draws" : "hiddenDraws"] += 1;
    }
  }

  // The salts of hidden values are derived from the seed, so a complete log allows them to be recomputed.
  salts(entry) {
    this.counts.openings += entry.opened.size; this.counts.closed += entry.hidden.length - entry.opened.size;
    if (!this.seed) return;
    entry.hidden.forEach((hidden, place) => {
      const opened = entry.opened.get(hidden);
      if (opened && opened.salt !== hex(saltOf(this.seed, entry.match, entry.version, place))) this.fail(`the salt of its hidden value ${place + 1} is not derived from the seed`, "commitment");
    });
  }

  // Clocks: the running time of the match, so that no time-out comes before a player can have used that time.
  run(isRunning) { Object.assign(this.clock, { total: this.ran, runsSince: isRunning ? this.at : null }); }

  // The running time without the absences of a seat.
  ownRan(seat) { return this.ran - (this.clock.away?.[seat] ?? 0n); }

  get ran() { return this.clock.total + (this.clock.runsSince === null ? 0n : this.at - this.clock.runsSince); }

  go(status) { this.status = status; this.run(status === "running"); }

  isOver() { return ["ended", "void", "superseded"].includes(this.status); }
}
