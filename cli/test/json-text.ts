/**
 * JSON as text: JSON.parse would round 12345678901234567890 and turn 1.10 into 1.1, and an archive must hold what was sent.
 * These functions cut a text at its members; they expect text that is valid JSON.
 */
export type JsonText = string;

const isSpace = (char: string | undefined) => char === ' ' || char === '\n' || char === '\r' || char === '\t';

/** Position after the string that begins at `at`. */
const afterString = (text: JsonText, at: number): number => {
  for (let i = at + 1; ; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
};

/** Position after the value that begins at `at`. */
const afterValue = (text: JsonText, at: number): number => {
  let open = 0;
  for (let i = at; i < text.length; ) {
    const char = text[i];
    if (char === '"') {
      i = afterString(text, i);
      if (open === 0) return i;
      continue;
    }
    if (char === '{' || char === '[') open++;
    else if (char === '}' || char === ']') {
      if (open === 0) return i;
      if (--open === 0) return i + 1;
    } else if (open === 0 && (char === ',' || isSpace(char))) return i;
    i++;
  }
  return text.length;
};

const afterSpace = (text: JsonText, at: number): number => {
  while (isSpace(text[at])) at++;
  return at;
};

/** The members of an object, each as its own text. */
export const membersOf = (text: JsonText): Map<string, JsonText> => {
  const members = new Map<string, JsonText>();
  let at = afterSpace(text, afterSpace(text, 0) + 1);
  while (text[at] === '"') {
    const keyEnd = afterString(text, at);
    const valueStart = afterSpace(text, afterSpace(text, keyEnd) + 1);
    const valueEnd = afterValue(text, valueStart);
    members.set(JSON.parse(text.slice(at, keyEnd)) as string, text.slice(valueStart, valueEnd));
    at = afterSpace(text, afterSpace(text, valueEnd) + 1);
  }
  return members;
};

/** The elements of an array, each as its own text. */
export const elementsOf = (text: JsonText): JsonText[] => {
  const elements: JsonText[] = [];
  let at = afterSpace(text, afterSpace(text, 0) + 1);
  while (at < text.length && text[at] !== ']') {
    const end = afterValue(text, at);
    elements.push(text.slice(at, end));
    at = afterSpace(text, end);
    if (text[at] === ',') at = afterSpace(text, at + 1);
  }
  return elements;
};

/** An object's text from members that are texts already; those that are undefined are left out. */
export const objectText = (members: Record<string, JsonText | undefined>): JsonText =>
  `{${Object.entries(members)
    .filter(([, text]) => text !== undefined)
    .map(([key, text]) => `${JSON.stringify(key)}:${text}`)
    .join(',')}}`;
