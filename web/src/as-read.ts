import { DokimaError } from '../../client/src/errors.ts';
import { isSame } from './ui/outdated.tsx';

/**
 * Returns what is stored `now`, whose ETag is for the change. Throws if the named parts are no longer as they were `read`: a page then reads
 * again what it shows. It compares parts because some resources change all the time for other reasons, such as a run that gets records.
 */
export const requireAsRead = <Now extends object, Name extends keyof Now>(
  now: Now,
  read: Readonly<Pick<Now, Name>>,
  names: readonly Name[],
): Now => {
  if (names.every((name) => isSame(now[name], read[name]))) return now;
  throw new DokimaError(
    'PRECONDITION_FAILED',
    'Someone changed this before you saved. Nothing was overwritten. You see it now as it is stored.',
  );
};
