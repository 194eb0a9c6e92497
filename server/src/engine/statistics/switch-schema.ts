/** A rate across a change of judges: the result of the engine and of the API. */
import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { Interval, number, text } from './estimate-schema.ts';

const part = (description: string) =>
  Type.Object(
    {
      estimate: number('The estimate.'),
      standardError: number('Standard error, including that of the switch.'),
      interval: ref(Interval),
    },
    { description },
  );

export type Part = Static<ReturnType<typeof part>>;

/** A rate as the judge after a switch would have given it. Its interval includes the error of the switch. */
export const anchoredRate = {
  estimate: number('Estimate of the rate that this judge would have given.'),
  standardError: number('Standard error, including that of the switch.'),
  interval: ref(Interval),
  shift: part('Amount that the switch adds to the rate.'),
};
const AnchoredRate = Type.Object(anchoredRate);
export type AnchoredRate = Static<typeof AnchoredRate>;

export const SplitChange = named(
  'SplitChange',
  Type.Object(
    {
      total: number('Change of the pass rate.'),
      system: part("The system's part: what one judge would have seen."),
      judge: part("The judge's part: what the switch changes about the first run."),
      sentence: text('Both parts in words.'),
    },
    { description: 'A change of a pass rate across a switch of judges. The parts add up to it.' },
  ),
);
export type SplitChange = Static<typeof SplitChange.schema>;
