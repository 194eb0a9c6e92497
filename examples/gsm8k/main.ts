import { parseArgs } from 'node:util';
import { apiOf } from './api.ts';
import { calibrateJudge, compareSystems, gate, noise } from './decide.ts';
import { evaluate, type Language } from './evaluate.ts';
import { readProblems, shippedData } from './problems.ts';

const percent = (rate: number): string => `${(100 * rate).toFixed(2)} %`;

const main = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { python: { type: 'boolean' } },
  });
  const path = positionals[0] ?? shippedData;
  const language: Language = values.python ? 'python' : 'typescript';
  const key = process.env.DOKIMA_API_KEY;
  if (!key) throw new Error('Set DOKIMA_API_KEY to the key that the server printed at its first start.');
  const problems = await readProblems(path).catch(() => {
    throw new Error(`There is no data at ${path}. Give the path of gsm8k-solutions.jsonl.`);
  });
  const began = performance.now();
  const url = process.env.DOKIMA_URL ?? 'http://localhost:3000';
  const api = apiOf(url, key);
  const { projectId, results } = await evaluate(api, problems, (step) => console.log(step), language);

  console.log();
  for (const { system, records, correct } of results) {
    console.log(
      `${system.padEnd(18)} ${String(correct).padStart(4)} of ${records}  ${((100 * correct) / records).toFixed(2)} %`,
    );
  }
  const mismatches = results.reduce((sum, result) => sum + result.mismatches, 0);
  console.log(`\nDifferent from the authors' labels: ${mismatches}.`);

  console.log('\nEach pair, the second system compared with the first on the same problems:');
  const pairs = await compareSystems(api, results);
  for (const { before, after, wins, losses, mcnemar, sentence } of pairs) {
    const counts = `${wins} won, ${losses} lost`.padEnd(20);
    console.log(
      `${before.padEnd(16)} ${after.padEnd(18)} ${counts} p ${mcnemar.exact.toExponential(1)}  ${sentence}`,
    );
  }
  const runOf = (name: string) => results.find(({ system }) => system === name)!.runId;
  const { report } = await gate(url, key, runOf('175b_finetuning'), runOf('175b_verification'));
  console.log(`\nCan 175b_verification replace 175b_finetuning?\n${report}`);

  const judged = results.at(-1)!;
  const { n, sensitivity, specificity, corrected } = await calibrateJudge(api, projectId, judged, problems);
  console.log(
    `A judge of ${judged.system} with sensitivity ${noise.sensitivity} and specificity ${noise.specificity}, compared with ${n} labels:`,
  );
  const line = (name: string, { estimate, interval }: typeof sensitivity) =>
    console.log(
      `${name.padEnd(34)} ${percent(estimate)}  (${percent(interval!.low)} to ${percent(interval!.high)})`,
    );
  line('sensitivity of the judge', sensitivity);
  line('specificity of the judge', specificity);
  console.log(`${'pass rate by the judge'.padEnd(34)} ${percent(corrected.roganGladen.uncorrected)}`);
  line('corrected, Rogan–Gladen', corrected.roganGladen);
  line('corrected, PPI++', corrected.predictionPowered);
  console.log(`${'true pass rate'.padEnd(34)} ${percent(judged.correct / judged.records)}`);
  console.log(`\nTook ${((performance.now() - began) / 1000).toFixed(1)} s.`);
};

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
