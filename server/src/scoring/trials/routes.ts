import { Type } from 'typebox';
import type { Models } from '../../engine/models/ask.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { clientLeaves } from '../../platform/http/reply.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { requireMetric } from '../labels/read-judge.ts';
import { adoptCandidate } from './adopt.ts';
import { proposeAlignment, startAlignment } from './align.ts';
import { readTrials } from './read-trials.ts';
import { Adoption, AlignmentCreate, JudgeTrial, JudgeTrials, TrialCreate, TrialsQuery } from './schema.ts';
import { startSuccession } from './start-trial.ts';

const tags = ['Analysis'];
const params = Type.Object({ metricId: pathParam('metric') });
const trialParams = Type.Object({
  metricId: pathParam('metric'),
  trialNumber: Type.String({ description: 'Number of the trial, within its metric.' }),
});

/** Margin of an alignment: by it the answer also says whether rates stay as they are. */
const alignmentMargin = 0.05;

export const successionRoutes = (app: App, { db, write, models }: RouteDeps & { models: Models }): void => {
  app.post(
    '/metrics/:metricId/judge-trials',
    {
      schema: {
        operationId: 'startJudgeTrial',
        summary: 'Try candidates for the place of a judge.',
        description: 'Each decides the pinned records. Stored scores do not change.',
        tags,
        params,
        body: TrialCreate,
        response: { 201: ref(JudgeTrial) },
      },
    },
    async (request, reply) => {
      const { id } = await requireMetric(db, request.scope, request.params.metricId);
      return write(request, reply, 201, (tx, scope) => startSuccession(tx, scope, id, request.body));
    },
  );

  app.post(
    '/metrics/:metricId/judge-alignments',
    {
      schema: {
        operationId: 'startJudgeAlignment',
        summary: 'Try prompts made from labels on which the judge and people disagree.',
        description: 'A model rewrites the guidelines. The prompts are tried on other labels.',
        tags,
        params,
        body: AlignmentCreate,
        response: { 201: ref(JudgeTrial) },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const { id } = await requireMetric(db, scope, request.params.metricId);
      const proposed = await proposeAlignment(db, models, scope, id, body, clientLeaves(reply));
      return write(request, reply, 201, (tx) => startAlignment(tx, scope, id, proposed, alignmentMargin));
    },
  );

  app.get(
    '/metrics/:metricId/judge-trials',
    {
      schema: {
        operationId: 'listJudgeTrials',
        summary: 'List the newest trials of a judge.',
        description: 'Each with the equivalence, agreement, cost and latency of its candidates.',
        tags,
        params,
        querystring: TrialsQuery,
        response: { 200: ref(JudgeTrials) },
      },
    },
    async ({ scope, params: { metricId }, query: { limit = 5 } }, reply) => {
      const { id } = await requireMetric(db, scope, metricId);
      const data = await readTrials(db.read, scope, id, { limit });
      return reply.json(JSON.stringify({ data }));
    },
  );

  app.post(
    '/metrics/:metricId/judge-trials/:trialNumber/adopt',
    {
      config: { audit: 'settings' },
      schema: {
        operationId: 'adoptJudge',
        summary: 'Adopt a candidate as the configuration of its metric.',
        description: 'Trends and comparisons are anchored across the switch.',
        tags,
        params: trialParams,
        body: Adoption,
        response: { 200: ref(JudgeTrial) },
      },
    },
    async (request, reply) => {
      const { metricId, trialNumber } = request.params;
      const { id } = await requireMetric(db, request.scope, metricId);
      const n = Number(numericId('trial', trialNumber));
      return write(request, reply, 200, (tx, scope) => adoptCandidate(tx, scope, id, n, request.body));
    },
  );
};
