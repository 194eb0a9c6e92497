import type { Edit } from '../../../engine/statistics/trial-schema.ts';
import { members, type RawJson } from '../../../platform/json/json.ts';
import { parseAsWritten } from '../../../platform/json/parse-as-written.ts';

/** The parts of a record that a judge reads, as JSON text. */
export type Parts = { inputs: RawJson; expected: RawJson; outputs: RawJson };

/** What an edit needs beside the record. */
export type EditContext = {
  /** Number of the record's copy: it chooses among wordings, so that the same battery makes the same edits. */
  place: number;
};

const filler = [
  'This answer addresses the question that was asked.',
  'It was written with the question in mind, and it says what there is to say about it.',
  'In other words, the text above is the answer, and nothing in this paragraph adds to it.',
  'The reader will find the answer above, in the words in which it was given.',
];

const authors = [
  'Emily Walsh',
  'Jamal Robinson',
  'Li Wei',
  'Fatima Hassan',
  'Carlos Mendoza',
  'Priya Sharma',
];

/** The text with as many sentences without content as double it, at least 240 characters and at most 2,400. */
const pad = (text: string): string => {
  const wanted = Math.min(2400, Math.max(240, text.length));
  const added: string[] = [];
  for (let i = 0, length = 0; length < wanted; i++) {
    const sentence = filler[i % filler.length]!;
    added.push(sentence);
    length += sentence.length + 1;
  }
  return `${text}\n\n${added.join(' ')}`;
};

const markdown = /(^|\n)\s*(#{1,6} |[-*+] |\d+\. |>)|\*\*|__|`/;

/** Plain text as Markdown, and Markdown as plain text: marks alone change, no word. Null for code, whose marks are content. */
const reformat = (text: string): string | null => {
  if (text.includes('```')) return null;
  if (markdown.test(text))
    return text.replaceAll(/(^|\n)[ \t]*(?:#{1,6} |[-*+] |>[ \t]?)/g, '$1').replaceAll(/\*\*|__|`/g, '');
  return text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `- **${line.trim()}**`)
    .join('\n');
};

type TextEdit = (text: string, context: EditContext) => string | null;

const textEdits: Partial<Record<Edit, TextEdit>> = {
  padding: pad,
  author: (text, { place }) => `Author: ${authors[place % authors.length]}\n\n${text}`,
  authority: (text) =>
    `${text}\n\nLeading experts in this field have confirmed this answer (Stanford, 2025).`,
  format: reformat,
  language: (text) => `${text}\n\n(Note: the author is not a native speaker of this language.)`,
};

/** The text with the longest string of a value replaced, as JSON; null without a string or where the edit does not apply. */
const editLongest = (json: RawJson, edit: (text: string) => string | null): RawJson | null => {
  const value = parseAsWritten(json);
  let longest: { text: string; put: (text: string) => void } | null = null;
  const look = (text: string, put: (text: string) => void): void => {
    if (text.trim() !== '' && text.length > (longest?.text.length ?? 0)) longest = { text, put };
  };
  const root = { value };
  const visit = (inside: unknown, put: (text: string) => void): void => {
    if (typeof inside === 'string') look(inside, put);
    else if (Array.isArray(inside))
      for (const [i, item] of inside.entries()) visit(item, (text) => (inside[i] = text));
    else if (
      inside !== null &&
      typeof inside === 'object' &&
      Object.getPrototypeOf(inside) === Object.prototype
    )
      for (const [key, item] of Object.entries(inside))
        visit(item, (text) => ((inside as Record<string, unknown>)[key] = text));
  };
  visit(value, (text) => (root.value = text));
  const found = longest as { text: string; put: (text: string) => void } | null;
  if (!found) return null;
  const edited = edit(found.text);
  if (edited === null || edited === found.text) return null;
  found.put(edited);
  return JSON.stringify(root.value);
};

/** Whether the items are a list whose order carries no meaning to the judge: not messages of a conversation, not numbers. */
const isList = (value: unknown): value is unknown[] =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.every((item) => typeof item === 'string' || (item !== null && typeof item === 'object')) &&
  !value.some((item) => item !== null && typeof item === 'object' && ('role' in item || Array.isArray(item)));

/** Inputs or expectations with each of their lists reversed, such as passages or accepted answers; null without a list. */
const reverseLists = (json: RawJson): RawJson | null => {
  if (!json.trimStart().startsWith('{')) return null;
  let changed = false;
  const parts = [...members(json)].map(([key, raw]) => {
    const value = raw.startsWith('[') ? parseAsWritten(raw) : null;
    if (!isList(value)) return `${JSON.stringify(key)}:${raw}`;
    changed = true;
    return `${JSON.stringify(key)}:${JSON.stringify(value.toReversed())}`;
  });
  return changed ? `{${parts.join(',')}}` : null;
};

/**
 * Returns the record with an edit that keeps the truth, or null if the edit does not apply to it. All edits are deterministic: the same
 * record gives the same text. Edits of text change the longest text of the outputs, which is the answer. `order` reverses lists of the inputs
 * and of the expectations: the order of a list in the outputs may be part of the answer.
 */
export const perturb = (edit: Edit, parts: Parts, context: EditContext): Parts | null => {
  if (edit === 'order') {
    const [inputs, expected] = [reverseLists(parts.inputs), reverseLists(parts.expected)];
    if (inputs === null && expected === null) return null;
    return { ...parts, inputs: inputs ?? parts.inputs, expected: expected ?? parts.expected };
  }
  const change = textEdits[edit];
  if (!change) return null;
  const outputs = editLongest(parts.outputs, (text) => change(text, context));
  return outputs === null ? null : { ...parts, outputs };
};
