/** A file in base64 within a text: a data URI, or so many of its letters that they are no word. */
const files = /data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+=-]+)*;base64,[A-Za-z0-9+/_=-]*|[A-Za-z0-9+/]{200,}={0,2}/g;

/** Returns a text with a short word in place of each file in it, for a line of a list. */
export const withoutBase64 = (text: string): string =>
  text.replace(files, (_, mediaType?: string) => `[${mediaType ?? 'base64'}]`);
