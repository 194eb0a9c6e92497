import type { RunDetail } from './generated.ts';

/** The testcases of a run in words: `snapshot 3`, `snapshot 3 (Release 1)` or `split test of snapshot 3`; undefined without a testset. */
export const snapshotText = ({
  snapshot,
  split,
}: Pick<RunDetail, 'snapshot' | 'split'>): string | undefined => {
  const named = snapshot && `snapshot ${snapshot.number}${snapshot.name === '' ? '' : ` (${snapshot.name})`}`;
  if (split === null) return named ?? undefined;
  return named ? `split ${split} of ${named}` : `split ${split}`;
};
