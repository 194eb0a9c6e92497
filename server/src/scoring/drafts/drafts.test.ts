import { expect, it } from 'vitest';
import { createProject, createRecord, createRun, createTestset, ok } from '../../../test/fixtures.ts';
import { openJudging } from '../../../test/judging.ts';

const { models, own } = await openJudging({}, { DOKIMA_WORKERS: '0', DOKIMA_JUDGE_MODEL: 'local/writer' });

const testcases = async (id: string) => (await ok(own.api('GET', `/testsets/${id}/testcases`))).data;

it('drafts come from a description, existing testcases and records, are marked as generated, and say what they repeat; nothing is stored', async () => {
  const projectId = (await createProject(own.api)).id;
  const testset = await createTestset(own.api, projectId, {
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: [] },
  });
  const first = { question: 'When does my parcel come to Oslo?', answer: 'Tomorrow' };
  await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: first }] }), 201);
  const run = await createRun(own.api, projectId, []);
  const record = await createRecord(own.api, run.id, { inputs: { question: 'Refund for a broken lamp?' } });
  let seen = '';
  models.answer(({ messages }) => {
    seen = messages.join('\n');
    const written = [
      { question: 'Can I return a chair without its box?', answer: 'Yes' },
      { question: 'When does my parcel come to Oslo then?', answer: 'Tomorrow' },
    ];
    return { reply: { testcases: [...written.map((each) => JSON.stringify(each)), 'no JSON'] } };
  });
  const body = { description: 'Returns of a shop', recordIds: [record.id], numTestcases: 5 };
  const { drafts, ...rest } = await ok(own.api('POST', `/testsets/${testset.id}/drafts`, body));
  expect(drafts).toMatchObject([
    { jsonData: { answer: 'Yes', origin: 'generated' }, similarTo: null },
    { jsonData: { answer: 'Tomorrow', origin: 'generated' }, similarTo: `${testset.id}-1` },
  ]);
  expect(drafts[1].similarity).toBeGreaterThan(0.6);
  expect(rest).toMatchObject({ numCompared: 1, modelName: 'local/writer' });
  for (const part of ['Returns of a shop', 'broken lamp', 'parcel come to Oslo'])
    expect(seen).toContain(part);
  expect(await testcases(testset.id)).toHaveLength(1);
});

it('keeps the digits of the numbers that a model writes', async () => {
  const projectId = (await createProject(own.api)).id;
  const testset = await createTestset(own.api, projectId);
  models.answer(() => ({ reply: { testcases: ['{"order":9007199254740993,"price":1.10}'] } }));
  const body = { description: 'Orders of a shop', numTestcases: 1 };
  const { text } = await own.api('POST', `/testsets/${testset.id}/drafts`, body);
  expect(text).toContain('{"order":9007199254740993,"price":1.10,"origin":"generated"}');
});

it('400 when there is nothing to learn from', async () => {
  const projectId = (await createProject(own.api)).id;
  const testset = await createTestset(own.api, projectId);
  expect((await own.api('POST', `/testsets/${testset.id}/drafts`, { numTestcases: 1 })).status).toBe(400);
});
