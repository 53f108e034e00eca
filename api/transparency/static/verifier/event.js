// A tournament in one file: its records, proofs of its matches, and standings (docs/specifications/proof.md, docs/specifications/standings.md).

import { Authority } from "./authority.js";
import { ABSENT, BYTES_MAX, decoder, Fault, isUuid, lineOf, microseconds, misshapen, quote, splitLines, within } from "./canonical.js";
import { all, many, shaped, text, whole } from "./facts.js";
import { SIZE_MAX } from "./merkle.js";
import { checkTree, mustBe, readProofHeader, ROLES_MAX } from "./proof.js";
import { notPlayed } from "./ruling.js";
import { checkRatings, RATINGS, ratingsText } from "./ratings.js";
import { readRecords, readRoles, reportRoles, ROLES, Roles } from "./roles.js";
import { isSideLine, outcomeOf } from "./starters.js";
import { utf8 } from "./sha256.js";
import { Tournament } from "./standings.js";

const HEADER = ["format", "event", "records", "head", "roles", "matches", "origin", "size"];
const FORMATS = ["esporles.event/1", "esporles.event/2", "esporles.event/3"];
const RECORDS = { name: "records" }, STANDINGS = { name: "standings" }, RATED = { name: "ratings" }, MANY_MAX = 20_000, REOPENED_MAX = 3;
const ANY = whole(-Number.MAX_SAFE_INTEGER), LIST = (value) => Array.isArray(value), COLUMNS = ["entry", "rank", "points", "tieBreaks", "played", "byes", "wins", "penalty", "stage"];
const ROW = [["entry", text()], ["rank", whole(1)], ["points", ANY], ["tieBreaks", many(ANY)], ...COLUMNS.slice(4).map((name) => [name, ANY])];
const isTime = (value) => microseconds(value) !== null;
const SAID = [["standings", all(shaped(ROW))], ["fairSince", (value) => value === null || isTime(value)], ["revisedSince", isTime, ABSENT], ["ratings", LIST]];

const fail = (why, entry = null, kind = "proof") => { throw new Fault(entry, kind, why); };

function parsed(text) {
  try { return JSON.parse(text); } catch { return fail("the line with the standings cannot be read"); }
}

// Results stated by the service: standings, and ratings, which contain doubles.
function readSaid(line) {
  const told = decoder.decode(line), at = told.indexOf(',"ratings":['), ratings = parsed(told.slice(at + 11, -1)), due = utf8(`${told.slice(0, at)},"ratings":[]}`);
  const said = lineOf(due, SAID.map(([name, , absent]) => (absent ? `${name}?` : name)), "the line with the standings", null, "proof", BYTES_MAX), wrong = misshapen(said, SAID) ?? misshapen({ ratings }, [["ratings", RATINGS]]);
  return wrong || !told.endsWith(`,"ratings":${ratingsText(ratings)}}`) ? fail(`the line with the standings is wrong: ${wrong ?? "its ratings are not in canonical form"}`) : { ...said, ratings };
}

function readTournament(records, roles) {
  const event = new Tournament(records[0].match), authority = Object.assign(event, { authority: new Authority(event, records, roles, RECORDS) }).authority;
  for (const record of records) authority.judge(record, () => event.take(record));
  if (!authority.progress.isOver) fail("the tournament has not ended", records.length, "table");
  authority.end();
  return event;
}

// Checks that a match belongs to its table.
function checkTable(event, id, table, found) {
  const { round, entries, match, byHand, drawn } = table;
  const must = (holds, why, entry = 1) => holds || fail(why, entry, "table");
  must(found.matches[0] === match && !isSideLine(found), "it is not the match of this table"); must(found.table.event === id, "its table does not belong to this tournament");
  must(found.title === event.plan.title, `the tournament is not played with ${quote(found.title)}`);
  must(found.began ? found.began.length === entries.length : byHand || found.status === "void", "it had another number of players, or never started");
  found.began?.forEach((player, seat) => must(event.mayPlay(round, entries[seat], player), `${quote(player)} started on seat ${seat}, which belongs to ${quote(entries[seat])}`, found.startedAt));
  must(byHand || ["ended", "void"].includes(found.status), "it has not ended", found.version);
  must(event.format === 1 || found.reopened <= REOPENED_MAX, `its luck was replaced ${found.reopened} times before the start`, found.startedAt ?? found.version);
  if (event.authority.isRuling(table)) must(found.status === "void", "it had ended before the ruling at its deadline", found.version);
  must(!event.authority.isReplaced(table) || !found.startedAt, "it has begun, so lots do not decide it", found.startedAt);
  const lots = drawn && found.lots();
  must(!drawn || String(lots) === String(drawn), `the lots of its match give the places ${quote(lots)}, not ${quote(drawn)}`);
}

// Returns the match id in the first entry of the proof at this position; empty at the end of the file.
const matchAt = (bytes, at) => String.fromCharCode(...(splitLines(bytes, 3, at).lines[2]?.subarray(10, 46) ?? []));

// Verifies the match of a table on its slice of the bytes; null if the file has none and needs none.
async function checkMatch(bytes, at, table, event, context) {
  const { header, report, look, pause, parts, first } = context, isThere = first && parts.length < header.matches && (first === table.match || (table.isHere && !table.byHand));
  if (!isThere) return table.drawn || (table.isHere && (!table.byHand || event.authority.isRuling(table))) ? fail("the match of this table is not in the file") : null;
  const { entries, roles } = readProofHeader(splitLines(bytes, 1, at).lines[0]), { end } = splitLines(bytes, 2 * (entries + roles) + 3, at);
  const { line, chain, ...found } = await look(bytes.subarray(at, end), null, (done) => pause((parts.length + done) / header.matches), report.end), { fault } = found;
  parts.push({ ...table.part, report: { ...found, entries: [] } });
  if (fault) throw Object.assign(new Fault(fault.entry, fault.kind, fault.why), { part: { ...table.part, ...fault.part } });
  if (found.redactedFor !== null) fail("its log is not complete", null, "table");
  checkTable(event, header.event, table, line); context.outcomes.push(outcomeOf(line)); event.authority.met(table, line, found.ownLuck); report.actions += found.actions; context.first = matchAt(bytes, end);
  return { end, result: found.counted && { ...found.counted, ...notPlayed(line) } };
}

// Verifies all matches, in the order of rounds and tables, and returns their results.
async function checkMatches(bytes, at, event, context) {
  const { header, parts } = context, tables = event.tables();
  let next = at;
  for (const table of tables) {
    table.part = { name: "match", round: table.round, table: table.table, match: table.match };
    if (table.closed && !table.isHere && !table.byHand) await within(RECORDS, () => fail(`table ${table.table} of round ${table.round} has no result`, table.closed, "table"));
    const found = await within(table.part, () => checkMatch(bytes, next, table, event, context));
    next = found?.end ?? next; table.result = table.byHand ?? found?.result;
  }
  if (parts.length !== header.matches || next < bytes.length) fail(`the file contains more than the ${parts.length} matches of its tables`);
  return tables;
}

// Compares the standings in the file, row by row, with those counted here.
function checkStandings(said, due) {
  const blame = (why) => fail(why, null, "standings"), isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  if (said.length !== due.length) blame(`there are ${due.length} entries, but ${said.length} rows of standings`);
  due.forEach((own, i) => {
    const wrong = COLUMNS.find((name) => !isSame(own[name], said[i][name]));
    if (wrong) blame(`${wrong} of ${quote(own.entry)} in row ${i + 1} should be ${quote(own[wrong])}, not ${quote(said[i][wrong])}`);
  });
}

// Counts the ratings again, unless a title is unknown.
function checkRated(outcomes, said, report) {
  let count;
  try { count = checkRatings(outcomes, said); } catch (error) { fail(error.message, null, "ratings"); }
  if (count < 0) report.open("ratings", { count: said.ratings.length });
  if (count > 0) report.good("ratings", { count });
  if (count > 0) report.open("ratings_before");
}

export async function checkEvent(bytes, trust, report, pause, look) {
  const header = lineOf(splitLines(bytes, 1).lines[0], HEADER, "the header of the tournament", null, "header"), { event: id, records: count, roles: others } = header;
  if (!FORMATS.includes(header.format) || !isUuid(id)) fail(`the format ${quote(header.format)} is not one of ${FORMATS.join(", ")}, or its event is not an id`);
  for (const [name, ...bounds] of [["records", 1, MANY_MAX], ["roles", 0, ROLES_MAX], ["matches", 0, MANY_MAX], ["size", 1, SIZE_MAX]]) mustBe(header, name, ...bounds);
  Object.assign(report, { event: id, head: header.head, matches: header.matches, actions: 0, parts: [], standings: [] });
  const due = 2 * (count + others) + 3, { lines, isCut, end } = splitLines(bytes, due);
  if (isCut || lines.length < due || end > BYTES_MAX) fail(`the part before the matches is incomplete, or longer than ${BYTES_MAX} bytes`);
  const records = await within(RECORDS, () => readRecords(lines.slice(1, count + 1), id)), given = await readRoles(lines.slice(count + 1, count + others + 1));
  if (records.at(-1).digest !== header.head) fail("the head in its header is not the head of its records");
  report.good("event_chain", { count, head: header.head });
  report.end = await checkTree(header, lines.slice(count + others + 1, -1), [{ entries: records, part: RECORDS }, { entries: given, part: ROLES }], { trust, report, pause });
  const said = readSaid(lines.at(-1));
  const roles = new Roles(given, report.chain), event = await within(RECORDS, () => readTournament(records, roles));
  if (header.format === FORMATS[0] && event.rule > 1) fail(`a file of format 1 uses rule 1, but its plan names rule ${event.rule}`);
  await reportRoles(roles, report); report.standings = said.standings.map((row) => ({ ...row, who: event.entries.get(row.entry)?.player || row.entry }));
  const outcomes = [], tables = await checkMatches(bytes, end, event, { header, report, look, pause, outcomes, parts: report.parts, first: matchAt(bytes, end) });
  report.good("matches", { count: header.matches });
  if (event.unknown.length) report.open("unknown_records", { count: event.unknown.length });
  else await within(STANDINGS, () => checkStandings(said.standings, event.standings(tables)));
  if (!event.unknown.length) report.good("standings", { count: said.standings.length });
  if (!event.unknown.length) report.good(header.format === FORMATS[0] ? "counted_format_1" : `counted_rule_${event.rule}`);
  await within(RATED, () => checkRated(outcomes, said, report));
  event.authority.tell(report);
  report.open("legality", { count: report.actions });
  const unlabelled = report.parts.filter((each) => each.report.unchecked.some(({ id }) => id === "two_histories_entries")).length;
  if (unlabelled) report.open("two_histories_matches", { count: unlabelled, all: header.matches });
  if (report.parts.some((each) => each.report.unchecked.length > 1)) report.open("in_matches");
}
