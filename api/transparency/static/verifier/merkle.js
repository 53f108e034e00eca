// Hashes of the tree (docs/specifications/transparency.md, RFC 6962).

import { hash } from "./sha256.js";

export const SIZE_MAX = 2 ** 40;

export const leafHash = (...content) => hash(Uint8Array.of(0), ...content);
export const nodeHash = (left, right) => hash(Uint8Array.of(1), left, right);

// The largest power of two below a size of at least 2: the number of leaves on the left.
export function splitOf(size) {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
