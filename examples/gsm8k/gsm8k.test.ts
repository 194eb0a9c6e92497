import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { apiOf } from './api.ts';
import { evaluate } from './evaluate.ts';
import { isRight, type Problem, readProblems, systems } from './problems.ts';

const path =
  process.env.DOKIMA_GSM8K ??
  fileURLToPath(new URL('../../../shared/data/gsm8k-solutions.jsonl', import.meta.url));

let app: TestApp;
let own: Organization;
let problems: Problem[];

beforeAll(async () => {
  problems = await readProblems(path);
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

it('finds 286, 515, 458 and 742 of 1,319 right by listing page by page', async () => {
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const results = await evaluate(apiOf(url, own.key), problems, () => {});
  expect(results).toEqual([
    { system: '6b_finetuning', records: 1319, correct: 286 },
    { system: '6b_verification', records: 1319, correct: 515 },
    { system: '175b_finetuning', records: 1319, correct: 458 },
    { system: '175b_verification', records: 1319, correct: 742 },
  ]);
});

it('judges every solution as the authors did', () => {
  for (const system of systems) {
    expect(problems.filter((problem) => isRight(problem, system) !== problem[system].is_correct)).toEqual([]);
  }
});
