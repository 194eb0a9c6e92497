import { type Static, Type } from 'typebox';
import { findDefaultModel } from '../../evaluation/metrics/queries.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { answerRoute, ownOrganization, searchRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { endingsOf, findModelLists, type ModelLists, type StoredList, warnDays } from './model-lists.ts';
import type { ProvidersOf } from './providers-of.ts';

const tags = ['Providers'];
const day = (description: string) => Type.String({ description: `${description}, as YYYY-MM-DD.` });
const nullable = <T extends ReturnType<typeof day>>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const JudgeModels = named(
  'JudgeModels',
  Type.Object(
    {
      defaultModelName: nullable(
        Type.String(),
        'evalModelName of AI metrics that name none: the default of the organization, else DOKIMA_JUDGE_MODEL; null if neither is set.',
      ),
      own: Type.Boolean({ description: 'Whether the organization has set the default itself.' }),
      providers: Type.Array(
        Type.Object({
          provider: Type.String({ description: 'Name of the provider.' }),
          error: nullable(Type.String(), 'Why the list could not be read; null if it was.'),
          readAt: Type.String({ description: 'When the list was read last. Workers read it once a day.' }),
          models: Type.Array(
            Type.Object({
              name: Type.String({ description: 'The model as an evalModelName.' }),
              endsOn: nullable(
                day('Day on which the provider shuts it down'),
                'When the provider shuts the model down; null if it announces no date.',
              ),
            }),
            { description: 'Models by the provider’s own list.' },
          ),
        }),
        { description: 'Model lists of the providers, by name.' },
      ),
    },
    { description: 'Models that can judge.' },
  ),
);

const ModelEnding = Type.Object({
  modelName: Type.String({ description: 'evalModelName.' }),
  endsOn: day('Day on which the provider shuts it down'),
  daysLeft: Type.Integer({ description: 'Days until then; negative when it has passed.' }),
  metricIds: Type.Array(Type.String(), { description: 'Metrics that it judges now.' }),
});
export const ModelEndings = Type.Array(ModelEnding, {
  description: `Models that end within ${warnDays} days or have ended, the first to end first.`,
});

const listJudges = (sql: Sql, { organizationId }: Owner, projectId: bigint) => sql<
  { metricId: string; model: string }[]
>`
  select metric.id::text as "metricId", config.eval_model_name as model
  from metric join metric_config config on config.id = metric.current_config_id
  where metric.organization_id = ${organizationId} and config.organization_id = ${organizationId}
    and metric.project_id = ${projectId} and metric.deleted_at is null and config.eval_type = 'ai'
  order by metric.id`;

/** The judges of a run, each with the configuration of the run. */
export const listJudgesOfRun = (sql: Sql, { organizationId }: Owner, runId: bigint) => sql<
  { metricId: string; model: string }[]
>`
  select run_metric.metric_id::text as "metricId", config.eval_model_name as model
  from run_metric join metric_config config on config.id = run_metric.metric_config_id
  where run_metric.organization_id = ${organizationId} and config.organization_id = ${organizationId}
    and run_metric.run_id = ${runId} and config.eval_type = 'ai'
  order by run_metric.position`;

type Deps = Pick<RouteDeps, 'db' | 'page'> & {
  providersOf: ProvidersOf;
  modelLists: ModelLists;
  judgeModel: string | undefined;
  clock: () => number;
};

/** The announced ends of the models of judges. */
export const findModelEndings = async (
  { db, providersOf, clock }: Pick<Deps, 'db' | 'providersOf' | 'clock'>,
  owner: Owner,
  list: (sql: Sql) => ReturnType<typeof listJudges>,
) => {
  const judges = await db.read(owner, list);
  if (judges.length === 0) return [];
  const [lists, providers] = await Promise.all([
    findModelLists(db, owner),
    providersOf(owner.organizationId),
  ]);
  const endings = endingsOf(
    judges.map(({ model }) => model),
    lists,
    providers,
    clock(),
  );
  return endings.map((ending) => ({
    ...ending,
    metricIds: judges.flatMap(({ metricId, model }) => (model === ending.modelName ? [metricId] : [])),
  }));
};

export const judgeModelRoutes = (app: App, deps: Deps): void => {
  const { db, modelLists, judgeModel } = deps;
  const shown = (own: string | null, lists: StoredList[]): string => {
    const body: Static<typeof JudgeModels.schema> = {
      defaultModelName: own ?? judgeModel ?? null,
      own: own !== null,
      providers: lists.map(({ models, ...list }) => ({
        ...list,
        models: models.map(({ id, endsOn }) => ({ name: `${list.provider}/${id}`, endsOn })),
      })),
    };
    return JSON.stringify(body);
  };
  const ownModel = async (reader: Database, owner: Owner) =>
    requireOne(await reader.read(owner, (sql) => findDefaultModel(sql, owner)), 'organization', '').model;

  answerRoute(app, 'GET', '/judge-models', {
    operationId: 'listJudgeModels',
    summary: 'List the models that can judge, by the lists of the providers, and the default model.',
    tags,
    of: ownOrganization,
    response: ref(JudgeModels),
    answer: async ({ scope }) => shown(await ownModel(db, scope), await findModelLists(db, scope)),
  });

  answerRoute(app, 'POST', '/judge-models/refresh', {
    config: { admin: true, keyless: true },
    operationId: 'refreshJudgeModels',
    summary: 'Read the model lists of all providers now.',
    description: 'Admins only.',
    tags,
    of: ownOrganization,
    response: ref(JudgeModels),
    answer: async ({ scope }) => {
      const lists = await modelLists.read(scope);
      return shown(await ownModel(db, scope), lists);
    },
  });

  searchRoute(app, deps, '/projects/:projectId/model-endings', {
    operationId: 'listModelEndings',
    summary: 'List the models that judge in a project and end soon, the first to end first.',
    description: `Models that end within ${warnDays} days or have ended, as their providers announced.`,
    tags,
    of: project,
    item: ModelEnding,
    first: '',
    read: async ({ scope, key }) => {
      await requireReadableProject(db, scope, key);
      const endings = await findModelEndings(deps, scope, (sql) => listJudges(sql, scope, key));
      return endings
        .map((each) => ({ key: `${each.endsOn} ${each.modelName}`, body: JSON.stringify(each) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    find: async (endings, after, count) => endings.filter(({ key }) => key > after).slice(0, count),
  });
};
