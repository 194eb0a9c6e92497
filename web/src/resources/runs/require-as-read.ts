import { api } from '../../api.ts';
import type { RunDetail } from '../../types.ts';
import { isSame } from '../../ui/outdated.tsx';

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
  if (names.every((name) => isSame(now[name], run[name]))) return;
  onChange(now);
  throw new Error('Someone changed this before you saved. Nothing was overwritten.');
};
