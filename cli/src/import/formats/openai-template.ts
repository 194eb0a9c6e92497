/** Part of a record that a field of OpenAI's `item` is stored in. */
export type PlaceOf = (field: string) => 'inputs' | 'expected';

/** A text between variables, or a variable with its part of the record and its path there. */
type Part = string | { root: 'inputs' | 'expected' | 'outputs'; path: (string | number)[] };

const variable = /\{\{\s*(item|sample)((?:\s*\.\s*[\w$-]+|\[\s*(?:\d+|'[^']*'|"[^"]*")\s*\])+)\s*\}\}/g;
const segment = /\.\s*([\w$-]+)|\[\s*(?:(\d+)|'([^']*)'|"([^"]*)")\s*\]/g;

const pathOf = (text: string): (string | number)[] =>
  [...text.matchAll(segment)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double)! : Number(index),
  );

/** Splits a template of OpenAI's graders into texts and variables. `item` is what the data has, `sample` what the model answered. */
const partsOf = (template: string, placeOf: PlaceOf): Part[] => {
  const parts: Part[] = [];
  let at = 0;
  for (const match of template.matchAll(variable)) {
    if (match.index > at) parts.push(template.slice(at, match.index));
    const path = pathOf(match[2]!);
    parts.push({ root: match[1] === 'sample' ? 'outputs' : placeOf(String(path[0])), path });
    at = match.index + match[0].length;
  }
  if (at < template.length) parts.push(template.slice(at));
  return parts;
};

const step = (key: string | number): string => {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
};

const nameOf = ({ root, path }: Exclude<Part, string>): string => root + path.map(step).join('');

/** Returns a JavaScript expression for the text. It calls `text(fields, path, name)` for each variable. */
export const asExpression = (template: string, placeOf: PlaceOf): string =>
  partsOf(template, placeOf)
    .map((part) =>
      typeof part === 'string'
        ? JSON.stringify(part)
        : `text(${part.root}, ${JSON.stringify(part.path)}, ${JSON.stringify(nameOf(part))})`,
    )
    .join(' + ') || '""';

/** Returns the template in Jinja with the names of records. Text that looks like Jinja stays text. */
export const asJinja = (template: string, placeOf: PlaceOf): string =>
  partsOf(template, placeOf)
    .map((part) =>
      typeof part === 'string'
        ? part.replaceAll(/\{[{%#]/g, (mark) => `{{ '${mark}' }}`)
        : `{{ ${nameOf(part)} }}`,
    )
    .join('');

/** Returns the field of `item` if the template is nothing but this variable. */
export const soleField = (template: unknown): string | undefined => {
  if (typeof template !== 'string') return undefined;
  const match = /^\s*\{\{\s*item\s*\.\s*([\w$-]+)\s*\}\}\s*$/.exec(template);
  return match?.[1];
};
