import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { metric } from '../../evaluation/resources.ts';
import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { answerRoute, searchRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { findLabelledColumns, type LabelSource } from '../../scoring/labels/queries.ts';
import { findLabelSource, readSource, requireJudge, requireMetric } from '../../scoring/labels/read-judge.ts';
import { findIsPinned } from '../../scoring/trials/pinned-queries.ts';
import {
  CalibrationQuery,
  Disagreement,
  DisagreementsQuery,
  JudgeCalibration,
  JuryAgreement,
  JuryQuery,
} from './calibration-schema.ts';
import { compute } from './compute.ts';
import { findJuryModels, listJuryRecords } from './jury-queries.ts';
import { readRun, requireRunOf } from './read-run.ts';
import { findSampleColumns } from './sample-queries.ts';

const tags = ['Analysis'];
const _params = Type.Object({ metricId: pathParam('metric') });

/** Assumption of each source of labels. */
const assumptions: Record<LabelSource['of'], string> = {
  metric: 'the labelled records are a random sample of those that the judge decides, and people are right',
  thumbs:
    'people rated a random sample of the records; mostly they rate what strikes them, and then this holds for such records alone',
  overrides:
    'people looked at a random sample of the verdicts and gave their own whether or not they agreed; where they only put wrong ones right, the judge looks worse than it is',
};

export const calibrationRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  answerRoute(app, 'GET', '/metrics/:metricId/calibration', {
    operationId: 'calibrateMetric',
    summary: 'Compare a judge with people.',
    description:
      'Its errors, the best passing threshold, and the pass rate of a run corrected for the errors.',
    tags,
    of: metric,
    query: CalibrationQuery,
    response: ref(JudgeCalibration),
    answer: async ({ scope, params, query }) => {
      const { level = defaultLevel, split = 'all', numPasses: passes, numJudged: judged, labels: of } = query;
      if (passes !== undefined && (judged === undefined || passes > judged))
        throw invalid('/numPasses', 'must come with numJudged, and must not be greater than it');
      const rates = (query.rates?.split(',') ?? []).map((rate) => {
        const [passes, n] = rate.split('/').map(Number) as [number, number];
        if (passes > n) throw invalid('/rates', `has more passes than judged records: ${rate}`);
        return { passes, n };
      });
      const metric = await requireMetric(db, scope, params.metricId);
      const given = of === 'auto' ? undefined : await readSource(db, scope, metric, { ...query, labels: of });
      const runId = (await requireRunOf(db, scope, metric, query.runId))?.id ?? null;
      const judge = await requireJudge(db, scope, metric.id, query.metricConfigId, runId);
      const source =
        given ?? (await findLabelSource(db, scope, judge.configId, runId === null ? [] : [runId]));
      const human =
        source.of === 'metric' ? await requireJudge(db, scope, source.metricId, undefined, runId) : undefined;
      const [labels] = await db.read(scope, (sql) =>
        findLabelledColumns(sql, scope, judge, source, runId === null ? [] : [runId]),
      );
      const run = runId === null ? null : await readRun(db, scope, runId, [metric.id]);
      const [sample = null] =
        runId !== null && source.of === 'metric'
          ? await db.read(scope, (sql) => findSampleColumns(sql, scope, runId, source.metricId))
          : [];
      const humanOutputType = human?.outputType ?? (source.of === 'overrides' ? judge.outputType : null);
      const answer = await compute('calibrate', {
        judge,
        labels: labels!,
        split,
        level,
        humanOutputType,
        // People put right what is wrong and rate what strikes them: by such labels alone nothing is corrected unasked.
        corrects: source.of === 'metric' || of === source.of,
        peopleMetricId: source.of === 'metric' ? String(source.metricId) : null,
        judged: passes === undefined || judged === undefined ? null : { passes, n: judged },
        rates,
        run,
        sample,
      });
      const [pinned] = await db.read(scope, (sql) => findIsPinned(sql, scope, metric.id));
      const labelled = JSON.stringify({
        source: source.of,
        assumption: assumptions[source.of],
        hasPinnedSet: pinned!.isPinned,
      });
      return `${labelled.slice(0, -1)},${answer.slice(1)}`;
    },
  });

  searchRoute(app, deps, '/metrics/:metricId/calibration/disagreements', {
    operationId: 'listJudgeDisagreements',
    summary: 'List the records on which a judge and people disagree, oldest first.',
    tags,
    of: metric,
    query: DisagreementsQuery,
    item: ref(Disagreement),
    first: '',
    read: async ({ scope, params, query }) => {
      const { labels: of } = query;
      const metric = await requireMetric(db, scope, params.metricId);
      const given = of === 'auto' ? undefined : await readSource(db, scope, metric, { ...query, labels: of });
      const judge = await requireJudge(db, scope, metric.id, query.metricConfigId, null);
      return { judge, source: given ?? (await findLabelSource(db, scope, judge.configId, [])) };
    },
    find: async ({ judge, source }, afterKey, count, { scope, query: { split = 'all' } }) => {
      const [labels] = await db.read(scope, (sql) => findLabelledColumns(sql, scope, judge, source, []));
      return JSON.parse(
        await compute('listJudgeDisagreements', { judge, labels: labels!, split, afterKey, count }),
      );
    },
  });

  answerRoute(app, 'GET', '/metrics/:metricId/calibration/jury', {
    operationId: 'measureJury',
    summary: "Compare each model of a judge's jury with the jury's verdict and with people.",
    tags,
    of: metric,
    query: JuryQuery,
    response: ref(JuryAgreement),
    answer: async ({ scope, params, query }) => {
      const { level = defaultLevel, labels: of } = query;
      const metric = await requireMetric(db, scope, params.metricId);
      const given = of === 'auto' ? undefined : await readSource(db, scope, metric, { ...query, labels: of });
      const judge = await requireJudge(db, scope, metric.id, query.metricConfigId, null);
      const source = given ?? (await findLabelSource(db, scope, judge.configId, []));
      const [jury] = await db.read(scope, (sql) => findJuryModels(sql, scope, judge.configId));
      const records = jury ? await db.read(scope, (sql) => listJuryRecords(sql, scope, judge, source)) : [];
      const answer = await compute('measureJury', { judge, models: jury?.models ?? [], records, level });
      return `{"source":${JSON.stringify(source.of)},${answer.slice(1)}`;
    },
  });
};
