// Compares pairs of checkpoints as a browser does: a line of JSON with the addresses of its modules, then one for each pair.
import { createInterface } from "node:readline";

let module = null;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (module === null) { module = { ...(await import(asked.consistency)), ...(await import(asked.notes)) }; continue; }
  let found = "continued";
  try {
    const [earlier, current] = [asked.earlier, asked.current].map(module.parseCheckpoint);
    const isSigned = await module.isSignedBy(current, asked.key);
    await module.requireContinued(earlier, current, async (path) => {
      if (!(path in asked.tiles)) throw new module.FalseTree("no tile");
      return new Uint8Array(Buffer.from(asked.tiles[path], "base64"));
    });
    if (!isSigned) found = "unsigned";
  } catch (fault) {
    found = fault instanceof module.FalseTree ? "false" : `error: ${fault.message}`;
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
