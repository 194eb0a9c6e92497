import { readSync, writeSync } from 'node:fs';

/** What a process does with code, in its language. Answers are lines of JSON: a `LoadAnswer`, a `CodeResult`. */
export type Interpreter = {
  /** Starts from a clean interpreter and loads the code. */
  load(code: string): string | Promise<string>;
  /** Scores one record with the code loaded last, in the state it had right after loading. */
  score(inputs: string, outputs: string, expected: string, ...record: string[]): string | Promise<string>;
};
/** From the parent, a line each. To an interpreter: code to load (one string), or a record to score (three or four). */
export type Request = string[];
/** Null: loaded. Otherwise why the code can't be used. A process that is spent is of no more use and has to be replaced. */
export type LoadAnswer = { error: string | null; isSpent?: boolean };

const stdin = 0;
const stdout = 1;

const writeLine = (line: string): void => {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(stdout, rest));
};

/** The parent's lines, read as they come and without an event loop, until it hangs up. */
function* lines(): Generator<string> {
  const chunk = Buffer.alloc(1 << 16);
  let pending: Buffer[] = [];
  for (let size = readSync(stdin, chunk); size > 0; size = readSync(stdin, chunk)) {
    let rest = Buffer.from(chunk.subarray(0, size));
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      yield Buffer.concat([...pending, rest.subarray(0, end)]).toString();
      pending = [];
      rest = rest.subarray(end + 1);
    }
    pending.push(rest);
  }
}

/**
 * Answers the parent's requests, a line each. An answer has left the process before the next request begins, so that the
 * parent knows which of them to blame when it has to kill.
 */
export const serveRequests = async (
  answer: (request: Request) => string | Promise<string>,
): Promise<void> => {
  writeLine('"ready"');
  for (const line of lines()) {
    const answered = answer(JSON.parse(line) as Request);
    writeLine(typeof answered === 'string' ? answered : await answered);
  }
};

/** Loads code and scores records as the parent asks. */
export const serve = ({ load, score }: Interpreter): Promise<void> =>
  serveRequests(([first, outputs, expected, ...record]) =>
    outputs === undefined ? load(first!) : score(first!, outputs, expected!, ...record),
  );
