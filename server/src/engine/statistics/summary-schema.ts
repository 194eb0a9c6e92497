/** Results of one run on one metric: the result of the engine and of the API. */
import { type Static, Type } from 'typebox';
import { ref } from '../../platform/named-schema.ts';
import { count, Estimate, estimate, nullableInterval } from './estimate-schema.ts';

const PassK = Type.Object({
  k: count('Number of trials.'),
  passAtK: ref(Estimate, 'At least one of k tries passes.'),
  passHatK: ref(Estimate, 'All of k tries pass.'),
});
export type PassK = Static<typeof PassK>;

export const summary = {
  ...estimate,
  numTestcases: count('Number of testcases with at least one score.'),
  range: nullableInterval(
    'Range of the estimate if every missing score were the worst or the best possible; null if none is missing.',
  ),
  passK: Type.Array(PassK, { description: 'pass@k and pass^k; empty unless testcases have several trials.' }),
};
const Summary = Type.Object(summary);
export type Summary = Static<typeof Summary>;
