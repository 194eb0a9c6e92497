import { project, run } from '../../evaluation/resources.ts';
import { notFound } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { requireRuns } from '../analysis/read-run.ts';
import { CriteriaDraft, CriteriaDrafts } from './criteria-schema.ts';
import { draftCriteria } from './draft-criteria.ts';
import { type FailureDeps, groupFailures } from './group-failures.ts';
import { FailureClusters, FailureGrouping } from './schema.ts';

export const failureRoutes = (app: App, deps: FailureDeps): void => {
  answerRoute(app, 'POST', '/runs/:runId/failure-clusters', {
    config: { keyless: true },
    operationId: 'groupFailures',
    summary: 'Group the failures of a run by what they have in common.',
    description: 'A model names the groups if there is one. Nothing is written.',
    tags: ['Analysis'],
    of: run,
    body: FailureGrouping,
    response: ref(FailureClusters),
    answer: async ({ scope, params, leaves }, body) => {
      const [head] = await requireRuns(deps.db, scope, [params.runId]);
      const metric =
        body.metricId === undefined
          ? null
          : await requireMetric(deps.db, scope, body.metricId, head!.projectId);
      return groupFailures(deps, scope, head!.id, metric?.id ?? null, body, leaves());
    },
  });

  answerRoute(app, 'POST', '/projects/:projectId/criteria-drafts', {
    config: { keyless: true },
    operationId: 'draftCriteria',
    summary: 'Let a model draft criteria of a metric for review.',
    description:
      'From guidelines, the failures of a run, or both. Repetitions are marked. `dryRun` says the cost and asks no model. Nothing is written.',
    tags: ['Metrics'],
    of: project,
    body: CriteriaDraft,
    response: ref(CriteriaDrafts),
    answer: async ({ scope, key: projectId, leaves }, body) => {
      const { db } = deps;
      const [head] = body.runId === undefined ? [] : await requireRuns(db, scope, [body.runId]);
      if (head && head.projectId !== projectId) throw notFound('run', body.runId!);
      const metric =
        body.metricId === undefined ? null : await requireMetric(db, scope, body.metricId, projectId);
      const of = { runId: head?.id ?? null, metricId: metric?.id ?? null };
      return draftCriteria(deps, scope, of, body, leaves());
    },
  });
};
