import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { countValues, mostNewest } from '../../platform/search/value-groups.ts';
import { ValueGroups } from '../groups/schema.ts';
import { sumGroups } from '../groups/sum-groups.ts';
import { requireReadableProject } from '../projects/queries.ts';
import { readGroupRates } from '../records/group-records.ts';
import { project } from '../resources.ts';
import { foundRuns } from '../runs/queries.ts';
import { RunGroupsQuery } from '../runs/schema.ts';
import { filtersOf, runGrouping } from '../runs/search-runs.ts';

export const runGroupRoutes = (app: App, { db }: Pick<RouteDeps, 'db'>): void => {
  answerRoute(app, 'GET', '/projects/:projectId/runs/groups', {
    operationId: 'groupProjectRuns',
    summary: 'Count the runs of a project by the value of a field.',
    description:
      'The filters are those of the list. Each group has the filter that finds its runs. With `rateOf`, it has the pass rate over their records, of the newest 100,000 of the project.',
    tags: ['Runs'],
    of: project,
    query: RunGroupsQuery,
    response: ref(ValueGroups),
    answer: async ({ scope, key, query, leaves }) => {
      const { by, most, rateOf, newest = mostNewest, ...filters } = query;
      await requireReadableProject(db, scope, key);
      const [values, asked] = [runGrouping(by), filtersOf(filters)];
      const read = await readGroupRates(db, scope, key, { rateOf }, leaves());
      const rows = await db.read(scope, (sql) =>
        countValues(sql, {
          found: foundRuns(sql, scope, key, newest, filters, asked),
          as: 'run',
          values: values(sql, scope),
        }),
      );
      const partial = (rows[0]?.read ?? 0) > newest;
      const rates =
        read &&
        ((keys: readonly (string | null)[]) =>
          read(
            (sql) => sql`
            join (
              select distinct run.id, entry.value
              from (${foundRuns(sql, scope, key, newest, filters, asked)}) run
              left join lateral (${values(sql, scope)}) entry on true
              where run.fits) entry on entry.id = r.run_id`,
            keys,
            false,
          ));
      return JSON.stringify(await sumGroups(by, [rows], { most, partial, rates }));
    },
  });
};
