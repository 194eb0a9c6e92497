import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../../../test/expect-error.ts';
import { createProject, ok } from '../../../test/fixtures.ts';
import { type Client, engine } from '../../../test/harness.ts';
import { openJudging } from '../../../test/judging.ts';
import { comparableRuns } from '../../../test/preferences.ts';
import { draw } from '../../evaluation/samples/draw.ts';
import { system } from '../../platform/db/database.ts';

const { app, models, own } = await openJudging({
  name: 'stand-in',
  maxConcurrency: 1,
  prices: { judge: { input: 10, output: 10 } },
});
let projectId: string;
const patient = { timeout: 30_000, interval: 50 };
const criterion = 'The answer is right.';

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
});
beforeEach(() => {
  models.received.length = 0;
});

const runs = (answers: string[][]) => comparableRuns(own.api, projectId, answers);
const create = async (runIds: string[], more: object = {}) =>
  ok(own.api('POST', `/projects/${projectId}/preference-studies`, { criterion, runIds, ...more }), 201);
const read = (id: string) => ok(own.api('GET', `/preference-studies/${id}`));
const result = (id: string) => ok(own.api('GET', `/preference-studies/${id}/result`));
const next = (id: string, api: Client = own.api) => ok(api('GET', `/preference-studies/${id}/next`));
const prefer = (id: string, pairNumber: number, choice: string, api: Client = own.api) =>
  api('POST', `/preference-studies/${id}/preferences`, { pairNumber, choice });

/** Compares all pairs as a person who likes the output with the larger number in it; equal ones tie. */
const compareAll = async (id: string, api: Client = own.api) => {
  for (let { pair } = await next(id, api); pair; { pair } = await next(id, api)) {
    const [left, right] = [pair.left, pair.right].map(({ answer }) => Number(/\d+/.exec(answer)));
    await ok(prefer(id, pair.number, left! > right! ? 'left' : left! < right! ? 'right' : 'tie', api));
  }
};
const good = ['10', '11', '12', '13', '14', '15', '16', '17'];
const poor = ['1', '2', '3', '4', '5', '6', '7', '17'];
const middling = ['9', '8', '7', '6', '5', '7', '8', '18'];

describe('people', () => {
  it('see each pair once, blind and with drawn sides, and the runs are ranked by what they prefer', async () => {
    const [a, b, c] = await runs([poor, good, middling]);
    const study = await create([a!, b!, c!]);
    expect(study).toMatchObject({ runIds: [a, b, c], numTestcases: 8, numPairs: 24, judge: null });
    const first = await next(study.id);
    expect(first).toMatchObject({
      numOwn: 0,
      numPairs: 24,
      pair: { inputs: { question: expect.any(String) } },
    });
    expect(Object.keys(first.pair)).toEqual(['number', 'inputs', 'expected', 'left', 'right']);
    expect(await next(study.id)).toEqual(first);
    await compareAll(study.id);
    expect((await read(study.id)).people).toEqual({ numPairs: 24, numComparisons: 24, numOwn: 24 });
    const list = `/preference-studies/${study.id}/comparisons?limit=10&cursor=`;
    const numbers: number[] = [];
    for (let cursor = '', hasMore = true; hasMore; ) {
      const page = await ok(own.api('GET', list + cursor));
      numbers.push(...page.data.map(({ number }: { number: number }) => number));
      ({ nextCursor: cursor, hasMore } = page);
    }
    expect(numbers).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
    const { people, judge, agreement } = await result(study.id);
    expect([judge, agreement]).toEqual([null, null]);
    expect(people.runs.map(({ runId }: { runId: string }) => runId)).toEqual([b, c, a]);
    expect(people.pairs[0]).toMatchObject({
      firstRunId: a,
      secondRunId: b,
      wins: 0,
      ties: 1,
      losses: 7,
      apart: true,
    });
    expect(people).toMatchObject({ numUnits: 8, numComparisons: 24 });
    // Sides are drawn: with 24 pairs all on one side would be a miracle.
    expect(people.position.estimate).toBeGreaterThan(0);
    expect(people.position.estimate).toBeLessThan(1);
  });

  it('see the pairs and the sides that the seed draws', async () => {
    const runIds = await runs([poor, good, middling]);
    const { id } = await create(runIds, { numTestcases: 5 });
    await compareAll(id);
    const [study] = await app.db.read(
      system,
      (sql) => sql<{ seed: number }[]>`select seed from preference_study where id = ${id}`,
    );
    const testcases = await app.db.read(
      system,
      (sql) => sql<{ recordId: string; testcase: string }[]>`
        select run_id || '-' || n as "recordId", testset_id || '-' || testcase_n as testcase
        from record where run_id = any(${runIds}::bigint[])`,
    );
    const { seed } = study!;
    const byDraw = (keys: string[]) => keys.toSorted((x, y) => draw(seed, x) - draw(seed, y));
    const drawn = byDraw([...new Set(testcases.map(({ testcase }) => testcase))]).slice(0, 5);
    const testcaseOf = new Map(testcases.map(({ recordId, testcase }) => [recordId, testcase]));
    const { data } = await ok(own.api('GET', `/preference-studies/${id}/comparisons?limit=100`));
    type Pair = { firstRecordId: string; firstRunId: string; secondRunId: string };
    const keyOf = ({ firstRecordId, firstRunId, secondRunId }: Pair) => {
      const place = 1 + drawn.indexOf(testcaseOf.get(firstRecordId)!);
      return `pair ${place} ${1 + runIds.indexOf(firstRunId)} ${1 + runIds.indexOf(secondRunId)}`;
    };
    const keys = data.map(keyOf);
    expect(keys).toHaveLength(15);
    expect(keys.join()).not.toContain('pair 0');
    expect(keys).toEqual(byDraw(keys));
    for (const { number, firstRunId, secondRunId, votes } of data) {
      const isLeft = draw(seed, `side ${number} ${own.memberId}`) < 0.5;
      expect(votes[0].leftRunId).toBe(isLeft ? firstRunId : secondRunId);
    }
  });

  it('who compare a pair again replace their answer; the majority of several people counts', async () => {
    const [a, b] = await runs([good.slice(0, 3), poor.slice(0, 3)]);
    const { id } = await create([a!, b!]);
    const [second, third] = await Promise.all([own.person(), own.person()]);
    for (const api of [own.api, second.api, third.api]) await compareAll(id, api);
    const { body } = await own.api('GET', `/preference-studies/${id}/comparisons`);
    const [{ number, votes }] = body.data;
    expect(votes).toHaveLength(3);
    const mine = votes.find(({ userId }: { userId: string }) => userId === own.memberId);
    const turned = mine.leftRunId === a ? 'right' : 'left';
    await ok(prefer(id, number, turned));
    expect((await read(id)).people.numComparisons).toBe(9);
    expect((await result(id)).people.pairs[0]).toMatchObject({ wins: 3, losses: 0 });
  });

  it('take back their last preference and get its pair again, on the same sides, one after the other', async () => {
    const [a, b] = await runs([good.slice(0, 3), poor.slice(0, 3)]);
    const { id } = await create([a!, b!]);
    const undo = (api: Client = own.api) => ok(api('POST', `/preference-studies/${id}/preferences/undo`));
    expect(await undo()).toMatchObject({ pair: null, numOwn: 0 });
    const other = await own.person();
    await compareAll(id, other.api);
    const first = await next(id);
    await ok(prefer(id, first.pair.number, 'left'));
    const second = await next(id);
    await ok(prefer(id, second.pair.number, 'tie'));
    expect(await undo()).toEqual(second);
    expect(await undo()).toEqual(first);
    expect(await undo()).toMatchObject({ pair: null, numOwn: 0 });
    // Those of others stay.
    expect((await read(id)).people).toEqual({ numPairs: 3, numComparisons: 3, numOwn: 0 });
    expect((await undo(other.api)).numOwn).toBe(2);
  });

  it('who disagree are counted by majority, and each pair on which they do is listed with who and why', async () => {
    const [a, b] = await runs([good.slice(0, 6), poor.slice(0, 6)]);
    const { id } = await create([a!, b!]);
    const [second, third] = await Promise.all([own.person(), own.person()]);
    /** Prefers the run with the larger number, or the other one, on each pair; unless `tied` holds the pair. */
    const compareAs = async (api: Client, likes: (number: number) => 'more' | 'less' | 'tie') => {
      for (let { pair } = await next(id, api); pair; { pair } = await next(id, api)) {
        const isLeftMore = Number(pair.left.answer) > Number(pair.right.answer);
        const like = likes(pair.number);
        const choice = like === 'tie' ? 'tie' : isLeftMore === (like === 'more') ? 'left' : 'right';
        const body = { pairNumber: pair.number, choice, comment: `${like} on ${pair.number}` };
        await ok(api('POST', `/preference-studies/${id}/preferences`, body));
      }
    };
    // Pairs 1 and 2: two against one. 3: all differ. 4: a tie against two. 5 and 6: all equal.
    await compareAs(own.api, () => 'more');
    await compareAs(second.api, (n) => (n <= 3 ? 'less' : 'more'));
    await compareAs(third.api, (n) => (n === 1 ? 'more' : n === 2 ? 'less' : n <= 4 ? 'tie' : 'more'));
    const { people } = await result(id);
    // Won: 1, 4, 5 and 6. Lost: 2. On 3 no one has a majority.
    expect(people.pairs[0]).toMatchObject({ firstRunId: a, wins: 4, ties: 1, losses: 1 });
    const path = `/preference-studies/${id}/comparisons?only=disagreements`;
    const { data } = await ok(own.api('GET', path));
    expect(data.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4]);
    expect(data[2]).toMatchObject({ firstRunId: a, secondRunId: b });
    const said = data[2].votes.map((vote: { userId: string; preferredRunId: string; comment: string }) => [
      vote.userId,
      vote.preferredRunId,
      vote.comment,
    ]);
    expect(said).toHaveLength(3);
    expect(said).toEqual(
      expect.arrayContaining([
        [own.memberId, a, 'more on 3'],
        [expect.any(String), b, 'less on 3'],
        [expect.any(String), null, 'tie on 3'],
      ]),
    );
    const page = await ok(own.api('GET', `${path}&limit=3`));
    expect(page.hasMore).toBe(true);
    const rest = await ok(own.api('GET', `${path}&limit=3&cursor=${page.nextCursor}`));
    expect(rest.data.map(({ number }: { number: number }) => number)).toEqual([4]);
  });

  it('keeps a comment masked if the project masks comments', async () => {
    const [a, b] = await runs([good.slice(0, 1), poor.slice(0, 1)]);
    const { id } = await create([a!, b!]);
    const rules = { patterns: ['email'], custom: [], fields: [], hashed: false, testcases: false };
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { masking: { ...rules, comments: true } }));
    const comment = 'As jo@example.org says.';
    await ok(
      own.api('POST', `/preference-studies/${id}/preferences`, { pairNumber: 1, choice: 'tie', comment }),
    );
    await ok(
      own.api('PATCH', `/projects/${projectId}/settings`, {
        masking: { ...rules, patterns: [], comments: false },
      }),
    );
    const { data } = await ok(own.api('GET', `/preference-studies/${id}/comparisons`));
    expect(data[0].votes[0].comment).toBe('As [EMAIL] says.');
  });

  it('404 for a pair that the study does not have', async () => {
    const { id } = await create(await runs([good, poor]));
    expect((await prefer(id, 999, 'tie')).status).toBe(404);
  });
});

describe('a model', () => {
  const judge = { modelName: 'stand-in/judge' };
  const outputsOf = (message: string): number[] =>
    [...message.matchAll(/"answer": ?"(\d+)"/g)].map(([, answer]) => Number(answer));
  /** Prefers the larger number, wherever it stands. */
  const fair = () =>
    models.answer(({ messages: [message = ''] }) => {
      const [first, second] = outputsOf(message);
      return { reply: { reasoning: 'R', intScore: first! > second! ? 1 : first! < second! ? 5 : 3 } };
    });

  it('is asked in both orders, and agrees with people as far as it does', async () => {
    fair();
    const [a, b] = await runs([good, poor]);
    const { id } = await create([a!, b!], { judge });
    await expect.poll(async () => (await read(id)).judge, patient).toMatchObject({ scored: 8, pending: 0 });
    // Equal outputs tie without a question.
    expect(models.received).toHaveLength(14);
    expect((await read(id)).judge.spentUsd).toBeCloseTo((14 * 120 * 10) / 1e6, 10);
    await compareAll(id);
    const { judge: ranked, agreement } = await result(id);
    expect(ranked.pairs[0]).toMatchObject({ firstRunId: a, wins: 7, ties: 1, losses: 0, apart: true });
    const unlike = await ok(own.api('GET', `/preference-studies/${id}/comparisons?only=disagreements`));
    expect(unlike.data).toEqual([]);
    expect(ranked.position.estimate).toBe(0);
    expect(agreement).toMatchObject({ numPairs: 8, opposite: 0, same: { estimate: 1 } });
    const { data } = await ok(own.api('GET', `/preference-studies/${id}/comparisons`));
    const [vote] = data[0].votes.filter(({ userId }: { userId: string | null }) => userId === null);
    expect(vote.ratings.reduce((sum: number, rating: number) => sum + rating, 0)).toBe(6);
    // A record that is deleted does not live on in the prompt.
    const stored = await app.db.read(
      system,
      (sql) =>
        sql<{ text: string }[]>`select evidence::text as text from preference_vote
          where study_id = ${id} and member_id is null and evidence::text like '%rawReply%'`,
    );
    expect(stored).toHaveLength(7);
    for (const { text } of stored) expect(text).not.toMatch(/"prompt"|The first output/);
  });

  it('whose verdict follows the position prefers none, and the result says its bias', async () => {
    models.answer({ reply: { reasoning: 'The first.', intScore: 1 } });
    const [a, b] = await runs([good.slice(0, 6), poor.slice(0, 6)]);
    const { id } = await create([a!, b!], { judge });
    await expect.poll(async () => (await read(id)).judge.scored, patient).toBe(6);
    const { judge: ranked } = await result(id);
    expect(ranked.pairs[0]).toMatchObject({ wins: 0, ties: 6, losses: 0, apart: false });
    expect(ranked.position.estimate).toBe(1);
  });

  it('that failed on the second order is asked for that one alone when it is tried again', async () => {
    let calls = 0;
    models.answer(() =>
      calls++ === 1 ? { status: 500, body: '{}' } : { reply: { reasoning: 'R', intScore: 3 } },
    );
    const [a, b] = await runs([['1'], ['2']]);
    const { id } = await create([a!, b!], { judge });
    await expect.poll(async () => (await read(id)).judge.scored, patient).toBe(1);
    expect(models.received).toHaveLength(3);
  });

  it('stops at its budget, and goes on when it is raised', async () => {
    fair();
    const [a, b] = await runs([good.slice(0, 7), poor.slice(0, 7)]);
    const { id } = await create([a!, b!], { judge: { ...judge, budgetUsd: 0.000001 } });
    await expect.poll(async () => (await read(id)).judge, patient).toMatchObject({ stopped: true });
    expect((await read(id)).judge.pending).toBeGreaterThan(0);
    await ok(own.api('PUT', `/preference-studies/${id}/judge`, judge));
    await expect
      .poll(async () => (await read(id)).judge, patient)
      .toMatchObject({ scored: 7, stopped: false });
  });

  it.runIf(engine === 'server')(
    'goes on with a pair that was about to stop while its budget was raised',
    async () => {
      let release = () => {};
      const after = new Promise<void>((resolve) => (release = resolve));
      models.answer({ reply: { reasoning: 'R', intScore: 3 }, after });
      const [a, b] = await runs([good.slice(0, 3), poor.slice(0, 3)]);
      const { id } = await create([a!, b!], { judge: { ...judge, budgetUsd: 0.000001 } });
      await expect.poll(() => models.received.length, patient).toBe(1);
      let raised: Promise<unknown> | undefined;
      await app.db.transaction(system, async (tx) => {
        await tx`select from preference_pair where study_id = ${id} and n = 3 for update`;
        release();
        const waiting = async () => {
          const blocked = tx`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
          return (await blocked).length;
        };
        await expect.poll(waiting, patient).toBe(1);
        let isRaised = false;
        raised = ok(own.api('PUT', `/preference-studies/${id}/judge`, judge)).then(() => (isRaised = true));
        // Either it waits for the pair that stops, or it has come first.
        const isBehind = async () => {
          const behind = tx`
            select from pg_locks, unnest(pg_blocking_pids(pid)) as blocker
            where not granted and pg_backend_pid() = any(pg_blocking_pids(blocker))`;
          return (await behind).length > 0;
        };
        await expect.poll(async () => isRaised || (await isBehind()), patient).toBe(true);
      });
      await raised;
      await expect.poll(async () => (await read(id)).judge.scored, patient).toBe(3);
    },
  );

  it('whose lease was lost while it answered writes its cost alone; the pair is asked again, and counts once', async () => {
    let release = () => {};
    const after = new Promise<void>((resolve) => (release = resolve));
    models.answer([
      { reply: { reasoning: 'Late.', intScore: 1 }, after },
      { reply: { reasoning: 'Late.', intScore: 5 } },
      { reply: { reasoning: 'In time.', intScore: 5 } },
      { reply: { reasoning: 'In time.', intScore: 1 } },
    ]);
    const [a, b] = await runs([['1'], ['2']]);
    const { id } = await create([a!, b!], { judge });
    await expect.poll(() => models.received.length, patient).toBe(1);
    // As another process does that finds the lease at its end.
    await app.db.transaction(
      system,
      (tx) => tx`update preference_pair set fence = fence + 1, due_at = now() where study_id = ${id}`,
    );
    release();
    await expect.poll(async () => (await read(id)).judge.scored, patient).toBe(1);
    expect(models.received).toHaveLength(4);
    const { data } = await ok(own.api('GET', `/preference-studies/${id}/comparisons`));
    expect(data[0].votes).toMatchObject([{ preferredRunId: b, ratings: [5, 1] }]);
    expect(data[0].votes[0].comment).toContain('In time.');
    // The lost attempt was paid for, too.
    const spentUsd = async () => (await read(id)).judge.spentUsd;
    await expect.poll(spentUsd, patient).toBeCloseTo((4 * 120 * 10) / 1e6, 10);
  });

  it.each(['fails', 'has no answer'])(
    'whose commit %s is asked once, counts once and is paid once',
    async (fault) => {
      models.answer([{ reply: { reasoning: 'R', intScore: 5 } }, { reply: { reasoning: 'R', intScore: 1 } }]);
      const [a, b] = await runs([['1'], ['2']]);
      const { transaction } = app.db;
      const lost = () => Object.assign(new Error('The connection was lost.'), { code: 'CONNECTION_CLOSED' });
      let faults = 0;
      app.db.transaction = async (tenant, work) => {
        // The transactions of the study's judge, once both orders have been asked.
        const isFaulty = 'modelName' in tenant && models.received.length === 2 && faults++ === 0;
        const result = await transaction(tenant, async (tx) => {
          const done = await work(tx);
          if (isFaulty && fault === 'fails') throw lost();
          return done;
        });
        if (isFaulty) throw lost();
        return result;
      };
      try {
        const { id } = await create([a!, b!], { judge });
        await expect.poll(async () => (await read(id)).judge.scored, patient).toBe(1);
        expect(faults).toBeGreaterThan(0);
        expect(models.received).toHaveLength(2);
        const { data } = await ok(own.api('GET', `/preference-studies/${id}/comparisons`));
        expect(data[0].votes).toMatchObject([{ preferredRunId: b, ratings: [5, 1] }]);
        expect((await read(id)).judge.spentUsd).toBeCloseTo((2 * 120 * 10) / 1e6, 10);
      } finally {
        app.db.transaction = transaction;
      }
    },
  );

  it('that gives no verdict leaves the pair unscored, with the reason; another one begins again', async () => {
    models.answer({ reply: 'Well.' });
    const { id } = await create(await runs([['1'], ['2']]), { judge });
    await expect
      .poll(async () => (await read(id)).judge, patient)
      .toMatchObject({ unscored: 1, lastError: 'invalid_judge_output' });
    fair();
    await ok(own.api('PUT', `/preference-studies/${id}/judge`, { modelName: 'stand-in/other' }));
    await expect
      .poll(async () => (await read(id)).judge, patient)
      .toMatchObject({ modelName: 'stand-in/other', scored: 1, unscored: 0, lastError: null });
  });

  it('400 for one that no provider has, and for a budget without a price', async () => {
    const runIds = await runs([['1'], ['2']]);
    const post = (given: object) =>
      own.api('POST', `/projects/${projectId}/preference-studies`, { criterion, runIds, judge: given });
    expectError(await post({ modelName: 'none/judge' }), 'VALIDATION_ERROR');
    expectError(await post({ modelName: 'stand-in/free', budgetUsd: 1 }), 'VALIDATION_ERROR');
  });
});

describe('POST /projects/:projectId/preference-studies/estimate', () => {
  it('says how many pairs there are and what the model would cost', async () => {
    const runIds = await runs([good, poor, middling]);
    const path = `/projects/${projectId}/preference-studies/estimate`;
    const estimate = await ok(
      own.api('POST', path, { criterion, runIds, numTestcases: 5, judge: { modelName: 'stand-in/judge' } }),
    );
    expect(estimate).toMatchObject({ numTestcases: 5, numShared: 8, numPairs: 15, numRequests: 30 });
    expect(estimate.costUsd).toBeCloseTo(((estimate.inputTokens + estimate.outputTokens) * 10) / 1e6, 10);
  });

  it('400 for a run named twice, and for runs without a testcase in common', async () => {
    const [a] = await runs([good, poor]);
    const [other] = await runs([['1'], ['2']]);
    const post = (runIds: string[]) =>
      own.api('POST', `/projects/${projectId}/preference-studies`, { criterion, runIds });
    expectError(await post([a!, a!]), 'VALIDATION_ERROR');
    expectError(await post([a!, other!]), 'VALIDATION_ERROR');
    const foreign = await createProject(own.api);
    const there = await comparableRuns(own.api, foreign.id, [['1'], ['2']]);
    expect((await post(there)).status).toBe(404);
  });
});
