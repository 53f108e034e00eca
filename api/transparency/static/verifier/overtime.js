// Time-outs that the service did not call, as far as they are certain without the rules of a title (docs/specifications/log.md). A seat
// that acts has owed this action at least since the last entry that changed the position.

import { isPerson, SERVICE } from "./facts.js";

const SECOND = 1_000_000n, GRACE = 60n * SECOND;
const POSITION = new Set(["match_started", "match_forked", "action_taken", "taken_back"]);

const newTimes = (line, { clocks = [] }) => line.seats.map((_, seat) => ({ since: line.ownRan(seat), thought: 0n, actions: 0n, left: clocks.length ? BigInt(clocks[seat]) * 1000n : BigInt(line.table.clock.seconds) * SECOND }));

// The time that a seat has used at least, of the time it had.
function overtimeOf(line, own, seat) {
  const { kind, increment } = line.table.clock, thought = line.ownRan(seat) - own.since;
  if (kind === "increment") return own.thought + thought - own.left - (own.actions - 1n) * BigInt(increment) * SECOND;
  return (kind === "correspondence" ? own.thought : 0n) + thought - BigInt(line.table.clock.seconds) * SECOND;
}

// Notes the longest overtime of each seat; before the entry changes the line.
export function noteOvertime(line, { type, seat, by }) {
  const own = line.times?.[seat], isActing = type === "action_taken" && by !== SERVICE;
  if (!own || line.table.clock.kind === "none" || !["action_taken", "timed_out"].includes(type)) return;
  own.actions += 1n;
  if (!(isActing || type === "timed_out") || !isPerson(line.seats[seat].actor)) return;
  const over = overtimeOf(line, own, seat), seconds = Number(over / SECOND);
  if (over > GRACE && seconds > (line.overtime.get(seat)?.seconds ?? 60)) line.overtime.set(seat, { entry: line.version, seat: seat + 1, seconds });
  // A budget never falls below 0, so that earlier overtime does not count again.
  if (isActing) own.thought += line.ownRan(seat) - own.since - (line.table.clock.kind === "increment" && over > 0n ? over : 0n);
}

// Follows the positions; after the entry.
export function noteTimes(line, body) {
  if (["match_started", "match_forked"].includes(body.type)) line.times = newTimes(line, body);
  if (!line.times) return;
  const isSeat = body.type === "seat_replaced" || body.type === "timed_out";
  line.times.forEach((own, seat) => {
    if (POSITION.has(body.type) || (isSeat && body.seat === seat)) own.since = line.ownRan(seat);
    // In correspondence, a turn is over as soon as another seat acts.
    if (line.table.clock.kind === "correspondence" && POSITION.has(body.type) && (body.seat !== seat || body.type !== "action_taken")) own.thought = 0n;
  });
}
