/**
 * Prints how much longer the 404 of an id in a hidden project takes than that of an id that does not exist, with the error of that ratio:
 * a member could otherwise learn by time which ids exist.
 *
 *     node bench/hidden-ids.ts
 */
import { randomInt, randomUUID } from 'node:crypto';
import { stdout } from 'node:process';
import { createMetric, createProject, createRun, createTestset, ok } from '../server/test/fixtures.ts';
import { startApp } from '../server/test/harness.ts';
import { newTraceId, post, requestOf } from '../server/test/otlp.ts';
import { addRecords } from '../server/test/reviews.ts';
import { median } from './measure.ts';

const blocks = 60;
const pairsOfBlock = 40;
const hiddenOfEach = 40;

const app = await startApp({});
const owner = await app.organization();
const { api: insider } = await owner.person();

/** Ids of a hidden project, by the path that names one. */
const createHidden = async (): Promise<Record<string, string[]>> => {
  const { id: projectId } = await createProject(owner.api);
  const times = async (make: (i: number) => Promise<{ id: string }>) => {
    const ids: string[] = [];
    for (let i = 0; i < hiddenOfEach; i++) ids.push((await make(i)).id);
    return ids;
  };
  const run = await createRun(owner.api, projectId, []);
  const traceId = newTraceId();
  await post(app, owner.key, requestOf([{ traceId, n: 1 }], { 'dokima.project_id': projectId }));
  const variant = { evalType: 'human', outputType: 'boolean' };
  const hidden = {
    '/projects/': [projectId],
    '/runs/': await times(() => createRun(owner.api, projectId, [])),
    '/records/': await addRecords(owner.api, run.id, hiddenOfEach),
    '/metrics/': await times(() => createMetric(owner.api, projectId, variant)),
    '/testsets/': await times(() => createTestset(owner.api, projectId)),
    '/attachments/': await times((i) => {
      const sha256 = i.toString(16).padStart(64, '0');
      const file = { sessionId: 's', filePath: `/${i}`, contentType: 'text/plain', sizeBytes: 1, sha256 };
      return ok(owner.api('POST', '/attachments', { ...file, projectId }), 201);
    }),
  };
  await ok(owner.api('PATCH', `/projects/${projectId}/settings`, { restricted: true }));
  return hidden;
};

/** An id of the same form that names nothing. */
const unknownOf = (id: string): string =>
  id.includes('-') && id.length === 36
    ? randomUUID().replace(/^.{13}/, id.slice(0, 13))
    : id.replace(/^\d+/, () => String(randomInt(1e8, 9e8)).slice(0, 9));

const timeOf = async (path: string): Promise<number> => {
  const begun = performance.now();
  const { status } = await insider('GET', path);
  if (status !== 404) throw new Error(`${path} answered ${status}`);
  return performance.now() - begun;
};

/** The mean of the blocks' ratios of medians with its standard error, and the mean difference in ms. Within a pair the order is drawn. */
const measure = async (path: string, ids: string[]) => {
  const ratios: number[] = [];
  let differenceMs = 0;
  for (let block = 0; block < blocks; block++) {
    const times = { hidden: [] as number[], unknown: [] as number[] };
    for (let pair = 0; pair < pairsOfBlock; pair++) {
      const id = ids[randomInt(ids.length)]!;
      const kinds = randomInt(2) === 0 ? (['hidden', 'unknown'] as const) : (['unknown', 'hidden'] as const);
      for (const kind of kinds)
        times[kind].push(await timeOf(`${path}${kind === 'hidden' ? id : unknownOf(id)}`));
    }
    const [hidden, unknown] = [median(times.hidden), median(times.unknown)];
    ratios.push(hidden / unknown);
    differenceMs += (hidden - unknown) / blocks;
  }
  const mean = ratios.reduce((sum, each) => sum + each, 0) / blocks;
  const variance = ratios.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (blocks - 1);
  return { mean, error: Math.sqrt(variance / blocks), differenceMs };
};

for (const [path, ids] of Object.entries(await createHidden())) {
  await measure(path, ids.slice(0, 2));
  const { mean, error, differenceMs } = await measure(path, ids);
  const ratio = `${mean.toFixed(3)} ± ${(1.96 * error).toFixed(3)}`;
  stdout.write(`${path.padEnd(16)} hidden / unknown ${ratio}, ${differenceMs.toFixed(3)} ms more\n`);
}
await app.close();
process.exit(0);
