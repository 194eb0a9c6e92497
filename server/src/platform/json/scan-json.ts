/** Where parts of a JSON text begin and end. All expect text that JSON.parse has accepted. */

const backslash = 92;

/** Whether this character code is white space to JSON. */
export const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;

/** Position of the first character from `at` on that is no white space. */
export const skipSpace = (text: string, at: number): number => {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
};

/** Position after the string literal that begins at `at`, or that has an escape there. */
export const stringEnd = (text: string, at: number): number => {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
};

/** Position after the number, `true`, `false` or `null` that begins at `at`. */
export const wordEnd = (text: string, at: number): number => {
  let end = at;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && !',]}'.includes(text[end]!)) end++;
  return end;
};
