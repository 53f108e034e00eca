// Proof files: leaves, hashes up to the root, signatures of the checkpoint (docs/specifications/proof.md, docs/specifications/transparency.md).

import { decoder, ENTRIES_MAX, Fault, isHex, lineOf, quote, within } from "./canonical.js";
import { isSigned } from "./ed25519.js";
import { whole } from "./facts.js";
import { chainOf } from "./keychain.js";
import { addLabels, END_FIELDS, readLog, tellLabels } from "./labels.js";
import { leafHash, nodeHash, SIZE_MAX, splitOf } from "./merkle.js";
import { HOUSE, parseCheckpoint, readKey, WITNESS } from "./notes.js";
import { describe, isMet } from "./policy.js";
import { hash, hex, number, unhex, utf8, uuidBytes } from "./sha256.js";

const HEADER = ["format", "match", "entries", "head", "origin", "size", "roles?"];

export const ROLES_MAX = 10_000;

const fail = (why, entry = null) => { throw new Fault(entry, "proof", why); };

// A number of a header, within its bounds.
export const mustBe = (header, name, low, high = ENTRIES_MAX) => whole(low, high)(header[name]) || fail(`${name} in the header must be from ${low} to ${high}, not ${quote(header[name])}`);

export function readProofHeader(bytes) {
  const header = lineOf(bytes, HEADER, "the header of the proof", null, "proof");
  if (!["esporles.proof/3", `esporles.proof/${"roles" in header ? 2 : 1}`].includes(header.format)) fail(`the format ${quote(header.format)} must be esporles.proof/1, esporles.proof/2 with roles, or esporles.proof/3`);
  mustBe(header, "entries", 1); mustBe(header, "size", 1, SIZE_MAX);
  if ("roles" in header) mustBe(header, "roles", 1, ROLES_MAX);
  return { roles: 0, ...header };
}

function readNote(text, header) {
  let note;
  try { note = parseCheckpoint(text); } catch (error) { fail(`its checkpoint: ${error.message}`); }
  return note.origin === header.origin && note.size === header.size ? note : fail("origin or size in the header of the proof differ from its checkpoint");
}

function readKeys(keys, note, header) {
  if (!Array.isArray(keys) || keys.length !== note.signatures.length) fail(`its checkpoint: it has ${note.signatures.length} signatures, but ${quote(keys?.length)} keys are listed`);
  return keys.map((text, place) => {
    const key = readKey(text), signature = note.signatures[place];
    if (!key || keys.indexOf(text) !== place) fail(`its checkpoint: ${quote(text)} is not a key, or is listed twice`);
    if (key.type !== (place ? WITNESS : HOUSE) || (!place && key.name !== header.origin)) fail(`its checkpoint: signature ${place + 1} is not from ${quote(header.origin)}, or not from a witness`);
    if (key.name !== signature.name || key.id !== signature.id || signature.bytes.length !== (place ? 72 : 64)) fail("its checkpoint: the keys do not match its signatures in order");
    return key;
  });
}

// Names the first entry that each other service signed. A key of this service was valid at the leaves of its first and last entry.
function checkServices(report, chain, entries) {
  for (const [key, versions] of report.services ?? []) {
    if (!chain.has(key)) report.open("other_house", { entry: versions[0] });
    else for (const version of versions) {
      const { leaf, at } = entries[version - 1];
      if (!chain.maySign(key, leaf, at)) fail(`it is signed with the key ${key} of the service, which was not valid at leaf ${leaf}`, version);
    }
  }
}

async function announcedChain(log, key) {
  try { return await chainOf(log?.announced ?? [], key); } catch (error) { return fail(`the keys of the service: ${error.message}`); }
}

// Where the match was played, as far as the file tells: here, or elsewhere before its log was imported.
function tellOrigin(report, lines, chain) {
  const { house } = report.line.signing, own = (report.services ?? []).filter(([key]) => chain.has(key)).map(([, [entry]]) => entry);
  const shared = lines.filter((line) => decoder.decode(line).includes(',"stream":')).length;
  if (shared) report.open("imported_prefix", { last: shared });
  if (!house) report.open("unnamed_origin");
  else if (!chain.has(house)) report.open("imported", { last: own.length ? Math.min(...own) - 1 : report.count });
}

// The cosignatures of the witnesses that one trusts must reach the quorum; `isKnown`: they were verified.
function checkQuorum(trust, witnesses, report, isKnown) {
  const names = witnesses.filter((key) => trust.witnesses.some(({ text }) => text === key.text)).map(({ name }) => name);
  if (!isMet(trust, witnesses)) fail(`the checkpoint is below the quorum: it needs a cosignature of ${describe(trust.quorum)}, but has ${names.length ? `those of ${names.join(", ")} only` : "none of a trusted witness"}`);
  if (trust.quorum && isKnown) report.good("quorum", { quorum: describe(trust.quorum) });
}

async function checkSignatures(note, keys, trust, report, chain) {
  const trusted = trust && new Set([...trust.logs, ...trust.witnesses].map(({ text }) => text));
  let isKnown = true;
  for (const [place, key] of keys.entries()) {
    const { bytes } = note.signatures[place];
    const seconds = place ? new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) : 0n;
    if (seconds > 253_402_300_799n) fail("its checkpoint: a cosignature is dated after the year 9999");
    const message = place ? `cosignature/v1\ntime ${seconds}\n${note.text}` : note.text;
    const isTrue = await isSigned(key.bytes, utf8(message), place ? bytes.subarray(8) : bytes);
    if (isTrue === false) fail(`the signature of ${key.name} on the checkpoint is invalid`);
    isKnown &&= isTrue !== null;
    const isTrusted = trusted && trusted.has(key.text);
    const at = place ? new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ") : "";
    if (!place && trust && !chain.isVouchedFor(trust.logs)) fail(`the key of ${key.name} is not trusted`);
    if (isTrue === null || (place && isTrusted === false)) report.open(isTrue === null ? "no_ed25519" : "stranger", { name: key.name });
    else report.good(place ? "cosigned" : "house_signed", { name: key.name, at });
  }
  if (trust) checkQuorum(trust, keys.slice(1), report, isKnown); else report.open("no_trust");
  for (const { text, name } of trust?.witnesses ?? []) if (!keys.some((key) => key.text === text)) report.open("not_cosigned", { name });
  if (!keys.some((key, place) => place && (!trust || trusted.has(key.text)))) report.open("no_witness");
}

function leafOf(line, entry, last) {
  const n = entry.version, leaf = lineOf(line, ["version", "leaf", "salt", "stream?", ...(entry.isRecord ? ["label?"] : [])], `the place of entry ${n}`, n, "proof");
  if (leaf.version !== n) fail(`the leaf of entry ${quote(leaf.version)} is in its place`, n);
  if (!isHex(leaf.salt, 32)) fail("its salt is not 16 bytes in hexadecimal digits", n);
  const isRight = entry.isRecord ? leaf.stream === entry.match : !("stream" in leaf) || (leaf.stream !== entry.match && last.get(leaf.stream) > n);
  if (!isRight) fail(entry.isRecord ? "its stream is not that of its record" : "its stream is not a later match of its line", n);
  const stream = leaf.stream ?? entry.match, commitment = hash("esporles.leaf/1\0", unhex(leaf.salt), uuidBytes(stream), number(n, 8), unhex(entry.digest));
  return { index: leaf.leaf, stream, version: n, commitment, proof: leaf.label };
}

// The leaves of entries, or of the records of a stream, in increasing order.
function leavesOf(lines, entries, size) {
  const last = new Map(entries.map((entry) => [entry.match, entry.version]));
  let before = -1;
  return entries.map((entry, i) => {
    const leaf = leafOf(lines[i], entry, last);
    if (!whole(before + 1, size - 1)(leaf.index)) fail(`its leaf ${quote(leaf.index)} is not after that of the previous entry and below ${size}`, entry.version);
    before = entry.leaf = leaf.index;
    return leaf;
  });
}

// The root computed from the leaves of the file and the hashes between them.
export function rootOf(leaves, hashes, size) {
  let next = 0, used = 0;
  const walk = (start, end) => {
    if (next === leaves.length || leaves[next].index >= end) {
      if (used === hashes.length) fail("the list of hashes is too short: not all of its entries are in the signed tree");
      return hashes[used++];
    }
    if (end - start === 1) return leaves[next++].hash;
    const middle = start + splitOf(end - start);
    const left = walk(start, middle);
    return nodeHash(left, walk(middle, end));
  };
  const root = walk(0, size);
  if (used < hashes.length) fail("the list of hashes is too long");
  return hex(root);
}

// The leaves of a file with their labels, and the announcements of the log, in increasing order.
async function allLeaves(parts, log, end, pause) {
  await addLabels(log, parts, end.labels, pause);
  const own = parts.flatMap(({ leaves }) => leaves).map(({ index, label, commitment }) => ({ index, hash: leafHash(label ?? "", commitment) }));
  const leaves = [...own, ...(log?.leaves ?? [])].sort((one, other) => one.index - other.index);
  return leaves.some((leaf, i) => leaf.index === leaves[i - 1]?.index) ? fail("two of its leaves are at the same place") : leaves;
}

// The proof after a log and records of streams, which have been verified before. `event`: the end of the proof of the tournament file
// that contains it, whose signatures have been verified.
export async function checkTree(header, lines, streams, { trust, report, pause, event = null }) {
  const isLabelled = header.format.endsWith("/3"), fields = ["hashes", "checkpoint", "keys", ...(isLabelled ? END_FIELDS : [])];
  const end = lineOf(lines.at(-1), fields, "the end of the proof", null, "proof"), count = lines.length - 1;
  if (typeof end.checkpoint !== "string") fail("its checkpoint: it is not a text");
  const log = isLabelled ? readLog(end, header.size) : null;
  if (!Array.isArray(end.hashes) || end.hashes.length > 63 * (count + (log?.leaves.length ?? 0)) || !end.hashes.every((each) => isHex(each))) fail("a hash is not 32 bytes, or the list is too long");
  const note = readNote(end.checkpoint, header), keys = readKeys(end.keys, note, header);
  if (event && (end.checkpoint !== event.checkpoint || end.keys.join() !== event.keys.join())) fail("its checkpoint and keys are not those of the tournament");
  if (event && JSON.stringify(end.log) !== JSON.stringify(event.log)) fail("its announcements of the log are not those of the tournament");
  const parts = [];
  let at = 0;
  for (const { part, entries } of streams) {
    const own = lines.slice(at, at += entries.length);
    parts.push({ part, isOfRecords: Boolean(part), leaves: await within(part, () => leavesOf(own, entries, header.size)) });
  }
  const leaves = await allLeaves(parts, log, end, pause);
  if (rootOf(leaves, end.hashes.map(unhex), header.size) !== hex(note.root)) fail("not all of its entries are in the signed tree: the proof does not lead to the root");
  const chain = report.chain = event?.chain ?? (await announcedChain(log, keys[0]));
  if (!event) await checkSignatures(note, keys, trust, report, chain);
  checkServices(report, chain, streams[0].entries);
  if (report.line) tellOrigin(report, lines.slice(0, report.count), chain);
  report.good("included", { count, size: header.size, origin: header.origin });
  if (chain.roots.length && chain.isVerified) report.good("key_chain", { count: chain.terms.length - 1, root: chain.roots.at(-1).text });
  tellLabels(parts, report);
  return { ...end, chain };
}
