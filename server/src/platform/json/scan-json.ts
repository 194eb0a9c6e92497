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

/**
 * Whether a text has more than `most` marks of JSON structure: an opening bracket, comma or colon. An element counts once and a
 * member of an object twice. The text need not be JSON, and strings do not count.
 */
export const isMoreThan = (most: number, text: string): boolean => {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const end = stringEnd(text, at);
      // The string has no end, so the text is not JSON.
      if (end <= at) return false;
      at = end - 1;
    } else if ((code === 44 || code === 58 || code === 91 || code === 123) && ++count > most) return true;
  }
  return false;
};

/** Returns the position after the number, `true`, `false` or `null` that begins at `at`. */
export const wordEnd = (text: string, at: number): number => {
  let end = at;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && !',]}'.includes(text[end]!)) end++;
  return end;
};
