// Trusted keys: a plain list of verifier keys, or a policy with a quorum (docs/specifications/proof.md, C2SP tlog-policy).

import { quote } from "./canonical.js";
import { HOUSE, readKey, refuse, WITNESS } from "./notes.js";
import { hex } from "./sha256.js";

const LINES_MAX = 256, NONE = "none";

// A group of `threshold` members; a member is a witness (its key) or a group.
const groupOf = (threshold, members) => ({ threshold, members });

// Definitions of a policy: the keys of logs and witnesses, and what has a name.
class Policy {
  constructor() { Object.assign(this, { logs: [], witnesses: [], quorum: undefined, named: new Map(), members: new Set() }); }

  log(vkey, url, ...more) {
    if (vkey === undefined || more.length) refuse("expected log <vkey> [<url>]");
    this.logs.push(this.#key(vkey, HOUSE, this.logs));
  }

  witness(name, vkey, url, ...more) {
    if (vkey === undefined || more.length) refuse("expected witness <name> <vkey> [<url>]");
    const key = this.#key(vkey, WITNESS, this.witnesses);
    this.#define(name, key); this.witnesses.push(key);
  }

  group(name, threshold, ...names) {
    if (!names.length) refuse("expected group <name> all|any|<k> <name>...");
    for (const each of names) {
      this.#find(each);
      if (this.members.has(each)) refuse(`${quote(each)} is listed as a member twice`);
      this.members.add(each);
    }
    const count = Number(threshold === "all" ? names.length : threshold === "any" ? 1 : /^[1-9]\d{0,2}$/.test(threshold) ? threshold : Infinity);
    if (count > names.length) refuse(`the threshold ${quote(threshold)} must be all, any or a number from 1 to ${names.length}`);
    if (this.named.size - this.witnesses.length === LINES_MAX) refuse(`more than ${LINES_MAX} of these lines`);
    this.#define(name, groupOf(count, names.map((each) => this.#find(each))));
  }

  takeQuorum(name, ...more) {
    if (name === undefined || more.length) refuse("expected quorum <name>");
    if (this.quorum !== undefined) refuse("a policy has only one quorum");
    this.quorum = name === NONE ? null : this.#find(name);
  }

  #key(vkey, type, known) {
    const key = readKey(vkey);
    if (key?.type !== type) refuse(`${quote(vkey)} is not a key of this kind`);
    if (known.length === LINES_MAX) refuse(`more than ${LINES_MAX} of these lines`);
    if (known.some((each) => hex(each.bytes) === hex(key.bytes))) refuse(`the key ${quote(vkey)} is listed twice`);
    return key;
  }

  #define(name, thing) {
    if (name === NONE || this.named.has(name)) refuse(`the name ${quote(name)} is already in use`);
    this.named.set(name, thing);
  }

  #find(name) { return this.named.get(name) ?? refuse(`no witness or group ${quote(name)} is defined above`); }
}

const LINES = { log: Policy.prototype.log, witness: Policy.prototype.witness, group: Policy.prototype.group, quorum: Policy.prototype.takeQuorum };
const itemsIn = (line) => { const items = line.split(/[ \t]+/).filter(Boolean); return items[0]?.startsWith("#") ? [] : items; };

function readPolicy(lines) {
  const policy = new Policy();
  for (const [index, line] of lines.entries()) {
    const [keyword, ...items] = itemsIn(line);
    try {
      if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) refuse("control characters other than tab and newline are not allowed");
      if (keyword === undefined) continue;
      if (!Object.hasOwn(LINES, keyword)) refuse(`${quote(keyword)} is not one of ${Object.keys(LINES).join(", ")}`);
      LINES[keyword].apply(policy, items);
    } catch (error) { refuse(`line ${index + 1}: ${error.message}`); }
  }
  if (policy.quorum === undefined) refuse("there is no quorum line");
  return policy;
}

// Pasted text: a policy, or verifier keys, one per line, of whose witnesses one must have cosigned. Null if it has no lines;
// throws an Error that names a malformed line.
export function readTrust(text) {
  const lines = text.split("\n"), first = lines.map(itemsIn).find((items) => items.length);
  if (!first) return null;
  if (Object.hasOwn(LINES, first[0])) return readPolicy(lines);
  const keys = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith("#")).map((line) => readKey(line) ?? refuse(quote(line)));
  const witnesses = keys.filter(({ type }) => type === WITNESS);
  return { logs: keys.filter(({ type }) => type === HOUSE), witnesses, quorum: witnesses.length ? groupOf(1, witnesses) : null };
}

// Whether the witnesses with these keys together reach the quorum.
const isReached = (rule, keys) => (rule.members ? rule.members.filter((each) => isReached(each, keys)).length >= rule.threshold : keys.has(rule.text));
export const isMet = ({ quorum }, keys) => quorum === null || isReached(quorum, new Set(keys.map(({ text }) => text)));

// The quorum by the names of keys, such as `2 of (a, b, c)`.
export const describe = (rule) => (rule.members ? `${rule.threshold} of (${rule.members.map(describe).join(", ")})` : rule.name);
