import type { Option, Values } from './command.ts';
import { CliError } from './errors.ts';

/** Who made a score. */
const madeBys = ['person', 'client', 'model'] as const;
export type MadeBy = (typeof madeBys)[number];

export const madeByOption: Record<string, Option> = {
  'made-by': {
    type: 'string',
    value: madeBys.join('|'),
    about:
      'Who made the scores. Default: what the input says, else client. Scores of models never calibrate a judge.',
  },
};

/** Reads who made the scores. */
export const readMadeBy = (values: Values): MadeBy | undefined => {
  const said = values.text('made-by');
  const maker = madeBys.find((one) => one === said);
  if (said !== undefined && maker === undefined)
    throw new CliError(`--made-by must be ${madeBys.join(', ')}, not '${said}'.`);
  return maker;
};
