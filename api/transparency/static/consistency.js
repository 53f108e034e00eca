// Consistency of two checkpoints of a tree that is read from tiles (C2SP tlog-tiles).
import { isSigned } from "./verifier/ed25519.js";
import { nodeHash, splitOf } from "./verifier/merkle.js";
import { readKey } from "./verifier/notes.js";
import { hex, utf8 } from "./verifier/sha256.js";

const WIDTH = 256, HEIGHT = 8, HASH_BYTES = 32, PROOF_MAX = 63, TILES_MAX = 200;

const isSame = (one, other) => hex(one) === hex(other);

function rootOf(hashes) {
  let row = hashes;
  while (row.length > 1) {
    const next = [];
    for (let at = 0; at < row.length; at += 2) next.push(at + 1 < row.length ? nodeHash(row[at], row[at + 1]) : row[at]);
    row = next;
  }
  return row[0];
}

// The name of a tile: x001/x234/067 for 1,234,067, with .p/W for a partial one.
export function tilePath(level, index, width) {
  const digits = String(index), padded = digits.padStart(Math.ceil(digits.length / 3) * 3, "0"), parts = padded.match(/.../g);
  const path = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join("/");
  return `${level}/${path}${width < WIDTH ? `.p/${width}` : ""}`;
}

// A tree of one size whose tiles are fetched as needed. `readTile` takes a path and returns bytes.
class TileTree {
  constructor(size, readTile) {
    this.size = size; this.readTile = readTile; this.tiles = new Map();
  }

  tile(level, index) {
    const width = Math.min(Math.floor(this.size / WIDTH ** level) - index * WIDTH, WIDTH), path = tilePath(level, index, width);
    if (!this.tiles.has(path)) {
      if (this.tiles.size >= TILES_MAX) throw new Error("too many tiles");
      this.tiles.set(path, this.readTile(path).then((data) => {
        if (data.length !== width * HASH_BYTES) throw new FalseTree(`the tile ${path} has ${data.length} bytes`);
        return data;
      }));
    }
    return this.tiles.get(path);
  }

  // The root of the leaves from start to before end, which is a node of a tree.
  async rangeRoot(start, end) {
    const count = end - start, height = Math.log2(count);
    if (!Number.isInteger(height)) {
      const middle = start + splitOf(count);
      return nodeHash(await this.rangeRoot(start, middle), await this.rangeRoot(middle, end));
    }
    const level = Math.floor(height / HEIGHT), width = 2 ** (height % HEIGHT), first = (start / count) * width;
    const data = await this.tile(level, Math.floor(first / WIDTH)), offset = first % WIDTH;
    return rootOf(Array.from({ length: width }, (_, at) => data.slice((offset + at) * HASH_BYTES, (offset + at + 1) * HASH_BYTES)));
  }

  // The proof that the tree of `old` leaves is a prefix (RFC 6962, section 2.1.2).
  async consistency(old) {
    const proof = [];
    let start = 0, end = this.size, isLeftEdge = true;
    while (end !== old) {
      const middle = start + splitOf(end - start);
      if (old <= middle) { proof.push(await this.rangeRoot(middle, end)); end = middle; }
      else { proof.push(await this.rangeRoot(start, middle)); start = middle; isLeftEdge = false; }
    }
    if (!isLeftEdge) proof.push(await this.rangeRoot(start, end));
    return proof.reverse();
  }
}

// The tree of a checkpoint does not continue another one, or its tiles do not exist.
export class FalseTree extends Error {}

// The key of a checkpoint does not follow from an earlier one.
export class FalseKey extends FalseTree {}

// RFC 9162, section 2.1.4.2. Sizes: 0 < old < size.
export function isConsistent(old, size, oldRoot, root, proof) {
  if (!proof.length || proof.length > PROOF_MAX) return false;
  const path = Number.isInteger(Math.log2(old)) ? [oldRoot, ...proof] : proof;
  let at = old - 1, last = size - 1;
  while (at % 2) { at = (at - 1) / 2; last = Math.floor(last / 2); }
  let oldComputed = path[0], computed = path[0];
  for (const each of path.slice(1)) {
    if (last === 0) return false;
    if (at % 2 || at === last) {
      oldComputed = nodeHash(each, oldComputed); computed = nodeHash(each, computed);
      while (at % 2 === 0 && at) { at /= 2; last = Math.floor(last / 2); }
    } else computed = nodeHash(computed, each);
    at = Math.floor(at / 2); last = Math.floor(last / 2);
  }
  return last === 0 && isSame(oldComputed, oldRoot) && isSame(computed, root);
}

// Whether the key (NAME+ID+BASE64) has signed; null if this browser has no Ed25519.
export async function isSignedBy({ text, signatures }, vkey) {
  const key = readKey(vkey), claimed = key && signatures.find(({ name, id }) => name === key.name && id === key.id);
  return claimed ? isSigned(key.bytes, utf8(text), claimed.bytes) : false;
}

// Throws FalseTree unless the tree of `current` contains the one of `earlier` as a prefix; another error if tiles are away.
export async function requireContinued(earlier, current, readTile) {
  if (current.size < earlier.size) throw new FalseTree("smaller");
  if (current.size === earlier.size || earlier.size === 0) {
    if (earlier.size && !isSame(earlier.root, current.root)) throw new FalseTree("another root");
    return;
  }
  const proof = await new TileTree(current.size, readTile).consistency(earlier.size);
  if (!isConsistent(earlier.size, current.size, earlier.root, current.root, proof)) throw new FalseTree("another tree");
}
