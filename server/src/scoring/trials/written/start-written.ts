import type { Sql } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { setJudgeBudget } from '../../budgets/queries.ts';
import type { Side } from '../../labels/split.ts';
import { within } from '../read-trials.ts';
import type { AlignmentCreate } from '../schema.ts';
import { type Candidate, insertProposed, lockJudge, proposedOf, startTrial } from '../start-trial.ts';
import { readSides } from './sides.ts';

/** An alignment whose candidates a person wrote. */
export type WrittenCreate = AlignmentCreate & { candidates: NonNullable<AlignmentCreate['candidates']> };
export const isWritten = (body: AlignmentCreate): body is WrittenCreate => body.candidates !== undefined;

/** Throws 400 without candidates, and for a field that is about prompts that the service makes. */
export const requireWritten = (body: AlignmentCreate): WrittenCreate => {
  if (!isWritten(body))
    throw invalid('/candidates', 'must be given: only prompts that a person wrote can be estimated');
  for (const field of ['rewriterModelName', 'numExamples', 'seed'] as const)
    if (body[field] !== undefined) throw invalid(`/${field}`, 'must be left out with candidates');
  return body;
};

export const defaultSide: Side = 'test';
/** Margin within which rates count as unchanged, for the anchor of an adopted prompt. */
const margin = 0.05;

export const noLabels = (side: Side): string =>
  `has no pinned label for ${side === 'dev' ? 'tuning' : 'testing'}: label more records, and choose “Watch for drift on these labels” on the page of the judge again`;

/**
 * Starts a trial of prompts that a person wrote, on the labels for tuning or on those for testing. Records without a verdict of the saved
 * prompt are judged by it too. Throws 404 when nothing is pinned, and 400 without labels or for a prompt that cannot be rendered.
 */
export const startWritten = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { candidates, split = defaultSide, budgetUsd }: WrittenCreate,
): Promise<string> => {
  const { pinned, configId, incumbent } = await lockJudge(tx, scope, metricId);
  const proposed = proposedOf(incumbent, candidates);
  const { all, missing } = (await readSides(within(tx), scope, metricId, configId))(split);
  if (all.length === 0) throw invalid('/split', noLabels(split));
  const made = (await insertProposed(tx, scope, metricId, proposed)).map(
    (candidate): Candidate => ({ ...candidate, label: 'an edited prompt' }),
  );
  const saved: Candidate = {
    how: 'reference',
    configId,
    dueModels: [],
    label: 'the saved prompt',
    places: missing,
  };
  const tried = missing.length > 0 ? [saved, ...made] : made;
  const sizes = tried.map(({ places }) => places?.length ?? all.length);
  const sum = sizes.reduce((total, size) => total + size, 0);
  const trial = { kind: 'alignment' as const, margin, seed: null, split };
  return startTrial(tx, scope, metricId, { ...pinned, pinnedConfigId: configId }, trial, tried, [], {
    beforeScores: async (runId, i) => {
      if (budgetUsd !== undefined) await setJudgeBudget(tx, scope, runId, (budgetUsd * sizes[i]!) / sum);
    },
  });
};
