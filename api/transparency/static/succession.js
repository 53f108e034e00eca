// Whether the key of a log follows from an earlier one, by the history of its keys (docs/specifications/keys.md).
import { FalseKey, isSignedBy, requireContinued } from "./consistency.js";
import { readLine } from "./verifier/canonical.js";
import { chainOf } from "./verifier/keychain.js";
import { readLog } from "./verifier/labels.js";
import { parseCheckpoint, readKey, refuse } from "./verifier/notes.js";
import { rootOf } from "./verifier/proof.js";
import { hex, unhex } from "./verifier/sha256.js";

const FORMAT = "esporles.keys/1";

// The history in its file, whose announcements are in the tree of its signed checkpoint; throws an error otherwise.
async function readHistory(bytes) {
  const { format, hashes, checkpoint: note, keys, log } = readLine(bytes.subarray(0, -1));
  const checkpoint = parseCheckpoint(note), { leaves, announced } = log.length ? readLog({ log, labels: [] }, checkpoint.size) : { leaves: [], announced: [] };
  if (format !== FORMAT || await isSignedBy(checkpoint, keys[0]) === false) refuse("it is not a signed history of keys");
  if (leaves.length && rootOf(leaves, hashes.map(unhex), checkpoint.size) !== hex(checkpoint.root)) refuse("its announcements are not in the tree");
  return { checkpoint, key: keys[0], announced };
}

// Throws FalseKey unless the key of the checkpoint follows from `earlier` by the history; another error if this is of another time.
export async function requireSuccession(earlier, { checkpoint, key }, bytes, readTile) {
  const history = await readHistory(bytes), isLarger = history.checkpoint.size > checkpoint.size;
  if (history.key !== key) refuse("its key is not that of the checkpoint");
  await requireContinued(...(isLarger ? [checkpoint, history.checkpoint] : [history.checkpoint, checkpoint]), readTile);
  const { terms } = await chainOf(history.announced, readKey(key)).catch((fault) => { throw new FalseKey(fault.message); });
  if (!terms.some((term) => term.key.text === earlier)) throw new FalseKey("another key");
}
