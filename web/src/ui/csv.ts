/** A cell as text: strings as they are, the rest as JSON. */
export const cellText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

// A spreadsheet runs a cell that begins like a formula; a quote before it makes it text.
const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d/.test(text) ? `'${text}` : text;

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const readableCell = (value: unknown): string => harmless(cellText(value));

/** RFC 4180, a header and a line an object; the columns are all the keys there are. `cellOf` writes a value as a cell. */
export const toCsv = (rows: readonly Record<string, unknown>[], cellOf = readableCell): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => columns.map((column) => quoted(cellOf(row[column]))).join(','));
  return [columns.map(quoted).join(','), ...lines, ''].join('\r\n');
};
