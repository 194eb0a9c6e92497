/** The shapes of the API, generated from openapi.json. Types only: none of it is bundled. */
import type { Metric as AnyMetric, Criteria, Labels } from '../../client/src/generated.ts';

export type * from '../../client/src/generated.ts';
export type { JsonObject } from '../../client/src/types.ts';

/** A metric of any variant, with the fields that only some variants have. */
export type Metric = Pick<
  AnyMetric,
  'id' | 'name' | 'description' | 'guidelines' | 'evalType' | 'outputType'
> & {
  promptTemplate?: string;
  evalModelName?: string;
  temperature?: number;
  passingThreshold?: number;
  spans?: string | undefined;
  criteria?: Criteria | undefined;
  labels?: Labels | undefined;
};
