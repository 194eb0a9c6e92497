/** Returns a text that PostgreSQL can store: without NUL, and without half of a surrogate pair. */
export const asText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Returns JSON in which PostgreSQL can read every field. `->>` decodes all of a value to find one key, so that a NUL in a prompt would
 * keep it from reading the latency beside it.
 */
export const asJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'string' ? asText(part) : part));
