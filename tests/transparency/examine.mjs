// Lets the second verifier examine files: a line of JSON with the address of its modules first, then one for each file.
import { createInterface } from "node:readline";

let verifier = null;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (verifier === null) {
    verifier = { ...(await import(asked.examine)), ...(await import(asked.proof)) };
    continue;
  }
  const bytes = new Uint8Array(Buffer.from(asked.content, "base64"));
  const trust = asked.trust === null ? null : verifier.readTrust(asked.trust);
  const began = performance.now();
  const report = await verifier.examine(bytes, trust);
  process.stdout.write(`${JSON.stringify({ ...report, seconds: (performance.now() - began) / 1000 })}\n`);
}
