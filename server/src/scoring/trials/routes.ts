import { type Static, Type } from 'typebox';
import type { Models } from '../../engine/models/ask.ts';
import type { App } from '../../platform/http/http.ts';
import { numberWithin, numericId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import {
  answerRoute,
  type Resource,
  resource,
  searchRoute,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireMetric } from '../labels/read-judge.ts';
import { proposeAlignment, startAlignment } from './align.ts';
import { adoptCandidate, discardTrial } from './decide.ts';
import type { TrialKey } from './queries.ts';
import { readTrial, readTrials } from './read-trials.ts';
import { Trial, TrialCreate, TrialDecision, TrialQuery, TrialsQuery } from './schema.ts';
import { startDrift } from './start-drift.ts';
import { lockPinned, startSuccession } from './start-trial.ts';

const tags = ['Trials'];
const metric = resource('metricId', 'metric', numericId);
const TrialParams = Type.Object({
  metricId: pathParam('metric'),
  trialNumber: Type.String({ description: 'Number of the trial, within its metric.' }),
});
const trial: Resource<typeof TrialParams, TrialKey> = {
  name: 'trial',
  params: TrialParams,
  keyOf: ({ metricId, trialNumber }: Static<typeof TrialParams>) => ({
    metricId: numericId('metric', metricId),
    n: numberWithin('trial', trialNumber),
  }),
  idOf: ({ trialNumber }) => trialNumber,
};

export const trialRoutes = (app: App, deps: RouteDeps & { models: Models }): void => {
  const { db, models } = deps;

  searchRoute(app, deps, '/metrics/:metricId/trials', {
    operationId: 'listTrials',
    summary: 'List the trials of a metric with their verdicts, newest first.',
    tags,
    of: metric,
    query: TrialsQuery,
    item: ref(Trial),
    first: newestFirst,
    read: ({ scope, params }) => requireMetric(db, scope, params.metricId),
    find: async ({ id }, before, count, { scope, query: { kinds, level } }) => {
      const trials = await readTrials(db.read, scope, id, { before, count, kinds }, level);
      return trials.map((each) => ({ key: String(each.number), body: JSON.stringify(each) }));
    },
  });

  writeRoute(app, deps, 'POST', '/metrics/:metricId/trials', {
    operationId: 'createTrial',
    summary: 'Start a trial: candidates decide the pinned records of a metric.',
    description:
      'Stored scores stay. A drift trial tries the judge in use. A succession tries other models or prompts. An alignment makes prompts from labels on which the judge and people disagree, and tries them on other labels.',
    tags,
    of: metric,
    body: TrialCreate,
    status: 201,
    response: ref(Trial),
    read: async (body, _, { scope, params, leaves }) => {
      const { id } = await requireMetric(db, scope, params.metricId);
      if (body.kind !== 'alignment') return body;
      return { kind: body.kind, made: await proposeAlignment(db, models, scope, id, body, leaves()) };
    },
    work: async (tx, scope, metricId, input) => {
      if (input.kind === 'alignment') return startAlignment(tx, scope, metricId, input.made);
      if (input.kind === 'succession') return startSuccession(tx, scope, metricId, input);
      return startDrift(tx, scope, metricId, await lockPinned(tx, scope, metricId));
    },
  });

  answerRoute(app, 'GET', '/metrics/:metricId/trials/:trialNumber', {
    operationId: 'getTrial',
    summary: 'Get a trial: drift or equivalence, agreement, cost and latency of each candidate.',
    tags,
    of: trial,
    query: TrialQuery,
    response: ref(Trial),
    answer: async ({ scope, key, query }) =>
      JSON.stringify(await readTrial(db.read, scope, key, query.level)),
  });

  writeRoute(app, deps, 'POST', '/metrics/:metricId/trials/:trialNumber/decide', {
    config: { audit: 'settings' },
    operationId: 'decideTrial',
    summary: 'Adopt a candidate of a trial as the configuration of its metric, or discard the trial.',
    tags,
    of: trial,
    body: TrialDecision,
    response: ref(Trial),
    work: (tx, scope, key, body) =>
      body.decision === 'adopted' ? adoptCandidate(tx, scope, key, body) : discardTrial(tx, scope, key),
  });
};
