import { Type } from 'typebox';
import { text } from '../../engine/statistics/estimate-schema.ts';
import { anchoredRate } from '../../engine/statistics/switch-schema.ts';
import { named } from '../../platform/named-schema.ts';

export const AnchoredRate = named(
  'AnchoredRate',
  Type.Object(
    { metricConfigId: text('Configuration of the judge that the rate is anchored to.'), ...anchoredRate },
    { description: 'A pass rate, anchored to a later judge by the trial that adopted it.' },
  ),
);
