/** A finding: its subject, whether it is fine, and what to do if not. */
export type Finding = { name: string; ok: boolean; said: string; next?: string };

/** Returns a finding; with `problem`, which says what to do, it is not well. */
export const found = (name: string, said: string, problem?: string): Finding => ({
  name,
  ok: problem === undefined,
  said,
  ...(problem !== undefined && { next: problem }),
});
