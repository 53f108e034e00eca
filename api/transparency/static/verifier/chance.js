// Luck: keys, shares, seeds and draws (docs/specifications/chance.md).

import { expand, hash, hex, hmac, join, number, unhex, uuidBytes } from "./sha256.js";
import { quote } from "./canonical.js";

const BLOCKS_MAX = 255, LABEL_MAX = 200, POOL_MAX = 10_000;

export const shareCommitment = (match, seat, salt, share, actor) => hex(hash("esporles.share/2\0", uuidBytes(match), number(seat, 4), unhex(salt), unhex(share), actor));

export const nextSeed = (seed, match, count) => expand(seed, "seed/", uuidBytes(match), number(count, 4));

// The share of a seat without one: derived from the seat in format 2, from the entry in which it was taken in format 1.
export const serviceShare = (seed, match, seat, version = 2 * seat + 2) => expand(seed, "share/", uuidBytes(match), number(version, 8), number(seat, 4));

export const saltOf = (seed, match, version, place) => expand(seed, "salt/", uuidBytes(match), number(version, 8), number(place, 4));

export const keyOf = (seed, shares, match) => expand(hmac(uuidBytes(match), seed, ...shares));

// The numbers of one label: words of HKDF-Expand, with biased ones rejected.
class Stream {
  constructor(key, label) { Object.assign(this, { key, label, block: new Uint8Array(0), count: 0, at: 32 }); }

  below(bound) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      if (this.at === 32) {
        if (this.count === BLOCKS_MAX) throw new Error("needs more than 255 blocks");
        const block = hmac(this.key, join(this.block, this.label, Uint8Array.of(this.count + 1)));
        Object.assign(this, { block, count: this.count + 1, at: 0 });
      }
      const word = new DataView(this.block.buffer).getUint32(this.at);
      this.at += 4;
      if (word < limit) return word % bound;
    }
  }
}

export function repeat(key, draw, pool) {
  const stream = new Stream(key, draw.label), out = [], rest = draw.kind === "draw" ? [...pool] : [];
  for (let i = 0; i < draw.count; i++) {
    if (draw.kind === "roll") out.push(1 + stream.below(draw.poolSize));
    else out.push(...rest.splice(stream.below(rest.length), 1));
  }
  return out;
}

const isRoll = (outcome, draw) => outcome.every((each) => Number.isInteger(each) && each >= 1 && each <= draw.poolSize);

// Whether everything drawn was in the pool, often enough.
function isDrawnFrom(outcome, pool) {
  const left = new Map();
  for (const each of pool) left.set(JSON.stringify(each), (left.get(JSON.stringify(each)) ?? 0) + 1);
  return outcome.every((each) => {
    const key = JSON.stringify(each), rest = left.get(key) ?? 0;
    return rest > 0 && left.set(key, rest - 1);
  });
}

// Returns why a draw is invalid, whether or not the key is known; `opened` returns the content of a hidden value, if known.
export function wrongDraw(draw, opened, key) {
  const say = (why) => `the draw ${quote(draw.label)} ${why}`;
  if (!draw.label || draw.label.length > LABEL_MAX) return say("has no label, or one that is too long");
  const isOpen = "outcome" in draw, wanted = draw.kind === "roll" ? [false, false] : [isOpen, !isOpen];
  if (isOpen === "hiddenOutcome" in draw || (draw.kind === "roll" && !isOpen) || "pool" in draw !== wanted[0] || "hiddenPool" in draw !== wanted[1]) return say("does not have the fields of its kind");
  if (draw.poolSize < 1 || draw.poolSize > POOL_MAX || draw.count < 0 || draw.count > 8 * BLOCKS_MAX) return say(`cannot be ${draw.count} of ${draw.poolSize}`);
  if (draw.kind === "draw" && draw.count > draw.poolSize) return say(`cannot be ${draw.count} of ${draw.poolSize}`);
  if ("hiddenPool" in draw && draw.hiddenPool.audience.length) return say("shows its pool to a reader");
  const pool = draw.kind === "roll" ? [] : isOpen ? draw.pool : opened(draw.hiddenPool), outcome = isOpen ? draw.outcome : opened(draw.hiddenOutcome);
  if (pool !== undefined && draw.kind === "draw" && !(Array.isArray(pool) && pool.length === draw.poolSize)) return say(`does not have a pool of ${draw.poolSize}`);
  if (outcome === undefined) return null;
  if (!Array.isArray(outcome) || outcome.length !== draw.count) return say(`does not have ${draw.count} outcomes`);
  if (draw.kind === "roll" ? !isRoll(outcome, draw) : pool !== undefined && !isDrawnFrom(outcome, pool)) return say("has an impossible outcome");
  if (!key || pool === undefined) return null;
  try {
    const again = repeat(key, draw, pool);
    return JSON.stringify(again) === JSON.stringify(outcome) ? null : say(`gives ${quote(again)} with this seed and these shares, not ${quote(outcome)}`);
  } catch (error) { return say(error.message); }
}
