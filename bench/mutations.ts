/**
 * Changes the file of a decision at random, and counts how many changes `dokima verify` takes for the file: none may be. Prints the counts by
 * the kind of change. Run: node bench/mutations.ts decision.json [changes] [seed]
 */
import { readFile } from 'node:fs/promises';
import { mutate, seeded } from '../cli/test/mutate.ts';
import { openDecisionFile } from '../client/src/decision-file/file.ts';

const [path = 'decision.json', changes = '10000', seed = '1'] = process.argv.slice(2);
const bytes = await readFile(path);
if (openDecisionFile(bytes).state !== 'whole') throw new Error(`${path} does not verify unchanged.`);
const draw = seeded(Number(seed));
const counts = new Map<string, { changed: number; verified: number }>();
const start = performance.now();
for (let i = 0; i < Number(changes); i++) {
  const { kind, bytes: changed } = mutate(bytes, draw);
  const count = counts.get(kind) ?? { changed: 0, verified: 0 };
  counts.set(kind, count);
  count.changed++;
  if (openDecisionFile(changed).state === 'whole') count.verified++;
}
console.table(Object.fromEntries(counts));
console.log(
  `${changes} changes of ${bytes.length} bytes in ${((performance.now() - start) / 1000).toFixed(1)} s`,
);
