// The chain of keys of a log: each is vouched for by a root key, or by the key before it (docs/specifications/keys.md).

import { microseconds, quote } from "./canonical.js";
import { isSigned } from "./ed25519.js";
import { HOUSE, parseHash, parseNote, parseSize, readKey, refuse } from "./notes.js";
import { hex, utf8 } from "./sha256.js";

const CHANGE = "esporles.key-change/1", ROOT = "esporles.root/1", NOTES_MAX = 1_000, REASONS = ["planned", "lost", "stolen"];
const TYPES = new Map(Object.entries({ "log.root_named": ROOT, "log.key_changed": CHANGE }));

// The readers of lines; each throws for a malformed value.
const keyIn = (text) => { const key = readKey(text); return key?.type === HOUSE ? key : refuse(`${quote(text)} is not a key of a log`); };
const parseReason = (text) => (REASONS.includes(text) ? text : refuse(`${quote(text)} is not a reason for a change of keys`));
const timeIn = (text) => (text?.length === 20 ? microseconds(text) : null) ?? refuse(`${quote(text)} is not a time with whole seconds`);
const LINES = { old: keyIn, new: keyIn, log: keyIn, root: keyIn, reason: parseReason, size: parseSize, until: timeIn };

// The values in the lines of a note about keys, and the text that they stand for.
function readLines(text) {
  const [head, ...lines] = text.split("\n"), found = new Map(lines.slice(0, -1).map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]));
  const names = head === ROOT ? ["log", "root"] : ["old", "new", "reason", "size", "root", ...(found.get("reason") === "planned" ? ["until"] : [])];
  const readers = head === ROOT ? LINES : { ...LINES, root: parseHash }, values = Object.fromEntries(names.map((name) => [name, readers[name](found.get(name))]));
  if (`${head}\n${names.map((name) => `${name} ${found.get(name)}\n`).join("")}` !== text) refuse("a note about keys is not in canonical form");
  return values;
}

// A signed note about keys: its text, its lines and its signatures.
function readNote(note, head) {
  if (!note.startsWith(`${head}\n`)) refuse(`it does not contain a note that begins with ${head}`);
  const { text, signatures } = parseNote(note);
  return { text, signatures, ...readLines(text) };
}

// The note must have exactly the signatures of these keys, in this order. Returns false if the browser has no Ed25519.
async function mustBeSigned({ text, signatures }, keys) {
  if (signatures.length !== keys.length) refuse(`a note about keys has ${signatures.length} signatures, not ${keys.length}`);
  let isKnown = true;
  for (const [i, { name, id, bytes, text: told }] of keys.entries()) {
    const signature = signatures[i], isOwn = signature.name === name && signature.id === id, isTrue = isOwn && (await isSigned(bytes, utf8(text), signature.bytes));
    if (isTrue === false) refuse(`a note about keys is not signed with ${told}`);
    isKnown &&= isTrue !== null;
  }
  return isKnown;
}

const publicOf = (key) => hex(key.bytes);

// Terms of keys: a key signs checkpoints and entries between the leaves `first` and `last`, and entries before the time `until`.
class KeyChain {
  constructor(key) { Object.assign(this, { terms: [{ key, first: -1, last: null, until: null }], roots: [], isVerified: true }); }

  get current() { return this.terms.at(-1).key; }

  get all() { return [...this.roots, ...this.terms.map(({ key }) => key)]; }

  has(key) { return this.terms.some((term) => publicOf(term.key) === key); }

  // Whether a public key may sign an entry of the service with this leaf and time.
  maySign(key, leaf, at) {
    const isIn = ({ first, last, until }) => leaf > first && (last === null || leaf < last || (until !== null && at < until));
    return this.terms.some((term) => publicOf(term.key) === key && isIn(term));
  }

  isVouchedFor(trusted) { return this.all.some((key) => trusted.some(({ text }) => text === key.text)); }

  async addRoot(note) {
    if (note.log.text !== this.current.text) refuse(`a root key is named for the key ${note.log.text}, but the log has ${this.current.text}`);
    if (this.all.some((key) => publicOf(key) === publicOf(note.root))) refuse(`the root key ${note.root.text} was used before`);
    this.isVerified = (await mustBeSigned(note, [note.log, note.root, ...this.roots.slice(-1)])) && this.isVerified;
    this.roots.push(note.root);
  }

  async change(leaf, note) {
    const { old, new: next, reason, size, until = null } = note, root = this.roots.at(-1), term = this.terms.at(-1), isPlanned = reason === "planned";
    if (!root) refuse("the key of a log changes, but no root key was named before");
    if (old.text !== this.current.text) refuse(`a change replaces the key ${old.text}, but the log has ${this.current.text}`);
    const isRenamed = next.name !== old.name && publicOf(next) === publicOf(old);
    if (!isRenamed && this.all.some((key) => publicOf(key) === publicOf(next))) refuse(`the new key ${next.text} was used before`);
    if (!(size > term.first && size <= leaf)) refuse(`a change at leaf ${leaf} names a checkpoint of ${size} leaves`);
    this.isVerified = (await mustBeSigned(note, isPlanned ? [next, old, root] : [next, root])) && this.isVerified;
    Object.assign(term, { last: isPlanned ? leaf : size, until });
    this.terms.push({ key: next, first: leaf, last: null, until: null });
  }
}

// The chain that the announcements of a log give, up to the key of its checkpoint; throws an Error with the reason if it is false.
export async function chainOf(announced, key) {
  const notes = announced.filter(({ type }) => TYPES.has(type)).map(({ leaf, type, note }) => ({ leaf, type, ...readNote(note, TYPES.get(type)) }));
  if (notes.length > NOTES_MAX) refuse(`a log announces at most ${NOTES_MAX} changes of keys`);
  const chain = new KeyChain(notes.length ? notes[0].log ?? notes[0].old : key);
  for (const note of notes) await (note.log ? chain.addRoot(note) : chain.change(note.leaf, note));
  if (chain.current.text !== key.text) refuse(`the checkpoint is signed with ${key.text}, but the log announces the key ${chain.current.text}`);
  return chain;
}
