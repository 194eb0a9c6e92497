import { api } from '../../api.ts';
import { requireAsRead as requireSame } from '../../as-read.ts';
import type { RunDetail } from '../../types.ts';

/** What people write about a run. */
export type Written = 'name' | 'tags' | 'marks' | 'notes';

/**
 * Throws if what people wrote about a run is no longer as it was read; `onChange` gets the run as it is now. An ETag would not do: records
 * and scores change the run all the time.
 */
export const requireAsRead = async <Name extends Written>(
  run: Pick<RunDetail, 'id' | Name>,
  names: readonly Name[],
  onChange: (now: RunDetail) => void,
): Promise<void> => {
  const now = await api.getRunDetails(run.id);
  try {
    requireSame<RunDetail, Written>(now, run as Pick<RunDetail, Written>, names);
  } catch (error) {
    onChange(now);
    throw error;
  }
};
