// The whole examination of a file: a log, or a proof with a log in it. It never throws; what it finds is in its report.

import { BYTES_MAX, ENTRIES_MAX, Fault, quote, readLine, splitLines } from "./canonical.js";
import { openEntry, readEntry, readerOf, readHeader } from "./file.js";
import { Line } from "./line.js";
import { checkProof, readProofHeader } from "./proof.js";
import { counted } from "./ruling.js";
import { checkSigned } from "./signing.js";
import { isPerson } from "./facts.js";

const SLICE = 25, SEATS_MAX = 20, UNREADABLE = "it cannot be examined";

class Report {
  constructor() { Object.assign(this, { fault: null, checked: [], unchecked: [], entries: [], isProof: false }); }

  good(id, values = {}) { this.checked.push({ id, values }); }

  open(id, values = {}) { this.unchecked.push({ id, values }); }
}

// What an entry is for a reader who looks through the list: luck, ruling, secret, or none of these.
function kindsOf(entry) {
  const { type, draws } = entry.body;
  const kinds = [];
  if (draws?.length || ["share_committed", "table_closed", "table_reopened"].includes(type) || "seed" in entry.body || "share" in entry.body || "commitment" in entry.body) kinds.push("luck");
  if (type === "ruling_given" || entry.body.ruling || entry.body.dispute) kinds.push("ruling");
  if (entry.isSigned) kinds.push("signature");
  if ("hiddenAction" in entry.body || "hiddenAct" in entry.body) kinds.push("secret");
  if (["timed_out", "taken_back", "resigned", "voided", "match_forked", "key_named", "signing_stopped", "seat_replaced", "match_ended"].includes(type)) kinds.push("turn");
  return kinds;
}

function summarise(report, header, line) {
  const { counts } = line;
  const reader = header.redactedFor;
  report.good("chain", { count: line.version, head: header.head });
  report.good("protocol");
  if (counts.openings) report.good("openings", { count: counts.openings });
  if (counts.draws) report.good("draws", { count: counts.draws });
  if (line.result) report.good("places");
  report.open("legality", { count: counts.actions });
  if (reader !== null) report.open("redacted", { reader, closed: counts.closed, draws: counts.hiddenDraws });
  if (line.format === 1) report.open("shown_early");
  if (line.ownLuck && !line.ownLuck.length) report.open("house_luck");
  if (line.parents?.some((fork) => fork.luck === "same")) report.open("parent_ended");
  if (counts.rulings) report.open("ungranted", { count: counts.rulings });
  summariseSigning(report, line);
  if (!report.isProof) report.open("no_proof");
}

function summariseSigning(report, line) {
  const { signing } = line;
  const people = line.seats.flatMap((seat, number) => (isPerson(seat.actor) ? [number] : []));
  if (signing.isUnknown) report.open("no_signatures", { count: signing.signed });
  else if (signing.signed) report.good("signatures", { count: signing.signed });
  for (const seat of people.filter((each) => signing.unsigned.has(each))) report.open("unsigned", { seat: seat + 1, entry: signing.unsigned.get(seat) });
  for (const seat of people.filter((each) => signing.bySignIn.has(each) && signing.keys[each]?.length)) report.open("by_sign_in", { seat: seat + 1 });
  if (signing.closed) report.open("closed_signatures", { count: signing.closed });
  if (!signing.house) report.open("unsigned_house");
  report.services = [...signing.services];
  if (!report.isProof && report.services.some((key) => key !== signing.house)) report.open("other_house");
}

async function checkLog(lines, isCut, report, pause) {
  const header = readHeader(lines[0] ?? new Uint8Array()), due = header.entries;
  Object.assign(report, { format: header.format, title: header.title, match: header.match, count: due, head: header.head, redactedFor: header.redactedFor });
  const reader = readerOf(header), line = new Line();
  report.line = line;
  const entries = [];
  for (let version = 1; version <= due; version++) {
    if (version >= lines.length) throw new Fault(version, "header", `the header promises ${due} entries, and the file holds ${lines.length - 1}`);
    if (isCut && version === lines.length - 1) throw new Fault(version, "line", "the file breaks off within its line");
    const entry = readEntry(lines[version], version, entries.at(-1));
    openEntry(entry, reader, line.seats.length || SEATS_MAX);
    line.take(entry);
    if (reader >= line.seats.length) throw new Fault(null, "header", `the match has no seat ${reader}`);
    if (line.title !== header.title) throw new Fault(null, "header", `the header names the title ${quote(header.title)}, the log ${quote(line.title)}`);
    entries.push(entry);
    report.entries.push({ version, type: entry.body.type, seat: entry.body.seat, by: entry.body.by, at: entry.timestamp, kinds: kindsOf(entry) });
    if (version % SLICE === 0) {
      await checkSigned(line);
      await pause(version / due);
    }
  }
  if (lines.length > due + 1) throw new Fault(due + 1, "header", `the header promises ${due} entries, and the file holds more`);
  const last = entries.at(-1);
  if (header.head !== last.digest || header.match !== last.match || header.format !== `esporles.log/${line.format}`) throw new Fault(null, "header", "the header of the log names another format, match or head than its entries");
  await checkSigned(line);
  const follows = line.due();
  if (follows) throw new Fault(due + 1, "legality", `${follows[0].type} must follow here, and the file ends`);
  Object.assign(report, { status: line.status, played: line.result, counted: counted(line), ownLuck: line.ownLuck ?? [] });
  summarise(report, header, line);
  return entries;
}

async function checkFile(bytes, trust, report, pause) {
  if (bytes.length > BYTES_MAX) throw new Fault(null, "header", `the file has more than ${BYTES_MAX} bytes`);
  const { lines, isCut } = splitLines(bytes, 2 * ENTRIES_MAX + 3);
  let first;
  try { first = readLine(lines[0] ?? new Uint8Array()); } catch (error) { throw new Fault(null, "header", `the first line ${error.message}`); }
  report.isProof = typeof first?.format === "string" && first.format.startsWith("esporles.proof/");
  if (!report.isProof) return void (await checkLog(lines, isCut, report, pause));
  const header = readProofHeader(lines[0], ENTRIES_MAX), count = header.entries;
  if (isCut || lines.length !== 2 * count + 3) throw new Fault(null, "proof", `${2 * count + 2} lines follow the header of a proof of ${count} entries, not ${lines.length - 1}`);
  const entries = await checkLog(lines.slice(1, count + 2), false, report, pause);
  if (report.match !== header.match || report.head !== header.head || report.count !== count) throw new Fault(null, "proof", "the header of the proof names another match, head or number of entries than the log");
  await checkProof(header, lines.slice(count + 2), entries, trust, report);
}

// The first fault: signatures of entries before it may not have been looked at yet.
async function earlier(line, fault) {
  let first = fault;
  try { if (line) await checkSigned(line); } catch (error) { if (error instanceof Fault && error.entry < (fault.entry ?? Infinity)) first = error; }
  return { entry: first.entry, kind: first.kind, why: first.message };
}

// Examines the bytes of a file. `trust`: keys that are known to be those of houses and witnesses, or null; `pause` is awaited
// now and then with the part that is done, so that a page stays alive.
export async function examine(bytes, trust = null, pause = async () => {}) {
  const report = new Report();
  try { await checkFile(bytes, trust, report, pause); } catch (error) {
    // Whatever a stranger's file makes of us is a fault of the file.
    report.fault = await earlier(report.line, error instanceof Fault ? error : new Fault(report.line?.version ?? null, "body", `${UNREADABLE}: ${error}`));
  }
  delete report.line;
  return report;
}
