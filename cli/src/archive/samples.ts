import type { Client } from '../../../client/src/main.ts';
import { countOf } from '../figures.ts';
import { type JsonText, membersOf, objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import type { Importing } from './importing.ts';
import {
  collect,
  elementTexts,
  type Ids,
  itemTexts,
  lines,
  linesOf,
  type Members,
  pick,
  text,
  withMembers,
} from './lines.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Writes the random samples of a run that people were given. */
export const writeSamples = async (client: Client, zip: ZipWriter, runId: string): Promise<void> => {
  const samples = await collect(itemTexts(client, `/api/v2/runs/${runId}/export/review-samples`));
  if (samples.length > 0) await zip.add(paths.samples(runId), lines(samples));
};

/** What the strata are made of, with the id that a metric has here; undefined where that is not there. */
const strataOf = (sample: Members, metrics: Ids): JsonText | undefined => {
  const stratifyBy = sample.get('stratifyBy')!;
  const metricId = stratifyBy === 'null' ? undefined : membersOf(stratifyBy).get('metricId');
  if (metricId === undefined) return stratifyBy;
  const after = metrics.get(JSON.parse(metricId) as string);
  return after === undefined ? undefined : text({ metricId: after });
};

const stratumText = (stratum: Members, records: Ids): JsonText => {
  const there = elementTexts(stratum, 'records').flatMap((record) => {
    const after = records.get(parsed(record, 'recordId'));
    return after === undefined ? [] : [withMembers(record, { recordId: text(after) })];
  });
  return withMembers(stratum, { records: `[${there.join(',')}]` });
};

/**
 * Gives a run the samples that it had. Of an archive of version 1 or 2, whose metrics have one configuration, the last of each
 * metric.
 */
export const restoreSamples = async (
  { files, post, ids, notes }: Importing,
  run: { before: string; after: string },
): Promise<void> => {
  const all = linesOf(files, paths.samples(run.before));
  const nameOf = (sample: Members) =>
    parsed<string | undefined>(sample, 'metricConfigId') ?? parsed<string>(sample, 'metricId');
  const last = new Map(all.map((sample) => [nameOf(sample), sample]));
  let restored = 0;
  for (const sample of last.values()) {
    const after = ids.metric.get(parsed<string>(sample, 'metricId'));
    const configId = ids.config.get(parsed<string | undefined>(sample, 'metricConfigId') ?? '');
    const stratifyBy = strataOf(sample, ids.metric);
    if (after === undefined || stratifyBy === undefined) continue;
    const strata = elementTexts(sample, 'strata').map((stratum) => stratumText(stratum, ids.record));
    const rawBody = objectText({
      ...pick(sample, 'seed', 'allocation'),
      ...(configId !== undefined && { metricConfigId: text(configId) }),
      metricId: text(after),
      stratifyBy,
      strata: `[${strata.join(',')}]`,
    });
    await post(`/runs/${run.after}/import/review-samples`, rawBody).then(
      (made) => {
        restored++;
        ids.sample.set(parsed<string>(sample, 'id'), parsed<string>(made, 'id'));
      },
      (error: { code?: string }) => {
        if (error.code !== 'PAYLOAD_TOO_LARGE') throw error;
      },
    );
  }
  if (restored < all.length)
    notes.push(
      `Run ${run.before}: ${countOf(all.length - restored, 'sample')} left out, of deleted metrics or older configurations, or too large.`,
    );
};
