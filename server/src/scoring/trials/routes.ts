import { type Static, Type } from 'typebox';
import type { Models } from '../../engine/models/ask.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { newestFirst, pageOf } from '../../platform/http/pagination.ts';
import { clientLeaves } from '../../platform/http/reply.ts';
import { type Resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { requireMetric } from '../labels/read-judge.ts';
import { proposeAlignment, startAlignment } from './align.ts';
import { adoptCandidate, discardTrial } from './decide.ts';
import type { TrialKey } from './queries.ts';
import { readTrial, readTrials } from './read-trials.ts';
import { Adoption, Trial, TrialCreate, TrialQuery, TrialsQuery } from './schema.ts';
import { startDrift } from './start-drift.ts';
import { lockPinned, startSuccession } from './start-trial.ts';

const tags = ['Trials'];
const params = Type.Object({ metricId: pathParam('metric') });
const TrialParams = Type.Object({
  metricId: pathParam('metric'),
  trialNumber: Type.String({ description: 'Number of the trial, within its metric.' }),
});
const trial: Resource<typeof TrialParams, TrialKey> = {
  name: 'trial',
  params: TrialParams,
  keyOf: ({ metricId, trialNumber }: Static<typeof TrialParams>) => ({
    metricId: numericId('metric', metricId),
    n: Number(numericId('trial', trialNumber)),
  }),
  idOf: ({ trialNumber }) => trialNumber,
};

export const trialRoutes = (app: App, deps: RouteDeps & { models: Models }): void => {
  const { db, page, write, models } = deps;
  app.get(
    '/metrics/:metricId/trials',
    {
      schema: {
        operationId: 'listTrials',
        summary: 'List the trials of a metric with their verdicts, newest first.',
        tags,
        params,
        querystring: TrialsQuery,
        response: { 200: pageOf(ref(Trial)) },
      },
    },
    async (request, reply) => {
      const { scope, query } = request;
      const { id } = await requireMetric(db, scope, request.params.metricId);
      return page(request, reply, newestFirst, async (before, count) => {
        const trials = await readTrials(
          db.read,
          scope,
          id,
          { before, count, kinds: query.kinds },
          query.level,
        );
        return trials.map((each) => ({ key: String(each.number), body: JSON.stringify(each) }));
      });
    },
  );

  app.post(
    '/metrics/:metricId/trials',
    {
      schema: {
        operationId: 'createTrial',
        summary: 'Start a trial: candidates decide the pinned records of a metric.',
        description:
          'Stored scores stay. A drift trial tries the judge in use. A succession tries other models or prompts. An alignment makes prompts from labels on which the judge and people disagree, and tries them on other labels.',
        tags,
        params,
        body: TrialCreate,
        response: { 201: ref(Trial) },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const { id } = await requireMetric(db, scope, request.params.metricId);
      if (body.kind === 'alignment') {
        const proposed = await proposeAlignment(db, models, scope, id, body, clientLeaves(reply));
        return write(request, reply, 201, (tx) => startAlignment(tx, scope, id, proposed));
      }
      return write(request, reply, 201, async (tx) =>
        body.kind === 'drift'
          ? startDrift(tx, scope, id, await lockPinned(tx, scope, id))
          : startSuccession(tx, scope, id, body),
      );
    },
  );

  app.get(
    '/metrics/:metricId/trials/:trialNumber',
    {
      schema: {
        operationId: 'getTrial',
        summary: 'Get a trial: drift or equivalence, agreement, cost and latency of each candidate.',
        tags,
        params: TrialParams,
        querystring: TrialQuery,
        response: { 200: ref(Trial) },
      },
    },
    async ({ scope, params, query }, reply) =>
      reply.json(JSON.stringify(await readTrial(db.read, scope, trial.keyOf(params), query.level))),
  );

  writeRoute(app, deps, 'POST', '/metrics/:metricId/trials/:trialNumber/adopt', {
    config: { audit: 'settings' },
    operationId: 'adoptTrial',
    summary: 'Adopt a candidate of a trial as the configuration of its metric.',
    description: 'Trends and comparisons are anchored across the switch.',
    tags,
    of: trial,
    body: Adoption,
    response: ref(Trial),
    work: adoptCandidate,
  });

  writeRoute(app, deps, 'POST', '/metrics/:metricId/trials/:trialNumber/discard', {
    operationId: 'discardTrial',
    summary: 'Discard a trial.',
    description: 'Its pending verdicts are cancelled, and the metric stays as it is.',
    tags,
    of: trial,
    response: ref(Trial),
    work: discardTrial,
  });
};
