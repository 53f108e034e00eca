// Who decided in a tournament: in format 2 of its records, everything that counts is signed by an official, concerns the own
// entry of its author, or follows from earlier records (docs/specifications/proof.md, "Authority in tournaments").

import { tooLong } from "./absences.js";
import { Fault, quote } from "./canonical.js";
import { afterCheckIn, afterPublication, isOrder, isOwn, Progress, whyImpossible, whyNotDerived } from "./deriving.js";
import { SERVICE } from "./facts.js";

const SHOWN_MAX = 50, NAMED = { plan: ["plan_changed", "calendar_set", "deadline_extended"] };

export class Authority {
  constructor(event, records, roles, part) { Object.assign(this, { event, records, roles, part, progress: new Progress(event), acts: [], due: [], open: [], rulings: [], luck: [], reopened: [], away: new Map(), substitutes: 0, claims: 0 }); }

  // Judges a record by the state before it, and applies it to the rest of the state.
  judge(record, apply) {
    try {
      this.examine(record); apply(); this.progress.take(record);
    } catch (error) {
      throw error instanceof Fault ? error : new Fault(record.version, "body", "it is not possible in a tournament");
    }
  }

  examine(record) {
    const { body, version, leaf } = record, kind = body?.type?.slice("tournament.".length), { format } = this.event, fail = (why) => { throw new Fault(version, "roles", why); };
    if (version === 1) return;
    if (kind === "substitute_named" && body.actor) this.substitutes += 1;
    if (kind === "result_claimed" || kind === "result_confirmed") this.claims += 1;
    if (format === 1) return void (isOrder(2, kind) && this.add(record, kind, isOrder(1, kind) ? this.ordered(record, fail) : isOwn(this.progress, kind, body) ? "own" : "unsigned"));
    const isDue = this.follows(body, fail), wrong = isDue ? null : whyImpossible(this.progress, kind, body);
    if (wrong) fail(wrong);
    if (!isOrder(format, kind)) return;
    const ground = isDue && body.by === SERVICE ? "rule" : this.groundOf(record, kind, leaf, fail);
    if (this.progress.isOver && !["signed", "console"].includes(ground)) fail("after the end only a signed correction counts");
    this.add(record, kind, ground);
    if (kind === "check_in_closed") this.due = afterCheckIn(this.progress, body.by);
    if (kind === "round_published") this.due = afterPublication(this.progress, body.round);
    if (ground === "rule" && kind === "result_ruled") this.rulings.push({ ...body, consequence: this.progress.calendar.consequence });
  }

  add({ version, body }, kind, ground) { this.acts.push({ version, kind, by: body.by, ground, isLate: this.progress.isOver }); }

  follows({ signed: _, ...body }, fail) {
    if (!this.due.length) return false;
    const first = this.due.shift();
    return JSON.stringify(first) === JSON.stringify(body) || fail(`a record about ${first.entry} must follow`);
  }

  groundOf(record, kind, leaf, fail) {
    const { body } = record, { opener } = this.event;
    if (body.by !== SERVICE) return !body.signed && isOwn(this.progress, kind, body) ? "own" : this.ordered(record, fail);
    this.ordered(record, fail);
    const { why, isOpen } = whyNotDerived(this.progress, kind, record);
    if (why && opener !== SERVICE) fail(why);
    if (isOpen && opener !== SERVICE) this.open.push(record.version);
    return why ? "console" : "rule";
  }

  // The author of an order was entitled to it, and has signed it if they had a key.
  ordered(record, fail) {
    const { match, body: { by, signed } } = record, roles = this.roles.before(record.leaf);
    if (by !== SERVICE && by !== this.event.opener && !roles.held(by, ["organiser", "operator"], match)) fail(`${quote(by)} was not an organiser here`);
    roles.mustSignRecord(this.records, record, this.part, fail);
    return signed ? "signed" : "unsigned";
  }

  // Every public round must be closed.
  end() {
    const open = this.event.format > 1 && this.progress.rounds.find(({ status }) => ["published", "opened"].includes(status));
    if (open) throw new Fault(null, "table", `round ${open.number} was published, but not closed`);
  }

  // Whether the service alone ruled on a table that is played on the service, and this still counts.
  isRuling({ byHand, isHere, round, table }) { return isHere && byHand?.isOfDeadline && this.rulings.some((each) => each.round === round && each.table === table); }

  // Whether the service drew lots although the calendar names another consequence, which only a match without scores allows.
  isReplaced({ round, table }) { return this.rulings.some((each) => each.round === round && each.table === table && each.drawn && each.consequence !== "lots"); }

  // Notes what a reader should know about the luck of a match, and the holidays of its seats.
  met({ round, table, entries }, line, ownLuck) {
    for (const { seat, first, last } of line.absences ?? []) this.away.set(entries[seat], [...(this.away.get(entries[seat]) ?? []), { first, last }]);
    if (!ownLuck.length) this.luck.push(`${round}/${table}`);
    if (line.reopened) this.reopened.push(`${round}/${table}: ${line.reopened}`);
  }

  tell(report) {
    const { acts, event } = this, subjects = (list) => grouped(list).map(([kind, records]) => `${kind} (${records})`).join(", "), tell = (say, id, list) => list.length && report[say](id, { what: subjects(list) });
    report.good("entries", { count: acts.filter(({ kind }) => kind === "entry_made").length, substitutes: this.substitutes });
    tell("good", "plan_changes", acts.filter(({ kind }) => NAMED.plan.includes(kind)));
    tell("good", "corrections", acts.filter(({ isLate }) => isLate));
    for (const [say, ground] of [["good", "rule"], ["good", "console"], ["open", "unsigned"], ["open", "own"]]) tell(say, `acts_${ground}`, acts.filter((each) => each.ground === ground));
    if (this.luck.length) report.good("service_luck", { what: this.luck.join(", ") });
    if (this.reopened.length) report.good("reopened", { what: this.reopened.join(", ") });
    const longer = tooLong(this.away, event.plan.holidays);
    if (longer.length) report.good("holidays", { what: longer.join(", ") });
    const scores = this.rulings.filter(({ drawn, round, table }) => !drawn && this.progress.isHere(round, table)).length;
    if (scores) report.open("deadline_scores", { count: scores });
    if (this.claims) report.open("claims", { count: this.claims });
    if (this.open.length) report.open("by_results", { what: this.open.join(", ") });
    if (event.format > 1) report.open("pairings");
  }
}

// Records by kind, at most some of them by number.
function grouped(acts) {
  const groups = new Map();
  for (const { kind, version } of acts) groups.set(kind, [...(groups.get(kind) ?? []), version]);
  return [...groups].map(([kind, records]) => [kind, `${records.slice(0, SHOWN_MAX).join(", ")}${records.length > SHOWN_MAX ? ", …" : ""}`]);
}
