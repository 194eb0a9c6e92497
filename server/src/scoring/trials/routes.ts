import { type Static, Type } from 'typebox';
import type { Models } from '../../engine/models/ask.ts';
import { findMetricId } from '../../evaluation/metrics/queries.ts';
import { findRunId } from '../../evaluation/runs/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { numberWithin, numericId, uuidId } from '../../platform/http/ids.ts';
import { ApiErrorBody, pathParam } from '../../platform/http/openapi.ts';
import { lastUuid, oldestFirst } from '../../platform/http/pagination.ts';
import {
  answerRoute,
  ownOrganization,
  type Resource,
  resource,
  searchRoute,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { requirePriced } from '../budgets/require-priced.ts';
import type { Judge } from '../judges/judge.ts';
import { requireMetric } from '../labels/read-judge.ts';
import type { ProvidersOf } from '../providers/providers-of.ts';
import { proposeAlignment, startAlignment } from './align.ts';
import { estimateBattery } from './battery/estimate.ts';
import { startBattery } from './battery/start-battery.ts';
import { adoptCandidate, discardTrial } from './decide.ts';
import { findModels, listTrials, type TrialKey } from './queries.ts';
import { readFound, readTrial } from './read-any.ts';
import { within } from './read-trials.ts';
import { findRescoringKey, listChanges } from './rescoring/queries.ts';
import { scorersReader } from './rescoring/read-rescorings.ts';
import { adoptRescoring, beginRescoring, discardRescoring, extendRescoring } from './rescoring/rescore.ts';
import { TrialChange, TrialChangesQuery } from './rescoring/schema.ts';
import {
  Trial,
  TrialCreate,
  TrialDecision,
  TrialEstimate,
  TrialEstimateRequest,
  TrialQuery,
  TrialsQuery,
} from './schema.ts';
import { startDrift } from './start-drift.ts';
import { lockPinned, startSuccession } from './start-trial.ts';
import { estimateWritten } from './written/estimate-written.ts';
import { listWritten } from './written/queries.ts';
import { requireListed } from './written/require-listed.ts';
import { isWritten, requireWritten, startWritten } from './written/start-written.ts';

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

type TrialDeps = RouteDeps & {
  models: Models;
  judge: Judge;
  providersOf: ProvidersOf;
  /** Number of records that code scores at the same time in this process. */
  codeProcesses: number;
};

export const trialRoutes = (app: App, deps: TrialDeps): void => {
  const { db, models, judge, providersOf, codeProcesses } = deps;
  const scorersOf = scorersReader(providersOf, codeProcesses);

  /** Throws 400 for a budget that cannot be enforced, since a judge without a price is not asked. */
  const requireBudget = async (
    scope: Scope,
    metricId: bigint,
    { budgetUsd }: { budgetUsd?: number },
    asked: readonly { metricConfigId?: string; evalModelName?: string }[],
  ): Promise<void> => {
    if (budgetUsd === undefined) return;
    const named: string[] = [];
    for (const { metricConfigId, evalModelName } of asked) {
      const configId = metricConfigId === undefined ? null : uuidId('metric configuration', metricConfigId);
      const [found] = await db.read(scope, (sql) => findModels(sql, scope, metricId, configId));
      named.push(...(found?.models ?? []), ...(evalModelName === undefined ? [] : [evalModelName]));
    }
    await requirePriced({ judge, providersOf }, scope, named, '/budgetUsd');
  };

  searchRoute(app, deps, '/trials', {
    operationId: 'listTrials',
    summary: 'List the trials of a metric or of a run with their verdicts, newest first.',
    description: 'The query names a metric, a run or both.',
    tags,
    of: ownOrganization,
    query: TrialsQuery,
    item: ref(Trial),
    others: { 404: ref(ApiErrorBody) },
    first: lastUuid,
    read: async ({ scope, query: { metricId, runId, kinds, level } }) => {
      if (metricId === undefined && runId === undefined)
        throw invalid('/metricId', 'or /runId must be given');
      const listed = {
        metricId: metricId === undefined ? undefined : numericId('metric', metricId),
        runId: runId === undefined ? undefined : numericId('run', runId),
        kinds,
      };
      return { listed, describing: { level, scorers: await scorersOf(scope) } };
    },
    find: async ({ listed, describing }, before, count, { scope }) => {
      const found = await db.read(scope, (sql) => listTrials(sql, scope, listed, before, count));
      return readFound(db.read, scope, found, describing);
    },
    whenEmpty: async ({ scope }, { listed: { metricId, runId } }) => {
      if (metricId !== undefined)
        requireOne(
          await db.read(scope, (sql) => findMetricId(sql, scope, metricId)),
          'metric',
          String(metricId),
        );
      if (runId !== undefined)
        requireOne(await db.lookUp(scope, (sql) => findRunId(sql, scope, runId)), 'run', String(runId));
    },
  });

  writeRoute(app, deps, 'POST', '/metrics/:metricId/trials', {
    operationId: 'createTrial',
    summary: 'Start a trial: configurations of a metric decide records beside its judge.',
    description:
      'Stored scores stay. A drift trial tries the judge in use on the pinned records. A succession tries other models or prompts on them. An alignment makes prompts from labels on which the judge and people disagree, and tries them on other labels; or it tries prompts that a person wrote, on labels for tuning or on labels that are kept for the check. A battery edits the pinned records without changing the truth about them, and counts the verdicts that change. A rescoring tries a configuration on a run that the metric scores; a sample can go first.',
    tags,
    of: metric,
    body: TrialCreate,
    status: 201,
    response: ref(Trial),
    read: async (body, _, { scope, params, leaves }) => {
      const { id } = await requireMetric(db, scope, params.metricId);
      if (body.kind === 'rescoring') return { kind: body.kind, body, scorers: await scorersOf(scope) };
      if (body.kind === 'battery') await requireBudget(scope, id, body, [body]);
      if (body.kind !== 'alignment') return body;
      if (isWritten(body)) {
        await requireBudget(scope, id, requireWritten(body), body.candidates);
        return { kind: 'written' as const, body };
      }
      return { kind: body.kind, made: await proposeAlignment(db, models, scope, id, body, leaves()) };
    },
    work: async (tx, scope, metricId, input) => {
      if (input.kind === 'alignment') return startAlignment(tx, scope, metricId, input.made);
      if (input.kind === 'written') return startWritten(tx, scope, metricId, input.body);
      if (input.kind === 'succession') return startSuccession(tx, scope, metricId, input);
      if (input.kind === 'battery') return startBattery(tx, scope, metricId, input);
      if (input.kind === 'drift')
        return startDrift(tx, scope, metricId, await lockPinned(tx, scope, metricId));
      const key = { metricId, n: await beginRescoring(tx, scope, metricId, input.body) };
      return readTrial(within(tx), scope, key, input);
    },
  });

  answerRoute(app, 'POST', '/metrics/:metricId/trials/estimate', {
    config: { keyless: true },
    operationId: 'estimateTrial',
    summary: 'Estimate the verdicts and the cost of a trial before it starts.',
    description:
      'Nothing is written. For a battery: which biases the pinned records can show. For an alignment of prompts that a person wrote: how far people agree with the prompt as it is saved.',
    tags,
    of: metric,
    body: TrialEstimateRequest,
    response: ref(TrialEstimate),
    answer: async ({ scope, params }, body) => {
      const { id } = await requireMetric(db, scope, params.metricId);
      if (body.kind === 'battery') return JSON.stringify(await estimateBattery(db, scope, id, body));
      const providers = await providersOf(scope.organizationId).catch(() => []);
      return JSON.stringify(await estimateWritten(db, scope, { judge, providers }, id, requireWritten(body)));
    },
  });

  answerRoute(app, 'GET', '/metrics/:metricId/trials/:trialNumber', {
    operationId: 'getTrial',
    summary: 'Get a trial with its verdicts, its progress and its cost.',
    description:
      'Each candidate has its drift or equivalence, agreement, cost and latency. A rescoring has the number of scores that change, its cost so far and an estimate of the rest.',
    tags,
    of: trial,
    query: TrialQuery,
    response: ref(Trial),
    answer: async ({ scope, key, query: { level } }) =>
      readTrial(db.read, scope, key, { level, scorers: await scorersOf(scope) }),
  });

  writeRoute(app, deps, 'POST', '/metrics/:metricId/trials/:trialNumber/decide', {
    config: { audit: 'settings' },
    operationId: 'decideTrial',
    summary: 'Adopt a candidate or the proposals of a trial, or discard the trial.',
    tags,
    of: trial,
    body: TrialDecision,
    response: ref(Trial),
    read: async (body, _, { scope }) => ({ body, scorers: await scorersOf(scope) }),
    work: async (tx, scope, key, { body, scorers }) => {
      const [rescoring] = await findRescoringKey(tx, scope, key);
      if (!rescoring)
        return body.decision === 'adopted'
          ? adoptCandidate(tx, scope, key, body)
          : discardTrial(tx, scope, key);
      if (body.decision === 'adopted') await adoptRescoring(tx, scope, rescoring, body);
      else await discardRescoring(tx, scope, rescoring);
      return readTrial(within(tx), scope, key, { scorers });
    },
  });

  writeRoute(app, deps, 'POST', '/metrics/:metricId/trials/:trialNumber/extend', {
    operationId: 'extendTrial',
    summary: 'Extend a rescoring from the sample to every record.',
    description:
      'Records that were added to the run since then are included. Other trials have no sample: 404.',
    tags,
    of: trial,
    response: ref(Trial),
    read: (_, __, { scope }) => scorersOf(scope),
    work: async (tx, scope, key, scorers) => {
      const rescoring = requireOne(await findRescoringKey(tx, scope, key), 'rescoring', String(key.n));
      await extendRescoring(tx, scope, rescoring);
      return readTrial(within(tx), scope, key, { scorers });
    },
  });

  searchRoute(app, deps, '/metrics/:metricId/trials/:trialNumber/changes', {
    operationId: 'listTrialChanges',
    summary: 'List the records of a rescoring or an alignment with both verdicts.',
    description:
      'For a rescoring: the score and the proposed one. For an alignment of written prompts on labels for tuning: the verdicts of people, of the saved and of the edited prompt. Labels that are kept for the check are not listed: 409. Other trials: 404.',
    tags,
    of: trial,
    query: TrialChangesQuery,
    item: ref(TrialChange),
    others: { 409: ref(ApiErrorBody) },
    first: oldestFirst,
    read: async ({ scope, key, query }) => {
      const [rescoring] = await db.read(scope, (sql) => findRescoringKey(sql, scope, key));
      if (!rescoring) return { written: await requireListed(db.read, scope, key, query.metricConfigId) };
      if (query.disagreements || query.metricConfigId !== undefined)
        throw invalid(
          query.disagreements ? '/disagreements' : '/metricConfigId',
          'must be left out: a rescoring has one candidate and no labels of people',
        );
      return { rescoring };
    },
    find: ({ rescoring, written }, after, count, { scope, query, readTexts }) =>
      readTexts(
        db,
        (sql) =>
          rescoring
            ? listChanges(sql, scope, rescoring, query.change, after, count)
            : listWritten(sql, scope, written, query, after, count),
        { isPage: true },
      ),
  });
};
