import type { Operations, SealedLook } from './generated.ts';
import { sleep } from './retry.ts';

const everyMs = 1_000;

/** Words of a terminal and an agent for the answer of a look. */
export const answerWords = { pass: 'PASS', worse: 'WORSE', 'not enough': 'NOT ENOUGH DATA' } as const;

/**
 * Looks at a version over a sealed split, and waits for the answer. Returns the look without an answer if `waitMs` are over before: a later
 * call waits on, and takes no further look.
 */
export const lookAtSealed = async (
  client: Pick<Operations, 'createSealedLook' | 'listSealedLooks'>,
  sealId: string,
  systemVersionId: string,
  { waitMs, signal, clock = Date.now }: { waitMs: number; signal?: AbortSignal; clock?: () => number },
): Promise<SealedLook> => {
  const until = clock() + waitMs;
  let look = await client.createSealedLook(sealId, { systemVersionId });
  while (look.answer === null && clock() < until) {
    await sleep(everyMs, signal);
    const { data } = await client.listSealedLooks(sealId);
    look = data.find(({ number }) => number === look.number) ?? look;
  }
  return look;
};

/** The lines that say a look: its sentence, and each metric with the figure of the best version until then. */
export const sealedLines = ({ answer, sentence, metrics, numLeft }: SealedLook): string[] => [
  ...(answer === null ? [] : [`${answerWords[answer]}: ${numLeft} looks left.`]),
  sentence,
  ...metrics.map(
    ({ metricName, answer, difference, improved }) =>
      `  ${metricName}: ${answer}; best until now ${difference >= 0 ? '+' : '−'}${Math.abs(difference)} from the baseline${improved ? ', by this version' : ''}`,
  ),
];
