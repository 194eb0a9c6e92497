import {
  type DecisionDocument,
  type FileJudge,
  type FileRun,
  fileFormat,
  fileText,
  fileVersion,
  type Predicate,
  predicateType,
  type Statement,
  sha256,
  statementBytes,
  statementType,
} from '../../../../client/src/decision-file/file.ts';
import { gateDeviations } from '../../../../client/src/gate/held-against.ts';
import { readPolicy } from '../../../../client/src/gate/policy.ts';
import { RulesError } from '../../../../client/src/gate/rules-error.ts';
import { type Client, DokimaError, type Look } from '../../../../client/src/main.ts';
import { canonicalJson } from '../../../../client/src/passport/passport.ts';
import type { RunHead } from '../../insights/analysis/queries.ts';
import { snapshotOf } from '../../insights/analysis/read-differences.ts';
import { requireRuns } from '../../insights/analysis/read-run.ts';
import type { RunColumns } from '../../insights/analysis/run-scores.ts';
import { findDecision, findRegisteredMetrics } from '../../insights/decisions/queries.ts';
import type { PassportKey } from '../../insights/passports/key.ts';
import type { Database } from '../../platform/db/database.ts';
import { ApiError, invalid, notFound } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { takeAnswers } from './gate-answers.ts';
import { numberGate } from './number-gate.ts';
import {
  countRecords,
  findRegistration,
  findVersionConfig,
  listRecordTexts,
  listSnapshotLines,
  listVotes,
} from './queries.ts';
import { rowsOfRun } from './rows.ts';
import type { DecisionExport } from './schema.ts';

/** A file of more records would be too large to read as one. */
const mostRecords = 50_000;

export type FileDeps = { db: Database; scope: Scope; client: Client; key: PassportKey; clock: () => number };

/** What a vote said, without its reasoning. */
const withoutReasons = (votes: string): unknown[] =>
  (JSON.parse(votes) as { value: unknown; share?: number }[]).map(({ value, share }) => ({ value, share }));

/** Writes a run as rows: its records with hashes, and its scores with the votes of judges. */
const writeRun = async (
  { db, scope }: FileDeps,
  run: RunColumns,
  head: RunHead,
  withTexts: boolean,
): Promise<FileRun> => {
  const runId = head.id;
  const texts = await db.read(scope, (sql) => listRecordTexts(sql, scope, { runId, withTexts }));
  const votes = await db.read(scope, (sql) => listVotes(sql, scope, runId));
  // Texts stay as they are stored: the hash beside each is that of the text.
  const ofRecords = new Map(texts.map(({ n, ...record }) => [n, record]));
  const votesOf = new Map(votes.map(({ n, configId, votes }) => [`${configId} ${n}`, votes]));
  const { records, metrics, ...rows } = rowsOfRun(run, withTexts);
  return {
    ...rows,
    createdAt: head.createdAt,
    systemVersionId: head.systemVersionId,
    snapshot: snapshotOf(head) && { number: snapshotOf(head)!.number, hash: snapshotOf(head)!.hash },
    records: records.map((record) => ({ ...record, ...ofRecords.get(record.n)! })),
    metrics: metrics.map(({ scores, configId, ...metric }) => ({
      ...metric,
      configId,
      scores: scores.map((score) => {
        const given = votesOf.get(`${configId} ${score.n}`);
        return given === undefined ? score : { ...score, votes: withoutReasons(given) };
      }),
    })),
  };
};

/** The passports of the judges of the run, as they are now. */
const judgesOf = async ({ client }: FileDeps, run: RunColumns): Promise<FileJudge[]> => {
  const judges: FileJudge[] = [];
  for (const { metricId, metricName, configId, evalType, spans } of run.scores) {
    if (evalType !== 'ai') continue;
    if (spans) {
      judges.push({ metricId, metricName, passport: null, reason: 'a judge of spans has no passport' });
      continue;
    }
    const passport = await client.getJudgePassport(metricId, { metricConfigId: configId });
    judges.push({ metricId, metricName, passport, reason: null });
  }
  return judges;
};

/** The looks at the testset since the registration, oldest first. The one at this run is among them, even if no gate came before. */
const looksSince = async (
  { client }: FileDeps,
  { testset, registeredAt }: DecisionDocument,
): Promise<Look[]> => {
  const looks: Look[] = [];
  try {
    for await (const look of client.listLooks(testset.id)) {
      if (Date.parse(look.at) < Date.parse(registeredAt)) break;
      looks.push(look);
    }
  } catch (error) {
    // The looks go with their testset.
    if (!(error instanceof DokimaError && error.status === 404)) throw error;
  }
  return looks.reverse();
};

/** What is decided about: the commit that the caller names and the configuration of the version, else the answers of the run. */
const subjectOf = async (
  { db, scope }: FileDeps,
  { id, systemVersionId }: RunHead,
  commit: string | undefined,
  answers: FileRun,
): Promise<Statement['subject']> => {
  const [version] =
    systemVersionId === null
      ? []
      : await db.read(scope, (sql) => findVersionConfig(sql, scope, systemVersionId));
  const subjects: Statement['subject'] = [
    ...(commit === undefined ? [] : [{ name: 'commit', digest: { gitCommit: commit } }]),
    ...(version
      ? [
          {
            name: `version ${systemVersionId}`,
            digest: { sha256: sha256(version.config) },
          },
        ]
      : []),
  ];
  if (subjects.length > 0) return subjects;
  return [{ name: `run ${id}`, digest: { sha256: sha256(canonicalJson(answers)) } }];
};

const refusing = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RulesError) throw invalid('/rules', `cannot be applied: ${error.message}`);
    // The gate asks as a client, and what it is refused is what the rules ask for.
    if (error instanceof DokimaError && (error.status ?? 500) < 500)
      throw invalid('/rules', `cannot be applied: ${error.message}`);
    throw error;
  }
};

/** Decides by the rules of the request and, where those are others, by the registered ones too, so that anyone can compare both. */
const decideBoth = async (
  gate: Client,
  document: DecisionDocument,
  { runId, rules, baselineRunId, level = document.level }: DecisionExport,
  now: number,
) => {
  const registered = document.baseline?.runId ?? null;
  const used = rules ?? document.rules;
  const own = readPolicy(used, 'The rules').baseline;
  const baselineAsked = baselineRunId ?? (own.length === 0 ? registered : null);
  const asked = { runId, projectId: document.projectId, now };
  const decided = await numberGate(gate, { ...asked, rules: used, level, baseline: baselineAsked });
  const compared = decided.baselines.find(({ anchor }) => !anchor)?.id;
  const deviations = gateDeviations(document, { compared, rules: used, level });
  if (deviations.length > 0)
    await numberGate(gate, {
      ...asked,
      rules: document.rules,
      level: document.level,
      baseline: registered,
    }).catch((error) => {
      if (!(error instanceof RulesError || error instanceof ApiError)) throw error;
    });
  return { ...decided, rules: used, level, baselineAsked, deviations };
};

/** Writes all runs of a gate. Throws 404 for one of another project, 400 for too many records. */
const writeRuns = async (
  deps: FileDeps,
  columns: ReadonlyMap<string, RunColumns>,
  projectId: bigint,
  withTexts: boolean,
): Promise<FileRun[]> => {
  const { db, scope } = deps;
  const heads = await requireRuns(db, scope, [...columns.keys()]);
  const foreign = heads.find((one) => one.projectId !== projectId);
  if (foreign) throw notFound('run', String(foreign.id));
  const [{ n } = { n: 0 }] = await db.read(scope, (sql) =>
    countRecords(
      sql,
      scope,
      heads.map(({ id }) => id),
    ),
  );
  if (n > mostRecords) throw invalid('', `would have ${n} records; a file has at most ${mostRecords}`);
  const runs: FileRun[] = [];
  for (const one of heads) runs.push(await writeRun(deps, columns.get(String(one.id))!, one, withTexts));
  return runs;
};

/** Writes the file of a decision about a run, signed. Throws 404 for an unknown run or decision, 400 for rules that do not apply. */
export const writeDecisionFile = async (
  deps: FileDeps,
  projectId: bigint,
  decisionId: string,
  body: DecisionExport,
): Promise<string> => {
  const { db, scope, client, key, clock } = deps;
  const { runId, commit, texts = false } = body;
  const [found] = await db.read(scope, (sql) => findDecision(sql, scope, projectId, decisionId));
  if (!found) throw notFound('decision', decisionId);
  const decision = JSON.parse(found.body) as Predicate['decision'];
  const { document } = decision;
  const [registration] = await db.read(scope, (sql) => findRegistration(sql, scope, projectId, decisionId));
  const named = [runId, ...(body.baselineRunId === undefined ? [] : [body.baselineRunId])];
  const [head, ...others] = await requireRuns(db, scope, named);
  for (const { id, projectId: place } of [head!, ...others])
    if (place !== projectId) throw notFound('run', String(id));
  const reading = await client.readDecision(String(projectId), decisionId, { runId });
  const now = clock();
  const gate = takeAnswers(client, { db, scope });
  const decided = await refusing(() => decideBoth(gate.client, document, body, now));
  // An export is a look too. The ledger notes it once.
  for (const { id } of decided.baselines) if (id) await client.compareRuns({ runs: [id, runId] });
  const runs = await writeRuns(deps, gate.runs, projectId, texts);
  const metricIds = document.metrics.map(({ id }) => BigInt(id));
  const testsetId = BigInt(document.testset.id);
  const lines = await db.read(scope, (sql) =>
    listSnapshotLines(sql, scope, { testsetId, n: document.testset.snapshot }),
  );
  const predicate: Predicate = {
    format: fileFormat,
    version: fileVersion,
    decision,
    registration: registration!,
    decidedAt: new Date(now).toISOString(),
    run: {
      runId,
      createdAt: head!.createdAt,
      baselineAsked: decided.baselineAsked,
      baselines: decided.baselines as Predicate['run']['baselines'],
    },
    rules: decided.rules,
    level: decided.level,
    metrics: [
      ...(await db.read(scope, (sql) =>
        findRegisteredMetrics(sql, scope, { projectId, metricIds, runId: head!.id }),
      )),
    ],
    deviations: [...reading.deviations, ...decided.deviations],
    waivers: reading.waivers,
    numLooks: reading.numLooks,
    looks: await looksSince(deps, document),
    judges: await judgesOf(deps, gate.runs.get(runId)!),
    data: { snapshot: lines.map(({ line }) => line), runs },
    ...gate.taken(),
    numbers: decided.numbers,
  };
  const statement = {
    _type: statementType,
    subject: await subjectOf(deps, head!, commit, runs.find((run) => run.runId === runId)!),
    predicateType,
    predicate,
  };
  const sig = key.signBytes(statementBytes(statement));
  return fileText({ statement, publicKeyPem: key.publicKeyPem, signatures: [{ keyid: key.keyId, sig }] });
};
