// Signed notes, checkpoints and verifier keys (docs/specifications/transparency.md, C2SP signed-note and tlog-checkpoint).

import { isSound, quote, unbase64 } from "./canonical.js";
import { SIZE_MAX } from "./merkle.js";
import { hash, hex, utf8 } from "./sha256.js";

export const HOUSE = 1;
export const WITNESS = 4;
const BYTES_MAX = 1_000_000, SIGNATURES_MAX = 100, ID_BYTES = 4, HASH_BYTES = 32;
const CONTROL = /[\x00-\x09\x0b-\x1f]/, NAME = /^[^\p{White_Space}+\x00-\x1f]+$/u;

export const refuse = (why) => { throw new Error(why); };

// A verifier key, NAME+ID+BASE64(type ‖ public key); null if it is malformed.
export function readKey(text) {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(typeof text === "string" ? text : ""), bytes = match && NAME.test(match[1]) && unbase64(match[3]);
  if (!bytes || bytes.length !== 33 || ![HOUSE, WITNESS].includes(bytes[0]) || hex(hash(match[1], "\n", bytes).subarray(0, ID_BYTES)) !== match[2] || !isSound(hex(bytes.subarray(1)))) return null;
  return { text, name: match[1], id: match[2], type: bytes[0], bytes: bytes.subarray(1) };
}

function parseSignature(line) {
  const [, name, data] = /^— ([^ ]+) ([^ ]+)$/s.exec(line) ?? [], bytes = unbase64(data);
  if (!NAME.test(name ?? "") || !(bytes?.length > ID_BYTES)) refuse(`${quote(line)} is not a signature`);
  return { name, id: hex(bytes.subarray(0, ID_BYTES)), bytes: bytes.subarray(ID_BYTES) };
}

// The text of a note and its signatures, unverified; throws an Error with the reason if it is malformed.
export function parseNote(note) {
  const end = note.lastIndexOf("\n\n"), lines = note.slice(end + 2, -1).split("\n");
  if (end < 0 || !note.endsWith("\n") || CONTROL.test(note) || utf8(note).length > BYTES_MAX || lines.length > SIGNATURES_MAX) refuse("it is not a signed note");
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

// A number of leaves, and a hash; each throws an Error for another text.
export const parseSize = (text) => (/^(0|[1-9]\d{0,18})$/.test(text) && Number(text) <= SIZE_MAX ? Number(text) : refuse(`${quote(text)} is not a number of leaves`));
export function parseHash(text) {
  const bytes = unbase64(text);
  return bytes?.length === HASH_BYTES ? bytes : refuse(`${quote(text)} is not a hash`);
}

// A note of three lines: origin, size and root.
export function parseCheckpoint(note) {
  const { text, signatures } = parseNote(note), [origin, size, root, ...others] = text.split("\n");
  if (!origin || others.length !== 1) refuse("it does not have three lines");
  return { text, signatures, origin, size: parseSize(size), root: parseHash(root) };
}
