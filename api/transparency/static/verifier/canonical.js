// Canonical encoding: the only valid form of each value, and parsing (docs/specifications/log.md, docs/specifications/facts.md).

export class Fault extends Error {
  constructor(entry, kind, why) { super(why); Object.assign(this, { entry, kind }); }
}

export const LINE_MAX = 4_000_000;
export const ENTRIES_MAX = 100_000;
export const BYTES_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 100;

// Shortens a quotation from a file, and removes line breaks.
export function quote(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

// Turns any exception caused by a file into a fault of the file, or of the given part.
export async function within(part, act) {
  try { return await act(); } catch (error) {
    const fault = error instanceof Fault ? error : new Fault(null, "body", `it cannot be examined: ${error}`);
    throw Object.assign(fault, { part: fault.part ?? part });
  }
}

const LOOSE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

// Visits every value of a tree without recursion, because a hostile file may be deeply nested.
function look(tree) {
  const open = [[tree, 0]];
  while (open.length) {
    const [value, depth] = open.pop();
    if (depth > DEPTH_MAX) return `it is nested deeper than ${DEPTH_MAX}`;
    if (typeof value === "number" && !Number.isSafeInteger(value)) return `${value} is not a whole number of a permitted size`;
    if (typeof value === "string" && LOOSE.test(value)) return "a string holds half of a surrogate pair";
    if (Array.isArray(value)) for (const inner of value) open.push([inner, depth + 1]);
    else if (value !== null && typeof value === "object") for (const key of Object.keys(value)) {
      if (/^\d+$/.test(key) || LOOSE.test(key)) return `${quote(key)} is not a valid field name`;
      open.push([value[key], depth + 1]);
    }
  }
  return null;
}

export const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// The value of a line; throws an Error with the reason if there is none.
export function readLine(bytes, most = LINE_MAX) {
  if (bytes.length > most) throw new Error(`is longer than ${most} bytes`);
  let text = null, value;
  try {
    text = decoder.decode(bytes); value = JSON.parse(text);
  } catch (error) { throw new Error(`cannot be read: ${text === null ? "it is not UTF-8" : quote(error.message)}`); }
  const bad = look(value);
  if (bad) throw new Error(`cannot be read: ${bad}`);
  if (JSON.stringify(value) !== text) throw new Error("is not in canonical form");
  return value;
}

// Returns at most this many lines of a file from a byte on, without their newlines. Text after the last newline is returned as a
// marked line.
export function splitLines(bytes, most, at = 0) {
  const lines = [];
  while (at < bytes.length && lines.length < most) {
    const found = bytes.indexOf(10, at), end = found < 0 ? bytes.length : found;
    lines.push(bytes.subarray(at, end)); at = end + 1;
  }
  return { lines, isCut: at > bytes.length, end: at };
}

// Compares two lists of numbers; less than 0 if the first is smaller.
export function compare(one, other) {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at < 0 ? 0 : one[at] - other[at];
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// The mark of an optional field.
export const ABSENT = Symbol("absent");

// Returns why an object is malformed, or null. Its shape is a list of [name, check, default]: without a default the field
// is required, with one it must be omitted if it has that value.
export function misshapen(value, shape) {
  if (!isObject(value)) return `${quote(value)} is not an object`;
  const keys = Object.keys(value);
  let at = 0;
  for (const [name, check, ...missing] of shape) {
    if (keys[at] !== name) {
      if (!missing.length) return `the field ${name} is missing or in the wrong place`;
      continue;
    }
    at += 1;
    const found = value[name];
    if (missing.length && missing[0] !== ABSENT && JSON.stringify(found) === JSON.stringify(missing[0])) return `${name} must be omitted if it is ${quote(found)}`;
    const wrong = check(found);
    if (wrong !== true) return typeof wrong === "string" ? `${name}: ${wrong}` : `${name} cannot be ${quote(found)}`;
  }
  return at === keys.length ? null : `the field ${quote(keys[at])} is not allowed there`;
}

// Reads a line with these fields (optional ones have a question mark); blames the given part if it is malformed.
export function lineOf(bytes, fields, what, entry, kind, most = LINE_MAX) {
  const fail = (why) => { throw new Fault(entry, kind, `${what} ${why}`); };
  let value;
  try { value = readLine(bytes, most); } catch (error) { fail(error.message); }
  const wrong = misshapen(value, fields.map((field) => (field.endsWith("?") ? [field.slice(0, -1), () => true, ABSENT] : [field, () => true])));
  if (wrong) fail(`is wrong: ${wrong}`);
  return value;
}

// Whether a public key is canonical and no point of small order, for which anyone could sign (docs/specifications/signatures.md).
const NOT_CANONICAL = /^((e[d-f]|f.)(ff){30}[7f]f|01(00){30}80|ec(ff){31})$/;
const SMALL_ORDER = ["01" + "00".repeat(31), "ec" + "ff".repeat(30) + "7f", "00".repeat(32), "00".repeat(31) + "80"].concat(
  ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03"].flatMap((y) => (y < "3" ? ["05", "85"] : ["7a", "fa"]).map((end) => y + end)));
export const isSound = (key) => !NOT_CANONICAL.test(key) && !SMALL_ORDER.includes(key);

export const isHex = (value, digits = 64) => typeof value === "string" && value.length === digits && /^[0-9a-f]*$/.test(value);

export const isUuid = (value) => typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{6}))?Z$/;

// Microseconds since 1970 as a BigInt; null for an invalid time, or one that is not canonical.
export function microseconds(text) {
  const [, whole, fraction = "0"] = (typeof text === "string" && TIME.exec(text)) || [], time = Date.parse(`${whole}Z`);
  if (Number.isNaN(time) || fraction === "000000" || whole.startsWith("0000")) return null;
  return new Date(time).toISOString().startsWith(whole) ? BigInt(time) * 1000n + BigInt(fraction) : null;
}

// The bytes of canonical base64 text, or null.
export function unbase64(text) {
  if (typeof text !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4) return null;
  const binary = atob(text);
  return btoa(binary) === text ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : null;
}
