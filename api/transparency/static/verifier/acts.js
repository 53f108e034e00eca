// Acts of the service that no clock and no other entry requires: a seat given to another player, a seat that signs no longer, and
// the end of the match (docs/specifications/facts.md).

import { SERVICE } from "./facts.js";

// The player to whom a seat belongs: the entrant for whom a substitute plays, or who began there.
const entrantOf = (line, seat, number) => seat.standsInFor || (line.began ? line.began[number] : seat.actor);

// Whether the log supports the reason for which the service gives a seat to another player. Earlier formats state none.
function isExplained(line, { seat: number, actor, standsInFor, reason }) {
  const entrant = entrantOf(line, line.seats[number] ?? {}, number);
  const supported = { no_show: true, substitute: standsInFor === entrant, returned: actor === entrant, erased: line.table.resigning === false };
  return line.format < 3 || (supported[reason] ?? false);
}

// Lists the act; call this before it changes the line. Automatic consequences are no acts.
export function noteAct(line, body, isDue) {
  const entry = line.version, seat = body.seat + 1, isOfService = body.by === SERVICE;
  if (body.type === "signing_stopped" && (isOfService || !body.signed)) line.acts.push({ name: "stopped_by_service", entry, seat });
  if (!isOfService || isDue) return;
  if (body.type === "seat_replaced") line.acts.push({ name: isExplained(line, body) ? "seat_given" : "seat_taken_over", entry, seat, actor: body.actor, reason: body.reason ?? "–" });
  if (body.type.startsWith("absence_") && !body.declared) line.acts.push({ name: body.type === "absence_ended" ? "returned_by_service" : "absent_by_service", entry, seat });
  if (body.type === "voided" && line.began) line.acts.push({ name: "voided_by_service", entry });
}
