// Compares pairs of checkpoints as a browser does: a line of JSON with the addresses of its modules, then one for each pair;
// `keys`: the history of keys after a change of the key `known`.
import { createInterface } from "node:readline";

let module = null;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (module === null) { module = Object.assign({}, ...(await Promise.all(Object.values(asked).map((address) => import(address))))); continue; }
  let found = "continued";
  try {
    const [earlier, current] = [asked.earlier, asked.current].map(module.parseCheckpoint);
    const isSigned = await module.isSignedBy(current, asked.key), readTile = async (path) => {
      if (!(path in asked.tiles)) throw new module.FalseTree("no tile");
      return new Uint8Array(Buffer.from(asked.tiles[path], "base64"));
    };
    await module.requireContinued(earlier, current, readTile);
    if (asked.keys) await module.requireSuccession(asked.known, { checkpoint: current, key: asked.key }, Buffer.from(asked.keys, "base64"), readTile);
    if (!isSigned) found = "unsigned";
  } catch (fault) {
    found = fault instanceof module.FalseKey ? "false key" : fault instanceof module.FalseTree ? "false" : `error: ${fault.message}`;
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
