import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { addRecords } from '../../../test/reviews.ts';
import { expectNoChange } from '../../../test/rows.ts';

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

type Place = { projectId: string; metricId: string; configId: string; runId: string; recordIds: string[] };

const createPlace = async (projectId: string): Promise<Place> => {
  const { id: metricId } = await createMetric(own.api, projectId, {
    evalType: 'human',
    outputType: 'boolean',
  });
  const { id: runId } = await createRun(own.api, projectId, []);
  const { data: versions } = await ok(own.api('GET', `/metrics/${metricId}/versions`));
  const configId = versions[0].id;
  const fields = (i: number) => ({ inputs: { kind: i % 2 === 0 ? 'even' : 'odd' } });
  return { projectId, metricId, configId, runId, recordIds: await addRecords(own.api, runId, 10, fields) };
};

let from: Place;
let to: Place;
beforeEach(async () => {
  from = await createPlace((await createProject(own.api)).id);
  const source = { name: 'I', description: '', importKey: `of ${from.projectId}` };
  to = await createPlace((await ok(own.api('POST', '/projects', source), 201)).id);
});

const exported = async ({ runId }: Place) =>
  (await ok(own.api('GET', `/runs/${runId}/export/review-samples`))).data;
/** The samples of the one place with the ids of the other. */
const moved = (samples: object[]) =>
  JSON.parse(
    [...from.recordIds, from.metricId, from.configId].reduce(
      (text, id, i) => text.replaceAll(`"${id}"`, `"${[...to.recordIds, to.metricId, to.configId][i]}"`),
      JSON.stringify(samples),
    ),
  ).map(({ id: _, ...sample }: { id: string }) => sample);
const importSample = (sample: object, runId = to.runId) =>
  own.api('POST', `/runs/${runId}/import/review-samples`, sample);
const draw = (size: number, place = from) =>
  own.api('POST', `/runs/${place.runId}/review-samples`, {
    ...{ metricId: place.metricId, size, seed: 3, stratifyBy: { inputField: 'kind' } },
  });
const plain = (changes: object = {}) => ({
  ...{ metricId: to.metricId, seed: 1, stratifyBy: null, allocation: 'equal' },
  strata: [
    { value: null, wave: 1, numRecords: 2, numDrawn: 1, records: [{ recordId: to.recordIds[0], place: 1 }] },
  ],
  ...changes,
});
const stratum = (changes: object) => plain({ strata: [{ ...plain().strata[0], ...changes }] });

describe('POST /runs/:runId/import/review-samples', () => {
  it('stores a sample as it was drawn, and a further draw extends it in the order that it had', async () => {
    await ok(draw(4), 201);
    from.recordIds.push(...(await addRecords(own.api, from.runId, 2)));
    to.recordIds.push(...(await addRecords(own.api, to.runId, 2)));
    await ok(draw(6), 201);
    await ok(own.api('DELETE', `/records/${from.recordIds[9]}`));
    const [sample] = moved(await exported(from));
    const { numRecords, numDrawn } = await ok(importSample(sample), 201);
    expect([numRecords, numDrawn]).toEqual([12, 6]);
    expect(moved(await exported(to))).toEqual([sample]);
    await ok(draw(9), 201);
    await ok(draw(9, to), 201);
    expect(moved(await exported(to))).toEqual(moved(await exported(from)));
  });

  it('changes nothing the second time', async () => {
    await ok(importSample(plain()), 201);
    await expectNoChange(app.db, own, 201, async () => [await importSample(plain())]);
  });

  it('409 for a run whose project is no import, and for one that is complete', async () => {
    const strata = [{ ...plain().strata[0], records: [] }];
    await expectNoChange(app.db, own, 409, async () => [
      await importSample(plain({ metricId: from.metricId, strata }), from.runId),
    ]);
    await ok(own.api('PUT', `/projects/${to.projectId}/import`, { completed: true }));
    await expectNoChange(app.db, own, 409, async () => [await importSample(plain())]);
  });

  it('404 for metrics and records of other projects and runs', async () => {
    await expectNoChange(app.db, own, 404, async () => [
      await importSample(plain({ metricId: from.metricId })),
      await importSample(plain({ stratifyBy: { metricId: from.metricId } })),
      await importSample(stratum({ records: [{ recordId: from.recordIds[0], place: 1 }] })),
      await importSample(stratum({ records: [{ recordId: `${to.runId}-99`, place: 1 }] })),
    ]);
  });

  it('400 for whatever no draw makes, and nothing is stored', async () => {
    const machine = await createMetric(own.api, to.projectId, { evalType: 'heuristic', outputType: 'int' });
    const [a, b] = to.recordIds;
    const wrong = [
      plain({ metricId: machine.id }),
      ...[
        { stratifyBy: {} },
        { stratifyBy: { tag: 'a', inputField: 'b' } },
        { seed: -1 },
        { strata: [] },
      ].map(plain),
      ...[{ numDrawn: 3 }, { numRecords: 0 }, { wave: 0 }, { value: 'x'.repeat(300) }].map(stratum),
      stratum({ records: [{ recordId: a, place: 3 }] }),
      stratum({ records: [a, b].map((recordId) => ({ recordId, place: 1 })) }),
      stratum({ records: [1, 2].map((place) => ({ recordId: a, place })) }),
    ];
    await expectNoChange(app.db, own, 400, () => Promise.all(wrong.map((one) => importSample(one))));
  });
});

describe('POST /runs/:runId/import/metrics', () => {
  const add = (place: Place) =>
    own.api('POST', `/runs/${place.runId}/import/metrics`, {
      items: [{ position: 1, metricId: place.metricId, metricConfigId: place.configId, sampled: false }],
    });

  it('gives a run its metrics, and no record a score to wait for', async () => {
    await ok(add(to), 201);
    expect((await ok(own.api('GET', `/runs/${to.runId}`))).metricIds).toEqual([to.metricId]);
    expect((await ok(own.api('GET', `/runs/${to.runId}/export/scores`))).data).toEqual([]);
    await expectNoChange(app.db, own, 201, async () => [await add(to)]);
  });

  it('409 for a run whose project is no import', async () => {
    await expectNoChange(app.db, own, 409, async () => [await add(from)]);
  });
});
