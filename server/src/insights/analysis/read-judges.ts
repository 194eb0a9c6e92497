import type { OutputType } from '../../evaluation/metrics/schema.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  findJudgeConfig,
  findLabelledColumns,
  type LabelledColumns,
  noLabelFacts,
} from '../../scoring/labels/queries.ts';
import { findLabelSource } from '../../scoring/labels/read-judge.ts';
import type { JudgeLabels } from './correct-comparison.ts';
import { readDoubts } from './doubts.ts';
import type { RunColumns } from './run-scores.ts';
import { findSampleColumns, type SampleColumns } from './sample-queries.ts';

/** The kind of the people's metric, and the samples of runs that people were to score for it. */
type People = Pick<JudgeLabels, 'samples'> & { outputType: OutputType | undefined };

const readPeople = async (
  db: Database,
  scope: Scope,
  metricId: bigint,
  runIds: bigint[],
): Promise<People> => {
  const [human] = await db.read(scope, (sql) => findJudgeConfig(sql, scope, metricId, null, null));
  const samples: Record<string, SampleColumns> = {};
  for (const runId of runIds) {
    const [sample] = await db.read(scope, (sql) => findSampleColumns(sql, scope, runId, metricId));
    if (sample) samples[String(runId)] = sample;
  }
  return { outputType: human?.outputType, samples };
};

/** Labels for a judge whose human metric is not known: none. */
const noLabels: LabelledColumns = {
  records: null,
  spans: null,
  testcases: null,
  inputs: null,
  humanPassed: null,
  human: null,
  judge: null,
  humanLabels: null,
  samples: null,
  strata: null,
  sizes: null,
  chances: null,
  drawn: null,
  reviews: null,
  reviewPasses: null,
  rules: null,
  ...noLabelFacts,
};

/** Reads people's labels of the records of one judge. `ofPeople` reads the scores of its people's metric, once for all judges. */
const readJudge = async (
  db: Database,
  scope: Scope,
  { metricId, configId }: { metricId: bigint; configId: string },
  runIds: bigint[],
  ofPeople: (metricId: string) => Promise<People>,
): Promise<JudgeLabels> => {
  const [[judge], source] = await Promise.all([
    db.read(scope, (sql) => findJudgeConfig(sql, scope, metricId, configId, null)),
    findLabelSource(db, scope, metricId),
  ]);
  const doubtsOf = (labelledAt: string | null) => readDoubts(db, scope, { metricId, configId }, labelledAt);
  if (source.of !== 'metric') {
    const doubts = await doubtsOf(null);
    return { judge: judge!, peopleMetricId: null, sameKind: true, labels: noLabels, samples: {}, doubts };
  }
  const peopleMetricId = String(source.metricId);
  const [labels] = await db.read(scope, (sql) => findLabelledColumns(sql, scope, judge!, source, runIds));
  const { samples, outputType } = await ofPeople(peopleMetricId);
  const sameKind = outputType === judge!.outputType;
  const doubts = await doubtsOf(labels!.labelledAt);
  return { judge: judge!, peopleMetricId, sameKind, labels: labels!, samples, doubts };
};

/**
 * Returns a function that reads people's labels of the records of each judge of a run, by configuration. It reads each
 * judge once for all of the given runs, and one at a time, because a judge can have many labels.
 */
export const judgeReader = (db: Database, scope: Scope, runIds: bigint[]) => {
  const judges: Record<string, JudgeLabels> = {};
  const people = new Map<string, Promise<People>>();
  const ofPeople = (metricId: string): Promise<People> => {
    const known = people.get(metricId) ?? readPeople(db, scope, BigInt(metricId), runIds);
    people.set(metricId, known);
    return known;
  };
  return async ({ scores }: RunColumns): Promise<Record<string, JudgeLabels>> => {
    const ofRun: Record<string, JudgeLabels> = {};
    for (const { metricId, configId, evalType, spans } of scores) {
      // Labels of records say nothing about spans.
      if (evalType !== 'ai' || spans) continue;
      const judge = { metricId: BigInt(metricId), configId };
      judges[configId] ??= await readJudge(db, scope, judge, runIds, ofPeople);
      ofRun[configId] = judges[configId];
    }
    return ofRun;
  };
};

/** Reads people's labels of the records of each judge of these runs, by configuration. */
export const readJudges = async (
  db: Database,
  scope: Scope,
  runs: RunColumns[],
): Promise<Record<string, JudgeLabels>> => {
  const read = judgeReader(
    db,
    scope,
    runs.map(({ runId }) => BigInt(runId)),
  );
  const judges: Record<string, JudgeLabels> = {};
  for (const run of runs) Object.assign(judges, await read(run));
  return judges;
};
