import { WrittenNumber } from '../../../../client/src/written-number.ts';
import { asText } from '../../platform/db/text.ts';
import { type Attributes, first, firstText } from './attribute.ts';

/** Name of the event with the result of an evaluation, https://github.com/open-telemetry/semantic-conventions-genai. */
export const evaluationEvent = 'gen_ai.evaluation.result';

/** Attribute of a span that ran a test: `pass` or `fail`. */
export const testOutcome = 'test.case.result.status';

/** Attribute of the events that this service sends, with the id of the metric. */
export const ownMetric = 'dokima.metric_id';
/** The same for the id of the record. */
export const ownRecord = 'dokima.record_id';

/** A result of an evaluation, as an event has it. */
export type Evaluation = {
  /** Name of the metric. */
  name: string;
  value: number | null;
  label: string | null;
  explanation: string | null;
  /** Why there is no result. */
  error: string | null;
  /** Id of the model's response that was evaluated. */
  responseId: string | null;
};

/** Longest name and response id; both are keys. */
const maxKeyLength = 256;

const numberOf = (attributes: Attributes, key: string): number | null => {
  const found = first(attributes, [key]);
  const isWritten = typeof found === 'string' && found.trim() !== '';
  const value =
    typeof found === 'bigint' || found instanceof WrittenNumber || isWritten ? Number(found) : found;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** Reads the attributes of an evaluation's event. Returns a text if they can't be a score: what is wrong. */
export const evaluationOf = (attributes: Attributes): Evaluation | string => {
  const text = (key: string) => {
    const found = firstText(attributes, [key]);
    return found === undefined ? null : asText(found);
  };
  const name = text('gen_ai.evaluation.name')?.trim();
  if (!name) return 'an evaluation must have gen_ai.evaluation.name';
  if (name.length > maxKeyLength) return `gen_ai.evaluation.name may have at most ${maxKeyLength} characters`;
  const value = first(attributes, ['gen_ai.evaluation.score.value']);
  return {
    name,
    value: numberOf(attributes, 'gen_ai.evaluation.score.value'),
    // Some senders write a verdict as a value: it is a label in other words.
    label: text('gen_ai.evaluation.score.label') ?? (typeof value === 'boolean' ? String(value) : null),
    explanation: text('gen_ai.evaluation.explanation'),
    error: text('error.type'),
    responseId: text('gen_ai.response.id')?.slice(0, maxKeyLength) ?? null,
  };
};
