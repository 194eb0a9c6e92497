import { system } from '../../server/src/platform/db/database.ts';
import { createMetric, createProject, ok } from '../../server/test/fixtures.ts';
import { createMonitor, decide, newTraces, root, sendSpans } from '../../server/test/monitors.ts';
import type { Site } from './site.ts';

/** Two weeks of traces of two models, the larger one slower and dearer; a monitor draws the larger one's for a judge. */
export const createTwoWeeks = async (site: Site): Promise<{ projectId: string; monitorId: string }> => {
  const { id: projectId } = await createProject(site.api);
  const metric = await createMetric(site.api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    name: 'Helpful',
    evalModelName: 'fake/judge',
    promptTemplate: 'Does {{ outputs.answer }} help?',
  });
  const fields = { name: 'Production', filter: { modelName: 'large' } };
  const { id: monitorId } = await createMonitor(site.api, projectId, [metric.id], fields);
  const spans = newTraces(140).map((traceId, i) =>
    root(traceId, {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.model': i % 3 ? 'small' : 'large',
        'gen_ai.usage.input_tokens': 500 + ((i * 37) % 300),
        'gen_ai.usage.output_tokens': 80 + (i % 50),
        'gen_ai.usage.cost': i % 3 ? 0.001 : 0.006,
      },
      ms: (i % 3 ? 400 : 1500) + ((i * 97) % 700),
      ...(i % 17 === 0 && { status: { code: 2 } }),
    }),
  );
  await sendSpans(site.app, site.organization.key, projectId, spans);
  await decide(site.app);
  const { data } = await ok(site.api('GET', `/projects/${projectId}/records?limit=100`));
  const config = (await ok(site.api('GET', `/runs/${data[0].runId}`))).metricVersionIds[0];
  const drawn = await ok(site.api('GET', `/projects/${projectId}/records?limit=100&q=monitor:Production`));
  const items = drawn.data.map(({ id }: { id: string }, i: number) => ({
    recordId: id,
    metricConfigId: config,
    score: { binaryScore: i % 4 !== 0 },
  }));
  await ok(site.api('POST', `/runs/${data[0].runId}/scores/bulk-upsert`, { items }));
  await site.app.db.transaction(
    system,
    (tx) => tx`
      update record set created_at = now() - interval '30 minutes' - (n % 14) * interval '1 day'
      where project_id = ${projectId}`,
  );
  await site.app.db.transaction(
    system,
    (tx) => tx`
      insert into series_hour (organization_id, project_id, hour)
      select distinct organization_id, project_id, date_trunc('hour', created_at, 'UTC') from record where project_id = ${projectId}
      on conflict do nothing`,
  );
  return { projectId, monitorId };
};
