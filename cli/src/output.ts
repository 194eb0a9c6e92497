type Stream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

type Cell = string | number | boolean | null | undefined;

/** Where a command says things: results on stdout, everything else on stderr. */
export type Output = {
  /** Whether programs read: then stdout holds one JSON value and nothing else. */
  readonly json: boolean;
  /** A result: `text` for people, `value` for programs. */
  result: (text: string, value: unknown) => void;
  /** Something to know while it works; not for programs. */
  note: (text: string) => void;
  /** A line that the next one replaces, on a terminal; `undefined` takes it away. */
  progress: (text: string | undefined) => void;
  /** Exactly this text on stdout. */
  raw: (text: string) => void;
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
  };
};

/** Text in one line, so that no name can move the cursor of a terminal or begin a line that a CI takes for a command. */
const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Rows under their heads, numbers to the right. */
export const table = (heads: string[], rows: Cell[][]): string => {
  const texts = rows.map((row) => row.map((cell) => inOneLine((cell ?? '').toString())));
  const widths = heads.map((head, i) => Math.max(head.length, ...texts.map((row) => row[i]?.length ?? 0)));
  const isNumber = heads.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number'));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(heads), ...texts.map(line)].join('\n');
};

/** A bar of `done` out of `total`. */
export const bar = (done: number, total: number): string => {
  const width = 24;
  // More than expected are done where testcases are tried again.
  const filled = total === 0 ? width : Math.min(width, Math.round((width * done) / total));
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${done}/${total}`;
};
