// LOG files: the header, the chain of entries, their commitments (docs/specifications/log.md).

import { ENTRIES_MAX, Fault, isHex, isObject, isUuid, lineOf, microseconds, misshapen, quote } from "./canonical.js";
import { whole } from "./facts.js";
import { hash, hex, number, unhex, uuidBytes } from "./sha256.js";

const HEADER = ["format", "title", "match", "entries", "head", "redactedFor"];
const RECORD = ["version", "timestamp", "previous", "digest", "body"], ENTRY = ["match", ...RECORD, "secrets?"];
const OPENING = ["commitment", "salt", "value"].map((name) => [name, () => true]), FORMATS = ["esporles.log/1", "esporles.log/2", "esporles.log/3"];

function refuse(entry, kind, why) { throw new Fault(entry, kind, why); }

export function readHeader(bytes) {
  const header = lineOf(bytes, HEADER, "the header of the log", null, "header");
  if (!FORMATS.includes(header.format)) refuse(null, "header", `the format ${quote(header.format)} is not one of ${FORMATS.join(", ")}`);
  if (typeof header.title !== "string" || !isUuid(header.match) || !isHex(header.head)) refuse(null, "header", "title, match or head is malformed");
  if (!whole(1, ENTRIES_MAX)(header.entries)) refuse(null, "header", `a log has 1 to ${ENTRIES_MAX} entries, not ${quote(header.entries)}`);
  const reader = header.redactedFor;
  if (reader !== null && !/^(spectator|seat\/(0|[1-9]\d?))$/.test(reader)) refuse(null, "header", `${quote(reader)} is not a reader of a log`);
  return header;
}

// The hidden values of a body, in order.
function hiddenIn(body, found = []) {
  if (isObject(body) && Object.keys(body).join() === "commitment,audience") found.push(body);
  else if (body !== null && typeof body === "object") for (const each of Object.values(body)) hiddenIn(each, found);
  return found;
}

const digestOf = (kind, entry) => hex(hash(`esporles.${kind}/1\0`, uuidBytes(entry.match), number(entry.version, 8), number(entry.at, 8), unhex(entry.previous), JSON.stringify(entry.body)));

// Reads a line: an entry, or a record of the given stream. Checks its form and its position in the chain.
export function readEntry(bytes, version, before, stream = null) {
  const entry = lineOf(bytes, stream ? RECORD : ENTRY, "the line", version, "line");
  if (stream) Object.assign(entry, { match: stream, isRecord: true });
  if (entry.version !== version) refuse(version, "chain", `entry ${quote(entry.version)} is in the place of entry ${version}`);
  if (!isUuid(entry.match)) refuse(version, "chain", `${quote(entry.match)} is not the id of a match`);
  entry.at = microseconds(entry.timestamp);
  if (entry.at === null) refuse(version, "chain", `${quote(entry.timestamp)} is not a valid time`);
  if (before && entry.at < before.at) refuse(version, "chain", "it is earlier than the entry before it");
  if (entry.previous !== (before ? before.digest : "0".repeat(64))) refuse(version, "chain", "it does not name the digest of the entry before it");
  if (digestOf(stream ? "record" : "entry", entry) !== entry.digest) refuse(version, "chain", "its digest does not match its content");
  if (entry.secrets !== undefined && !(Array.isArray(entry.secrets) && entry.secrets.length)) refuse(version, "chain", "its secrets are not a list, or an empty one");
  return entry;
}

// The reader of a file: null for a complete log, "spectator", or a seat number.
export const readerOf = (header) => header.redactedFor?.startsWith("seat/") ? Number(header.redactedFor.slice(5)) : header.redactedFor;

// A share of format 1 contributed by a player: only its player could open it.
const isPlayersShare = (body) => body.type === "seat_taken" && body.shareBy === "client" && "share" in body;

// Checks that openings match their commitments, are in order, and are exactly those that this reader may see.
export function openEntry(entry, reader, seats) {
  const { body } = entry, pools = Array.isArray(body?.draws) ? body.draws.map((draw) => draw?.hiddenPool) : [];
  const hidden = hiddenIn(body), secrets = entry.secrets ?? [], fail = (why) => refuse(entry.version, "commitment", why);
  entry.hidden = hidden; entry.opened = new Map();
  for (const each of hidden) {
    const rising = Array.isArray(each.audience) && each.audience.every((seat, i, all) => Number.isInteger(seat) && seat >= 0 && seat < seats && !(all[i - 1] >= seat));
    // Seeds, shares and pools are hidden from all; other values have readers.
    const isShown = "effects" in body && !pools.includes(each);
    if (!isHex(each.commitment) || !rising || each.audience.length > 0 !== isShown) refuse(entry.version, "body", "a hidden value has no commitment or no audience");
  }
  if (new Set(hidden.map((each) => each.commitment)).size < hidden.length) fail("two of its hidden values have the same commitment");
  const promised = hidden.filter((each) => !isPlayersShare(entry.body) && (reader === null || each.audience.includes(reader)));
  secrets.forEach((secret, i) => {
    const wrong = misshapen(secret, OPENING);
    if (wrong) fail(`an opening: ${wrong}`);
    if (!promised[i]) fail(`it has ${secrets.length} openings, but this file needs ${promised.length}`);
    if (secret.commitment !== promised[i].commitment) fail("an opening is in the wrong place, or this reader may not see it");
    if (typeof secret.salt !== "string" || secret.salt.length % 2 || !isHex(secret.salt, secret.salt.length)) fail("a salt is not hexadecimal");
    if (hex(hash(unhex(secret.salt), JSON.stringify(secret.value))) !== secret.commitment) fail("an opening does not match its commitment");
    entry.opened.set(promised[i], secret);
  });
  if (secrets.length < promised.length) fail(`it has ${secrets.length} openings, but this file needs ${promised.length}`);
}
