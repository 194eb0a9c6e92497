import { lookAtSealed, sealedLines } from '../../../client/src/sealed.ts';
import type { Context } from '../command.ts';
import { exit } from '../errors.ts';

const exitOf = { pass: exit.pass, worse: exit.worse, 'not enough': exit.inconclusive } as const;

/** A look is called and scored by the service, so it may take as long as a run. */
const waitMs = 3_600_000;

/** Decides by a look at a sealed split whether a version passes. Returns the exit code. */
export const sealedGate = async (
  { out, client, signal }: Context,
  versionId: string,
  sealId: string,
): Promise<number> => {
  const look = await lookAtSealed(await client(), sealId, versionId, { waitMs, signal });
  out.result(sealedLines(look).join('\n'), look);
  return look.answer === null ? exit.incomplete : exitOf[look.answer];
};
