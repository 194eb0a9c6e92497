import type { Operations } from './generated.ts';

/** From this number of versions on, the best of them may be the best by luck. */
const fewestVersions = 2;

/**
 * Says how often the testset of a run was looked at this year; nothing if only one version was. An answer counts even if that is not known.
 */
export const wearLine = async (
  client: Operations,
  { testsetId, split }: { testsetId: string | null | undefined; split?: string | null | undefined },
): Promise<{ numLooks: number | null; lines: string[] }> => {
  if (!testsetId) return { numLooks: null, lines: [] };
  try {
    const wear = await client.getWear(testsetId, split ? { split } : {});
    const { numLooks, numVersions, sentence } = wear;
    return { numLooks, lines: numVersions < fewestVersions ? [] : [`${sentence} ${warning}`] };
  } catch {
    return { numLooks: null, lines: [] };
  }
};

const warning = 'The more often a testset is asked, the more often a version looks better by luck.';
