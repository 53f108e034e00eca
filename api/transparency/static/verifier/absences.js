// Announced absences in correspondence matches: the clock of an absent seat does not run (docs/specifications/log.md).

import { isPerson, SERVICE } from "./facts.js";
import { join, number } from "./sha256.js";

const SECOND = 1_000_000n, DAY = 86_400n * SECOND, DAYS_MAX = 42, AHEAD_DAYS_MAX = 365n;
const own = (line, seat) => (line.absences ?? []).filter((each) => each.seat === seat);

// Adds up the absence of each seat while the match ran, up to a time.
export function away(line, at) {
  if (line.clock.runsSince === null) return;
  for (const { seat, first, last } of line.absences ?? []) {
    const from = first > line.at ? first : line.at, to = last < at ? last : at;
    if (to > from) line.clock.away[seat] += to - from;
  }
}

// The entries of a tournament whose days at all their tables together are more than the plan allows. A day at several tables counts once.
export function tooLong(away, rule) {
  if (!rule) return [];
  const { days: allowed = 14 } = rule, found = [];
  for (const [entry, spans] of away) {
    let at = 0n, sum = 0n;
    for (const { first, last } of spans.toSorted((one, other) => (one.first < other.first ? -1 : 1))) {
      const from = first > at ? first : at;
      if (last > from) { sum += last - from; at = last; }
    }
    const days = (sum + DAY - 1n) / DAY;
    if (days > BigInt(allowed)) found.push(`${entry}: ${days}/${allowed}`);
  }
  return found.sort();
}

// Days of absence are a term of correspondence tables only.
export const mayBeAbsent = (table, format) => !("absenceDays" in table) || (table.clock.kind === "correspondence" && format > 2);

// Ends the absences of one seat, or of all seats, now.
export function endAbsences(line, seat = null) {
  const cut = (each) => (seat !== null && each.seat !== seat ? [each] : each.first >= line.at ? [] : [{ ...each, last: each.last < line.at ? each.last : line.at }]);
  line.absences = (line.absences ?? []).flatMap((each) => (each.last <= line.at ? [each] : cut(each)));
}

const isWithin = (absence, declared) => BigInt(declared.first) * SECOND <= absence.first && absence.last <= BigInt(declared.last) * SECOND;

function mustBeOwn(line, body) {
  const { actor, resigned } = line.seat(body.seat);
  line.must(isPerson(actor) && !resigned, `no person plays on seat ${body.seat}`); line.must(body.by === SERVICE || body.by === actor, `${body.by} does not play on seat ${body.seat}`);
}

// The service announces and ends an absence by a declaration that a key of the seat signed; one declaration serves all tables.
function mustBeDeclared(line, { seat, by, declared }) {
  if (!declared) return;
  const { key, signature, first, last, at = 0 } = declared;
  line.must(by === SERVICE, "only the service names a declaration", "signature"); line.must((line.signing.keys[seat] ?? []).includes(key), `the key of the declaration is not a key of seat ${seat}`, "signature");
  line.must(first < last, "the declared absence has no length", "signature");
  line.signing.due.push({ entry: line.version, key, signature, message: join("esporles.absence/1\0", number(first, 8), number(last, 8), number(at, 8), line.seat(seat).actor) });
}

function announced(line, body) {
  mustBeOwn(line, body); mustBeDeclared(line, body);
  const { declared } = body;
  line.must(!declared || (!declared.at && declared.first <= body.first && body.last <= declared.last), "the absence is not within the declared one", "signature");
  line.must(!declared || !(line.endedAbsences ?? []).some((each) => each.seat === body.seat && isWithin(each, declared)), "the declared absence was ended, so it is declared anew", "signature");
  line.must(line.format > 2 && line.table.clock.kind === "correspondence", "an absence needs a correspondence match and format 3");
  const first = BigInt(body.first) * SECOND, last = BigInt(body.last) * SECOND, before = own(line, body.seat);
  line.must(before.every((each) => each.last <= line.at), "another absence is not over yet");
  line.must(first >= line.at && first <= line.at + AHEAD_DAYS_MAX * DAY && last - first >= DAY, "the absence is too short, too late or in the past");
  line.must(before.reduce((sum, each) => sum + each.last - each.first, last - first) <= BigInt(line.table.absenceDays ?? DAYS_MAX) * DAY, "the seat is absent for too many days");
  line.absences = [...(line.absences ?? []), { seat: body.seat, first, last }];
}

function ended(line, body) {
  mustBeOwn(line, body); mustBeDeclared(line, body);
  const { declared } = body, absence = own(line, body.seat).find((each) => each.last > line.at);
  line.must(absence, "there is no absence to end"); line.must(!declared || (declared.at && BigInt(declared.at) * SECOND <= line.at && isWithin(absence, declared)), "the absence has not been declared to be over", "signature");
  line.endedAbsences = [...(line.endedAbsences ?? []), absence];
  endAbsences(line, body.seat);
}

export const ABSENCE_FACTS = { absence_announced: announced, absence_ended: ended };
