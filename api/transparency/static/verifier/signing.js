// Signed acts: the key of the seat, over an entry that the player had seen (docs/specifications/signatures.md). Signatures are
// verified together, because browsers do this asynchronously.

import { Fault, isSound, isUuid, quote } from "./canonical.js";
import { isLocal, isPerson, SERVICE } from "./facts.js";
import { isSigned } from "./ed25519.js";
import { join, number, unhex, uuidBytes } from "./sha256.js";

const KEYS_MAX = 16, AT_ONCE = 256, BEHIND_MAX = 64, NO_CHANGE = ["share_committed", "key_named"];
const BY_PLAYERS = ["action_taken", "taken_back", "resigned", "seat_ready", "pause_asked", "seat_replaced", "resumed"];
const BY_SERVICE = ["timed_out", "seat_left", "share_committed", "seat_ready", "paused", "resumed", "voided", "seat_replaced", "action_taken", "signing_stopped", "absence_announced", "absence_ended"];
const isOfPlayers = (line, { type }) => BY_PLAYERS.includes(type) || type.startsWith("absence_") || (type === "signing_stopped" && line.format > 2);

export const newSigning = () => ({ house: null, keys: [], due: [], digests: [""], bodies: [null], closed: 0, signed: 0, unsigned: new Map(), bySignIn: new Set(), services: new Map() });

const bad = (line, why) => line.fail(why, "signature");

// A new key of a seat: confirmed by an existing key, or by sign-in only.
function name(line, seat, person, { key, by, signature }) {
  const { keys, due, bySignIn } = line.signing, own = keys[seat] ?? [];
  if (own.includes(key) || own.length === KEYS_MAX || isLocal(person) || !isPerson(person)) bad(line, `seat ${seat} already has this key, has too many, or belongs to a local guest`);
  if (!isSound(key)) bad(line, `the key ${key} is weak`);
  if ((by === undefined) !== (signature === undefined)) bad(line, "a new key must name both the key that confirms it and its signature");
  if (by === undefined) bySignIn.add(seat);
  else if (!own.includes(by)) bad(line, "a new key must be confirmed by a key of its seat");
  else due.push({ entry: line.version, key: by, signature, message: join("esporles.key/1\0", unhex(key), person) });
  own.push(key);
}

// Seats a player with their keys.
function seated(line, seat, person, keys = []) {
  line.signing.keys[seat] = [];
  if (keys.length && !isPerson(person)) bad(line, "only a person has keys");
  for (const key of keys) name(line, seat, person, key);
  if (line.table?.signed && !line.isEvent && line.status === "open" && isPerson(person) && !keys.length) bad(line, "every player at this table must sign");
}

// Rejects a signature over an earlier version if the seat's situation has changed since.
function mayBeOver(line, body, seat, version) {
  const { bodies } = line.signing;
  if (version < 1 || version >= line.version || line.version - 1 - version > BEHIND_MAX) return false;
  return bodies.slice(version + 1, line.version).every((each) =>
    body.type === "action_taken" ? "seat" in each && each.seat !== seat : NO_CHANGE.includes(each.type) || (each.seat !== seat && each.by !== body.by));
}

function due(line, entry, key, signature, message) {
  line.signing.due.push({ entry: line.version, key, signature, message }); line.signing.signed += 1; entry.isSigned = true;
}

function expect(line, entry, act, { key, signature, version = line.version - 1 }) {
  due(line, entry, key, signature, join("esporles.act/2\0", uuidBytes(entry.match), number(version, 8), unhex(line.signing.digests[version]), act));
}

const actOf = (body) => {
  const { signed, standing, keys, ...act } = body;
  return JSON.stringify(body.type === "action_taken" ? body.action : act);
};

// Acts of players are signed where the seat has keys, and nowhere else.
function ofSeat(line, body, entry) {
  const seat = body.seat ?? line.seats.findIndex((each) => each.actor === body.by), keys = line.signing.keys[seat] ?? [];
  let { signed } = body, act = actOf(body);
  if ("hiddenAct" in body) {
    const opened = entry.opened.get(body.hiddenAct)?.value;
    if (opened === undefined) {
      line.signing.closed += 1; entry.isSigned = true;
      return keys.length ? undefined : bad(line, `seat ${seat} has no key`);
    }
    if (Object.keys(opened ?? {}).join() !== "action,signed") bad(line, "a hidden act must be an action and its signature");
    signed = opened.signed; act = JSON.stringify(opened.action);
  }
  if (!signed && keys.length) bad(line, `seat ${seat} has a key but has not signed`);
  if (!signed) return isPerson(body.by) && !line.signing.unsigned.has(seat) ? line.signing.unsigned.set(seat, line.version) : undefined;
  if (!/^[0-9a-f]{128}$/.test(signed.signature) || !keys.includes(signed.key)) bad(line, `it is signed with a key that seat ${seat} does not have`);
  if ("version" in signed && (signed.version === line.version - 1 || !mayBeOver(line, body, seat, signed.version))) bad(line, `it is signed over version ${quote(signed.version)}`);
  return expect(line, entry, act, signed);
}

// Acts of the service are signed with its key, except for automatic consequences. Each removal of a late player is such an act, also
// where it must follow.
function ofService(line, body, entry, isDue) {
  const isFree = !line.signing.house || (isDue && body.type !== "seat_left") || (body.type === "action_taken" && body.seat >= 0) || !BY_SERVICE.includes(body.type);
  if (isFree) return body.signed ? bad(line, "the service must not sign this") : undefined;
  if (!body.signed || "version" in body.signed) return bad(line, "the service has not signed this, or not over the entry before");
  line.signing.services.set(body.signed.key, [line.signing.services.get(body.signed.key)?.[0] ?? line.version, line.version]);
  return expect(line, entry, actOf(body), body.signed);
}

// The text that an official signs, over the last record of a stream.
export const orderOf = (stream, version, digest, act) => join("esporles.order/1\0", uuidBytes(stream), number(version, 8), unhex(digest), act);

// A ruling is signed over its dispute; the records of roles show whether an arbiter signed it.
function ofArbiter(line, body, entry) {
  if (!body.signed) return;
  const { signed: { key, signature, version, head }, ...act } = body;
  if (!isUuid(body.dispute)) bad(line, "it does not name the dispute that its signature covers");
  const said = JSON.stringify(act, (field, value) => (field === "ruling" || field === "line" ? "" : value));
  due(line, entry, key, signature, orderOf(body.dispute, version, head, said));
}

// `isDue`: the entry is an automatic consequence. Call this before the seats change.
export function sign(line, body, entry, isDue) {
  const { signing } = line;
  if (body.by === SERVICE) ofService(line, body, entry, isDue);
  else if (isOfPlayers(line, body)) ofSeat(line, body, entry);
  else if (body.type === "ruling_given") ofArbiter(line, body, entry);
  else if (body.signed) bad(line, `${body.type} must not be signed`);
  if (body.type === "match_opened" && body.house && !isSound(body.house)) bad(line, `the key ${body.house} is weak`);
  if (body.type === "match_opened") signing.house = body.house ?? null;
  const sitting = { seat_taken: body.by, seat_replaced: body.actor, seat_left: null };
  if (body.type in sitting) seated(line, body.seat, sitting[body.type], body.keys);
  if (body.type === "match_forked") body.seats.forEach((actor, seat) => actor !== line.seats[seat]?.actor && seated(line, seat, actor));
  if (body.type === "key_named") name(line, body.seat, body.by, body.key);
  if (body.type === "signing_stopped" && !signing.keys[body.seat]?.length) bad(line, `seat ${body.seat} has no keys`);
  if (body.type === "signing_stopped" && body.by === SERVICE && !signing.unsigned.has(body.seat)) signing.unsigned.set(body.seat, line.version);
  if (body.type === "signing_stopped") signing.keys[body.seat] = [];
  signing.digests.push(entry.digest); signing.bodies.push({ type: body.type, by: body.by, ...("seat" in body && { seat: body.seat }) });
}

// Verifies the collected signatures and blames the first false one. Returns false if the browser has no Ed25519.
export async function checkDue(due) {
  let isKnown = true;
  while (due.length) {
    const some = due.splice(0, AT_ONCE), found = await Promise.all(some.map(({ key, signature, message }) => isSigned(unhex(key), message, unhex(signature))));
    const first = some[found.indexOf(false)];
    if (first) throw Object.assign(new Fault(first.entry, "signature", "a signature is invalid"), { part: first.part });
    isKnown &&= !found.includes(null);
  }
  return isKnown;
}
