// Verification of a file: a log, or a proof with a log. It never throws; faults are in its report.

import { BYTES_MAX, ENTRIES_MAX, Fault, quote, readLine, splitLines, within } from "./canonical.js";
import { checkEvent } from "./event.js";
import { isPerson } from "./facts.js";
import { openEntry, readEntry, readerOf, readHeader } from "./file.js";
import { Line } from "./line.js";
import { checkTree, readProofHeader } from "./proof.js";
import { checkRulings, readRoles, ROLES, Roles } from "./roles.js";
import { counted } from "./ruling.js";
import { checkDue } from "./signing.js";

const SLICE = 25, SEATS_MAX = 20, LINES_MAX = 4 * ENTRIES_MAX + 4;

class Report {
  constructor() { Object.assign(this, { fault: null, checked: [], unchecked: [], entries: [], proof: null }); }

  good(id, values = {}) { this.checked.push({ id, values }); }

  open(id, values = {}) { this.unchecked.push({ id, values }); }
}

const LUCK = ["share_committed", "table_closed", "table_reopened"];
const TURN = ["timed_out", "taken_back", "resigned", "voided", "match_forked", "key_named", "signing_stopped", "seat_replaced", "match_ended"];

// The kind of an entry in the list of a report: luck, ruling, secret, or none of these.
const kindsOf = ({ body, isSigned }) => Object.entries({
  luck: body.draws?.length || LUCK.includes(body.type) || "seed" in body || "share" in body || "commitment" in body,
  ruling: body.type === "ruling_given" || body.ruling || body.dispute, signature: isSigned, secret: "hiddenAction" in body || "hiddenAct" in body, turn: TURN.includes(body.type),
}).flatMap(([kind, is]) => (is ? [kind] : []));

function summarise(report, header, line) {
  const { counts } = line, reader = header.redactedFor;
  report.good("chain", { count: line.version, head: header.head }); report.good("protocol");
  if (counts.openings) report.good("openings", { count: counts.openings });
  if (counts.draws) report.good("draws", { count: counts.draws });
  if (line.result) report.good("places");
  report.open("legality", { count: counts.actions });
  if (reader !== null) report.open("redacted", { reader, closed: counts.closed, draws: counts.hiddenDraws });
  if (line.format === 1) report.open("shown_early");
  if (line.ownLuck && !line.ownLuck.length) report.open("house_luck");
  if (line.parents?.some((fork) => fork.luck === "same")) report.open("parent_ended");
  if (counts.rulings && !report.roles) report.open("ungranted", { count: counts.rulings });
  summariseSigning(report, line);
  for (const { name, ...values } of line.acts) report.open(name, values);
  for (const values of line.overtime.values()) report.open("overtime", values);
  if (!report.proof) report.open("no_proof");
}

function summariseSigning(report, line) {
  const { signing } = line, people = line.seats.flatMap((seat, number) => (isPerson(seat.actor) ? [number] : []));
  if (signing.isUnknown) report.open("no_signatures", { count: signing.signed });
  else if (signing.signed) report.good("signatures", { count: signing.signed });
  for (const seat of people.filter((each) => signing.unsigned.has(each))) report.open("unsigned", { seat: seat + 1, entry: signing.unsigned.get(seat) });
  for (const seat of people.filter((each) => signing.bySignIn.has(each) && signing.keys[each]?.length)) report.open("by_sign_in", { seat: seat + 1 });
  if (signing.closed) report.open("closed_signatures", { count: signing.closed });
  if (!signing.house) report.open("unsigned_house");
  report.services = [...signing.services];
  if (!report.proof) for (const [key, [entry]] of signing.services) if (key !== signing.house) report.open("other_house", { entry });
}

async function checkLog(lines, isCut, report, pause) {
  const header = readHeader(lines[0] ?? new Uint8Array()), due = header.entries;
  Object.assign(report, { format: [report.proof, header.format].filter(Boolean).join(", "), title: header.title, match: header.match, count: due, head: header.head, redactedFor: header.redactedFor });
  const reader = readerOf(header), line = report.line = new Line(), entries = [];
  for (let version = 1; version <= due; version++) {
    if (version >= lines.length) throw new Fault(version, "header", `the header states ${due} entries, but the file has ${lines.length - 1}`);
    if (isCut && version === lines.length - 1) throw new Fault(version, "line", "the file ends in the middle of this line");
    const entry = readEntry(lines[version], version, entries.at(-1));
    openEntry(entry, reader, line.seats.length || SEATS_MAX); line.take(entry);
    if (reader >= line.seats.length) throw new Fault(null, "header", `the match has no seat ${reader}`);
    if (line.title !== header.title) throw new Fault(null, "header", `the header names the title ${quote(header.title)}, but the log has ${quote(line.title)}`);
    entries.push(entry);
    report.entries.push({ version, type: entry.body.type, seat: entry.body.seat, by: entry.body.by, at: entry.timestamp, kinds: kindsOf(entry) });
    if (version % SLICE === 0) await checkSigned(line).then(() => pause(version / due));
  }
  if (lines.length > due + 1) throw new Fault(due + 1, "header", `the header states ${due} entries, but the file has more`);
  const last = entries.at(-1);
  if (header.head !== last.digest || header.match !== last.match || header.format !== `esporles.log/${line.format}`) throw new Fault(null, "header", "format, match or head in the header of the log differ from its entries");
  await checkSigned(line);
  const follows = line.due();
  if (follows) throw new Fault(due + 1, "legality", `${follows[0].type} must follow here, but the file ends`);
  Object.assign(report, { status: line.status, played: line.result, counted: counted(line), ownLuck: line.ownLuck ?? [], actions: line.counts.actions });
  summarise(report, header, line);
  return entries;
}

async function checkProof(lines, isCut, trust, report, pause, event) {
  const header = readProofHeader(lines[0]), { entries: count, roles } = header, due = 2 * (count + roles) + 3;
  if (isCut || lines.length !== due) throw new Fault(null, "proof", `${due - 1} lines follow the header of a proof of ${count} entries, not ${lines.length - 1}`);
  report.roles = roles;
  const entries = await checkLog(lines.slice(1, count + 2), false, report, pause);
  if (report.match !== header.match || report.head !== header.head || report.count !== count) throw new Fault(null, "proof", "match, head or number of entries in the header of the proof differ from the log");
  const records = await readRoles(lines.slice(count + 2, count + roles + 2));
  await checkTree(header, lines.slice(count + roles + 2), [{ entries }, { entries: records, part: ROLES }], { trust, report, pause, event });
  if (roles) await checkRulings(new Roles(records, report.chain), report.line, entries, report);
}

async function checkFile(bytes, trust, report, pause, event) {
  let first;
  try { first = readLine(splitLines(bytes, 1).lines[0] ?? bytes); } catch (error) { throw new Fault(null, "header", `the first line ${error.message}`); }
  report.format = String(first?.format);
  if (report.format.startsWith("esporles.event/")) return void (await checkEvent(bytes, trust, report, pause, look));
  if (bytes.length > BYTES_MAX) throw new Fault(null, "header", `the file has more than ${BYTES_MAX} bytes`);
  const { lines, isCut } = splitLines(bytes, LINES_MAX);
  report.proof = report.format.startsWith("esporles.proof/") ? report.format : null;
  await (report.proof ? checkProof(lines, isCut, trust, report, pause, event) : checkLog(lines, isCut, report, pause));
}

const checkSigned = async (line) => { if (!(await checkDue(line.signing.due))) line.signing.isUnknown = true; };

// The first fault: signatures of earlier entries may not have been verified yet.
async function earlier(line, { entry, kind, message, part }) {
  const fault = { entry, kind, why: message, ...(part && { part }) };
  try { if (line && !part) await checkSigned(line); } catch (error) { if (error.entry < (entry ?? Infinity)) return earlier(null, error); }
  return fault;
}

// The report of some bytes; `event` is the checkpoint of the tournament file that contains them, if any.
async function look(bytes, trust, pause, event) {
  const report = new Report();
  try { await within(undefined, () => checkFile(bytes, trust, report, pause, event)); } catch (error) { report.fault = await earlier(report.line, error); }
  return report;
}

// Verifies the bytes of a file. `trust`: known keys of services and witnesses, or null; `pause` is awaited
// regularly with the fraction that is done, so that a page stays responsive.
export async function examine(bytes, trust = null, pause = async () => {}) {
  const { line, chain, end, ...report } = await look(bytes, trust, pause, null);
  return report;
}
