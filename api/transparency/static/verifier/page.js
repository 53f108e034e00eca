// The page of the second verifier: a file is chosen, dropped or fetched, verified here, and the findings are shown in words.

import { examine } from "./examine.js";
import { readTrust } from "./policy.js";

const LIST_MAX = 500, LIVE_MS = 40, KINDS = ["luck", "signature", "secret", "ruling", "turn"];

const words = JSON.parse(document.getElementById("words").textContent), place = (id) => document.getElementById(id);

// A text in the language of the page with its values.
const say = (id, values = {}) => (words[id] ?? id).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Yields to the page when the verification has used the processor for a while.
function breathing(progress) {
  let since = performance.now();
  return async (part) => {
    if (performance.now() - since < LIVE_MS) return;
    progress.value = part; await new Promise((resume) => setTimeout(resume)); since = performance.now();
  };
}

const notice = (kind, ...inside) => element("div", { class: kind }, element("p", {}, ...inside));

function verdict({ fault }) {
  if (!fault) return notice("notice good", element("strong", {}, say("nothing_false")));
  const { part, entry } = fault, kind = say(`kind_${fault.kind}`), where = [...(part?.round ? ["match"] : []), ...(part && part.name !== "match" ? [part.name] : [])];
  const told = [...where.map((id) => `${say(`part_${id}`, part)}. `), entry === null ? say("false", { kind }) : say("false_entry", { kind, entry })];
  return notice("notice", element("strong", {}, ...told), " ", element("span", { lang: "en", class: "small" }, fault.why));
}

const points = ({ scores, ranking }) => scores.map((score, seat) => say("points", { seat: seat + 1, score, place: ranking[seat] })).join("; ");

function facts(report) {
  const { played, counted } = report, list = element("dl", { class: "facts stacked" }), isOther = JSON.stringify(counted) !== JSON.stringify(played);
  const add = (id, value) => value && list.append(element("dt", {}, say(id)), element("dd", {}, value));
  for (const id of ["match", "event", "head", "format"]) add(id, report[id] && element("code", { class: "whole" }, report[id]));
  add("played", played && points(played)); add("counts", isOther && element("strong", {}, counted ? points(counted) : say("counts_nothing")));
  return list;
}

function findings(kind, list) {
  const lines = list.slice(0, LIST_MAX).map(({ id, values }) => element("li", {}, say(`${kind}_${id}`, { ...values, role: say(`role_${values.role}`) })));
  return list.length ? element("section", {}, element("h3", {}, say(kind)), element("ul", {}, ...lines)) : "";
}

// The entries by kind: luck, signatures, secrets, rulings, and other turns.
function entries(report) {
  const part = element("section", {}, element("h3", {}, say("entries")));
  for (const kind of KINDS) {
    const found = report.entries.filter((entry) => entry.kinds.includes(kind));
    if (!found.length) continue;
    const lines = found.slice(0, LIST_MAX).map((entry) => {
      const who = entry.seat === undefined || entry.seat < 0 ? "" : ` ${say("of_seat", { seat: entry.seat + 1 })}`;
      return element("li", { value: entry.version }, element("code", {}, entry.type), who);
    });
    if (found.length > LIST_MAX) lines.push(element("li", {}, say("more", { count: found.length - LIST_MAX })));
    part.append(element("details", {}, element("summary", {}, say(`entries_${kind}`, { count: found.length })), element("ol", { class: "versions" }, ...lines)));
  }
  return report.entries.length ? part : "";
}

const said = (report) => [verdict(report), facts(report), ...(report.fault ? [element("p", {}, say("stopped"))] : ["checked", "unchecked"].map((kind) => findings(kind, report[kind])))];

// A tournament: its standings, and its matches, each with a report.
function tournament({ standings, parts, fault }) {
  const columns = ["rank", "who", "points", "played", "byes", "wins"], rows = standings.toSorted((one, other) => one.rank - other.rank);
  const shown = (row, id) => (id === "points" ? row.points / 60 : row[id]).toLocaleString(document.documentElement.lang);
  const line = (name, told) => element("tr", {}, ...columns.map((id) => element(name, { class: id === "who" ? "" : "number", ...(name === "th" && { scope: "col" }) }, told(id))));
  const head = element("thead", {}, line("th", (id) => say(`column_${id}`))), body = element("tbody", {}, ...rows.map((row) => line("td", (id) => shown(row, id))));
  const list = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("standings") }, element("table", {}, head, body));
  const matches = parts.map(({ round, table, report }) => {
    const summary = element("summary", {}, `${say("part_match", { round, table })}: ${say(report.fault ? "is_false" : "is_good")}`);
    return element("details", report.fault ? { open: "" } : {}, summary, ...said(report).slice(report.fault ? 0 : 1));
  });
  return [...(fault ? [] : [element("h3", {}, say("standings")), list]), element("h3", {}, say("matches", { count: parts.length })), ...matches];
}

function show(report, name) {
  reveal(element("h2", { id: "found", tabindex: "-1" }, say("report", { name })), ...said(report), ...(report.standings ? tournament(report) : [entries(report)]));
  place("found").focus();
}

function reveal(...parts) { place("report").replaceChildren(...parts); place("report").hidden = false; }

const complain = (id, values) => reveal(notice("notice", say(id, values)));

let last = null, turn = 0;

// The keys or the policy in the field of trusted keys; null if it is empty, undefined if it is malformed.
function trusted() {
  const field = place("trust");
  try {
    const trust = readTrust(field.value);
    field.removeAttribute("aria-invalid");
    return trust;
  } catch (error) {
    field.setAttribute("aria-invalid", "true"); complain("no_key", { key: error.message });
    return undefined;
  }
}

async function check(bytes, name) {
  last = { bytes, name };
  const trust = trusted();
  if (trust === undefined) return;
  const own = ++turn, progress = place("progress");
  progress.hidden = false; progress.removeAttribute("value"); await new Promise((resume) => setTimeout(resume));
  const report = await examine(bytes, trust, breathing(progress));
  if (own !== turn) return;
  progress.hidden = true; show(report, name);
}

const take = async (file) => file && check(new Uint8Array(await file.arrayBuffer()), file.name);

const SOURCES = { event: [["tournaments", "proof", ".event.jsonl"]], match: [["matches", "proof", ".proof.jsonl"], ["matches", "log", ".jsonl"]] };

// The proof of a tournament or match of this service, or only the log of a match that the tree does not cover or is not served.
async function fetchFile(kind, id) {
  for (const [subject, what, ending] of /^[0-9a-f-]{36}$/.test(id) ? SOURCES[kind] : []) {
    const answer = await fetch(`/api/${subject}/${id}/${what}`);
    if (answer.ok) return check(new Uint8Array(await answer.arrayBuffer()), id + ending);
    if (answer.status !== 503) break;
  }
  return complain(`no_${kind}`, {});
}

place("file").addEventListener("change", (event) => take(event.target.files[0]));
place("again").addEventListener("click", () => (last ? check(last.bytes, last.name) : trusted()));
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault(); place("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });
}
place("drop").hidden = false;
for (const [kind, id] of location.protocol === "file:" ? [] : new URLSearchParams(location.search)) if (Object.hasOwn(SOURCES, kind)) fetchFile(kind, id);
