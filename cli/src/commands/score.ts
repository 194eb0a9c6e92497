import { readFile } from 'node:fs/promises';
import {
  type Client,
  type JsonObject,
  type Metric,
  mapConcurrently,
  type RecordWithScores,
  type Run,
} from '../../../client/src/main.ts';
import { operationsOver } from '../../../client/src/operations.ts';
import { valueFields } from '../../../client/src/score-value.ts';
import { parseAsWritten, WrittenNumber } from '../../../client/src/written-number.ts';
import { type Command, type Context, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { externalFrom, externalOptions, readVerdict } from '../external.ts';
import { countOf } from '../figures.ts';
import { type MadeBy, madeByOption, readMadeBy } from '../made-by.ts';
import { bar } from '../output.ts';

/** Converts a judge's answer to a score of this metric. It may be a bare value, `{ score, reasoning }`, or a score of the API. */
const scoreOf = (answer: unknown, { outputType }: Metric): JsonObject => {
  const field = valueFields[outputType];
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  if (!isObject || answer instanceof WrittenNumber) return { [field]: answer };
  const { score, ...rest } = answer as JsonObject;
  return score === undefined ? (answer as JsonObject) : { [field]: score, ...rest };
};

/** Returns the named metric of the run, or its only one, with its configuration in this run. */
const metricOf = async (client: Client, run: Run, named: string | undefined) => {
  const metricId = named ?? (run.metricIds.length === 1 ? run.metricIds[0] : undefined);
  if (run.metricIds.length === 0)
    throw new CliError(`Run ${run.id} has no metrics.`, 'Add metrics to the run, or name another run.');
  if (metricId === undefined) {
    throw new CliError(
      `Run ${run.id} has several metrics.`,
      `Name one: --metric ${run.metricIds.join(' or ')}`,
    );
  }
  const configId = run.metricVersionIds[run.metricIds.indexOf(metricId)];
  if (configId === undefined)
    throw new CliError(
      `Run ${run.id} is not scored by metric ${metricId}.`,
      `Its metrics: ${run.metricIds.join(', ')}`,
    );
  return { metric: await client.getMetric(metricId), configId };
};

/** Yields the records of a run that this configuration has not scored, or all of them. */
async function* recordsToScore(client: Client, runId: string, configId: string, all: boolean) {
  for await (const record of operationsOver(client.send, parseAsWritten).listRecords(runId)) {
    if (all || !record.scores.some(({ metricConfigId }) => metricConfigId === configId)) yield record;
  }
}

const judgeAll = async (context: Context, client: Client, run: Run, values: Values): Promise<number> => {
  const { out, directory, signal } = context;
  const { metric, configId } = await metricOf(client, run, values.text('metric'));
  const judge = await externalFrom(values, directory, readVerdict);
  const madeBy = readMadeBy(values);
  const failed: { recordId: string; error: string }[] = [];
  const misfits: { recordId: string; problems: unknown }[] = [];
  let done = 0;
  const score = async ({ id, inputs, expected, outputs }: RecordWithScores): Promise<void> => {
    signal.throwIfAborted();
    let answer: unknown;
    try {
      answer = await judge({ inputs, expected, outputs }, signal);
    } catch (error) {
      signal.throwIfAborted();
      failed.push({ recordId: id, error: (error as Error).message });
      return;
    }
    const stored = await client.upsertScore(id, configId, {
      score: scoreOf(answer, metric),
      ...(madeBy && { madeBy }),
    });
    if (stored.validationErrors) misfits.push({ recordId: id, problems: stored.validationErrors });
    out.progress(bar(++done, run.numRecords));
  };
  const records = recordsToScore(client, run.id, configId, values.flag('all'));
  await mapConcurrently(records, values.count('concurrency', 4), score);
  for (const { recordId, error } of failed) out.note(`  ${recordId}: ${error}`);
  for (const { recordId, problems } of misfits)
    out.note(`  ${recordId}: invalid score: ${JSON.stringify(problems)}`);
  const text = `${countOf(done, 'record')} of run ${run.id} scored by ${metric.name}; ${failed.length} failed, ${misfits.length} invalid.`;
  out.result(text, { runId: run.id, metricId: metric.id, scored: done, failed, misfits });
  return failed.length + misfits.length > 0 ? exit.incomplete : exit.pass;
};

type Line = {
  recordId?: string;
  metricId?: string;
  metricConfigId?: string;
  score?: unknown;
  madeBy?: MadeBy;
};

const uploadFile = async (context: Context, client: Client, run: Run, values: Values): Promise<number> => {
  const { out, inputPath, signal } = context;
  const path = values.required('file');
  const lines = (await readFile(await inputPath(path), 'utf8')).split('\n');
  const known = new Map<string, Awaited<ReturnType<typeof metricOf>>>();
  const items: { recordId: string; metricConfigId: string; score: JsonObject; madeBy?: MadeBy }[] = [];
  for (const [i, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const where = `${path}, line ${i + 1}`;
    let line: Line;
    try {
      line = parseAsWritten(text) as Line;
    } catch {
      throw new CliError(`${where} is not JSON.`);
    }
    if (!line.recordId || line.score === undefined) throw new CliError(`${where} needs recordId and score.`);
    const named = line.metricId ?? values.text('metric') ?? '';
    const found = known.get(named) ?? (await metricOf(client, run, named || undefined));
    known.set(named, found);
    const score = scoreOf(line.score, found.metric);
    const madeBy = line.madeBy ?? readMadeBy(values);
    const metricConfigId = line.metricConfigId ?? found.configId;
    items.push({ recordId: line.recordId, metricConfigId, score, ...(madeBy && { madeBy }) });
  }
  const stored = await client.upsertAllScores(run.id, items, { signal });
  const misfits = stored.filter(({ validationErrors }) => validationErrors);
  for (const { recordId, validationErrors } of misfits)
    out.note(`  ${recordId}: invalid score: ${JSON.stringify(validationErrors)}`);
  out.result(`${countOf(stored.length, 'score')} stored, ${misfits.length} invalid.`, {
    stored: stored.length,
    misfits,
  });
  return misfits.length > 0 ? exit.incomplete : exit.pass;
};

export const score: Command = {
  name: 'score',
  waits: 'The scores that are there are stored. Run the command again to get the others.',
  takes: 'RUN',
  summary: 'Score the records of a run with a command, an endpoint, a module or a file.',
  about: `The judge gets { inputs, expected, outputs } and returns a value (true, 4, 0.8, "a label") or { "score": …, "reasoning": … }. Without --all
it skips records that already have a score of the metric. Each line of a file is a JSON object with recordId, score and, if the run
has several metrics, metricId. madeBy, person or model, says who made a score.`,
  options: {
    metric: {
      type: 'string',
      short: 'm',
      value: 'ID',
      about: 'Metric. Needed if the run has several.',
    },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      about: 'File with scores as JSON lines, instead of a judge.',
    },
    all: { type: 'boolean', about: 'Re-score records that already have a score.' },
    ...madeByOption,
    ...externalOptions,
  },
  examples: ["dokima score 17 -m 3 --command 'python judge.py'", 'dokima score 17 --file scores.jsonl'],
  run: async (context, args, values) => {
    const [runId] = takeArguments('score', args, 'The id of the run');
    const client = await context.client();
    const run = await client.getRun(runId!);
    return values.text('file') === undefined
      ? judgeAll(context, client, run, values)
      : uploadFile(context, client, run, values);
  },
};
