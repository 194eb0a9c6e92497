/** The parts of a record whose fields metrics read. */
export const recordParts = ['inputs', 'outputs', 'expected'] as const;
export type RecordPart = (typeof recordParts)[number];

/** `outputs.answer`, `outputs["answer"]` and `outputs.get("answer"`, in a template or in code. A method is not a field. */
const read = /\b(inputs|outputs|expected)(?:(\??\.)(\w+)\b(?!\s*\()|(\[|\.get\()(["'])([^"'\\]+)\5)/g;

const plain = /^[A-Za-z_]\w*$/;

/** A field of a record by its path: `outputs.answer`. */
export const pathOf = (part: string, field: string): string => `${part}.${field}`;

/** The fields that a template or code names, in the order of their first use. */
export const fieldsRead = (logic: string): string[] => [
  ...new Set(
    [...logic.matchAll(read)].map(([, part, , dotted, , , quoted]) => pathOf(part!, dotted ?? quoted!)),
  ),
];

/** The logic with another field in place of one, written in the same way as far as the name allows. */
export const withField = (logic: string, from: string, to: string): string => {
  const [part, ...rest] = to.split('.');
  const field = rest.join('.');
  return logic.replace(read, (found, was, dot, dotted, opening, quote, quoted) => {
    if (pathOf(was, dotted ?? quoted) !== from) return found;
    if (dotted === undefined) return `${part}${opening}${quote}${field}${quote}`;
    return plain.test(field) ? `${part}${dot}${field}` : `${part}[${JSON.stringify(field)}]`;
  });
};

/** A placeholder for a field in a prompt, which a name with a space needs in quotes: `{{ inputs["model answer"] }}`. */
export const placeholderOf = (part: RecordPart, field: string): string =>
  `{{ ${plain.test(field) ? pathOf(part, field) : `${part}[${JSON.stringify(field)}]`} }}`;
