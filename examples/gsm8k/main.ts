import { fileURLToPath } from 'node:url';
import { apiOf } from './api.ts';
import { evaluate } from './evaluate.ts';
import { isRight, readProblems, systems } from './problems.ts';

const beside = fileURLToPath(new URL('../../../shared/data/gsm8k-solutions.jsonl', import.meta.url));

const main = async (): Promise<void> => {
  const path = process.argv[2] ?? beside;
  const key = process.env.DOKIMA_API_KEY;
  if (!key) throw new Error('Set DOKIMA_API_KEY to the key that the server printed at its first start.');
  const problems = await readProblems(path).catch(() => {
    throw new Error(`There is no data at ${path}. Give the path of gsm8k-solutions.jsonl.`);
  });
  const began = performance.now();
  const api = apiOf(process.env.DOKIMA_URL ?? 'http://localhost:3000', key);
  const results = await evaluate(api, problems, (step) => console.log(step));

  console.log();
  for (const { system, records, correct } of results) {
    console.log(
      `${system.padEnd(18)} ${String(correct).padStart(4)} of ${records}  ${((100 * correct) / records).toFixed(2)} %`,
    );
  }
  const mismatches = systems.flatMap((system) =>
    problems.filter((problem) => isRight(problem, system) !== problem[system].is_correct),
  );
  console.log(
    `\nDifferent from the authors' labels: ${mismatches.length}. Took ${((performance.now() - began) / 1000).toFixed(1)} s.`,
  );
};

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
