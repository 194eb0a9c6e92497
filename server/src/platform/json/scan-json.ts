/** Finds where parts of a JSON text begin and end. All functions expect text that JSON.parse has accepted. */

const backslash = 92;

/** Whether a character code is white space in JSON. */
export const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;

/** Returns the position of the first character at or after `at` that is not white space. */
export const skipSpace = (text: string, at: number): number => {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
};

/** Returns the position after the string literal that begins at `at`, or that has an escape there. */
export const stringEnd = (text: string, at: number): number => {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
};

/** Returns the position after the number, `true`, `false` or `null` that begins at `at`. */
export const wordEnd = (text: string, at: number): number => {
  let end = at;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && !',]}'.includes(text[end]!)) end++;
  return end;
};
