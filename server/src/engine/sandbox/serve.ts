import { readSync, writeSync } from 'node:fs';

/** Loads and runs code of one language. Answers are lines of JSON: a `LoadAnswer` or a `CodeResult`. */
export type Interpreter = {
  /** Starts from a clean interpreter and loads the code. */
  load(code: string): string | Promise<string>;
  /** Scores one record with the code loaded last, in the state it had right after loading. */
  score(inputs: string, outputs: string, expected: string, ...record: string[]): string | Promise<string>;
};
/** A message of the parent, at least one text. An interpreter gets code to load (one text) or a record to score (three or four). */
export type Request = string[];
/** `error` is null when the code is loaded, else says why not. A spent process must be replaced. */
export type LoadAnswer = { error: string | null; isSpent?: boolean };

const stdin = 0;
const stdout = 1;

const writeLine = (line: string): void => {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(stdout, rest));
};

/**
 * Yields the parent's requests until it closes the pipe, without an event loop. A request is a line with the lengths of its texts, then
 * the texts.
 */
function* requests(): Generator<Request> {
  const chunk = Buffer.alloc(1 << 16);
  let unread = chunk.subarray(0, 0);
  const readMore = (): boolean => {
    unread = chunk.subarray(0, readSync(stdin, chunk));
    return unread.length > 0;
  };
  const readLine = (): string | undefined => {
    let line = '';
    let end = unread.indexOf(10);
    for (; end === -1; end = unread.indexOf(10)) {
      line += unread.toString();
      if (!readMore()) return undefined;
    }
    line += unread.toString('utf8', 0, end);
    unread = unread.subarray(end + 1);
    return line;
  };
  const readBytes = (length: number): Buffer | undefined => {
    if (unread.length >= length) {
      const bytes = unread.subarray(0, length);
      unread = unread.subarray(length);
      return bytes;
    }
    const bytes = Buffer.alloc(length);
    for (let filled = 0; filled < length; ) {
      if (unread.length === 0 && !readMore()) return undefined;
      const copied = unread.copy(bytes, filled);
      unread = unread.subarray(copied);
      filled += copied;
    }
    return bytes;
  };

  for (let line = readLine(); line !== undefined; line = readLine()) {
    const lengths = line.split(' ').map(Number);
    const bytes = readBytes(lengths.reduce((sum, length) => sum + length, 0));
    if (!bytes) return;
    let from = 0;
    yield lengths.map((length) => {
      from += length;
      return bytes.toString('utf8', from - length, from);
    });
  }
}

/** A request as `requests` reads it. */
export const frame = (request: Request): string =>
  `${request.map((text) => Buffer.byteLength(text)).join(' ')}\n${request.join('')}`;

/**
 * Answers each of the parent's requests with a line. An answer leaves the process before the next request begins, so that the
 * parent knows which request to blame when it has to kill the process.
 */
export const serveRequests = async (
  answer: (request: Request) => string | Promise<string>,
): Promise<void> => {
  writeLine('"ready"');
  for (const request of requests()) {
    const answered = answer(request);
    writeLine(typeof answered === 'string' ? answered : await answered);
  }
};

/** Loads code and scores records as the parent asks. */
export const serve = ({ load, score }: Interpreter): Promise<void> =>
  serveRequests(([first, outputs, expected, ...record]) =>
    outputs === undefined ? load(first!) : score(first!, outputs, expected!, ...record),
  );
