import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  findLabelledColumns,
  findNewestJudges,
  type JudgeConfig,
  type LabelSource,
} from '../../scoring/labels/queries.ts';
import { requireJudge } from '../../scoring/labels/read-judge.ts';
import type { CalibrationJob } from './calibrate.ts';
import { type Compute, compute } from './compute.ts';
import { findCriterionLabels } from './criterion-label-queries.ts';
import { readDoubts } from './doubts.ts';
import { findJuryModels, listJuryRecords } from './jury-queries.ts';
import { readRun } from './read-run.ts';
import { findSampleColumns } from './sample-queries.ts';

type Asked = Pick<CalibrationJob, 'split' | 'level' | 'judged' | 'rates'> & {
  metricId: bigint;
  judge: JudgeConfig;
  source: LabelSource;
  /** The run whose pass rate is corrected. */
  runId: bigint | null;
};

/** Compares a judge with the labels of a source. Returns JSON text. */
export const readCalibration = async (
  db: Database,
  scope: Scope,
  { metricId, judge, source, runId, ...asked }: Asked,
  computed: Compute = compute,
): Promise<string> => {
  const human =
    source.of === 'metric' ? await requireJudge(db, scope, source.metricId, undefined, runId) : undefined;
  const runIds = runId === null ? [] : [runId];
  const [labels] = await db.read(scope, (sql) => findLabelledColumns(sql, scope, judge, source, runIds));
  const run = runId === null ? null : await readRun(db, scope, runId, [metricId]);
  const [sample = null] =
    runId !== null && source.of === 'metric'
      ? await db.read(scope, (sql) => findSampleColumns(sql, scope, runId, source.metricId))
      : [];
  const doubts = await readDoubts(db, scope, { metricId, configId: judge.configId }, labels!.labelledAt);
  return computed('calibrate', {
    judge,
    doubts,
    labels: labels!,
    run,
    sample,
    ...asked,
    humanOutputType: human?.outputType ?? (source.of === 'overrides' ? judge.outputType : null),
    peopleMetricId: source.of === 'metric' ? String(source.metricId) : null,
    source: source.of,
  });
};

/** Compares a judge with people criterion by criterion. Returns JSON text: null for a metric without criteria. */
export const readCriteriaCalibration = async (
  db: Database,
  scope: Scope,
  { judge, source, runId, split, level }: Pick<Asked, 'judge' | 'source' | 'runId' | 'split' | 'level'>,
): Promise<string> => {
  const runIds = runId === null ? [] : [runId];
  const [criteria] = await db.read(scope, (sql) => findCriterionLabels(sql, scope, judge, source, runIds));
  if (criteria!.criteria === null) return 'null';
  const [labels] = await db.read(scope, (sql) => findLabelledColumns(sql, scope, judge, source, runIds));
  return compute('calibrateCriteria', { judge, labels: labels!, criteria: criteria!, split, level });
};

/** Most configurations of a metric that are compared with people in one answer. */
const mostConfigurations = 10;

type ConfigurationsAsked = Pick<Asked, 'metricId' | 'split' | 'level' | 'source'>;

/** Compares the newest configurations of a metric with people, newest first. Returns the items of a JSON array. */
export const readConfigurations = async (
  db: Database,
  scope: Scope,
  asked: ConfigurationsAsked,
): Promise<string> => {
  const judges = await db.read(scope, (sql) =>
    findNewestJudges(sql, scope, asked.metricId, mostConfigurations),
  );
  const items: string[] = [];
  // One at a time: labels can be many.
  for (const judge of judges) {
    const alone = { runId: null, judged: null, rates: [] };
    const answer = await readCalibration(db, scope, { ...asked, ...alone, judge });
    const { judge: status, kappa } = JSON.parse(answer);
    items.push(JSON.stringify({ judge: status, kappa }));
  }
  return items.join();
};

/** Compares each model of a jury with the jury's verdict and with people. Returns JSON text: null for a judge without a jury. */
export const readJury = async (
  db: Database,
  scope: Scope,
  { judge, source, level }: Pick<Asked, 'judge' | 'source' | 'level'>,
): Promise<string> => {
  const [jury] = await db.read(scope, (sql) => findJuryModels(sql, scope, judge.configId));
  if (!jury || jury.models.length === 0) return 'null';
  const records = await db.read(scope, (sql) => listJuryRecords(sql, scope, judge, source));
  const answer = await compute('measureJury', { judge, models: jury.models, records, level });
  return `{"source":${JSON.stringify(source.of)},${answer.slice(1)}`;
};
