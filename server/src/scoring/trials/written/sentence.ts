import type { AgreementGain } from '../../../engine/statistics/trial-schema.ts';

const percent = (share: number | null): string => (share === null ? 'none' : `${(100 * share).toFixed(1)} %`);

/** What the labels for tuning say about edited prompts: nothing that may be claimed, so nothing is proposed. */
export const sentenceOnDev = (candidates: readonly { agreement?: AgreementGain }[]): string => {
  const [best] = candidates
    .flatMap(({ agreement }) => agreement ?? [])
    .sort((a, b) => (b.now ?? 0) - (a.now ?? 0));
  if (!best || best.n === 0) return 'no label for tuning has a verdict of both prompts';
  return `on the labels for tuning (n = ${best.n}) people agree with the edited prompt on ${percent(best.now)}, with the saved one on ${percent(best.before)}: check it on the labels that were kept before you use it`;
};
