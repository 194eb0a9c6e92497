import { withoutBase64 } from '../../../../client/src/without-base64.ts';

/** The most informative fields of a record, by the names that people and frameworks give them. */
const tellingNames = /^(input|question|prompt|query|text|message|output|answer|response|result|content)s?$/i;

/** The beginning of a text, without the files in it. */
const short = (text: string): string => withoutBase64(text.slice(0, 2_000)).slice(0, 500);

/** Returns a record's inputs or outputs as one line of text: the most informative field, else the first text, else all of it as JSON. */
export const oneLine = (fields: Record<string, unknown>): string => {
  const entries = Object.entries(fields);
  const texts = entries.filter(([, value]) => typeof value === 'string' && value !== '');
  const [, value] = texts.find(([name]) => tellingNames.test(name)) ?? texts[0] ?? [];
  if (typeof value === 'string') return short(value);
  if (entries.length === 0) return '';
  return short(JSON.stringify(entries.length === 1 ? entries[0]![1] : fields));
};
