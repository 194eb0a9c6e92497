import type { CriterionVerdict } from '../../../../client/src/criteria.ts';
import { placeOf, valueOfLabel } from '../../../../client/src/labels.ts';
import type { JsonSchema } from '../../engine/models/question.ts';
import type { Scale } from '../../evaluation/metrics/scale.ts';
import { outputs } from '../../evaluation/metrics/schema.ts';
import { fieldOf } from '../../evaluation/scores/validate-score.ts';
import { repeatedKeys } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Quote } from '../../traces/read/walk.ts';

/**
 * `evidence`: passages of a long trace that the judge read, which exist. `criteria`: the verdicts on a metric's criteria; the value is NaN while
 * one of them is unscored. `share`: the value without the rule of mustPass, if that made it 0.
 */
/** `value`: a text is a label of the metric. */
export type Verdict = {
  value: boolean | number | string;
  reasoning: string;
  evidence?: Quote[];
  criteria?: CriterionVerdict[];
  share?: number;
};
export type Read = { verdict: Verdict } | { problem: string };

type Wanted = { schema: JsonSchema; wanted: string; fits: (value: unknown) => boolean };

const values: Record<Extract<Scale, string>, Wanted> = {
  boolean: {
    schema: { type: 'boolean' },
    wanted: 'true or false',
    fits: (value) => typeof value === 'boolean',
  },
  int: {
    // Listed, because small models write 1000000000000000 if the schema allows any integer: docs/decisions/0012.
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

/** What a verdict may be. The labels of a category are listed, so that structured output gives nothing else. */
const wantedOf = (scale: Scale): Wanted => {
  if (typeof scale === 'string') return values[scale];
  const { items } = scale;
  return {
    schema: { type: 'string', enum: items },
    wanted: `one of ${items.map((label) => JSON.stringify(label)).join(', ')}`,
    fits: (value) => items.includes(value as string),
  };
};

/** Schema of a verdict. Reasoning comes first, so that the model thinks before it decides. */
export const verdictSchema = (scale: Scale): JsonSchema => ({
  type: 'object',
  properties: {
    reasoning: { type: 'string', description: 'Why, in a few sentences.' },
    [fieldOf(scale)]: wantedOf(scale).schema,
  },
  required: ['reasoning', fieldOf(scale)],
  additionalProperties: false,
});

/** The same in words, for the prompt. */
export const verdictFormat = (scale: Scale): string =>
  `{"reasoning": <why, in a few sentences>, "${fieldOf(scale)}": <${wantedOf(scale).wanted}>}`;

const allFields = Object.values(outputs).map((output) => output.valueField);

/** In characters. A verdict is a few sentences. */
const longestReply = 100_000;

/** The parts of a model's reply from which a verdict is read. */
export type ModelReply = {
  text: string;
  /** Its thoughts, where the provider gives them apart. */
  reasoning: string;
  /** Why it stopped: `length` when it was cut off. */
  finishReason: string;
};

const escaped = (char: string): string =>
  char < ' ' ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char;

/**
 * Returns valid JSON for JSON whose strings have raw control characters and LaTeX (`\(x\)`). No other text has this form, so it is not a guess.
 */
const mended = (text: string): string => {
  let result = '';
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (!inString) {
      if (char === '"') inString = true;
      result += char;
    } else if (char === '\\') {
      const isEscape = /^(?:["\\/bfnrt]|u[\da-f]{4})/i.test(text.slice(i + 1, i + 6));
      result += isEscape ? `\\${text[++i]}` : '\\\\';
    } else {
      if (char === '"') inString = false;
      result += escaped(char);
    }
  }
  return result;
};

/** An object of a reply, with its repeated keys; or the error in its JSON. `text` is as the model wrote it. */
type Found = { text: string } & (
  | { object: Record<string, unknown>; twice: string[] }
  | { broken: string }
  | { unended: true }
);

const objectOf = (text: string): Found => {
  let broken = '';
  for (const candidate of [text, mended(text)]) {
    try {
      const object = parseJson(candidate) as Record<string, unknown>;
      return { text, object, twice: repeatedKeys(candidate) };
    } catch (error) {
      broken ||= (error as Error).message;
    }
  }
  return { text, broken };
};

/** The index after the closing brace of an object; -1 without one. */
const objectEnd = (text: string, start: number): number => {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i + 1;
  }
  return -1;
};

/** The start of an object. Braces of sets, code and LaTeX begin otherwise. Python's objects count, so that nothing in them is read. */
const objectStart = /\{\s*["'}]/g;

/** Openings without an end that are looked past: each reads the rest once more, and replies may be hostile. */
const mostOpenings = 10;

/**
 * Whether a text that begins like an object and does not end is none: a set or a piece of code whose brace the model left open. A key makes it
 * an object, in whose texts another verdict may be quoted.
 */
const isNoObject = (opening: string): boolean =>
  !/["']\s*:/.test(opening) && !allFields.some((field) => opening.includes(field));

/** The outermost objects of a text. */
const objectsIn = (text: string): Found[] => {
  const found: Found[] = [];
  let openings = 0;
  objectStart.lastIndex = 0;
  for (let start = objectStart.exec(text); start; start = objectStart.exec(text)) {
    const end = objectEnd(text, start.index);
    if (end >= 0) {
      found.push(objectOf(text.slice(start.index, end)));
      objectStart.lastIndex = end;
      continue;
    }
    objectStart.lastIndex = start.index + 1;
    const next = objectStart.exec(text);
    openings++;
    if (!next || openings > mostOpenings || !isNoObject(text.slice(start.index, next.index)))
      return [...found, { text: text.slice(start.index), unended: true }];
    objectStart.lastIndex = next.index;
  }
  return found;
};

/** Tags around the thoughts of reasoning models, which may include drafts of the answer. */
const thoughts = [
  [
    /^<((?:\w+:)?(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad))>/i,
    (name: string) => `</${name}>`,
  ],
  [/^\[THINK\]/, () => '[/THINK]'],
  [/^◁think▷/, () => '◁/think▷'],
  [/^<\|channel\|>(?:analysis|commentary)/, () => '<|channel|>final<|message|>'],
  [/^<\|channel>thought/, () => '<channel|>'],
] as const;
/** Servers that give the opening tag to the model leave the closing one alone. */
const aloneAtEnd = /<\/(?:\w+:)?think(?:ing)?>|\[\/THINK\]|◁\/think▷|<\|channel\|>final<\|message\|>/gi;

/**
 * Returns the text after the thoughts of a reasoning model; undefined if they do not end. A reply that begins with its answer has no
 * thoughts: it may quote such a tag.
 */
const withoutThoughts = (reply: string): string | undefined => {
  let rest = reply.trimStart();
  for (;;) {
    if (/^(?:\{|```)/.test(rest)) return rest;
    const [begin, close] = thoughts.find(([tag]) => tag.test(rest)) ?? [];
    if (!begin || !close) break;
    const end = close(begin.exec(rest)![1]!);
    const at = rest.indexOf(end);
    if (at < 0) return undefined;
    rest = rest.slice(at + end.length).trimStart();
  }
  const end = [...rest.matchAll(aloneAtEnd)].at(-1);
  return end ? rest.slice(end.index + end[0].length) : rest;
};

const readObject = (found: Found, scale: Scale): Read => {
  if ('unended' in found) return { problem: 'its JSON object does not end' };
  if ('broken' in found) return { problem: `its JSON is broken: ${found.broken}` };
  const { object, twice } = found;
  const field = fieldOf(scale);
  const { wanted, fits } = wantedOf(scale);
  if (twice.length > 0) return { problem: `it has ${twice.join(' and ')} twice` };
  const others = allFields.filter((other) => other !== field && Object.hasOwn(object, other));
  if (others.length > 0)
    return { problem: `it has ${others.join(' and ')}, where only ${field} is asked for` };
  if (!Object.hasOwn(object, field)) return { problem: `${field} is missing` };
  if (!fits(object[field]))
    return { problem: `${field} must be ${wanted}, not ${JSON.stringify(object[field]).slice(0, 100)}` };
  if (typeof object.reasoning !== 'string') return { problem: 'reasoning must be a text' };
  return { verdict: { value: object[field] as Verdict['value'], reasoning: object.reasoning } };
};

/**
 * Reads a model's reply as a verdict. Strict, because a guess would be a score that no model gave: a whole reply with exactly one JSON
 * object that has the metric's field once, in its type and bounds ("true", "4" and 4.5 for an integer are refused), no field of another
 * output type, and reasoning. Nothing after it may look like another verdict. Prose, code, drafts that do not fit, a code fence or thoughts
 * around the object do not matter. If a server takes the whole reply for thoughts, there is no text, and the thoughts are read.
 */
export const readVerdict = ({ text, reasoning, finishReason }: ModelReply, scale: Scale): Read => {
  if (finishReason === 'length') return { problem: 'it was cut off at the token limit' };
  const reply = text.trim() === '' ? reasoning : text;
  if (reply.length > longestReply) return { problem: 'it is too long for a verdict' };
  const answer = withoutThoughts(reply);
  if (answer === undefined) return { problem: 'its thoughts do not end, and no answer follows them' };
  const found = objectsIn(answer);
  const isRival = (each: Found) => 'unended' in each || each.text.includes(fieldOf(scale));
  const rivals = found.filter(isRival);
  const reads = (rivals.length > 0 ? rivals : found).map((each) => readObject(each, scale));
  const last = reads.at(-1);
  if (!last) return { problem: 'it holds no JSON object' };
  const verdicts = reads.filter((read) => 'verdict' in read);
  return verdicts.length > 1 ? { problem: 'it holds more than one JSON object with a verdict' } : last;
};

/** Returns the one JSON object of a reply; undefined for a reply that readVerdict would refuse as a whole. */
export const objectOfReply = ({
  text,
  reasoning,
  finishReason,
}: ModelReply): Record<string, unknown> | undefined => {
  const reply = text.trim() === '' ? reasoning : text;
  if (finishReason === 'length' || reply.length > longestReply) return undefined;
  const found = objectsIn(withoutThoughts(reply) ?? '');
  const [only] = found;
  return found.length === 1 && only && 'object' in only && only.twice.length === 0 ? only.object : undefined;
};

/** The score that a verdict is stored as. */
export const scoreOf = (scale: Scale, { value, reasoning, evidence, criteria, share }: Verdict): object => ({
  [fieldOf(scale)]: value,
  ...(share !== undefined && { share }),
  ...(criteria && { criteria }),
  reasoning,
  ...(evidence && { evidence }),
});

/** One verdict from several, and their spread: 0 if all are the same, 1 if they are as far apart as possible. */
export type Combined = { verdict: Verdict; disagreement: number };

/** The number of a verdict, as it is stored beside its score. */
export const numberOf = (scale: Scale, { value }: Pick<Verdict, 'value'>): number =>
  typeof scale === 'string' ? Number(value) : valueOfLabel(scale, value)!;

const widths = { boolean: 1, int: 4, float: 1 };

/**
 * The label that most votes give: with an order the median, because the labels beside it count too; else the one with more than half of the
 * votes. A label with more than half of the votes is the median too.
 */
const combineLabels = (votes: Verdict[], labels: Exclude<Scale, string>): Combined | undefined => {
  const places = votes.map((vote) => placeOf(numberOf(labels, vote))).sort((a, b) => a - b);
  const at = (place: number) => votes.find(({ value }) => value === labels.items[place])!;
  if (labels.ordered) {
    const [lowest, middle, highest] = [places[0]!, places[(places.length - 1) >> 1]!, places.at(-1)!];
    return { verdict: at(middle), disagreement: (highest - lowest) / (labels.items.length - 1) };
  }
  const counts = Map.groupBy(places, (place) => place);
  const [first] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  const [place, { length }] = first!;
  if (length * 2 <= votes.length) return undefined;
  // Fewest votes that the first label can have.
  const fewest = Math.ceil(votes.length / Math.min(votes.length, labels.items.length));
  const others = votes.length - length;
  return { verdict: at(place), disagreement: others === 0 ? 0 : others / (votes.length - fewest) };
};

/**
 * The majority of boolean verdicts, or the median of numbers: with an even count the lower of the middle two, because the mean of two
 * integers may not be an integer. Undefined when there is no majority.
 */
export const combine = (votes: Verdict[], scale: Scale): Combined | undefined => {
  if (votes.length > 0 && typeof scale !== 'string') return combineLabels(votes, scale);
  const sorted = votes.map(({ value }) => Number(value)).sort((a, b) => a - b);
  const [lowest, middle, highest] = [sorted[0], sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  if (lowest === undefined || middle === undefined || highest === undefined) return undefined;
  if (scale === 'boolean') {
    const yes = votes.filter(({ value }) => value === true).length;
    if (yes * 2 === votes.length) return undefined;
    const minority = Math.min(yes, votes.length - yes);
    const verdict = votes.find(({ value }) => value === yes * 2 > votes.length)!;
    // At most half of the votes are in the minority.
    return { verdict, disagreement: minority === 0 ? 0 : minority / Math.floor(votes.length / 2) };
  }
  const verdict = votes.find(({ value }) => value === middle)!;
  return { verdict, disagreement: (highest - lowest) / widths[scale as keyof typeof widths] };
};

/** Whether further votes can't change the verdict: more than half of all `repeats` votes have one value already, and are not on criteria. */
export const isCertain = (votes: Verdict[], repeats: number): boolean =>
  votes.some(
    ({ value, criteria }) => !criteria && votes.filter((vote) => vote.value === value).length * 2 > repeats,
  );
