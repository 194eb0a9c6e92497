import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../client/src/passport/passport.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { levelOfLook, type Period, periods } from '../../engine/statistics/ledger.ts';
import { countDifferences } from '../../evaluation/testsets/snapshot-queries.ts';
import { takeSnapshot } from '../../evaluation/testsets/take-snapshot.ts';
import type { Database, Sql, Statement } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { redactedNames } from '../../platform/http/audit.ts';
import { requireOne } from '../../platform/http/http.ts';
import { newUuid, numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findRunHeads, type RunHead } from '../analysis/queries.ts';
import { snapshotOf } from '../analysis/read-differences.ts';
import { findNumber } from '../looks/queries.ts';
import {
  findDecision,
  findNow,
  findOwnTestset,
  findRegisteredMetrics,
  findRegisteredTestset,
  findRunFacts,
  listWaivers,
  type RegisteredMetric,
  type RunFacts,
} from './queries.ts';
import {
  type DecisionCreate,
  type DecisionDocument,
  decisionFormat,
  type deviationKinds,
  type WaiverCreate,
} from './schema.ts';

/** Longer documents would not be kept whole by the audit log. */
const longestDocument = 50_000;

/** Reads by one statement, in a transaction or without. */
type Read = <Row extends object>(statement: (sql: Sql) => Statement<Row>) => PromiseLike<Row[]>;
const within =
  (tx: Sql): Read =>
  (statement) =>
    statement(tx);

const idOf = (document: unknown): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex');

const requireTestset = async (tx: Sql, scope: Scope, projectId: bigint, id: string) => {
  const testsetId = numericId('testset', id);
  requireOne(await findOwnTestset(tx, scope, projectId, testsetId), 'testset', id);
  await takeSnapshot(tx, scope, testsetId, { madeBy: 'member' });
  return requireOne(await findRegisteredTestset(tx, scope, projectId, testsetId), 'testset', id);
};

const requireRun = async (read: Read, scope: Scope, projectId: bigint, id: string) => {
  const number = numericId('run', id);
  const run = requireOne(await read((sql) => findRunHeads(sql, scope, [number])), 'run', id);
  if (run.projectId !== projectId) throw notFound('run', id);
  return run;
};

const requireMetrics = async (tx: Sql, scope: Scope, projectId: bigint, ids: readonly string[]) => {
  const metricIds = ids.map((id) => numericId('metric', id));
  const found = await findRegisteredMetrics(tx, scope, { projectId, metricIds, runId: null });
  const missing = ids.find((id) => !found.some((metric) => metric.id === id));
  if (missing !== undefined) throw notFound('metric', missing);
  return found;
};

/** The confidence level of the next look by the ledger of the rules; null for rules without one. */
const ledgerLevel = async (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  rules: unknown,
): Promise<number | null> => {
  const { alpha, per = 'year' } =
    (rules as { ledger?: { alpha?: number; per?: Period } } | null)?.ledger ?? {};
  if (!(alpha && alpha > 0 && alpha < 1) || !periods.includes(per)) return null;
  const [{ number } = { number: 1 }] = await findNumber(tx, scope, { testsetId, n: null, per });
  return 1 - levelOfLook(alpha, number);
};

/**
 * Registers a decision: what is asked, and the testset, metrics and baseline as they are now. The audit log keeps the answer, chained by
 * hashes, so that nothing can change it later. Throws 404 for a testset, metric or run of another project.
 */
export const registerDecision = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  {
    testsetId,
    metricIds,
    baselineRunId,
    power = 0.8,
    level: asked = 0.95,
    ...given
  }: Omit<DecisionCreate, 'rules'> & { rules: unknown },
): Promise<string> => {
  const testset = await requireTestset(tx, scope, projectId, testsetId);
  const metrics = await requireMetrics(tx, scope, projectId, metricIds);
  const run =
    baselineRunId === undefined ? null : await requireRun(within(tx), scope, projectId, baselineRunId);
  if (run && run.testsetId !== BigInt(testset.id))
    throw invalid('/baselineRunId', 'must be a run of this testset');
  const level = (await ledgerLevel(tx, scope, BigInt(testset.id), given.rules)) ?? asked;
  const [{ now } = { now: '' }] = await findNow(tx);
  const document: DecisionDocument = {
    format: decisionFormat,
    version: 1,
    projectId: String(projectId),
    ...given,
    testset: { ...testset },
    baseline: run && {
      runId: String(run.id),
      systemVersionId: run.systemVersionId,
      createdAt: run.createdAt,
    },
    metrics: metrics.map((metric) => ({ ...metric })),
    power,
    level,
    registeredAt: now,
    registeredBy: scope.memberId ?? null,
  };
  // The log leaves out what looks like a secret, and the document would no longer have its id.
  const [redacted] = redactedNames(document);
  if (redacted !== undefined)
    throw invalid(
      '/rules',
      `must have no field ${redacted} with a value: the audit log hides fields that may hold secrets`,
    );
  const text = canonicalJson(document);
  if (text.length > longestDocument)
    throw invalid('/rules', `must leave the decision below ${longestDocument} characters`);
  return `{"id":"${idOf(document)}","document":${text}}`;
};

const requireDecision = async (
  read: Read,
  scope: Scope,
  projectId: bigint,
  id: string,
): Promise<DecisionDocument> => {
  const [found] = await read((sql) => findDecision(sql, scope, projectId, id));
  if (!found) throw notFound('decision', id);
  const { document } = JSON.parse(found.body) as { document: DecisionDocument };
  return document;
};

type Deviation = { kind: (typeof deviationKinds)[number]; sentence: string };

const metricDeviations = (
  registered: DecisionDocument['metrics'],
  used: readonly RegisteredMetric[],
): Deviation[] =>
  registered.flatMap((metric): Deviation[] => {
    const now = used.find(({ id }) => id === metric.id);
    if (now?.hash === metric.hash) return [];
    const sentence = !now
      ? `the run does not have the metric ${metric.name}`
      : now.evalModelName !== metric.evalModelName
        ? `another judge scores ${metric.name}: ${now.evalModelName ?? 'no model'} in place of ${metric.evalModelName ?? 'no model'}`
        : `the configuration of ${metric.name} was changed after the registration`;
    return [{ kind: 'metricChanged', sentence }];
  });

const named = (runs: readonly string[]): string => `${runs.length === 1 ? 'run' : 'runs'} ${runs.join(', ')}`;

const runDeviations = (
  { registeredAt, minTestcases, testset }: DecisionDocument,
  runId: string,
  facts: RunFacts,
): Deviation[] => {
  const others = facts.numLooks - facts.ofSameVersion.length - Number(!facts.hadRecords);
  const found: (Deviation | false)[] = [
    facts.hadRecords && {
      kind: 'registeredAfter',
      sentence: `the decision was registered at ${registeredAt}, after run ${runId} was created at ${facts.createdAt}: its results could be known`,
    },
    facts.numTestcases < testset.numTestcases && {
      kind: 'testcasesMissing',
      sentence: `run ${runId} answers ${facts.numTestcases} of the ${testset.numTestcases} registered testcases`,
    },
    facts.numTestcases < minTestcases && {
      kind: 'tooFew',
      sentence: `it rests on ${facts.numTestcases} testcases, and ${minTestcases} were planned`,
    },
    facts.ofSameVersion.length > 0 && {
      kind: 'rerun',
      sentence: `the same version was run ${facts.ofSameVersion.length + 1} times since the registration: ${named(facts.ofSameVersion)} too`,
    },
    others > 0 && {
      kind: 'otherLooks',
      sentence: `${others} more ${others === 1 ? 'run' : 'runs'} of other versions looked at this testset since the registration`,
    },
    facts.numDeleted > 0 && {
      kind: 'runsDeleted',
      sentence: `${facts.numDeleted} ${facts.numDeleted === 1 ? 'run was' : 'runs were'} deleted in this project since the registration: looks may be hidden`,
    },
  ];
  return found.filter((one) => one !== false);
};

/** Says in what the testcases with which a run began differ from those that were registered; null if in nothing. */
const testcasesDeviation = async (
  read: Read,
  scope: Scope,
  { testset }: DecisionDocument,
  run: RunHead,
): Promise<string | null> => {
  const began = snapshotOf(run);
  if (!began) return `run ${run.id} does not say with which testcases it began`;
  if (began.hash === testset.hash) return null;
  const [from, to] = [
    { n: testset.snapshot, split: null },
    { n: began.number, split: null },
  ];
  const [found] = await read((sql) => countDifferences(sql, scope, BigInt(testset.id), from, to));
  const { numAdded, numChanged, numRemoved } = found!;
  if (numAdded + numChanged + numRemoved === 0) return null;
  return `${countInWords(numAdded, 'testcase')} added, ${numChanged} changed and ${numRemoved} removed between the registration (snapshot ${testset.snapshot}) and run ${run.id} (snapshot ${began.number})`;
};

/** Holds a run against a registered decision, as JSON text. Refuses nothing: it lists what differs. */
export const readAgainstDecision = async (
  db: Pick<Database, 'read'>,
  scope: Scope,
  projectId: bigint,
  { decisionId, runId }: { decisionId: string; runId: string },
): Promise<string> => {
  const read: Read = (statement) => db.read(scope, statement);
  const document = await requireDecision(read, scope, projectId, decisionId);
  const run = await requireRun(read, scope, projectId, runId);
  const testsetId = BigInt(document.testset.id);
  const metricIds = document.metrics.map(({ id }) => BigInt(id));
  const wanted = { projectId, metricIds, runId: run.id };
  const used = await read((sql) => findRegisteredMetrics(sql, scope, wanted));
  const since = document.registeredAt;
  const asked = { runId: run.id, testsetId, projectId, since };
  const [facts] = await read((sql) => findRunFacts(sql, scope, asked));
  const changed =
    run.testsetId === testsetId
      ? await testcasesDeviation(read, scope, document, run)
      : `run ${runId} is not of the registered testset`;
  const deviations: Deviation[] = [
    ...(changed === null ? [] : [{ kind: 'testcasesChanged' as const, sentence: changed }]),
    ...metricDeviations(document.metrics, used),
    ...runDeviations(document, runId, facts!),
  ];
  const waivers = await read((sql) => listWaivers(sql, scope, projectId, decisionId, runId));
  return JSON.stringify({
    decisionId,
    runId,
    deviations,
    numLooks: facts!.numLooks,
    waivers: waivers
      .map(({ body }) => JSON.parse(body) as { reason: string; waivedBy: string | null; waivedAt: string })
      .map(({ reason, waivedBy, waivedAt }) => ({ reason, waivedBy, waivedAt })),
  });
};

/** Records who ships a run in spite of the verdict, and why. The audit log keeps the answer. */
export const waiveDecision = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  decisionId: string,
  { runId, reason }: WaiverCreate,
): Promise<string> => {
  await requireDecision(within(tx), scope, projectId, decisionId);
  await requireRun(within(tx), scope, projectId, runId);
  const [{ now } = { now: '' }] = await findNow(tx);
  return JSON.stringify({
    id: newUuid(),
    decisionId,
    runId,
    reason,
    waivedBy: scope.memberId ?? null,
    waivedAt: now,
  });
};
