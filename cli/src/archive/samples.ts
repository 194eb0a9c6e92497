import type { Client } from '../../../client/src/main.ts';
import { type JsonText, membersOf, objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import {
  collect,
  elementTexts,
  type Files,
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

/** Gives a run the samples that it had, one a metric, the last. Returns how many had to stay out. */
export const restoreSamples = async (
  client: Client,
  files: Files,
  run: { before: string; after: string },
  { metrics, records }: { metrics: Ids; records: Ids },
): Promise<number> => {
  const all = linesOf(files, paths.samples(run.before));
  const last = new Map(all.map((sample) => [parsed<string>(sample, 'metricId'), sample]));
  let restored = 0;
  for (const [metricId, sample] of last) {
    const after = metrics.get(metricId);
    const stratifyBy = strataOf(sample, metrics);
    if (after === undefined || stratifyBy === undefined) continue;
    const strata = elementTexts(sample, 'strata').map((stratum) => stratumText(stratum, records));
    const rawBody = objectText({
      ...pick(sample, 'seed', 'allocation'),
      ...{ metricId: text(after), stratifyBy, strata: `[${strata.join(',')}]` },
    });
    const path = `/api/v2/runs/${run.after}/import/review-samples`;
    await client.send({ method: 'POST', path, rawBody }).then(
      () => restored++,
      (error: { code?: string }) => {
        if (error.code !== 'PAYLOAD_TOO_LARGE') throw error;
      },
    );
  }
  return all.length - restored;
};
