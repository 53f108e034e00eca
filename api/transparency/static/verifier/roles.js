// Records of a stream, the roles they grant, and authority for orders of officials (docs/specifications/log.md, docs/organise/roles.md, docs/specifications/proof.md).

import { Fault, isHex, misshapen, quote, within } from "./canonical.js";
import { actor, isPerson, many, one, ORDERED, SERVICE, text } from "./facts.js";
import { readEntry } from "./file.js";
import { checkDue, orderOf } from "./signing.js";

export const ROLES = { name: "roles" };
const STREAM = "6c0e5b0a-33a5-5b1e-9c0e-000000000001", WAY_MAX = 20, RULE = ["arbiter", "head_arbiter", "operator"];
const ROLE = [["type", one("roles.role_granted", "roles.role_revoked")], ["person", isPerson], ["role", one("annotator", ...RULE, "organiser")], ["by", actor], ["scope", text(64), ""]];
const REVOKED = [...ROLE, ORDERED], GRANTED = [...ROLE, ["keys", many((value) => isHex(value)), []], ORDERED];

// The records of a stream, chained from the first.
export function readRecords(lines, stream) {
  const records = [];
  for (const line of lines) records.push(readEntry(line, records.length + 1, records.at(-1), stream));
  return records;
}

export const readRoles = (lines) => within(ROLES, () => readRecords(lines, STREAM));

const nobody = () => ({ grants: new Map(), keys: new Map(), everGrants: new Map(), everKeys: new Map() });

// The roles held at a position in the tree that only moves forward.
export class Roles {
  constructor(records, chain) { Object.assign(this, { records, chain, next: 0, people: new Map(), due: [], count: 0, unsigned: 0 }); }

  // Applies every record before a position.
  before(leaf) {
    while (this.records[this.next]?.leaf < leaf) this.take(this.records[this.next++]);
    return this;
  }

  // The grant that gives a person one of these roles, in the scope or everywhere; `ever`: at any time so far.
  held(person, roles, scope, ever = false) {
    const { grants, everGrants } = this.people.get(person) ?? nobody();
    return roles.flatMap((role) => [`${role} `, `${role} ${scope}`]).map((place) => (ever ? everGrants : grants).get(place)).find(Boolean);
  }

  // Checks that the author of an order has signed it with one of their keys, if any; `ever`: with an earlier key.
  // The service signs with the key that it had at the leaf.
  mustSign(person, signed, fail, { leaf, at }, ever = false) {
    const { keys, everKeys } = this.people.get(person) ?? nobody(), own = ever ? everKeys : keys, isService = person === SERVICE;
    if (!signed) return isService || (ever ? own.has("") : !own.size) || fail(`${quote(person)} has a key but has not signed`);
    return (isService ? this.chain.maySign(signed.key, leaf, at) : own.has(signed.key)) || fail(`it is signed with a key that ${quote(person)} does not have`);
  }

  // Checks a record, whose signature is verified later; combined orders have one signature over all of their acts.
  mustSignRecord(records, { match, version, previous, leaf, at, body: { by, signed } }, part, fail) {
    const isSame = (record) => JSON.stringify(record?.body.signed) === JSON.stringify(signed), isAlone = signed?.version === undefined;
    this.mustSign(by, signed, fail, { leaf, at }); this.count += 1;
    if (!signed) return void (this.unsigned += 1);
    const isFirst = isAlone || signed.version === version - 1;
    if (!isFirst) return void (isSame(records[version - 2]) || fail(`it is signed together with record ${quote(signed.version)} and others, but does not follow them`));
    let end = version;
    while (!isAlone && isSame(records[end])) end += 1;
    const acts = records.slice(version - 1, end).map(({ body: { signed: _, ...act } }) => act);
    return void this.due.push({ ...signed, entry: version, part, message: orderOf(match, version - 1, previous, JSON.stringify(isAlone ? acts[0] : acts)) });
  }

  take(record) {
    const { version, body } = record, fail = (why) => { throw Object.assign(new Fault(version, "roles", why), { part: ROLES }); };
    const isGrant = body?.type === "roles.role_granted", wrong = misshapen(body, isGrant ? GRANTED : REVOKED);
    if (wrong) fail(wrong);
    if (body.role === "operator" && body.scope) fail("the role operator cannot be limited to one event");
    const { by, person, role, scope = "", keys = [], signed } = body;
    const from = this.held(by, ["operator"], scope) ?? (scope && role !== "operator" ? this.held(by, ["organiser"], scope) : undefined);
    if (by !== SERVICE && !from) fail(`${quote(by)} could not change the role ${role}${scope && ` in ${scope}`}`);
    this.mustSignRecord(this.records, record, ROLES, fail);
    const own = this.people.get(person) ?? nobody(), place = `${role} ${scope}`, count = (key, more) => own.keys.set(key, (own.keys.get(key) ?? 0) + more);
    for (const key of own.grants.get(place)?.keys ?? []) if (!count(key, -1).get(key)) own.keys.delete(key);
    own.grants.delete(place);
    if (isGrant) for (const all of [own.grants, own.everGrants]) all.set(place, { role, version, keys, from, isSigned: Boolean(signed) });
    for (const key of keys) count(key, 1);
    for (const key of keys) own.everKeys.set(key, 1);
    // Marks people who held a role before they had a key: decisions from then are unsigned.
    if (isGrant && !own.everKeys.size) own.everKeys.set("", 1);
    this.people.set(person, own);
  }
}

// The records that lead from the service to a grant.
function wayOf(grant) {
  const way = [];
  for (let each = grant; each && way.length < WAY_MAX; each = each.from) way.push(each);
  return { role: grant.role, records: way.map((each) => each.version).join(" ← "), unsigned: way.filter((each) => !each.isSigned).length };
}

// Reports on all records, after verifying their signatures.
export async function reportRoles(roles, report) {
  const isKnown = await checkDue(roles.before(Infinity).due), values = { count: roles.count, unsigned: roles.unsigned };
  return isKnown ? report.good("granted", values) : report.open("no_role_signatures", values);
}

// Checks the authority for the rulings of a match, in a log of this service whose entries have their leaves.
export async function checkRulings(roles, line, entries, report) {
  const isOurs = roles.chain.has(line.house);
  for (const { version, by, signed, appealOf, isCarried, authority } of isOurs ? line.rulings : []) {
    const fail = (why) => { throw new Fault(version, "roles", why); };
    const grant = roles.before(entries[version - 1].leaf).held(by, RULE.slice(appealOf ? 1 : 0), authority === "service" ? "" : line.table.event ?? "", isCarried);
    if (!grant) fail(`${quote(by)} was not entitled to a ruling ${appealOf ? "on appeal " : ""}here`);
    roles.mustSign(by, signed, fail, entries[version - 1], isCarried); report.good("entitled", { entry: version, by, ...wayOf(grant) });
  }
  if (!isOurs) report.open("not_begun_here", { count: line.rulings.length });
  await reportRoles(roles, report);
}
