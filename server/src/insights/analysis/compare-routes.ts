import { labelList } from '../../../../client/src/labels.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { ApiErrorBody } from '../../platform/http/openapi.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import { answerRoute, ownOrganization, searchRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { kindOf, type Ledger } from '../looks/open-ledger.ts';
import { withRecords, withWorst } from './changed-records.ts';
import type { Change } from './changes.ts';
import { ChangedTestcase, ChangesQuery, CompareQuery, RunComparison } from './compare-schema.ts';
import { compute } from './compute.ts';
import { readComparison } from './read-comparison.ts';
import { readRuns, requireRuns } from './read-run.ts';
import type { RunColumns } from './run-scores.ts';

const tags = ['Analysis'];

const requireDistinct = (runs: string[]): void => {
  if (new Set(runs).size < runs.length) throw invalid('/runs', 'must name each run once');
};

/** Throws 400 for a label that the scores of the run's only metric can't have. */
const requireLabel = (path: string, run: RunColumns, label: string | undefined): void => {
  if (label === undefined) return;
  const items = run.scores.flatMap(({ labels }) => storedLabels(labels)?.items ?? []);
  if (items.length === 0) throw invalid(path, `is given, but the metric of run ${run.runId} gives no labels`);
  if (!items.includes(label)) throw invalid(path, `must be one of ${labelList(items)}`);
};

export const compareRoutes = (app: App, deps: RouteDeps & { ledger: Ledger }): void => {
  const { db, ledger } = deps;

  answerRoute(app, 'GET', '/runs/compare', {
    operationId: 'compareRuns',
    summary: 'Compare runs on the testcases that they share: differences, intervals and verdicts.',
    tags,
    of: ownOrganization,
    query: CompareQuery,
    response: ref(RunComparison),
    others: { 404: ref(ApiErrorBody) },
    answer: async ({ scope, query, readTexts, request }) => {
      const { test = 'fixed' } = query;
      const { runs, by, value, worst, measure = 'score', slices = false, usage = false, pooled = [] } = query;
      requireDistinct([...runs, ...pooled]);
      if (pooled.length > 0 && by !== undefined) throw invalid('/pooled', 'cannot be given with by');
      if (usage && by !== undefined) throw invalid('/usage', 'cannot be given with by');
      if (slices && by !== undefined) throw invalid('/slices', 'cannot be given with by');
      if (worst !== undefined && by !== undefined) throw invalid('/worst', 'cannot be given with by');
      if ((by === undefined) !== (value === undefined))
        throw invalid(by === undefined ? '/by' : '/value', 'by and value must be given together');
      if (query.criteriaOf !== undefined && (worst !== undefined || test !== 'fixed'))
        throw invalid('/criteriaOf', 'cannot be given with worst, or with a test of growing runs');
      const compared = await readComparison(db, scope, query);
      const isWhole = by === undefined && query.criteriaOf === undefined;
      ledger.noteComparison(scope, kindOf(request, 'compare'), compared.text, isWhole);
      if (worst === undefined) return compared.text;
      const reading = { db, scope, readTexts };
      return withWorst(reading, JSON.parse(compared.text), compared.runs, { measure, count: worst });
    },
  });

  searchRoute(app, deps, '/runs/compare/testcases', {
    operationId: 'listChangedTestcases',
    summary: 'List the testcases whose scores changed between two runs.',
    tags,
    of: ownOrganization,
    query: ChangesQuery,
    item: ref(ChangedTestcase),
    others: { 404: ref(ApiErrorBody) },
    first: '',
    read: async ({ scope, query: { runs, metricId } }) => {
      requireDistinct(runs);
      const heads = await requireRuns(db, scope, runs);
      return { runIds: heads.map(({ id }) => id), metricId: (await requireMetric(db, scope, metricId)).id };
    },
    find: async ({ runIds, metricId }, afterKey, count, { scope, query, readTexts }) => {
      const { measure = 'score', order = 'testcase', labelBefore, labelAfter } = query;
      const ofLabels = labelBefore !== undefined || labelAfter !== undefined;
      const usual: Change[] = ofLabels ? ['better', 'worse', 'same'] : ['better', 'worse'];
      const { change = usual } = query;
      const [before, after] = await readRuns(db, scope, runIds, [metricId]);
      requireLabel('/labelBefore', before!, labelBefore);
      requireLabel('/labelAfter', after!, labelAfter);
      const job = {
        before: before!,
        after: after!,
        metricId: String(metricId),
        measure,
        change,
        labelBefore,
        labelAfter,
        order,
        afterKey,
        count,
      };
      const changes: PageRow[] = JSON.parse(await compute('listChanges', job));
      return query.records ? withRecords({ db, scope, readTexts }, changes) : changes;
    },
  });
};
