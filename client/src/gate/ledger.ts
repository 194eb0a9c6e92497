import type { LedgerLook, Operations } from '../generated.ts';
import type { Baseline } from './baselines.ts';
import type { Outcome } from './check.ts';
import { fields, number, type Problems } from './policy-fields.ts';
import { RulesError } from './rules-error.ts';

/** How the looks at a testset share one level: all looks of a period err with probability `alpha` at most. */
export type LedgerPolicy = { alpha: number; per: LedgerLook['per'] };

const periods = ['month', 'quarter', 'year'] as const;

export const readLedger = (value: unknown, problems: Problems): LedgerPolicy | undefined => {
  if (value === undefined) return undefined;
  const { alpha, per = 'year' } = fields(value, 'ledger', problems, ['alpha', 'per']);
  const known = periods.find((period) => period === per);
  if (!known) problems.push({ path: 'ledger.per', message: `must be ${periods.join(', ')}` });
  return { alpha: number(alpha, 'ledger.alpha', problems, 0.001, 0.5), per: known ?? 'year' };
};

/** A look that the ledger has, with the level at which it is tested. */
export type CountedLook = {
  look: number;
  number: number;
  per: LedgerLook['per'];
  alpha: number;
  level: number;
};

/** A share in percent, with two digits that count. */
const percentOf = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

/** Says which look this is and how it is tested. */
export const lookSentence = ({ number, per, alpha, level }: CountedLook): string =>
  `Look ${number} of this ${per} at the testset, tested at ${percentOf(level)}: all looks of the ${per} share ${percentOf(alpha)}.`;

/** Says that the ledger of the rules does not count this gate. */
export const uncounted = 'This is no look of a ledger';

export type Entered = {
  /** Null for a run that has no scores yet. */
  counted: CountedLook | null;
  note: string;
  /** Stores the outcome of the gate with the look. */
  close: (outcome: Outcome) => Promise<void>;
};

/** Enters a gate in the ledger of the testset, before it tests. Throws RulesError for a run without a testset. */
export const enterLedger = async (
  client: Operations,
  runId: string,
  ledger: LedgerPolicy,
  baselines: readonly Baseline[],
): Promise<Entered> => {
  const body = { ...ledger, baselineRunIds: baselines.flatMap(({ id }) => id ?? []) };
  const { testsetId, look, number, per, alpha, level } = await client.createLook(runId, body);
  if (testsetId === null)
    throw new RulesError(`Run ${runId} has no testset, so no ledger counts its looks.`, 'Leave out ledger.');
  if (look === null || number === null || level === null)
    return { counted: null, note: `${uncounted}: the run has no scores yet.`, close: async () => {} };
  const counted = { look, number, per, alpha, level };
  return {
    counted,
    note: lookSentence(counted),
    close: async (outcome) => void (await client.createLook(runId, { ...body, outcome })),
  };
};
