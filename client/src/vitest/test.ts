import { test as base, inject, type RunnerTestCase } from 'vitest';
import { type Labels, labelList } from '../labels.ts';
import { decideBetter, type Than } from '../results/decide-better.ts';
import { isScore, type Result, type ScoreValue } from '../results/results.ts';
import { targetOf } from '../results/target.ts';
import { upload } from '../results/upload.ts';
import type { JsonObject } from '../types.ts';
import type { Provided } from './plugin.ts';

const passes = 'passes';

/** Results of this process by group, so that a test can compare what those before it gave. */
const gathered = new Map<string, Map<string, Result>>();

const groupOf = (task: RunnerTestCase): string => {
  const names: string[] = [];
  for (let suite = task.suite; suite && suite !== task.file; suite = suite.suite) names.unshift(suite.name);
  return [task.file.name, ...names].join(' > ');
};

/** The data of a testcase that a test records. */
export class TestRecord {
  inputs: JsonObject = {};
  expected: JsonObject = {};
  outputs: JsonObject = {};
  /** Names of metrics of the project that the service scores. */
  metrics: string[] = [];
  /** Cost of the call of the system. */
  costUsd: number | null = null;
  readonly #scores: Record<string, ScoreValue> = {};
  readonly #reasons: Record<string, string> = {};
  readonly #labels: Record<string, Labels> = {};

  /**
   * Scores the record: true or false, 1 to 5 as a whole number, or 0 to 1. If a test gives 1 only, it is a rating of 1 to 5. The test
   * does not fail by it. A text is a label; `labels` says which labels there are, unless the project has the metric.
   */
  score(metric: string, value: ScoreValue, reasoning?: string, labels?: Labels): void {
    if (labels ? !labels.items.includes(value as string) : !isScore(value))
      throw new RangeError(
        `The score of ${metric} must be ${labels ? `one of ${labelList(labels.items)}` : 'true, false, 1 to 5, 0 to 1 or a label'}, not ${value}.`,
      );
    if (labels) this.#labels[metric] = labels;
    this.#scores[metric] = value;
    if (reasoning !== undefined) this.#reasons[metric] = reasoning;
  }

  /** Returns the result. A test without a score has the score `passes`; one that breaks has no score: an error is not a no. */
  resultOf(task: RunnerTestCase, errors: readonly { name?: string; message: string }[]): Result {
    const [scores, reasons] = [{ ...this.#scores }, { ...this.#reasons }];
    const isBroken = errors.some(({ name }) => name !== 'AssertionError');
    if (Object.keys(scores).length === 0 && this.metrics.length === 0 && !isBroken) {
      scores[passes] = errors.length === 0;
      if (errors[0]) reasons[passes] = errors[0].message.slice(0, 2_000);
    }
    const { inputs, expected, outputs, metrics, costUsd } = this;
    const json = { inputs, expected, outputs };
    return {
      group: groupOf(task),
      case: task.name,
      trial: (task.result?.repeatCount ?? 0) + 1,
      ...(JSON.parse(JSON.stringify(json)) as typeof json),
      scores,
      reasons,
      metrics,
      cost_usd: costUsd,
      error: null,
      ...(Object.keys(this.#labels).length > 0 && { labels: this.#labels }),
    };
  }
}

/** The run that the tests of a `describe` make, or those of a file outside of any. */
export type TestRun = { assertBetter: (than: Than) => Promise<void> };

class Inconclusive extends Error {
  override name = 'Inconclusive';
}

type Context = { record: TestRecord; run: TestRun };

/** Vitest's `test` with `record` and `run` in its context. */
export const test = base.extend<Context>({
  record: async ({ task }, use) => {
    const before = task.result?.errors?.length ?? 0;
    const record = new TestRecord();
    await use(record);
    const { result } = task;
    if (result?.state === 'skip') return;
    const made = record.resultOf(task, result?.errors?.slice(before) ?? []);
    const group = gathered.get(made.group) ?? new Map<string, Result>();
    gathered.set(made.group, group);
    const key = JSON.stringify([made.case, made.trial]);
    if (
      made.trial === 1 &&
      [...group.values()].some((one) => one.case === made.case && one !== group.get(key))
    )
      throw new Error(
        `Two tests of ${made.group} have the name ${made.case}. A testcase needs its own name.`,
      );
    group.set(key, made);
    const mine = (task.meta.dokima?.results ?? []).filter(({ trial }) => trial !== made.trial);
    task.meta.dokima = { ...task.meta.dokima, results: [...mine, made] };
  },

  run: async ({ task, skip }, use) => {
    await use({
      assertBetter: async (than) => {
        const { session, project, file, inconclusive }: Provided = inject('dokima');
        const group = groupOf(task);
        const results = [...(gathered.get(group)?.values() ?? [])];
        if (results.length === 0) return skip(`no test of ${group} gave a record before this one`);
        const target = file === undefined ? targetOf(process.env, project) : undefined;
        if (!target)
          return skip(
            'offline: nothing to compare with. Upload the results, or set DOKIMA_API_KEY and DOKIMA_PROJECT',
          );
        const [uploaded] = await upload(target, session, results);
        const { outcome, text } = await decideBetter(target, uploaded!, than);
        task.meta.dokima = { uploaded: uploaded!, verdict: text };
        if (outcome === 'fail') throw new Error(text);
        if (outcome === 'inconclusive') {
          if (inconclusive === 'skip') return skip(text);
          throw new Inconclusive(text);
        }
      },
    });
  },
});
