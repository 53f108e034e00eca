// The page of the second verifier: a file is chosen, dropped or fetched, examined here, and what was found is said in words.

import { examine } from "./examine.js";
import { readTrust } from "./proof.js";

const LIST_MAX = 500, LIVE_MS = 40, KINDS = ["luck", "signature", "secret", "ruling", "turn"];

const words = JSON.parse(document.getElementById("words").textContent), place = (id) => document.getElementById(id);

// A sentence of the page's language with its values.
const say = (id, values = {}) => (words[id] ?? id).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Gives the page its turn when the examination has had the processor for a while.
function breathing(progress) {
  let since = performance.now();
  return async (part) => {
    if (performance.now() - since < LIVE_MS) return;
    progress.value = part;
    await new Promise((resume) => setTimeout(resume));
    since = performance.now();
  };
}

const english = (text) => element("span", { lang: "en", class: "small" }, text);

function verdict(report) {
  const { fault } = report;
  if (!fault) return element("div", { class: "notice good" }, element("p", {}, element("strong", {}, say("nothing_false"))));
  const where = fault.entry === null ? say("false", { kind: say(`kind_${fault.kind}`) }) : say("false_entry", { kind: say(`kind_${fault.kind}`), entry: fault.entry });
  return element("div", { class: "notice" }, element("p", {}, element("strong", {}, where), " ", english(fault.why)));
}

const points = ({ scores, ranking }) => scores.map((score, seat) => say("points", { seat: seat + 1, score, place: ranking[seat] })).join("; ");

function facts(report) {
  const rows = [["match", report.match], ["head", report.head], ["format", `${report.isProof ? "esporles.proof/1, " : ""}${report.format}`]];
  const list = element("dl", { class: "facts stacked" });
  for (const [id, value] of rows) if (value) list.append(element("dt", {}, say(id)), element("dd", {}, element("code", { class: "whole" }, value)));
  if (report.played) list.append(element("dt", {}, say("played")), element("dd", {}, points(report.played)));
  const isOther = JSON.stringify(report.counted) !== JSON.stringify(report.played), counts = report.counted ? points(report.counted) : say("counts_nothing");
  if ((report.counted || report.played) && isOther) list.append(element("dt", {}, say("counts")), element("dd", {}, element("strong", {}, counts)));
  return list;
}

function findings(heading, list, prefix) {
  const part = element("section", {}, element("h3", {}, say(heading)));
  part.append(element("ul", {}, ...list.map(({ id, values }) => element("li", {}, say(`${prefix}_${id}`, values)))));
  return list.length ? part : "";
}

// The entries by what they are: luck, signatures, secrets, rulings, and other turns of a match.
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

function show(report, name) {
  const parts = [element("h2", { id: "found", tabindex: "-1" }, say("report", { name })), verdict(report), facts(report)];
  if (!report.fault) parts.push(findings("checked", report.checked, "checked"), findings("unchecked", report.unchecked, "unchecked"));
  else parts.push(element("p", {}, say("stopped")));
  reveal(...parts, entries(report));
  place("found").focus();
}

function reveal(...parts) {
  place("report").replaceChildren(...parts);
  place("report").hidden = false;
}

const complain = (id, values) => reveal(element("div", { class: "notice" }, element("p", {}, say(id, values))));

let last = null, turn = 0;

// What the field of trusted keys says; null where it says nothing, undefined where it cannot be read.
function trusted() {
  const field = place("trust");
  try {
    const keys = readTrust(field.value);
    field.removeAttribute("aria-invalid");
    return keys.length ? keys : null;
  } catch (error) {
    field.setAttribute("aria-invalid", "true");
    complain("no_key", { key: error.message });
    return undefined;
  }
}

async function check(bytes, name) {
  last = { bytes, name };
  const trust = trusted();
  if (trust === undefined) return;
  const own = ++turn, progress = place("progress");
  progress.hidden = false;
  progress.removeAttribute("value");
  await new Promise((resume) => setTimeout(resume));
  const report = await examine(bytes, trust, breathing(progress));
  if (own !== turn) return;
  progress.hidden = true;
  show(report, name);
}

const take = async (file) => file && check(new Uint8Array(await file.arrayBuffer()), file.name);

// The proof of a match of this house; its log alone where the tree does not cover it, or is not served.
async function fetchMatch(id) {
  if (!/^[0-9a-f-]{36}$/.test(id)) return complain("no_match", {});
  for (const [kind, ending] of [["proof", ".proof.jsonl"], ["log", ".jsonl"]]) {
    const answer = await fetch(`/api/matches/${id}/${kind}`);
    if (answer.ok) return check(new Uint8Array(await answer.arrayBuffer()), id + ending);
    if (answer.status !== 503) break;
  }
  return complain("no_match", {});
}

place("file").addEventListener("change", (event) => take(event.target.files[0]));
place("again").addEventListener("click", () => (last ? check(last.bytes, last.name) : trusted()));
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    place("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });
}
place("drop").hidden = false;
const asked = new URLSearchParams(location.search).get("match");
if (asked && location.protocol !== "file:") fetchMatch(asked);
