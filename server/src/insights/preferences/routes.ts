import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import { level } from '../../engine/statistics/estimate-schema.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import { findProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { Success, successBody } from '../../platform/http/openapi.ts';
import { lastUuid } from '../../platform/http/pagination.ts';
import {
  answerRoute,
  deleteRoute,
  getRoute,
  listRoute,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { compute } from '../analysis/compute.ts';
import {
  deleteLastVote,
  deleteStudy,
  findAgain,
  findNext,
  findStudy,
  listComparisons,
  listStudies,
  listStudyRuns,
  listVotes,
  lockStudy,
  maxStudies,
  upsertVote,
} from './queries.ts';
import {
  ComparisonsQuery,
  NextPreference,
  PreferenceComparison,
  PreferenceEstimate,
  PreferenceJudge,
  PreferenceResult,
  PreferenceStudy,
  PreferenceStudyCreate,
  PreferenceSubmit,
} from './schema.ts';
import { estimateStudy, requireJudge, type StudyDeps, startJudge, startStudy } from './start-study.ts';

const tags = ['Preferences'];
const study = resource('preferenceStudyId', 'preference study', uuidId);
const path = '/preference-studies/:preferenceStudyId';

export const preferenceRoutes = (app: App, deps: RouteDeps & StudyDeps & { masking: Masking }): void => {
  const { db } = deps;
  listRoute(app, deps, '/projects/:projectId/preference-studies', {
    operationId: 'listPreferenceStudies',
    summary: 'List the preference studies of a project, newest first.',
    description: `There are at most ${maxStudies}.`,
    tags,
    of: project,
    parent: findProject,
    item: ref(PreferenceStudy),
    first: lastUuid,
    rows: listStudies,
  });

  answerRoute(app, 'POST', '/projects/:projectId/preference-studies/estimate', {
    config: { keyless: true },
    operationId: 'estimatePreferenceStudy',
    summary: 'Estimate the pairs of a preference study and the cost of its model.',
    description: 'Nothing is written.',
    tags,
    of: project,
    body: PreferenceStudyCreate,
    response: ref(PreferenceEstimate),
    answer: async ({ scope, params }, body) =>
      await estimateStudy(deps, scope, numericId('project', params.projectId), body),
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/preference-studies', {
    config: { limited: true },
    operationId: 'createPreferenceStudy',
    summary: 'Compare the outputs of runs on the same testcases, two at a time.',
    description: 'People compare without the names of the systems; a model sees each pair in both orders.',
    tags,
    of: project,
    body: PreferenceStudyCreate,
    status: 201,
    response: ref(PreferenceStudy),
    read: async (body, _, { scope }) => {
      if (body.judge) await requireJudge(deps, scope, body.judge, '/judge');
      return { body, seed: randomInt(2 ** 31) };
    },
    work: (tx, scope, projectId, { body, seed }) => startStudy(tx, scope, projectId, body, seed),
  });

  getRoute(app, deps, path, {
    operationId: 'getPreferenceStudy',
    summary: 'Get a preference study and its progress.',
    tags,
    of: study,
    response: ref(PreferenceStudy),
    find: findStudy,
  });

  deleteRoute(app, deps, path, {
    operationId: 'deletePreferenceStudy',
    summary: 'Delete a preference study with its pairs and votes.',
    description: 'Its runs stay.',
    tags,
    of: study,
    remove: deleteStudy,
  });

  writeRoute(app, deps, 'PUT', `${path}/judge`, {
    operationId: 'updatePreferenceJudge',
    summary: 'Let a model compare the pairs without its verdict, within a budget.',
    description: 'A different model than before starts over.',
    tags,
    of: study,
    body: PreferenceJudge,
    response: ref(PreferenceStudy),
    read: async (body, _, { scope, key: id }) => {
      requireOne(await db.lookUp(scope, (sql) => findStudy(sql, scope, id)), study.name, id);
      await requireJudge(deps, scope, body, '');
      return body;
    },
    work: startJudge,
  });

  getRoute(app, deps, `${path}/next`, {
    operationId: 'getNextPreference',
    summary: 'Get the next pair to compare.',
    description: 'It does not name the systems, and its sides are drawn by chance.',
    tags,
    of: study,
    response: ref(NextPreference),
    find: findNext,
  });

  writeRoute(app, deps, 'POST', `${path}/preferences`, {
    operationId: 'submitPreference',
    summary: 'Say which output of a pair is better.',
    description: 'A second answer replaces the first.',
    tags,
    of: study,
    body: PreferenceSubmit,
    response: ref(Success),
    work: async (tx, scope, id, body) => {
      const { projectId } = requireOne(await lockStudy(tx, scope, id), study.name, id);
      const masker = await deps.masking.of(scope, { projectId }, tx);
      const { comment = '' } = body;
      const given = { ...body, comment: masker?.comments ? masker.text(comment) : comment };
      requireOne(await upsertVote(tx, scope, id, given), 'pair', String(body.pairNumber));
      return successBody;
    },
  });

  writeRoute(app, deps, 'POST', `${path}/preferences/undo`, {
    operationId: 'undoPreference',
    summary: 'Take back your last preference and get its pair again.',
    description: 'The answer is null if you have none. A second call takes back the one before.',
    tags,
    of: study,
    response: ref(NextPreference),
    work: async (tx, scope, id) => {
      requireOne(await lockStudy(tx, scope, id), study.name, id);
      const [last] = await deleteLastVote(tx, scope, id);
      return bodyOf(await findAgain(tx, scope, id, last?.n ?? 0), study.name, id);
    },
  });

  answerRoute(app, 'GET', `${path}/result`, {
    operationId: 'getPreferenceResult',
    summary: 'Rank the runs of a preference study, with intervals, by people and by the model.',
    tags,
    of: study,
    query: Type.Object({ level }),
    response: ref(PreferenceResult),
    answer: async ({ scope, key: id, query: { level = defaultLevel } }) => {
      requireOne(await db.lookUp(scope, (sql) => findStudy(sql, scope, id)), study.name, id);
      const runs = await db.read(scope, (sql) => listStudyRuns(sql, scope, id));
      const votes = await db.read(scope, (sql) => listVotes(sql, scope, id));
      return compute('rankStudy', { studyId: id, runs, votes, level });
    },
  });

  listRoute(app, deps, `${path}/comparisons`, {
    operationId: 'listPreferenceComparisons',
    summary: 'List the pairs of a preference study with their votes.',
    description: 'A filter keeps only the pairs on which votes differ.',
    tags,
    of: study,
    parent: findStudy,
    query: ComparisonsQuery,
    item: ref(PreferenceComparison),
    first: '0',
    rows: listComparisons,
  });
};
