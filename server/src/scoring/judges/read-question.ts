import type { AttachedReader } from '../../evaluation/attachments/read-attached.ts';
import type { Database } from '../../platform/db/database.ts';
import type { TraceReader } from '../../traces/read/read-scored-trace.ts';
import { withOutputMessages, withSpan } from '../../traces/read/scored-trace.ts';
import { findEvidence, findVerdict } from '../queue/queries.ts';
import type { Batch, Job } from '../queue/worker.ts';
import type { JudgeOptions } from './judge.ts';
import type { JudgeEvidence, StoredVerdict } from './judge-evidence.ts';
import type { JudgedTexts } from './judge-prompt.ts';
import { findExamples } from './queries.ts';
import { traceNamesOf } from './trace-names.ts';

export type QuestionDeps = {
  db: Database;
  traces: TraceReader;
  readAttached: AttachedReader;
  /** Whether an equal question at temperature 0 reuses its earlier verdict. */
  reuseVerdicts: boolean;
};

/** Input for every model of a metric. `earlier` is the evidence of the previous attempt, whose votes were paid for. */
export type JudgedQuestion = {
  data: JudgedTexts;
  earlier: JudgeEvidence | undefined;
  options: Pick<JudgeOptions, 'signal' | 'reuse'>;
};

/** Returns the stored verdict of an equal question. */
const findStored = async (
  db: Database,
  organizationId: bigint,
  inputHash: string,
): Promise<StoredVerdict | undefined> => {
  const [found] = await db.read({ organizationId }, (sql) => findVerdict(sql, organizationId, inputHash));
  return found && { verdict: JSON.parse(found.verdict), evidence: JSON.parse(found.evidence) };
};

const findEarlier = async (db: Database, lease: Batch['lease'], claim: Job['claim']) => {
  const [found] = await db.read(claim, (sql) => findEvidence(sql, lease, claim));
  return found?.evidence ? (JSON.parse(found.evidence) as JudgeEvidence) : undefined;
};

/** Reads the input for every model of the metric. */
export const readQuestion = async (
  { db, traces, readAttached, reuseVerdicts }: QuestionDeps,
  { lease, signal }: Pick<Batch, 'lease' | 'signal'>,
  { claim, config, record, span }: Job,
): Promise<JudgedQuestion> => {
  const { organizationId } = claim;
  const names = traceNamesOf(config);
  const read =
    names.length > 0
      ? // Quotes on criteria are looked up in the prompt, so it holds all that the judge reads.
        await traces[config.criteria ? 'read' : 'readToWalk'](
          claim,
          { runId: lease.runId, n: claim.n },
          names,
        )
      : undefined;
  const trace = withSpan(withOutputMessages(read, names, record.outputs), span);
  const { inputs, outputs, expected } = record;
  const question = { organizationId, configId: claim.configId, runId: lease.runId, inputs };
  const examples = config.promptTemplate?.includes('gradingInstructionsAndExamples')
    ? await db.read(claim, (sql) => findExamples(sql, question))
    : undefined;
  const attached = await readAttached(claim, { runId: lease.runId }, [inputs, outputs, expected]);
  const data = { ...record, guidelines: config.guidelines, trace, examples, attached };
  // A rescoring and a drift trial need a new verdict of the judge.
  const mayReuse = reuseVerdicts && lease.queue === 'score' && !claim.fresh;
  // A model of a jury may have answered in an attempt that the provider of another model delayed.
  const hasEarlier = claim.attempts > 0 || config.juryModelNames.length > 0;
  // The evidence of the score is about all spans of the record.
  const earlier = hasEarlier && !span ? await findEarlier(db, lease, claim) : undefined;
  const reuse = (inputHash: string) => findStored(db, organizationId, inputHash);
  return { data, earlier, options: { signal, ...(mayReuse && { reuse }) } };
};
