/**
 * Writes the rates at which each rule of a gate passes, fails and cannot decide to bench/gate-table.md, the table of docs/deciding.md, those
 * of gates with planned looks to bench/gate-looks-table.md, and how often gates of several rules say WORSE although nothing became worse to
 * bench/gate-rules-table.md: tables of docs/statistics.md; and how often many gates about the same testcases ship a false verdict, with a
 * ledger and without, to bench/gate-ledger-table.md. Run: node bench/gate.ts [draws] [part of the name of a table]
 */
import { writeFile } from 'node:fs/promises';
import { gateLooksTable } from '../server/test/gate-looks-world.ts';
import { gateRulesTable } from '../server/test/gate-rules-world.ts';
import { gateTable } from '../server/test/gate-world.ts';
import { ledgerTable } from '../server/test/ledger-world.ts';

const draws = Number(process.argv[2] ?? 2000);
const part = process.argv[3] ?? '';

/** The table of several rules takes ten times as long as the others, so it has half of the draws. */
const rulesTable = async (): Promise<string[]> => [
  ...(await gateRulesTable(0, draws / 2)),
  '',
  'With `margin: 0.02`, and a true loss of exactly two points, where an error is most likely:',
  '',
  ...(await gateRulesTable(0.02, draws / 2)),
];

const tables = {
  'gate-table': () => gateTable(draws),
  'gate-looks-table': () => gateLooksTable(draws),
  'gate-rules-table': rulesTable,
  'gate-ledger-table': () => ledgerTable(draws),
};

for (const [name, make] of Object.entries(tables)) {
  if (!name.includes(part)) continue;
  const lines = await make();
  await writeFile(new URL(`./${name}.md`, import.meta.url), `${lines.join('\n')}\n`);
}
