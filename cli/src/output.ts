type Stream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

type Cell = string | number | boolean | null | undefined;

/** The output of a command: results go to stdout, everything else to stderr. */
export type Output = {
  /** Whether a program reads the output. Then stdout holds one JSON value and nothing else. */
  readonly json: boolean;
  /** Prints the result: `text` for people, `value` as JSON for programs. */
  result: (text: string, value: unknown) => void;
  /** Prints a line for people to stderr. */
  note: (text: string) => void;
  /** Shows a line that the next one replaces, on a terminal only. `undefined` removes it. */
  progress: (text: string | undefined) => void;
  /** Prints exactly this text to stdout. */
  raw: (text: string) => void;
  /** Prints exactly these bytes to stdout. Resolves when stdout takes more, so that memory stays flat. */
  bytes: (chunk: Uint8Array) => Promise<void>;
};

const eraseLine = '\r\u001b[2K';

export const outputOver = (stdout: Stream, stderr: Stream, json: boolean): Output => {
  let shown = '';
  const clear = () => {
    if (shown) stderr.write(eraseLine);
    shown = '';
  };
  return {
    json,
    result: (text, value) => {
      clear();
      stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
    },
    note: (text) => {
      clear();
      stderr.write(`${text}\n`);
    },
    progress: (text) => {
      if (!stderr.isTTY) return;
      if (text === undefined) return clear();
      shown = text.slice(0, (stderr.columns ?? 80) - 1);
      stderr.write(`${eraseLine}${shown}`);
    },
    raw: (text) => void stdout.write(text),
    bytes: (chunk) =>
      new Promise((done, fail) => stdout.write(chunk, (error) => (error ? fail(error) : done()))),
  };
};

/** Removes control characters, so that no name can move the terminal's cursor or start a line that CI reads as a command. */
export const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Formats rows under their headers. Numbers are aligned to the right. */
export const table = (headers: string[], rows: Cell[][]): string => {
  const texts = rows.map((row) => row.map((cell) => inOneLine((cell ?? '').toString())));
  const widths = headers.map((header, i) =>
    Math.max(header.length, ...texts.map((row) => row[i]?.length ?? 0)),
  );
  const isNumber = headers.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number'));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(headers), ...texts.map(line)].join('\n');
};

/** Draws a progress bar of `done` out of `total`. */
export const bar = (done: number, total: number): string => {
  const width = 24;
  // A run with several trials has more records than testcases, so `done` can exceed `total`.
  const filled = total === 0 ? width : Math.min(width, Math.round((width * done) / total));
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${done}/${total}`;
};
