import { DokimaError } from '../../../../client/src/errors.ts';
import { api, keyOf } from '../../api.ts';
import type { ScoreFields } from '../metrics/pass-rule.ts';

/** A score that people give to many records. */
export type GivenScore = { metricName: string; configId: string; label: string; score: ScoreFields };

/** What shows scores of records. */
export const scoreLists = [
  keyOf('getRecord'),
  keyOf('getScore'),
  keyOf('listTraces'),
  keyOf('listProjectRecords'),
];

type Held = Awaited<ReturnType<typeof api.getScore>>;

/** Whether it is the given score of this member, and says nothing else. */
const isSame = ({ state, scoredByUserId, score }: Held, given: ScoreFields, meId: string): boolean =>
  state === 'scored' &&
  scoredByUserId === meId &&
  // The service adds the value to verdicts on criteria.
  JSON.stringify(given.criteria ? score?.criteria : score) === JSON.stringify(given.criteria ?? given);

const findScore = async (id: string, configId: string): Promise<Held | undefined> => {
  try {
    return await api.getScore(id, configId);
  } catch (error) {
    if (error instanceof DokimaError && error.status === 404) return undefined;
    throw error;
  }
};

/** Writes a score, unless the record has this very score. Reads it first: only that tells whether the record waited for people. */
export const writeScore = async (id: string, { configId, score }: GivenScore, meId: string) => {
  const held = await findScore(id, configId);
  const had = held !== undefined && isSame(held, score, meId);
  if (!had) await api.upsertScore(id, configId, { score });
  return { had, waitedForPeople: held?.state === 'pending' };
};

/** A score that was changed after it was given: undoing must not replace the newer one. */
export class LaterScore extends Error {
  readonly recordId: string;
  constructor(recordId: string) {
    super('It was scored again since.');
    this.recordId = recordId;
  }
}

/**
 * Gives a record the score back that `given` replaced, with its author, as the score's history has it. A record that had none
 * waits for people again if it did so before; else it is unscored. Throws LaterScore if the score is no longer the given one.
 */
export const takeBackScore = async (
  id: string,
  { configId, score }: GivenScore,
  meId: string,
  waitedForPeople: boolean,
): Promise<void> => {
  const now = await findScore(id, configId);
  if (!now || !isSame(now, score, meId)) throw new LaterScore(id);
  // The statement that replaces a score dates both with one time. An older entry was replaced by something else.
  const before = now.history.find(
    (each) => each.metricConfigId === configId && each.replacedAt === now.updatedAt,
  );
  if (before?.state === 'scored') {
    const { scoredByUserId: userId } = before;
    const author = userId !== null && userId !== meId ? { userId } : {};
    // It stays whose it was: a model's label must not become a person's.
    const { madeBy } = before;
    const maker = madeBy === null || madeBy === 'code' ? {} : { madeBy };
    await api.upsertScore(id, configId, { score: before.score as ScoreFields, ...author, ...maker });
    return;
  }
  const reason = before?.reason ?? 'The score was taken back.';
  await api.upsertScores(id.split('-')[0]!, { items: [{ recordId: id, metricConfigId: configId, reason }] });
  if (waitedForPeople) await api.upsertScore(id, configId, {});
};
