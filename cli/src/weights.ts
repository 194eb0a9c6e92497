import type { Values } from './command.ts';

/** Options of commands whose numbers can be weighted to the traffic. */
export const weightOptions = {
  'weight-by': {
    type: 'string',
    value: 'FIELD',
    about: 'Count each testcase by a number of its metadata, such as metadata.visits.',
  },
  shares: {
    type: 'string',
    value: 'SHARES',
    about:
      'Weigh the values of a field by their shares of the traffic, such as metadata.intent:refund=0.7,order=0.3.',
  },
} as const;

/** Returns the parameters of the weights that were asked for. */
export const weightsOf = (values: Values): { weightBy?: string; shares?: string } => {
  const [weightBy, shares] = [values.text('weight-by'), values.text('shares')];
  return { ...(weightBy !== undefined && { weightBy }), ...(shares !== undefined && { shares }) };
};
