// Ratings of the second verifier: the folder of its modules is the argument. Each line of the input asks for the outcome of a log, or for a
// check of the ratings of outcomes, whose times are microseconds.
import { createInterface } from "node:readline";

const [{ checkRatings }, { Line }, { outcomeOf }, { openEntry, readEntry }, { splitLines }] = await Promise.all(
  ["ratings", "line", "starters", "file", "canonical"].map((name) => import(`${process.argv[2]}/${name}.js`)),
);

function outcomeIn(content) {
  const { lines } = splitLines(Buffer.from(content, "base64"), Infinity), line = new Line();
  let before;
  for (const [version, bytes] of [...lines.slice(1).entries()]) {
    const entry = readEntry(bytes, version + 1, before);
    openEntry(entry, null, 20);
    line.take(entry);
    before = entry;
  }
  return outcomeOf(line);
}

function check({ outcomes, said }) {
  const inTime = ({ startTime, endTime, ...outcome }) => ({ ...outcome, startTime: startTime === null ? undefined : BigInt(startTime), endTime: endTime === null ? null : BigInt(endTime) });
  try { return checkRatings(outcomes.map(inTime), said); } catch (error) { return error.message; }
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line), answer = asked.log === undefined ? check(asked) : outcomeIn(asked.log);
  process.stdout.write(`${JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? Number(value) : value))}\n`);
}
