import type { Example } from '../../engine/templates/examples-text.ts';
import { requireSoundLogic } from '../../evaluation/metrics/check-logic.ts';
import { defaultModelName } from '../../evaluation/metrics/configure-metric.ts';
import { readLabelsBody } from '../../evaluation/metrics/labels.ts';
import { findDefaultModel, findMetricOfProject } from '../../evaluation/metrics/queries.ts';
import { MetricPreview, MetricPreviewed, previewValidator } from '../../evaluation/metrics/schema.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { findProjectRecord } from '../../evaluation/records/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { numericId, recordKey } from '../../platform/http/ids.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { limitTo } from '../../platform/turns.ts';
import { findExamplesNow } from '../judges/queries.ts';
import { inlineRecord, type PreviewDeps, previewMetric } from './preview.ts';

/** The examples that the template would show. Throws 404 for a metric of another project. */
const examplesFor = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  { metricId, promptTemplate, outputType, labels }: MetricPreview,
  inputs: string,
): Promise<Example[]> => {
  if (metricId === undefined) return [];
  const id = numericId('metric', metricId);
  requireOne(
    await db.read(scope, (sql) => findMetricOfProject(sql, scope, projectId, id)),
    'metric',
    metricId,
  );
  if (!promptTemplate?.includes('gradingInstructionsAndExamples')) return [];
  const question = { organizationId: scope.organizationId, projectId, metricId: id, outputType, inputs };
  const ofLabels = labels ? readLabelsBody(labels) : null;
  return db.read(scope, (sql) => findExamplesNow(sql, { ...question, labels: ofLabels }));
};

/** Previews of one key under way: an author looks at one, a page at a few. */
const limited = limitTo(8, 'previews of this key at the same time');

export const previewRoutes = (
  app: App,
  deps: PreviewDeps & { db: Database; judgeModel: string | undefined },
): void => {
  answerRoute(app, 'POST', '/projects/:projectId/metrics/preview', {
    config: { keyless: true },
    operationId: 'previewMetric',
    summary: 'Preview a metric that is not saved.',
    description:
      'Scores a record, or the one in the body, and returns prompt, verdict, time and cost. Nothing is written.',
    tags: ['Metrics'],
    of: project,
    body: MetricPreview,
    validatorCompiler: previewValidator,
    response: MetricPreviewed,
    answer: ({ scope, key: projectId, request, leaves }, body) =>
      limited(scope.keyId ?? scope.memberId, async () => {
        const { recordId } = body;
        if ((recordId === undefined) === (body.record === undefined))
          throw invalid('/recordId', 'is required, unless record is given');
        const key = recordId === undefined ? undefined : recordKey(recordId);
        const inline = key ? undefined : inlineRecord(request.rawBody);
        const asker = { owner: scope.organizationId, signal: leaves(), oneAtATime: true };
        await requireSoundLogic(deps.sandbox, body, asker);
        await requireReadableProject(deps.db, scope, projectId);
        const record =
          inline?.record ??
          requireOne(
            await deps.db.read(scope, (sql) => findProjectRecord(sql, scope, projectId, key!)),
            'record',
            recordId!,
          );
        const examples = await examplesFor(deps.db, scope, projectId, body, record.inputs);
        const isNamed = body.evalType !== 'ai' || body.evalModelName !== undefined;
        const [own] = isNamed ? [] : await deps.db.read(scope, (sql) => findDefaultModel(sql, scope));
        const evalModelName = isNamed ? (body.evalModelName ?? '') : defaultModelName(own, deps.judgeModel);
        return previewMetric(deps, { scope, projectId, asker }, { ...body, evalModelName }, record, {
          examples,
          inlineTrace: inline?.trace,
        });
      }),
  });
};
