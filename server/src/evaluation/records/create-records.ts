import type { Sql } from '../../platform/db/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { recordIdOf, type TestcaseKey, testcaseKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { freeForm, type RawJson } from '../../platform/json/json.ts';
import { claimAttachments } from '../attachments/queries.ts';
import type { Scale } from '../metrics/scale.ts';
import { longestScore } from '../scores/group-upserts.ts';
import type { StoredScore } from '../scores/queries.ts';
import { type BroughtScore, findConfigsOfScores, storeBroughtScores } from '../scores/upsert-scores.ts';
import { fitOf } from '../scores/validate-score.ts';
import type { CreateOperation, Sender } from './audit-creates.ts';
import { insertRecords } from './insert.ts';
import { requireSameAnswers } from './require-same-answers.ts';
import type { RecordCreate } from './schema.ts';
import { takeRecordNumbers } from './take-numbers.ts';

/** A record that a client asks for: its free-form parts as text. */
export type NewRecord = {
  testcase: TestcaseKey | null;
  inputs: RawJson;
  expected: RawJson;
  outputs: RawJson;
  otelLinkId: string | null;
  sessionId: string | null;
  /** Its existing scores. */
  scores?: BroughtScore[];
  /** The same as stored, if they can be inserted with the record. */
  brought?: Omit<StoredScore, 'n'>[];
};

/** The records of one request: one record, or up to 1,000, all or none. */
export type Create = { operation: CreateOperation; records: NewRecord[] };

/** Number and JSON of a record that was created now, or earlier under the same link. */
type MadeRecord = { n: number; body: string };
/** The record, or why there is none. */
export type Outcome = MadeRecord | ApiError;

/** Reads one record of a body from its text. Throws 404 for an ill-formed testcaseId, 400 for JSON that nests too deep. */
export const readRecord = (body: RecordCreate, raw: RawJson, path = ''): NewRecord => {
  const { inputs, expected, outputs } = freeForm(raw, ['inputs', 'expected', 'outputs'], path);
  return {
    testcase: body.testcaseId === undefined ? null : testcaseKey(body.testcaseId),
    inputs: inputs!,
    expected: expected!,
    outputs: outputs!,
    // An empty link means no link, as in traces; otherwise all clients without a link would share one record.
    otelLinkId: body.otelLinkId?.trim() ? body.otelLinkId : null,
    sessionId: body.sessionId ?? null,
  };
};

const testcaseId = ({ testsetId, n }: TestcaseKey) => `${testsetId}-${n}`;

const recordText = (runId: bigint, n: number, { testcase, inputs, expected, outputs }: NewRecord) =>
  `{"id":"${runId}-${n}","runId":"${runId}"${testcase ? `,"testcaseId":"${testcaseId(testcase)}"` : ''}` +
  `,"inputs":${inputs},"expected":${expected},"outputs":${outputs}}`;

/** Gives the files that the member declared for the sessions of new records to the project of the run. */
const claimFiles = async (tx: Sql, scope: Scope, runId: bigint, items: NewRecord[]): Promise<void> => {
  const sessionIds = [...new Set(items.flatMap(({ sessionId }) => sessionId ?? []))];
  if (sessionIds.length === 0) return;
  const held = tx`
    select run.project_id, session_id from run cross join unnest(${sessionIds}::text[]) as session_id
    where run.id = ${runId} and run.organization_id = ${scope.organizationId}`;
  await claimAttachments(tx, scope, held);
};

/**
 * Inserts records into a run. If one record cannot be created, the others are created nevertheless. Sends all of its statements before it
 * awaits one, so that it can be a batch. `senders` get entries in the audit log. Throws 404 when there is no such run.
 */
export const insertNewRecords = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  items: NewRecord[],
  senders: Sender[] = [],
): Promise<Outcome[]> => {
  const numbers = takeRecordNumbers(tx, scope, runId, items.length).execute();
  const rows = items.map(({ testcase, ...item }, i) => ({
    ...item,
    n: i + 1 - items.length,
    testsetId: testcase?.testsetId ?? null,
    testcaseN: testcase?.n ?? null,
    testcaseRevision: null,
    scoredConfigIds: (item.brought ?? item.scores ?? []).map(({ configId }) => configId),
  }));
  const [[taken], inserted] = await Promise.all([
    numbers,
    insertRecords(tx, scope, runId, rows, { senders }).execute(),
    claimFiles(tx, scope, runId, items),
  ]);
  if (!taken) throw notFound('run', String(runId));
  const first = taken.last + 1 - items.length;
  return inserted.map(({ n, body }, i) => {
    if (n === null) return notFound('testcase', testcaseId(items[i]!.testcase!));
    return { n, body: body ?? recordText(runId, n, items[n - first]!) };
  });
};

/**
 * Adds the stored form of their scores to records, so that one statement inserts both. Returns the records unchanged if one statement is
 * not enough: a record may exist already, a score is large, or a configuration is not of the run's project.
 */
export const withBroughtScores = (items: NewRecord[], types: Map<string, Scale> | undefined): NewRecord[] => {
  const isSimple = ({ otelLinkId, scores = [] }: NewRecord) =>
    otelLinkId === null && scores.every(({ raw }) => raw.length <= longestScore);
  if (!types || !items.every(isSimple)) return items;
  return items.map(({ scores = [], ...item }) => {
    // Several scores by one configuration are equal: requireOneScore.
    const byConfig = new Map(scores.map((score) => [score.configId, score]));
    const brought = [...byConfig.values()].map(({ configId, score, raw, madeBy }) => ({
      configId,
      score: raw,
      madeBy,
      ...fitOf(types.get(configId)!, score),
    }));
    return { ...item, brought };
  });
};

/** Returns the answer to a create from its records. */
export const answerOf = ({ operation }: Create, runId: bigint, made: MadeRecord[]): string =>
  operation === 'createRecord'
    ? made[0]!.body
    : `{"ids":[${made.map(({ n }) => `"${runId}-${n}"`).join(',')}]}`;

/**
 * Creates the records of a request with their scores, all or none, in its own transaction, and returns the
 * answer. Throws 404 for an unknown run, testcase or configuration, 409 for a link that belongs to another answer.
 */
export const createRecords = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  create: Create,
  senders: Sender[] = [],
): Promise<string> => {
  const { records } = create;
  const [outcomes, configs] = await Promise.all([
    insertNewRecords(tx, scope, runId, records, senders),
    findConfigsOfScores(
      tx,
      scope,
      runId,
      records.flatMap(({ scores = [] }) => scores),
    ),
  ]);
  const made = outcomes.map((outcome) => {
    if (outcome instanceof ApiError) throw outcome;
    return outcome;
  });
  if (create.operation === 'createRecords')
    requireSameAnswers(
      records.map((record, i) => ({
        ...record,
        made: { id: recordIdOf({ runId, n: made[i]!.n }), body: made[i]!.body },
      })),
    );
  const brought = records.flatMap(({ scores = [] }, i) =>
    scores.map((score) => ({ key: { runId, n: made[i]!.n }, ...score })),
  );
  await storeBroughtScores(tx, scope, runId, brought, configs);
  return answerOf(create, runId, made);
};
