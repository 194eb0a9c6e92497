import type { CriterionVerdict } from '../../../client/src/criteria.ts';
import type { Labels } from '../../../client/src/labels.ts';
import type { CreateMetricBody, JsonObject } from '../../../client/src/main.ts';
import { numberIn, type ScoreValue, scoreValue } from '../../../client/src/tables/score-values.ts';
import { isObject } from '../../../client/src/tables/table.ts';
import { WrittenNumber } from '../../../client/src/written-number.ts';
import type { MadeBy } from '../made-by.ts';

export { isObject, numberIn, type ScoreValue, scoreValue };

/** Returns who made a score, from a tool's word for it: `HUMAN` of MLflow and Phoenix, `ANNOTATION` of Langfuse. */
export const makerIn = (word: unknown): MadeBy | undefined => {
  if (word === 'HUMAN' || word === 'ANNOTATION') return 'person';
  if (word === 'LLM' || word === 'LLM_JUDGE' || word === 'AI_JUDGE' || word === 'EVAL') return 'model';
  return undefined;
};

/** One answer of a system with its scores, from any tool. */
export type Row = {
  /** The tool's own id of the answer. */
  id: string;
  /** The tool's own id of the case. Several rows of one case are its trials. */
  caseId: string;
  /** Key of the run in `Import.systems`. */
  run: string;
  inputs: JsonObject;
  expected: JsonObject;
  metadata: JsonObject;
  outputs: JsonObject;
  /** Why there is no answer to judge. The row then has no scores. */
  error?: string | undefined;
  scores: {
    name: string;
    value: ScoreValue;
    /** The tool's label, where the value is a number that stands for it. */
    label?: string | undefined;
    /** With a value its reasoning; without one the tool's reason why it is missing. */
    reasoning?: string | undefined;
    threshold?: number | undefined;
    /** The verdicts on the criteria of a metric that has some; the service computes the value. */
    criteria?: CriterionVerdict[];
    /** Who made it, if the tool says so. */
    madeBy?: MadeBy | undefined;
  }[];
  tags?: string[];
  /** The trace of the record. The first span is the root. */
  trace?: TraceSpan[];
};

/** A span of a record's trace, in the names of OpenTelemetry's GenAI conventions. */
export type TraceSpan = {
  /** Unique within the trace, and the same at each import. */
  key: string;
  /** Key of the parent; undefined for the root. */
  parent: string | undefined;
  name: string;
  /** Times in milliseconds since 1970. */
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  error?: string;
};

/** A metric as the tool defines it: code or a judge's prompt. */
export type MetricDefinition = {
  /** Its name in the tool: `string_check`. */
  kind: string;
  evalType: 'ai' | 'heuristic';
  outputType: CreateMetricBody['outputType'];
  guidelines?: string;
  /** Whether the guidelines are code that reproduces the tool's verdicts. Some verdicts are then compared. */
  isCode?: boolean;
  promptTemplate?: string;
  evalModelName?: string;
  temperature?: number;
  passingThreshold?: number;
  /** The labels of a category. */
  labels?: Labels;
  /** Criteria that are scored one by one. */
  criteria?: { fromExpected: boolean; items?: string[] };
};

/** Contents of a file of another tool. */
export type Import = {
  tool: string;
  /** The tool's own id of the evaluation, else the digest of the file. */
  id: string;
  name: string;
  /** The system of each run. */
  systems: Map<string, { name: string; config: JsonObject }>;
  rows: Row[];
  /** Metrics that the file defines, by name. A metric that is not here has only scores, and clients score it. */
  metrics?: Map<string, MetricDefinition>;
  /** Whether the tool defines the values of a metric as verdicts, or as shares from 0 to 1: 1 is good. */
  unit?: (metric: string) => boolean;
  /** What was left out, and why. */
  notes: string[];
};

/** The id of a row in a file whose rows have none. It says where the row stands, so another file has it for another row. */
export const rowId = (index: number): string => `row ${index + 1}`;
export const isRowId = (id: string): boolean => /^row \d+$/.test(id);

/** Returns an object as it is, any other value under the key, and an empty object for undefined and null. */
export const underKey = (value: unknown, key: string): JsonObject => {
  if (isObject(value)) return value;
  return value === undefined || value === null ? {} : { [key]: value };
};

/** Returns the object at a key, else an empty one. */
export const objectAt = (value: unknown, key: string): JsonObject => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
};

/** Returns the objects of the list at a key, else an empty list. */
export const listAt = (value: unknown, key: string): JsonObject[] => {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter(isObject) : [];
};

/** Returns a string as it is and a number as its digits. Anything else, the empty string too, is undefined. */
export const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || value instanceof WrittenNumber ? String(value) : undefined;
};

/** The same, also for the digits in a text: tables keep numbers as text. */
export const amountIn = (value: unknown): number | undefined =>
  numberIn(typeof value === 'string' && value !== '' ? Number(value) : value);

/** Returns the sum of the numbers; undefined if there are none. */
export const sumOf = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined;
};
