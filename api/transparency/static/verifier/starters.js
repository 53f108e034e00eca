// The players who started a match, and the outcome of a match for ratings (docs/specifications/ratings.md).

import { endAbsences } from "./absences.js";
import { counted, notPlayed } from "./ruling.js";
import { placed } from "./tables.js";

// The effect that begins a round of a title, the field with its number, and the number before the first one.
const ROUNDS = new Map(Object.entries({ la_granja: ["la_granja.step_begun", "round", 1], el_grande: ["el_grande.round_begun", "index", -1] }));

// Notes the starters; before the players of the seats change, and before the effects of an action count.
export function noteStarters(line, body) {
  const { seat, by, type } = body, starter = line.starters?.[seat];
  if (type === "action_taken" && starter?.actor === by && starter.lastRound !== line.round) Object.assign(starter, { rounds: starter.rounds + 1, lastRound: line.round });
  const isLeaving = ["timed_out", "resigned"].includes(type) || (type === "seat_replaced" && !("standsInFor" in body));
  if (isLeaving && starter && starter.actor === line.seats[seat].actor) starter.hasLeft = true;
}

// Follows the rounds and the time of the match, after an entry.
export function noteRound(line, body) {
  const [effect, field, first] = ROUNDS.get(line.title) ?? [];
  if (body.type === "match_started") {
    const { provisional = [], guests = [], programs = [] } = body, standing = (seat) => (programs.includes(seat) ? "bot" : guests.includes(seat) ? "guest" : provisional.includes(seat) ? "provisional" : "");
    Object.assign(line, { startTime: line.at, round: first, starters: line.began.map((actor, seat) => ({ actor, standing: standing(seat), rounds: 0, hasLeft: false })) });
  }
  if (body.type === "taken_back") line.round = line.roundAt.get(body.toVersion);
  for (const each of body.effects ?? []) if (each.type === effect) line.round = each[field];
  line.roundAt.set(line.version, line.round);
  const isOver = ["ended", "void"].includes(line.status);
  if (isOver === (line.endTime !== null)) return;
  line.endTime = isOver ? line.at : null;
  if (isOver) endAbsences(line);
}

// Whether the result was set by an arbiter of the service, or upheld by one on appeal.
function isSettled({ rulings }) {
  const last = rulings.findLast((each) => !each.isReplaced && each.measures.some(({ type }) => type === "result_set"));
  return Boolean(last) && [last, ...rulings.filter((each) => each.upheld && each.appealOf === last.ruling)].some((each) => each.authority === "service");
}

// A fork that no ruling made the official line.
export const isSideLine = ({ parents = [] }) => parents.length > 0 && !parents.at(-1).ruling;

// The outcome of a match after rulings; `places` have seats that were handed over behind the others.
export function outcomeOf(line) {
  const { table, seats, title, format, status, startTime, endTime, rulings, acts } = line, { noShows, ...gone } = notPlayed(line), result = counted(line);
  const isPublic = table.public || (table.publicOnceStarted === true && startTime !== undefined), resigned = seats.flatMap((seat, number) => (seat.resigned ? [number] : []));
  return {
    match: line.matches[0], title, format, status, startTime, endTime, isPublic, resigned, isClocked: table.clock.kind !== "none", isRated: table.rated && !isSideLine(line) && !acts.some(({ name }) => name === "seat_taken_over"), isRuled: rulings.length > 0, isSettled: isSettled(line),
    players: seats.map((seat) => seat.actor), ranking: result?.ranking ?? null, places: result && placed({ ...result, ...gone }), knowsRounds: ROUNDS.has(title),
    starters: (line.starters ?? []).map(({ actor, standing, rounds, hasLeft }, seat) => {
      const neverCame = Boolean(line.awaited[seat]) && !line.came.has(seat) && line.missed.has(seat);
      return { actor, standing, rounds, hasLeft, neverCame, isSubstituted: Boolean(seats[seat].standsInFor) };
    }),
  };
}
