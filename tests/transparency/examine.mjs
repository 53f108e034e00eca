// Lets the second verifier examine files: a line of JSON with the address of its modules first, then one for each file.
import { webcrypto } from "node:crypto";
import { createInterface } from "node:readline";

let verifier = null;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (verifier === null) {
    verifier = { ...(await import(asked.examine)), ...(await import(asked.policy)) };
    continue;
  }
  Object.defineProperty(globalThis, "crypto", { value: asked.hasEd25519 ? webcrypto : undefined, configurable: true });
  const bytes = new Uint8Array(Buffer.from(asked.content, "base64"));
  const began = performance.now();
  let report;
  try {
    report = await verifier.examine(bytes, asked.trust === null ? null : verifier.readTrust(asked.trust));
  } catch (error) {
    report = { fault: { entry: null, kind: "trust", why: error.message }, checked: [], unchecked: [], entries: [] };
  }
  process.stdout.write(`${JSON.stringify({ ...report, seconds: (performance.now() - began) / 1000 })}\n`);
}
