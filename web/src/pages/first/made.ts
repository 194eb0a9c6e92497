import { DokimaError } from '../../../../client/src/errors.ts';

/** Returns what is read; undefined if it is deleted. Throws every other error. */
export const ifThere = <Found>(read: Promise<Found>): Promise<Found | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof DokimaError && error.status === 404) return undefined;
    throw error;
  });
