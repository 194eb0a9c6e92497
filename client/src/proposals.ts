import type { MetricTemplate } from './generated.ts';
import { withField } from './read-fields.ts';
import { numberIn } from './tables/score-values.ts';

/** The names of the fields of each part of the records that metrics are to read. */
export type Fields = { inputs: readonly string[]; expected: readonly string[]; outputs: readonly string[] };

/** Characters of an expected answer up to which its words are compared, and not how much of it is there. */
const shortText = 60;

/** Returns the ids of three ready metrics that fit what is expected, the most telling first. `expected` are the values of one testcase. */
export const metricsFor = (fields: Fields, expected: Record<string, unknown>): string[] => {
  const [name] = fields.expected;
  if (name === undefined) return ['relevance', 'expert-review', 'length-limit'];
  const value = expected[name];
  const text = String(value ?? '');
  if (numberIn(value) !== undefined || /^-?\d[\d.,]*$/.test(text))
    return ['numeric-answer', 'correctness', 'exact-match'];
  if (typeof value !== 'string') return ['exact-match', 'correctness', 'json-fields'];
  return text.length <= shortText
    ? ['normalized-match', 'correctness', 'similarity']
    : ['correctness', 'similarity', 'expert-review'];
};

/**
 * Returns the guidelines or the prompt of a ready metric with the fields that the records have. A part with one field has it in place of the
 * template's. Several inputs are all read, as the template's default does.
 */
export const withOwnFields = (logic: string, { reads }: MetricTemplate, fields: Fields): string =>
  reads.reduce((text, path) => {
    const [part = '', name = ''] = path.split(/\.(.*)/s);
    const own = fields[part as keyof Fields] ?? [];
    if (name === '' || own.length === 0 || own.includes(name)) return text;
    return part === 'inputs' && own.length > 1 ? text : withField(text, path, `${part}.${own[0]}`);
  }, logic);
