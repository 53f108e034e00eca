// How lines are written: the one way to write each value, and what can be read back from it (docs/specifications/log.md, docs/specifications/facts.md).

export class Fault extends Error {
  constructor(entry, kind, why) { super(why); Object.assign(this, { entry, kind }); }
}

export const LINE_MAX = 4_000_000;
export const ENTRIES_MAX = 100_000;
export const BYTES_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 100;

// What is quoted from a file in a sentence: short, and without line breaks.
export function quote(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

// Whatever a stranger's file makes of us is a fault of the file: of its part, where that is said.
export async function within(part, act) {
  try { return await act(); } catch (error) {
    const fault = error instanceof Fault ? error : new Fault(null, "body", `it cannot be examined: ${error}`);
    throw Object.assign(fault, { part: fault.part ?? part });
  }
}

const LOOSE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

// Looks at every value of a tree without recursion: files are made by strangers.
function look(tree) {
  const open = [[tree, 0]];
  while (open.length) {
    const [value, depth] = open.pop();
    if (depth > DEPTH_MAX) return `it is nested deeper than ${DEPTH_MAX}`;
    if (typeof value === "number" && !Number.isSafeInteger(value)) return `${value} is not a whole number of a size that is allowed`;
    if (typeof value === "string" && LOOSE.test(value)) return "a string holds half of a surrogate pair";
    if (Array.isArray(value)) for (const inner of value) open.push([inner, depth + 1]);
    else if (value !== null && typeof value === "object") for (const key of Object.keys(value)) {
      if (/^\d+$/.test(key) || LOOSE.test(key)) return `${quote(key)} is no name of a field`;
      open.push([value[key], depth + 1]);
    }
  }
  return null;
}

export const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// The value of a line; an Error says why there is none.
export function readLine(bytes, most = LINE_MAX) {
  if (bytes.length > most) throw new Error(`is longer than ${most} bytes`);
  let text = null, value;
  try {
    text = decoder.decode(bytes); value = JSON.parse(text);
  } catch (error) { throw new Error(`cannot be read: ${text === null ? "it is not UTF-8" : quote(error.message)}`); }
  const bad = look(value);
  if (bad) throw new Error(`cannot be read: ${bad}`);
  if (JSON.stringify(value) !== text) throw new Error("is not written the canonical way");
  return value;
}

// So many lines of a file at most from a byte on, without their newlines; what stands after the last newline is a line as well,
// and marked.
export function splitLines(bytes, most, at = 0) {
  const lines = [];
  while (at < bytes.length && lines.length < most) {
    const found = bytes.indexOf(10, at), end = found < 0 ? bytes.length : found;
    lines.push(bytes.subarray(at, end)); at = end + 1;
  }
  return { lines, isCut: at > bytes.length, end: at };
}

// What of two lists of numbers comes first: less than 0 where it is the one.
export function compare(one, other) {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at < 0 ? 0 : one[at] - other[at];
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// The mark of a field that may be missing.
export const ABSENT = Symbol("absent");

// What is wrong with an object, as a sentence; null where nothing is. Its shape is a list of [name, check, default]: without
// a default the field must stand there, with one it must not be written while it holds that.
export function misshapen(value, shape) {
  if (!isObject(value)) return `${quote(value)} is no object`;
  const keys = Object.keys(value);
  let at = 0;
  for (const [name, check, ...missing] of shape) {
    if (keys[at] !== name) {
      if (!missing.length) return `the field ${name} is missing or in another place`;
      continue;
    }
    at += 1;
    const found = value[name];
    if (missing.length && missing[0] !== ABSENT && JSON.stringify(found) === JSON.stringify(missing[0])) return `${name} is written although it is ${quote(found)}`;
    const wrong = check(found);
    if (wrong !== true) return typeof wrong === "string" ? `${name}: ${wrong}` : `${name} cannot be ${quote(found)}`;
  }
  return at === keys.length ? null : `the field ${quote(keys[at])} does not belong there`;
}

// Reads a line that holds these fields (those with a question mark may be missing); whoever wrote it wrong is blamed.
export function lineOf(bytes, fields, what, entry, kind, most = LINE_MAX) {
  const fail = (why) => { throw new Fault(entry, kind, `${what} ${why}`); };
  let value;
  try { value = readLine(bytes, most); } catch (error) { fail(error.message); }
  const wrong = misshapen(value, fields.map((field) => (field.endsWith("?") ? [field.slice(0, -1), () => true, ABSENT] : [field, () => true])));
  if (wrong) fail(`is wrong: ${wrong}`);
  return value;
}

export const isHex = (value, digits = 64) => typeof value === "string" && value.length === digits && /^[0-9a-f]*$/.test(value);

export const isUuid = (value) => typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{6}))?Z$/;

// Microseconds since 1970 as a BigInt; null where it is no time, or one that could be written in another way.
export function microseconds(text) {
  const [, whole, fraction = "0"] = (typeof text === "string" && TIME.exec(text)) || [], time = Date.parse(`${whole}Z`);
  if (Number.isNaN(time) || fraction === "000000" || whole.startsWith("0000")) return null;
  return new Date(time).toISOString().startsWith(whole) ? BigInt(time) * 1000n + BigInt(fraction) : null;
}

// Bytes of a base64 text that is written the one way; null otherwise.
export function unbase64(text) {
  if (typeof text !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4) return null;
  const binary = atob(text);
  return btoa(binary) === text ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : null;
}
