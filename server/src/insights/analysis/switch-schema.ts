import { Type } from 'typebox';
import { Interval, number, text } from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';

const part = (description: string) =>
  Type.Object(
    {
      estimate: number('The estimate.'),
      standardError: number('Standard error, that of the switch included.'),
      interval: ref(Interval),
    },
    { description },
  );

/** A rate as the judge after a switch would have given it. */
export const AnchoredRate = named(
  'AnchoredRate',
  Type.Object(
    {
      metricConfigId: text('Configuration of the judge that the rate is anchored to.'),
      estimate: number('The rate as that judge would have given it.'),
      standardError: number('Standard error, that of the switch included.'),
      interval: ref(Interval),
      shift: part('What the switch adds to the rate.'),
    },
    { description: 'A pass rate, anchored to a later judge by the trial that adopted it.' },
  ),
);

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
