// Outputs of labels by the second verifier: the address of its module is the argument. Each line of the input has a key, a text and a proof
// (hexadecimal); the answer is the output, or null for a false proof.
import { createInterface } from "node:readline";

const { loadGroup, outputOf } = await import(process.argv[2]), unhex = (text) => new Uint8Array(Buffer.from(text, "hex"));
await loadGroup();
for await (const line of createInterface({ input: process.stdin })) {
  const { key, text, proof } = JSON.parse(line), output = outputOf(unhex(key), unhex(text), unhex(proof));
  process.stdout.write(`${JSON.stringify(output && Buffer.from(output).toString("hex"))}\n`);
}
