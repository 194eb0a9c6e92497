import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { metric } from '../../evaluation/resources.ts';
import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import { answerRoute, searchRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { findLabelledColumns, type LabelSource, unnamedPeople } from '../../scoring/labels/queries.ts';
import { readSource, requireJudge, requireMetric } from '../../scoring/labels/read-judge.ts';
import { findIsPinned, findPinnedSet } from '../../scoring/trials/pinned-queries.ts';
import {
  CalibrationQuery,
  Disagreement,
  DisagreementsQuery,
  JudgeCalibration,
} from './calibration-schema.ts';
import { withRecord } from './changed-records.ts';
import { compute } from './compute.ts';
import {
  readCalibration,
  readConfigurations,
  readCriteriaCalibration,
  readJury,
} from './read-calibration.ts';
import { requireRunOf } from './read-run.ts';

const tags = ['Analysis'];
const _params = Type.Object({ metricId: pathParam('metric') });

/** Assumption of each source of labels. */
const assumptions: Record<LabelSource['of'], string> = {
  none: unnamedPeople,
  metric:
    'the labelled records were chosen at random, those with the same chance alike, and people are right',
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
      const { level = defaultLevel, split = 'all', numPasses: passes, numJudged: judged } = query;
      if (passes !== undefined && (judged === undefined || passes > judged))
        throw invalid('/numPasses', 'must come with numJudged, and must not be greater than it');
      const rates = (query.rates?.split(',') ?? []).map((rate) => {
        const [passes, n] = rate.split('/').map(Number) as [number, number];
        if (passes > n) throw invalid('/rates', `has more passes than judged records: ${rate}`);
        return { passes, n };
      });
      const metric = await requireMetric(db, scope, params.metricId);
      const source = await readSource(db, scope, metric, query);
      const runId = (await requireRunOf(db, scope, metric, query.runId))?.id ?? null;
      const judge = await requireJudge(db, scope, metric.id, query.metricConfigId, runId);
      const answer = await readCalibration(db, scope, {
        metricId: metric.id,
        judge,
        source,
        runId,
        split,
        level,
        rates,
        judged: passes === undefined || judged === undefined ? null : { passes, n: judged },
      });
      const configurations = query.configurations
        ? `"configurations":[${await readConfigurations(db, scope, { metricId: metric.id, source, split, level })}],`
        : '';
      const pinnedSet = query.pinnedSet
        ? `"pinnedSet":${(await db.read(scope, (sql) => findPinnedSet(sql, scope, metric.id)))[0]?.body ?? null},`
        : '';
      const jury = query.jury ? `"jury":${await readJury(db, scope, { judge, source, level })},` : '';
      const criteria = query.criteria
        ? `"criteria":${await readCriteriaCalibration(db, scope, { judge, source, runId, split, level })},`
        : '';
      const [pinned] = await db.read(scope, (sql) => findIsPinned(sql, scope, metric.id));
      const labelled = JSON.stringify({
        source: source.of,
        assumption: assumptions[source.of],
        hasPinnedSet: pinned!.isPinned,
      });
      return `${labelled.slice(0, -1)},${configurations}${pinnedSet}${criteria}${jury}${answer.slice(1)}`;
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
      const metric = await requireMetric(db, scope, params.metricId);
      const source = await readSource(db, scope, metric, query);
      const judge = await requireJudge(db, scope, metric.id, query.metricConfigId, null);
      return { judge, source };
    },
    find: async ({ judge, source }, afterKey, count, { scope, query, readTexts }) => {
      const { split = 'all' } = query;
      const [labels] = await db.read(scope, (sql) => findLabelledColumns(sql, scope, judge, source, []));
      const job = { judge, labels: labels!, split, afterKey, count };
      const rows: PageRow[] = JSON.parse(await compute('listJudgeDisagreements', job));
      return query.records ? withRecord({ db, scope, readTexts }, rows) : rows;
    },
  });
};
