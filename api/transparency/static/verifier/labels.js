// Announcements of the log, and labels of leaves, so that two leaves for one entry have the same label
// (docs/specifications/transparency.md, docs/specifications/proof.md).

import { Fault, isHex, isUuid, misshapen, quote, readLine, within } from "./canonical.js";
import { all, shaped, text, whole } from "./facts.js";
import { leafHash } from "./merkle.js";
import { hmac, join, number, unhex, utf8, uuidBytes } from "./sha256.js";
import { loadGroup, PROOF_DIGITS, rememberedOutput } from "./vrf.js";

const PREFIX = "esporles.log/1\0", LABEL = "esporles.label/1\0", TEXT_MAX = 8_192, TREE_FORMAT = 2, AT_ONCE = 20;
const TYPE = ["type", text()], NOTE = [TYPE, ["note", text()]], FORMAT = "log.format_changed";
const TYPES = new Map(Object.entries({
  [FORMAT]: [TYPE, ["format", whole(-Number.MAX_SAFE_INTEGER)], ["origin", text()], ["vrf", text()]],
  "log.begun": [TYPE, ["reason", text()], ["predecessor", text(), ""]], "log.root_named": NOTE, "log.key_changed": NOTE,
}));
const END = [["log", all(shaped([["leaf", whole(0)], ["text", text()]]))], ["labels", all(shaped([["stream", isUuid], ["proof", (value) => isHex(value, PROOF_DIGITS)]]))]];
export const END_FIELDS = END.map(([name]) => name);

const fail = (why, entry = null) => { throw new Fault(entry, "proof", why); };

// The value of an announcement; its text is canonical.
function parse({ leaf, text: told }) {
  const blame = (why) => fail(`the announcement at leaf ${leaf} ${why}`), bytes = utf8(told);
  let value;
  if (bytes.length > TEXT_MAX) blame(`is longer than ${TEXT_MAX} bytes`);
  try { value = readLine(bytes); } catch (error) { blame(error.message); }
  const wrong = TYPES.has(value?.type) ? misshapen(value, TYPES.get(value.type)) : `${quote(value?.type)} is not a type of announcement`;
  return wrong ? blame(`is wrong: ${wrong}`) : value;
}

// The announcements at the end of a file of format 3: the leaves, and after which one others have labels, made how.
export function readLog(end, size) {
  const wrong = misshapen({ log: end.log, labels: end.labels }, END), leaves = [], announced = [];
  if (wrong) fail(`the end of the proof: ${wrong}`);
  let before = -1, labels = null;
  for (const line of end.log) {
    const announcement = parse(line), { type, format, origin, vrf } = announcement;
    if (line.leaf <= before || line.leaf >= size) fail(`the announcement at leaf ${line.leaf} is not after the previous one and below ${size}`);
    if (type === FORMAT && (labels || format !== TREE_FORMAT || !isHex(vrf))) fail(labels ? "the log announces its labels twice" : `the announcement at leaf ${line.leaf} has an unknown format or a malformed key`);
    if (type === FORMAT) labels = { since: line.leaf, origin, key: unhex(vrf) };
    before = line.leaf;
    announced.push({ leaf: line.leaf, ...announcement }); leaves.push({ index: line.leaf, hash: leafHash(PREFIX, line.text) });
  }
  return labels ? { leaves, labels, announced } : fail("the log does not announce its labels");
}

export const hasLabel = (log, index) => log !== null && index > log.labels.since;

const textOf = ({ origin }, kind, ...place) => join(LABEL, origin, "\0", kind, "\0", ...place);
const labelOf = (output, version) => hmac(output, number(version, 8));

// The outputs for the matches whose entries have labels, by stream. Exactly these have proofs, in the order of their first labels.
async function outputsOf(log, entries, proofs) {
  const firsts = new Map();
  for (const { index, stream, version } of entries) if (hasLabel(log, index) && !firsts.has(stream)) firsts.set(stream, version);
  if ([...firsts.keys()].join() !== proofs.map(({ stream }) => stream).join()) fail("the proofs of labels are not those of the matches whose entries have labels");
  const { labels } = log;
  return new Map(proofs.map(({ stream, proof }) => {
    const output = rememberedOutput(labels.key, textOf(labels, "match", uuidBytes(stream)), proof, unhex);
    return [stream, output ?? fail("its label: the proof of a label is false", firsts.get(stream))];
  }));
}

// Adds the labels to leaves of records, each by its own proof.
async function labelRecords(log, leaves, pause) {
  const { labels } = log;
  for (const [i, leaf] of leaves.entries()) {
    const { index, stream, version, proof } = leaf, isDue = hasLabel(log, index);
    if (isDue !== (proof !== undefined)) fail(isDue ? "the proof of its label is missing" : "it has no label", version);
    if (!isDue) continue;
    if (!isHex(proof, PROOF_DIGITS)) fail("the proof of its label is malformed", version);
    const output = rememberedOutput(labels.key, textOf(labels, "record", uuidBytes(stream), number(version, 8)), proof, unhex);
    leaf.label = labelOf(output ?? fail("its label: the proof of a label is false", version), version);
    if (i % AT_ONCE === AT_ONCE - 1) await pause(1);
  }
}

// Adds the labels to the leaves of the parts of a file; `log` is null in formats 1 and 2.
export async function addLabels(log, parts, proofs, pause) {
  if (log) await loadGroup();
  for (const { part, isOfRecords, leaves } of parts) {
    if (!log) await within(part, () => leaves.forEach(({ proof, version }) => proof === undefined || fail("its leaf has a label, but this format has none", version)));
    else if (isOfRecords) await within(part, () => labelRecords(log, leaves, pause));
  }
  const entries = parts.filter((each) => !each.isOfRecords).flatMap((each) => each.leaves), outputs = log && (await outputsOf(log, entries, proofs));
  for (const leaf of entries) if (hasLabel(log, leaf.index)) leaf.label = labelOf(outputs.get(leaf.stream), leaf.version);
}

// Reports how many leaves have labels, and for which ones two histories cannot be excluded.
export function tellLabels(parts, report) {
  const count = parts.flatMap(({ leaves }) => leaves).filter(({ label }) => label).length;
  if (count) report.good("labels", { count });
  for (const { part, leaves } of parts) {
    const versions = leaves.filter(({ label }) => !label).map(({ version }) => version), first = versions[0], last = versions.at(-1);
    if (versions.length) report.open(`two_histories_${part?.name ?? "entries"}`, { range: first === last ? first : `${first}–${last}` });
  }
}
