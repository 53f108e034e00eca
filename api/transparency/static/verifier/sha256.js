// Synchronous SHA-256, HMAC and HKDF-Expand: a log needs thousands of small hashes, and the browser's API is asynchronous.

// The constants of FIPS 180-4: the first 32 bits of the fractional parts of roots of the first primes; doubles are precise enough.
const fraction = (root) => Math.floor((root % 1) * 2 ** 32), primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
const K = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))), START = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const W = new Uint32Array(64);

const turn = (word, by) => (word >>> by) | (word << (32 - by));

function compress(h, bytes, at) {
  for (let i = 0; i < 16; i++, at += 4) W[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  for (let i = 16; i < 64; i++) {
    const x = W[i - 15], y = W[i - 2];
    W[i] = W[i - 16] + W[i - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
  }
  let a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], last = h[7];
  for (let i = 0; i < 64; i++) {
    const first = (last + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    (last = g), (g = f), (f = e), (e = (d + first) | 0);
    (d = c), (c = b), (b = a), (a = (first + second) | 0);
  }
  (h[0] += a), (h[1] += b), (h[2] += c), (h[3] += d), (h[4] += e), (h[5] += f), (h[6] += g), (h[7] += last);
}

export function sha256(bytes) {
  const h = START.slice(), rest = bytes.length % 64, whole = bytes.length - rest;
  for (let at = 0; at < whole; at += 64) compress(h, bytes, at);
  const last = new Uint8Array(rest < 56 ? 64 : 128);
  last.set(bytes.subarray(whole));
  last[rest] = 0x80;
  for (let i = 1, bits = bytes.length * 8; bits; i++, bits = Math.floor(bits / 256)) last[last.length - i] = bits % 256;
  for (let at = 0; at < last.length; at += 64) compress(h, last, at);
  for (let i = 0; i < 32; i++) last[i] = h[i >> 2] >>> (24 - 8 * (i & 3));
  return last.slice(0, 32);
}

const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);

// Concatenates bytes and texts (as UTF-8).
export function join(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? utf8(part) : part)), out = new Uint8Array(bytes.reduce((sum, each) => sum + each.length, 0));
  bytes.reduce((at, each) => (out.set(each, at), at + each.length), 0);
  return out;
}

export const hash = (...parts) => sha256(join(...parts));

export function hmac(key, ...parts) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  return hash(block.map((byte) => byte ^ 0x5c), hash(block.map((byte) => byte ^ 0x36), ...parts));
}

// The first block of HKDF-Expand; only draws need more.
export const expand = (key, ...info) => hmac(key, ...info, Uint8Array.of(1));

// A number as big-endian bytes.
export function number(value, size) {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigInt64(0, BigInt(value)); return out.subarray(8 - size);
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export const hex = (bytes) => Array.from(bytes, (byte) => DIGITS[byte]).join("");

const nibble = (code) => (code < 58 ? code - 48 : code - 87);

// The caller has checked that these are hexadecimal digits, two for each byte.
export function unhex(text) {
  const out = new Uint8Array(text.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = (nibble(text.charCodeAt(2 * i)) << 4) | nibble(text.charCodeAt(2 * i + 1));
  return out;
}

export const uuidBytes = (id) => unhex(id.replaceAll("-", ""));
