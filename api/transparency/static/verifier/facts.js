// The form of every fact: its fields in order, and their valid values (docs/specifications/facts.md).

import { ABSENT, isHex, isObject, isUuid, misshapen, quote } from "./canonical.js";

export const PERSON = /^[a-zA-Z0-9][\w-]{0,63}$/;
export const BOT = /^bot:[a-z0-9_-]+@\d+$/;
export const SERVICE = "service";
export const isBot = (actor) => BOT.test(actor);
export const isLocal = (actor) => Boolean(actor?.startsWith("local-"));
export const isPerson = (actor) => actor !== SERVICE && PERSON.test(actor ?? "");

export const whole = (low, high = Number.MAX_SAFE_INTEGER) => (value) => Number.isInteger(value) && value >= low && value <= high;
export const one = (...words) => (value) => words.includes(value);
// Characters are Unicode code points.
export const text = (most = Infinity) => (value) => typeof value === "string" && (value.length <= most || [...value].length <= most);
export const many = (holds, most = Infinity) => (value) => Array.isArray(value) && value.length <= most && value.every(holds);
const rising = (value) => many(whole(0))(value) && value.every((each, i) => !(value[i - 1] >= each));
export const boolean = (value) => typeof value === "boolean";
const hidden = (value) => isObject(value) && Object.keys(value).join() === "commitment,audience" && isHex(value.commitment), secret = (value) => hidden(value) && Array.isArray(value.audience) && value.audience.length === 0;
export const actor = (value) => typeof value === "string" && (isBot(value) || value === SERVICE || PERSON.test(value));
const seat = whole(0, 99);
export const tagged = (value) => isObject(value) && typeof value.type === "string" && Object.keys(value)[0] === "type" && /^[a-z_]+\.[a-z_0-9]+$/.test(value.type);
const names = (value) => isObject(value) && Object.keys(value).every((key, i, all) => typeof value[key] === "string" && !(all[i - 1] >= key));

export const shaped = (shape) => (value) => misshapen(value, shape) ?? true;
export const all = (check) => (value) => {
  if (!Array.isArray(value)) return `${quote(value)} is not a list`;
  const each = value.find((item) => check(item) !== true);
  return each === undefined || check(each) || `${quote(each)} is not allowed there`;
};

const CLOCK = [["kind", one("none", "per_move", "increment", "correspondence")], ["seconds", whole(0, 31_536_000)], ["increment", whole(0, 86_400)]];
const TABLE = [
  ["clock", shaped(CLOCK)], ["timeOut", one("bot", "resign", "skip")], ["takeBacks", whole(0, 100)], ["public", boolean], ["rated", boolean],
  ["pauseOnDispute", boolean, ABSENT], ["event", text(), ABSENT], ["pauses", whole(0, 100), ABSENT], ["pauseSeconds", whole(60, 31_536_000), ABSENT],
  ["resigning", boolean, ABSENT], ["listed", boolean, ABSENT], ["publicOnceStarted", boolean, ABSENT], ["leavingMax", whole(0, 100), ABSENT], ["waitSeconds", whole(1, 2_592_000), ABSENT], ["signed", boolean, ABSENT], ["programs", boolean, ABSENT], ["talk", boolean, ABSENT], ["hints", boolean, ABSENT], ["oneDevice", boolean, ABSENT], ["absenceDays", whole(0, 42), ABSENT],
];
const LIST = (value) => Array.isArray(value);
const DRAW = [
  ["label", text()], ["kind", one("roll", "draw")], ["poolSize", whole(0)], ["count", whole(0)],
  ["pool", LIST, ABSENT], ["outcome", LIST, ABSENT], ["hiddenPool", hidden, ABSENT], ["hiddenOutcome", hidden, ABSENT],
];
const MEASURES = new Map(Object.entries({
  seat_warned: [["seat", seat]], points_taken: [["seat", seat], ["points", whole(1, 1000)]], time_taken: [["seat", seat], ["seconds", whole(1, 86_400)]],
  line_resumed: [["version", whole(1)], ["line", isUuid]], result_set: [["scores", many(whole(-1000, 1000))], ["ranking", many(whole(1))]], match_voided: [],
}));
const TYPE = ["type", text()];
const measure = (value) => (isObject(value) && MEASURES.has(value.type) ? misshapen(value, [TYPE, ...MEASURES.get(value.type)]) ?? true : false);

const SEAT = ["seat", seat], BY = ["by", actor], SHARE_BY = ["shareBy", one("client", "service", "awaited")], signature = (value) => isHex(value, 128);
const KEY = [["key", (value) => isHex(value)], ["by", (value) => isHex(value), ABSENT], ["signature", signature, ABSENT]];
const KEYS = ["keys", all(shaped(KEY)), []];
const BARE = [["key", (value) => isHex(value)], ["signature", signature]], ORDER = ["signed", shaped([...BARE, ["version", whole(1)], ["head", (value) => isHex(value)]]), null];
export const ORDERED = ["signed", shaped(BARE), null];
const SIGNED = ["signed", shaped([...BARE, ["version", whole(1), ABSENT]]), null];
const TIME = whole(0, 2 ** 40), DECLARED = ["declared", shaped([...BARE, ["first", TIME], ["last", TIME], ["at", whole(1, 2 ** 40), ABSENT]]), null];
const STANDS_IN = ["standsInFor", actor, ""], COMMITMENT = ["commitment", (value) => isHex(value), ""];
const HAPPENED = [["effects", all(tagged)], ["draws", all(shaped(DRAW)), []]], SEED = (...missing) => ["seed", secret, ...missing];
const FORMAT = ["format", one(1, 2, 3), 1];

export const FACTS = new Map(Object.entries({
  match_opened: [BY, ["title", (value) => Boolean(value) && text(64)(value)], ["rulesVersion", whole(0)], ["data", (value) => isHex(value)], ["options", names], ["seats", whole(1, 20)], ["table", shaped(TABLE)], SEED(), FORMAT, ["house", (value) => isHex(value), ""], ["paired", boolean, false]],
  seat_taken: [SEAT, BY, ["share", secret, null], SHARE_BY, STANDS_IN, COMMITMENT, KEYS],
  share_committed: [SEAT, BY, SHARE_BY, COMMITMENT, SIGNED],
  absence_announced: [SEAT, BY, ["first", whole(0)], ["last", whole(0)], DECLARED, SIGNED], absence_ended: [SEAT, BY, DECLARED, SIGNED],
  key_named: [SEAT, BY, ["key", shaped(KEY)]], signing_stopped: [SEAT, BY, SIGNED],
  table_closed: [BY], table_reopened: [BY, SEED()], seat_left: [SEAT, BY, ["unready", boolean, false], SIGNED],
  seat_ready: [SEAT, BY, ["share", (value) => isHex(value), ABSENT], ["salt", text(128), ABSENT], ["standing", one("provisional", "guest", "bot"), ""], SIGNED],
  match_started: [...HAPPENED, ["provisional", rising, []], ["guests", rising, []], ["programs", rising, []]],
  action_taken: [["seat", whole(-1, 99)], BY, ...HAPPENED, ["action", tagged, null], ["hiddenAction", hidden, null], ["hiddenAct", hidden, null], ["reveals", boolean, false], SIGNED],
  taken_back: [SEAT, BY, ["toVersion", whole(1)], SIGNED], resigned: [SEAT, BY, SIGNED], pause_asked: [SEAT, BY, SIGNED],
  seat_replaced: [SEAT, BY, ["actor", actor], STANDS_IN, KEYS, ["reason", one("time_out", "substitute", "no_show", "returned", "erased", "handed_over"), ""], SIGNED],
  timed_out: [SEAT, BY, ["policy", one("bot", "resign", "skip")], ["bot", isBot, null], SIGNED],
  paused: [BY, ["dispute", text(), ""], SIGNED], resumed: [BY, ["charged", seat, null], ["withdrawn", seat, null], SIGNED], voided: [BY, ["reason", text(200), ""], SIGNED],
  match_forked: [
    ["parent", isUuid], ["at", whole(1)], ["luck", one("same", "fresh")], BY, ["seats", many((value) => value === null || actor(value), 20)], SEED(null),
    ["ruling", text(), ""], ["clocks", many(whole(0), 20), []], ["dispute", text(), ""], FORMAT, ["awaits", rising, []], ["practice", text(80), ""],
  ],
  ruling_given: [
    ["ruling", text()], ["dispute", text()], BY, ["at", whole(1)], ["rule", text(200)], ["reasons", text(4000)], ["measures", all(measure), []], ["appealOf", text(), ""], ["upheld", boolean, false], ["authority", one("event", "service"), ""], ORDER,
  ],
  match_ended: [["scores", many(whole(-Number.MAX_SAFE_INTEGER))], ["ranking", many(whole(1))]],
}));

// Returns why a body is malformed, or null if its form is valid.
export function wrongBody(body) {
  if (!isObject(body) || !FACTS.has(body.type)) return `${quote(isObject(body) ? body.type : body)} is not a fact`;
  return misshapen(body, [TYPE, ...FACTS.get(body.type)]);
}
