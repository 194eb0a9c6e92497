import { valueFields } from '../../client/src/score-value.ts';
import { metrics } from '../dataset.ts';
import { apiKey, startService } from '../service.ts';
import { ask, chunks, type Item, inTurn, numberOf, type Peer } from './peer.ts';

const scoreOf = (m: number, value: number, reasoning: string) => {
  const type = metrics[m]!;
  return { [valueFields[type]]: type === 'boolean' ? value === 1 : value, reasoning };
};

type Stored = {
  inputs: { id: number };
  expected: object;
  outputs: object;
  scores: { metricConfigId: string; score: Record<string, unknown> }[];
};

const itemOf = ({ inputs, expected, outputs, scores }: Stored, configIds: string[]): Item => ({
  id: inputs.id,
  inputs,
  expected,
  outputs,
  scores: scores.map(({ metricConfigId, score }) => ({
    name: `metric ${configIds.indexOf(metricConfigId)}`,
    value: numberOf(score),
    reason: String(score.reasoning),
  })),
});

/** Dokima on PostgreSQL, or with its embedded database if there is no address. */
export const startDokima = async (folder: string, databaseUrl?: string): Promise<Peer> => {
  const service = await startService({
    DOKIMA_DATA_DIR: folder,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  const api = (path: string, body?: unknown) =>
    ask(`${service.url}/api/v2${path}`, body, undefined, { authorization: `Bearer ${apiKey}` });
  const open = async () => {
    const { id: projectId } = await api('/projects', { name: 'Benchmark', description: '' });
    const metricIds: string[] = [];
    for (const [m, outputType] of metrics.entries()) {
      const metric = { name: `metric ${m}`, evalType: 'heuristic', outputType, guidelines: '' };
      metricIds.push((await api(`/projects/${projectId}/metrics`, metric)).id);
    }
    const run = await api(`/projects/${projectId}/runs`, { metricIds });
    const configIds: string[] = run.metricVersionIds;
    const bodyOf = ({ id: _, scores, ...record }: Item) => ({
      ...record,
      scores: scores.map(({ value, reason }, m) => ({
        metricConfigId: configIds[m],
        score: scoreOf(m, value, reason),
      })),
    });
    const send = (items: Item[]) => api(`/runs/${run.id}/records/bulk-create`, { items: items.map(bodyOf) });
    return {
      send: (items: Item[]) => inTurn(chunks(items, 500), 2, send),
      sendOne: (item: Item) => send([item]),
      read: async () => {
        const stored: Item[] = [];
        for (let cursor = ''; ; ) {
          const page = await api(`/runs/${run.id}/records?limit=100&cursor=${cursor}`);
          stored.push(...page.data.map((record: Stored) => itemOf(record, configIds)));
          cursor = page.nextCursor;
          if (!cursor) return stored;
        }
      },
    };
  };
  return {
    open,
    seconds: async () => (await service.processorSeconds()) ?? Number.NaN,
    memory: async () => (await service.memory()) ?? Number.NaN,
    stop: service.stop,
  };
};
