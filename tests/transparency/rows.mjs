// Counts tables as the second verifier does: the address of its module is the argument, and the input a line of JSON for each table.
import { createInterface } from "node:readline";

const { rowsOf } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { scoring, rule, entries, byHand, result, absent } = JSON.parse(line);
  const rows = rowsOf(scoring, rule, { entries, byHand, result, absent: new Map(Object.entries(absent)) });
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}
