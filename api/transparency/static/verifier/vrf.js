// The verifiable random function of labels, vrf-r255 (https://c2sp.org/vrf-r255, draft-irtf-cfrg-vrf-11).

import { hex, join } from "./sha256.js";

const SUITE = "c2sp.org/vrf-r255", CHALLENGE = 2, OUTPUT = 3, ENCODE = 0x82, CACHED_MAX = 10_000, TABLE_BITS = 6;
export const PROOF_DIGITS = 160;

// The group, which is loaded for the first label.
let group = null;
export const loadGroup = async () => (group ??= await import("./vendor/noble-curves-2.4.0.min.js"));

const digest = (use, ...parts) => group.sha512(join(Uint8Array.of(0xff), SUITE, Uint8Array.of(use), ...parts));
const littleEndian = (bytes) => BigInt(`0x${hex(bytes.toReversed())}`);

// The element with this canonical encoding; null if there is none, or for the identity.
function element(bytes) {
  try {
    const found = group.ristretto255.Point.fromBytes(bytes);
    return found.is0() ? null : found;
  } catch { return null; }
}

// The element of a public key, with a table of its multiples, because one key makes all labels of a file.
let last = { name: "", found: null };
function elementOfKey(key) {
  const name = hex(key);
  if (last.name !== name) last = { name, found: element(key)?.precompute(TABLE_BITS) ?? null };
  return last.found;
}

// The output (64 bytes) of a text for a public key, or null if the proof is false. `loadGroup` must have been awaited.
export function outputOf(key, text, proof) {
  const { Point } = group.ristretto255, gammaBytes = proof.subarray(0, 32), publicKey = elementOfKey(key), gamma = element(gammaBytes);
  const challenge = littleEndian(proof.subarray(32, 48)), answer = littleEndian(proof.subarray(48));
  if (!publicKey || !gamma || !challenge || !answer || answer >= Point.Fn.ORDER) return null;
  const point = group.ristretto255_hasher.deriveToCurve(digest(ENCODE, key, text));
  const first = Point.BASE.multiplyUnsafe(answer).subtract(publicKey.multiplyUnsafe(challenge)), second = group.mulAddUnsafe(Point, [point, gamma.negate()], [answer, challenge]);
  const due = digest(CHALLENGE, key, point.toBytes(), gammaBytes, first.toBytes(), second.toBytes(), Uint8Array.of(0)).subarray(0, 16);
  return littleEndian(due) === challenge ? digest(OUTPUT, gammaBytes, Uint8Array.of(0)) : null;
}

const known = new Map();

// The same, remembered: matches of a tournament repeat the records of roles. `proof` is hexadecimal.
export function rememberedOutput(key, text, proof, unhex) {
  const name = `${hex(key)} ${hex(text)} ${proof}`;
  if (known.size > CACHED_MAX) known.clear();
  if (!known.has(name)) known.set(name, outputOf(key, text, unhex(proof)));
  return known.get(name);
}
