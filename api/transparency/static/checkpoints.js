// Remember the last checkpoint that this browser saw, and verify that the next one continues it, as clients of Go's
// checksum database do, and that a changed key follows from the one it knows. On a contradiction both checkpoints are kept as
// evidence and every page shows an alert.
import { FalseKey, FalseTree, isSignedBy, requireContinued } from "./consistency.js";
import { parseCheckpoint } from "./verifier/notes.js";

const SEEN = "checkpoint/seen", CONTRADICTION = "checkpoint/contradiction", CHECKED = "checkpoint/checked";
const SECONDS_MAX = 15, AGAIN_MS = 3000, NOTE_MAX = 100_000, TILE_MAX = 8192;

const load = (name) => JSON.parse(localStorage.getItem(name) || "null");
const store = (name, value) => localStorage.setItem(name, JSON.stringify(value));
const request = (path) => fetch(path, { cache: "no-store", signal: AbortSignal.timeout(SECONDS_MAX * 1000) });

// The checkpoint that the server shows now, or null if there is none that it has signed.
async function readSigned() {
  const response = await request("/api/transparency");
  if (!response.ok) return null;
  const { checkpoint: note, key } = await response.json();
  if (!note || note.length > NOTE_MAX) return null;
  const checkpoint = parseCheckpoint(note);
  return await isSignedBy(checkpoint, key) === false ? null : { note, key, checkpoint };
}

// A missing tile of a published checkpoint is the server's fault; anything else may be the network's.
async function readTile(path) {
  const response = await request(`/tlog/tile/${path}`);
  if (response.status === 404) throw new FalseTree(`no tile ${path}`);
  if (!response.ok) throw new Error(`tile ${path}: ${response.status}`);
  const data = new Uint8Array(await response.arrayBuffer());
  if (data.length > TILE_MAX) throw new FalseTree(`the tile ${path} is too large`);
  return data;
}

// The history of keys is read only after a change.
async function requireKnownKey(known, current) {
  if (known === current.key) return;
  const response = await request("/tlog/keys");
  if (!response.ok) throw new Error(`history of keys: ${response.status}`);
  const { requireSuccession } = await import("./succession.js");
  await requireSuccession(known, current, new Uint8Array(await response.arrayBuffer()), readTile);
}

// Compare the current checkpoint with the last one seen. Returns whether it continues that one: null if unknown.
async function compare() {
  const seen = load(SEEN);
  let current = await readSigned();
  if (!current) return null;
  if (seen) {
    const earlier = parseCheckpoint(seen.note);
    if (current.checkpoint.size < earlier.size) {
      // A cache on the way may be seconds behind.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      current = await readSigned() || current;
    }
    try {
      await requireContinued(earlier, current.checkpoint, readTile);
      await requireKnownKey(seen.key, current);
    } catch (fault) {
      if (!(fault instanceof FalseTree)) throw fault;
      // The first contradiction remains, so that no later one replaces the evidence.
      if (!load(CONTRADICTION)) store(CONTRADICTION, { earlier: seen.note, current: current.note, isOfKey: fault instanceof FalseKey });
      return false;
    }
  }
  store(SEEN, { note: current.note, key: current.key });
  return Boolean(seen);
}

async function findTemplate() {
  const here = document.getElementById("history");
  if (here) return here;
  const page = await (await request("/transparency")).text();
  return new DOMParser().parseFromString(page, "text/html").getElementById("history");
}

async function showAlert({ earlier, current, isOfKey = false }) {
  const template = await findTemplate();
  if (!template || document.querySelector("[data-history]")) return;
  const alert = document.importNode(template.content, true).firstElementChild;
  for (const [name, note] of [["earlier", earlier], ["current", current]]) {
    alert.querySelector(`[data-${name}]`).href = URL.createObjectURL(new Blob([note], { type: "text/plain" }));
  }
  alert.querySelector(isOfKey ? "[data-of-tree]" : "[data-of-key]").remove();
  alert.querySelector("[data-forget]").addEventListener("click", () => {
    for (const each of [CONTRADICTION, SEEN, CHECKED]) localStorage.removeItem(each);
    alert.remove();
  });
  document.getElementById("main").prepend(alert);
}

async function run() {
  const known = load(CONTRADICTION);
  if (known) await showAlert(known);
  store(CHECKED, Date.now());
  const isContinued = await compare();
  const found = load(CONTRADICTION);
  if (found) await showAlert(found);
  const line = document.getElementById("continued");
  if (line && isContinued && !found) line.hidden = false;
}

// Without a response or without storage nothing is compared, and the last checkpoint remains.
run().catch(() => {});
