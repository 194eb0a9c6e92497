import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it('preferences asks which of two runs is better, lists the study, and ranks the runs once people have compared', async () => {
  const { client, dokima, environment, url } = terminal;
  const { project, testset, testcases } = await prepare(client, 4);
  environment.DOKIMA_PROJECT = project.id;
  expect((await dokima(['preferences', 'list'])).out).toContain('has no study');
  const runIds: string[] = [];
  for (const answer of ['good', 'poor']) {
    const { id } = await client.createRun(project.id, { metricIds: [], testsetId: testset.id });
    await client.createAllRecords(
      id,
      testcases.map((testcase) => ({
        testcaseId: testcase.id,
        inputs: {},
        expected: {},
        outputs: { answer },
      })),
    );
    runIds.push(id);
  }

  const create = ['preferences', 'create', ...runIds, '--criterion', 'The better word.'];
  const judged = await dokima([...create, '--model', 'fake/judge']);
  expect(judged.err).toContain('4 pairs; fake/judge answers 8 questions');
  expect([judged.code, judged.err]).toEqual([4, expect.stringContaining('Nothing was started.')]);
  expect((await dokima([...create, '--budget', '1'])).err).toContain('--budget needs --model');
  expect((await dokima(create.slice(0, 3))).err).toContain('Name two runs or more');

  const created = await dokima([...create, '--testcases', '3']);
  expect([created.code, created.out]).toEqual([0, expect.stringContaining('3 pairs on 3 testcases')]);
  const [study] = (await client.listPreferenceStudies(project.id)).data;
  expect(created.out).toContain(`${url}/projects/${project.id}/preferences/${study!.id}/compare`);
  const early = await dokima(['preferences', 'result', study!.id]);
  expect([early.code, early.out]).toEqual([3, 'Nothing has been compared yet.\n']);

  for (;;) {
    const { pair } = await client.getNextPreference(study!.id);
    if (!pair) break;
    const choice = pair.left.answer === 'good' ? 'left' : 'right';
    await client.submitPreference(study!.id, { pairNumber: pair.number, choice });
  }
  expect((await dokima(['preferences', 'list'])).out).toContain('3 of 3');
  const { code, out } = await dokima(['preferences', 'result', study!.id]);
  expect([code, out]).toEqual([0, expect.stringContaining('By people: 3 pairs on 3 testcases.')]);
  expect(out).toMatch(new RegExp(`${runIds[0]} : ${runIds[1]} +3 +0 +0`));
  expect((await dokima(['preferences', 'result', study!.id, '--json'])).json().people.runs[0].runId).toBe(
    runIds[0],
  );
});
