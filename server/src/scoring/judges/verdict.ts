import type { JSONSchema7 } from 'ai';
import { type OutputType, outputs } from '../../evaluation/metrics/schema.ts';
import { parseJson } from '../../platform/json/parse-json.ts';

export type Verdict = { value: boolean | number; reasoning: string };
export type Read = { verdict: Verdict } | { problem: string };

const values: Record<OutputType, { schema: JSONSchema7; wanted: string; fits: (value: unknown) => boolean }> =
  {
    boolean: {
      schema: { type: 'boolean' },
      wanted: 'true or false',
      fits: (value) => typeof value === 'boolean',
    },
    int: {
      // Listed, because small models held to any integer write 1000000000000000: docs/decisions/0012.
      schema: { type: 'integer', enum: [1, 2, 3, 4, 5] },
      wanted: 'an integer from 1 to 5',
      fits: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 5,
    },
    float: {
      // Without bounds: not every provider's structured output accepts them, and readVerdict checks them.
      schema: { type: 'number', description: 'From 0 to 1.' },
      wanted: 'a number from 0 to 1',
      fits: (value) => typeof value === 'number' && value >= 0 && value <= 1,
    },
  };

/** What a verdict must look like. Reasoning comes first, so that the model thinks before it decides. */
export const verdictSchema = (outputType: OutputType): JSONSchema7 => ({
  type: 'object',
  properties: {
    reasoning: { type: 'string', description: 'Why, in a few sentences.' },
    [outputs[outputType].valueField]: values[outputType].schema,
  },
  required: ['reasoning', outputs[outputType].valueField],
  additionalProperties: false,
});

/** The same in words, for the prompt. */
export const verdictFormat = (outputType: OutputType): string =>
  `{"reasoning": <why, in a few sentences>, "${outputs[outputType].valueField}": <${values[outputType].wanted}>}`;

/** In characters. A verdict is a few sentences. */
const longestReply = 100_000;

/** The outermost JSON objects of a text. One pass, because replies may be hostile. */
const objectsIn = (text: string): Record<string, unknown>[] => {
  const found: Record<string, unknown>[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (depth > 0 && char === '"') inString = true;
    else if (char === '{') {
      if (depth++ === 0) start = i;
    } else if (char === '}' && depth > 0 && --depth === 0) {
      const parsed = parsedObject(text.slice(start, i + 1));
      if (parsed) found.push(parsed);
    }
  }
  return found;
};

const parsedObject = (text: string): Record<string, unknown> | undefined => {
  try {
    return parseJson(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
};

const allFields = Object.values(outputs).map((output) => output.valueField);

/**
 * Reads a model's reply as a verdict. Strict, because a guess would be a score that no model gave: exactly one JSON object with the
 * metric's field in its type and bounds ("true", "4" and 4.5 for an integer are refused), no field of another output type, and
 * reasoning. Prose, a code fence or thoughts around the object do not matter.
 */
export const readVerdict = (reply: string, outputType: OutputType): Read => {
  if (reply.length > longestReply) return { problem: 'it is too long for a verdict' };
  // Reasoning models of self-hosted servers think aloud before they answer, drafts of the answer included.
  const text = reply.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
  const objects = objectsIn(text);
  const [object] = objects;
  if (!object) return { problem: 'it holds no JSON object' };
  if (objects.length > 1) return { problem: 'it holds more than one JSON object' };
  const field = outputs[outputType].valueField;
  const { wanted, fits } = values[outputType];
  const others = allFields.filter((other) => other !== field && Object.hasOwn(object, other));
  if (others.length > 0)
    return { problem: `it has ${others.join(' and ')}, where only ${field} is asked for` };
  if (!Object.hasOwn(object, field)) return { problem: `${field} is missing` };
  if (!fits(object[field]))
    return { problem: `${field} must be ${wanted}, not ${JSON.stringify(object[field]).slice(0, 100)}` };
  if (typeof object.reasoning !== 'string') return { problem: 'reasoning must be a text' };
  return { verdict: { value: object[field] as boolean | number, reasoning: object.reasoning } };
};

/** One verdict out of several, and how far they differ: 0 all the same, 1 as far apart as can be. */
export type Combined = { verdict: Verdict; disagreement: number };

const scale: Record<OutputType, number> = { boolean: 1, int: 4, float: 1 };

/**
 * The majority of boolean verdicts, or the median of numbers: with an even count the lower of the middle two, because the mean of two
 * integers may not be an integer. Undefined when there is no majority.
 */
export const combine = (votes: Verdict[], outputType: OutputType): Combined | undefined => {
  const sorted = votes.map(({ value }) => Number(value)).sort((a, b) => a - b);
  const [lowest, middle, highest] = [sorted[0], sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  if (lowest === undefined || middle === undefined || highest === undefined) return undefined;
  if (outputType === 'boolean') {
    const yes = votes.filter(({ value }) => value === true).length;
    if (yes * 2 === votes.length) return undefined;
    const minority = Math.min(yes, votes.length - yes);
    const verdict = votes.find(({ value }) => value === yes * 2 > votes.length)!;
    // At most half of the votes are in the minority.
    return { verdict, disagreement: minority === 0 ? 0 : minority / Math.floor(votes.length / 2) };
  }
  const verdict = votes.find(({ value }) => value === middle)!;
  return { verdict, disagreement: (highest - lowest) / scale[outputType] };
};
