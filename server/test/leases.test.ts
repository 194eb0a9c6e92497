import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, type Sql, system } from '../src/platform/db/database.ts';
import { newUuid } from '../src/platform/http/ids.ts';
import {
  beginClaim,
  claimScores,
  commitOutcomes,
  findDueRun,
  type Lease,
  type Outcome,
  renewLease,
} from '../src/scoring/queue/queries.ts';
import { clearDeadLeases, type LaneOptions, startWorker } from '../src/scoring/queue/worker.ts';
import { spanScorer } from '../src/scoring/spans/score-spans.ts';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from './harness.ts';
import { sendSpans } from './monitors.ts';
import { newTraceId, spanId } from './otlp.ts';
import { until } from './until.ts';

describe('leases', () => {
  const leaseMs = 60_000;
  let idle: TestApp;
  let mine: Organization;
  let runId: bigint;

  const claimIn = async (tx: Sql, limit: number) => {
    const lease: Lease = { id: newUuid(), queue: 'score', lane: 'code', runId };
    const [due] = await findDueRun(tx, { queue: 'score', lane: 'code' }, runId - 1n);
    if (due?.runId !== runId) return [];
    await beginClaim(tx, lease);
    return (await claimScores(tx, lease, { limit: limit, leaseMs: leaseMs })).map((score) => ({
      ...score,
      lease,
    }));
  };
  const claim = (limit = 10) => idle.db.transaction(system, (tx) => claimIn(tx, limit));
  const expire = () =>
    idle.db.transaction(
      system,
      (tx) => tx`update score_lease set until = now() where run_id = ${String(runId)}`,
    );
  type Claimed = Awaited<ReturnType<typeof claim>>[number];
  const outcome = (claimed: { n: number; configId: string; fence: number }, reasoning: string): Outcome => ({
    ...claimed,
    state: 'scored',
    score: JSON.stringify({ binaryScore: true, reasoning }),
    value: 1,
    reason: null,
    attempts: 1,
    retryInMs: null,
    evidence: null,
    inputHash: null,
    usage: null,
  });
  const commit = ({ lease, ...claimed }: Claimed, reasoning: string) =>
    idle.db.transaction(system, (tx) => commitOutcomes(tx, lease, [outcome(claimed, reasoning)]));
  const scoresOf = async () =>
    (await ok(mine.api('GET', `/runs/${runId}/records`))).data[0].scores.map(
      (score: { score: { reasoning: string } }) => score.score.reasoning,
    );

  beforeAll(async () => {
    idle = await startApp({});
    mine = await idle.organization();
  });
  beforeEach(async () => {
    const project = await createProject(mine.api);
    const metric = await createMetric(mine.api, project.id, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return { score: true }; }',
    });
    const run = await createRun(mine.api, project.id, [metric.id]);
    await createRecord(mine.api, run.id);
    runId = BigInt(run.id);
  });
  afterAll(() => idle.close());

  it('keep a score from everyone else until they end', async () => {
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toHaveLength(0);
    await expire();
    expect(await claim()).toHaveLength(1);
  });

  // Elsewhere there is one connection, and who comes second waits for the first anyway.
  it.runIf(engine === 'server')('are on different records for those who claim at the same time', async () => {
    for (let i = 0; i < 3; i++) await createRecord(mine.api, String(runId));
    const { first, second } = await idle.db.transaction(system, async (tx) => {
      const first = await claimIn(tx, 2);
      const second = claim(2);
      const isWaiting = async () => {
        const [lock] = await tx`
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`;
        return lock && true;
      };
      await until(isWaiting);
      return { first, second };
    });
    const numbers = (claims: { n: number }[]) => claims.map(({ n }) => n).sort();
    expect([numbers(first), numbers(await second)]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('that were lost write nothing: the one who has the score now writes it', async () => {
    const [paused] = await claim();
    await expire();
    const [winner] = await claim();
    await commit(paused!, 'too late');
    expect(await scoresOf()).toEqual([]);
    await commit(winner!, 'in time');
    await commit(paused!, 'too late again');
    expect(await scoresOf()).toEqual(['in time']);
  });

  it('write an outcome once, also when its commit had no answer and the worker writes it again', async () => {
    await createRecord(mine.api, String(runId));
    const [tried] = await claim();
    const retryIn = (retryInMs: number, attempts: number) =>
      idle.db.transaction(system, (tx) => {
        const { lease, ...claimed } = tried!;
        const failed = { ...outcome(claimed, ''), state: 'pending' as const, score: null, value: null };
        const usage = { costUsd: 0.5, inputTokens: 1, outputTokens: 1 };
        return commitOutcomes(tx, lease, [{ ...failed, reason: 'later', attempts, retryInMs, usage }]);
      });
    expect((await retryIn(60_000, 1)).count).toBe(1);
    expect((await retryIn(0, 2)).count).toBe(0);
    const [score] = await idle.db.read(
      system,
      (sql) => sql`
        select attempts, cost_usd, due_at > now() as waits from score
        where run_id = ${String(runId)} and n = ${tried!.n}`,
    );
    expect(score).toEqual({ attempts: 1, cost_usd: 0.5, waits: true });
  });

  it('write nothing over a score that was given while they were held', async () => {
    const [claimed] = await claim();
    const score = { binaryScore: false, reasoning: 'by hand' };
    await ok(mine.api('PUT', `/records/${runId}-1/scores/${claimed!.configId}`, { score }));
    await commit(claimed!, 'by machine');
    expect(await scoresOf()).toEqual(['by hand']);
  });

  it.each<[string, () => Promise<string>]>([
    ['record', async () => `/records/${runId}-1`],
    ['run', async () => `/runs/${runId}`],
    ['metric', async () => `/metrics/${(await ok(mine.api('GET', `/runs/${runId}`))).metricIds[0]}`],
    ['project', async () => `/projects/${(await ok(mine.api('GET', '/projects'))).data.at(-1).id}`],
  ])('end with their %s: leased scores are neither renewed nor written', async (_, path) => {
    const [claimed] = await claim();
    await ok(mine.api('DELETE', await path()));
    const { lease, ...score } = claimed!;
    const [renewed] = await idle.db.transaction(system, (tx) => renewLease(tx, lease, [score], leaseMs));
    expect(renewed).toEqual({ held: 0 });
    await commit(claimed!, 'for nothing');
    await expire();
    expect(await claim()).toEqual([]);
    const written = await idle.db.read(
      system,
      (sql) => sql`select from score where run_id = ${String(runId)} and state = 'scored'`,
    );
    expect(written).toHaveLength(0);
  });

  it('end with their metric, and the run has nothing left to wait for', async () => {
    const { metricIds } = await ok(mine.api('GET', `/runs/${runId}`));
    await ok(mine.api('DELETE', `/metrics/${metricIds[0]}`));
    expect((await ok(mine.api('GET', `/runs/${runId}`))).status).toBe('completed');
  });

  it('of earlier processes are released when workers start: on a server, those that have ended', async () => {
    const [ended, going] = [newUuid(), newUuid()];
    await idle.db.transaction(
      system,
      (tx) => tx`
        insert into score_lease (run_id, id, organization_id, queue, lane, numbers, until)
        values (${runId}, ${ended}, ${mine.organizationId}, 'score', 'code', '{1}', now()),
          (${runId}, ${going}, ${mine.organizationId}, 'score', 'code', '{1}', now() + interval '1 hour')`,
    );
    await clearDeadLeases(idle.db);
    const left = await idle.db.read(
      system,
      (sql) => sql`select id from score_lease where run_id = ${String(runId)}`,
    );
    expect(left).toEqual(engine === 'server' ? [{ id: going }] : []);
    expect(await claim()).toHaveLength(engine === 'server' ? 0 : 1);
  });

  it.runIf(engine === 'server')(
    'are not taken of a run that is being deleted, and that is not an error',
    async () => {
      const errors: string[] = [];
      const log = pino({ level: 'warn' }, { write: (line: string) => void errors.push(line) });
      const seen: bigint[] = [];
      const score: LaneOptions['score'] = async ({ lease }) => void seen.push(lease.runId);
      const lane: LaneOptions = { lane: 'code', batchSize: 10, batches: 1, score };
      const { metricIds } = await ok(mine.api('GET', `/runs/${runId}`));
      const { id: projectId } = (await ok(mine.api('GET', '/projects'))).data.at(-1);
      const worker = await idle.db.transaction(system, async (tx) => {
        await tx`delete from run where id = ${String(runId)}`;
        const started = startWorker({ db: idle.db, log, pollMs: 20 }, lane);
        const isWaiting = async () => {
          const [waiting] = await tx`
            select from pg_locks waits join pg_locks held using (pid)
            where not waits.granted and waits.locktype = 'transactionid' and held.relation = 'score_lease'::regclass
              and held.database = (select oid from pg_database where datname = current_database())`;
          return waiting && true;
        };
        await until(isWaiting);
        return started;
      });
      const other = await createRun(mine.api, projectId, metricIds);
      await createRecord(mine.api, other.id);
      await until(async () => (seen.includes(BigInt(other.id)) ? true : undefined));
      await worker.stop();
      expect(errors).toEqual([]);
    },
  );

  it('keep what could not be written at first: it is written with what is made next', async () => {
    await createRecord(mine.api, String(runId));
    let failures = 0;
    const db: Database = {
      ...idle.db,
      transaction: (tenant, work) =>
        failures-- > 0 ? Promise.reject(new Error('no database')) : idle.db.transaction(tenant, work),
    };
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const score: LaneOptions['score'] = async ({ lease, jobs: [first, second], commit }) => {
      if (lease.runId !== runId) return;
      failures = 1;
      await expect(commit([outcome(first!.claim, 'first')])).rejects.toThrow('no database');
      await commit([outcome(second!.claim, 'second')]).finally(end);
    };
    const worker = startWorker(
      { db, log: pino({ level: 'silent' }), pollMs: 20 },
      { lane: 'code', batchSize: 10, batches: 1, score },
    );
    await ended;
    await worker.stop();
    const { data } = await ok(mine.api('GET', `/runs/${runId}/records`));
    expect(
      data.flatMap(({ scores }: { scores: { score: { reasoning: string } }[] }) =>
        scores.map(({ score }) => score.reasoning),
      ),
    ).toEqual(['first', 'second']);
  });

  it('pay once for a verdict whose commit had no answer, and for one whose commit failed', async () => {
    for (let i = 0; i < 3; i++) await createRecord(mine.api, String(runId));
    let [failing, losing] = [false, false];
    const db: Database = {
      ...idle.db,
      transaction: async (tenant, work) => {
        if (failing) throw new Error('no database');
        const done = await idle.db.transaction(tenant, work);
        if (losing) throw new Error('no answer');
        return done;
      },
    };
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const score: LaneOptions['score'] = async ({ lease, jobs, commit }) => {
      if (lease.runId !== runId) return;
      const paid = ({ claim: claimed }: (typeof jobs)[number], costUsd: number | null) =>
        commit([{ ...outcome(claimed, ''), usage: { costUsd, inputTokens: 1, outputTokens: 1 } }]);
      losing = true;
      await expect(paid(jobs[0]!, 0.25)).rejects.toThrow('no answer');
      losing = false;
      failing = true;
      await expect(paid(jobs[1]!, null)).rejects.toThrow('no database');
      failing = false;
      await paid(jobs[2]!, 0.5);
      // The last commit of a lease deletes it.
      losing = true;
      await expect(paid(jobs[3]!, 1)).rejects.toThrow('no answer');
      losing = false;
      await commit([]).finally(end);
    };
    const worker = startWorker(
      { db, log: pino({ level: 'silent' }), pollMs: 20 },
      { lane: 'code', batchSize: 10, batches: 1, score },
    );
    await ended;
    await worker.stop();
    const [judging] = await idle.db.read(
      system,
      (sql) => sql`select spent_usd, unpriced from run_spending(${String(runId)})`,
    );
    expect(judging).toEqual({ spent_usd: 1.75, unpriced: 1 });
  });

  it.each([
    ['had no answer', 'answer', 1],
    ['failed', 'commit', 2],
  ] as const)('pay once for the verdict of a span whose commit %s', async (_, lost, asked) => {
    const { id: projectId } = (await ok(mine.api('GET', '/projects'))).data.at(-1);
    const judge = {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ span }}',
      spans: 'name:refund',
    };
    const metric = await createMetric(mine.api, projectId, judge);
    const traceId = newTraceId();
    await sendSpans(idle, mine.key, projectId, [{ traceId, n: 1, name: 'refund' }]);
    const path = `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`;
    const { recordId } = await ok(mine.api('GET', path));
    const run = recordId.split('-')[0];
    await ok(mine.api('POST', `/runs/${run}/metrics`, { metricIds: [metric.id] }));
    await idle.db.transaction(system, (tx) => tx`update score set due_at = now() where run_id = ${run}`);
    let [breaks, asks] = [false, 0];
    const db: Database = {
      ...idle.db,
      transaction: async (tenant, work) => {
        const isLost = breaks;
        breaks = false;
        if (isLost && lost === 'commit') throw new Error('no database');
        const done = await idle.db.transaction(tenant, work);
        if (isLost) throw new Error('no answer');
        return done;
      },
    };
    const usage = { costUsd: 0.25, inputTokens: 1, outputTokens: 1 };
    const score = spanScorer(db, async ({ jobs: [job], commit }) => {
      breaks = asks++ === 0;
      await commit([{ ...outcome(job!.claim, 'r'), usage }]);
    });
    const worker = startWorker(
      { db, log: pino({ level: 'silent' }), pollMs: 20 },
      { lane: 'judge', batchSize: 10, batches: 1, score },
    );
    await expect
      .poll(async () => (await ok(mine.api('GET', `/records/${recordId}`))).scoreStates[0].state, {
        timeout: 20_000,
      })
      .toBe('scored');
    await worker.stop();
    const [spent] = await idle.db.read(
      system,
      (sql) => sql`
      select spent_usd as spent from run_spending(${run})`,
    );
    expect({ asks, ...spent }).toEqual({ asks: asked, spent: asked * 0.25 });
  });

  it('let runs take turns', async () => {
    const { metricIds } = await ok(mine.api('GET', `/runs/${runId}`));
    const { id: projectId } = (await ok(mine.api('GET', '/projects'))).data.at(-1);
    const other = await createRun(mine.api, projectId, metricIds);
    await createRecord(mine.api, other.id);
    const next = async (after: bigint) =>
      (await idle.db.read(system, (sql) => findDueRun(sql, { queue: 'score', lane: 'code' }, after)))[0]
        ?.runId;
    expect(await next(runId - 1n)).toBe(runId);
    expect(await next(runId)).toBe(BigInt(other.id));
  });
});
