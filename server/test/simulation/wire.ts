import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';

/**
 * Where a transaction breaks. `refused` rolls back and answers with an error of this code; `at` counts the messages that wait for an answer:
 * its beginning is 1, then each statement, then the commit. `unanswered` commits, and loses the answer.
 */
export type Break = { kind: 'refused'; at: number; code: string } | { kind: 'unanswered' };

const letter = { query: 0x51, sync: 0x53, flush: 0x48, terminate: 0x58 } as const;

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const errorMessage = (code: string, text: string): Buffer =>
  message('E', Buffer.from(`SERROR\0VERROR\0C${code}\0M${text}\0\0`));
const idle = message('Z', Buffer.from('I'));

const rollback = message('Q', Buffer.from('rollback\0'));

/** The messages in `bytes`, and the rest that is not whole. */
const messagesIn = (bytes: Buffer): { whole: Buffer[]; rest: Buffer } => {
  const whole: Buffer[] = [];
  let from = 0;
  while (bytes.length >= from + 5) {
    const end = from + 1 + bytes.readInt32BE(from + 1);
    if (bytes.length < end) break;
    whole.push(bytes.subarray(from, end));
    from = end;
  }
  return { whole, rest: bytes.subarray(from) };
};

const isQuery = (bytes: Buffer | undefined, begin: string): boolean =>
  bytes?.[0] === letter.query && bytes.toString('latin1', 5, 5 + begin.length) === begin;

/** The wire between postgres.js and PGlite in this thread. It can break a transaction. */
export class Wire extends Duplex {
  readonly readyState = 'open';
  /** Messages that were answered; a transaction that waits for something else moves it no further. */
  answered = 0;
  /** Whether the transaction since `breakNext` may write. */
  hasWritten = false;
  readonly #database: PGlite;
  readonly #run: <T>(work: () => Promise<T>) => Promise<T>;
  #started = false;
  #rest: Buffer = Buffer.alloc(0);
  #break: Break | undefined;
  #asked = 0;
  #code = '';
  /** Whether the transaction is broken, and whether the request under way has its error already. */
  #isBroken = false;
  #hasError = false;

  /** `run` gives the database its clock. */
  constructor(database: PGlite, run: <T>(work: () => Promise<T>) => Promise<T>) {
    super();
    this.#database = database;
    this.#run = run;
  }

  /** Breaks the transaction that comes now, or none. */
  breakNext(where: Break | undefined): void {
    this.hasWritten = false;
    this.#break = where;
    this.#asked = 0;
    this.#isBroken = false;
    this.#hasError = false;
  }

  async #ask(bytes: Uint8Array): Promise<void> {
    const parts: Uint8Array[] = [];
    await this.#run(() =>
      this.#database.execProtocolRawStream(bytes, { onRawData: (part) => parts.push(new Uint8Array(part)) }),
    );
    this.answered++;
    if (parts.length > 0) this.push(Buffer.concat(parts));
  }

  /** Answers a message of a transaction that is broken. */
  #refuse(type: number): void {
    const refusal = errorMessage(this.#code, 'simulated');
    if (type === letter.query) this.push(Buffer.concat([refusal, idle]));
    else if (type === letter.sync) this.push(this.#hasError ? idle : Buffer.concat([refusal, idle]));
    else if (type === letter.flush) this.push(refusal);
    this.#hasError = type === letter.flush;
    this.answered++;
  }

  async #askOrBreak(bytes: Buffer, where: Break): Promise<void> {
    const type = bytes[0]!;
    if (this.#isBroken) return this.#refuse(type);
    const waits = type === letter.query || type === letter.sync || type === letter.flush;
    if (waits) this.#asked++;
    const isCommit = isQuery(bytes, 'commit');
    const breaks = where.kind === 'unanswered' ? isCommit : waits && this.#asked >= where.at;
    if (!breaks) return this.#ask(bytes);
    const last = where.kind === 'unanswered' ? bytes : rollback;
    await this.#run(() => this.#database.execProtocolRawStream(last, { onRawData: () => {} }));
    this.#isBroken = true;
    this.#code = where.kind === 'unanswered' ? '57P01' : where.code;
    this.#refuse(type);
  }

  async #send(chunk: Buffer): Promise<void> {
    if (!this.#started) {
      this.#started = true;
      return this.#ask(chunk);
    }
    const { whole, rest } = messagesIn(this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk);
    this.#rest = Buffer.from(rest);
    if (whole[0]?.[0] === letter.terminate) return;
    this.hasWritten ||= isQuery(whole[0], 'begin read write');
    if (!this.#break) {
      if (whole.length > 0) await this.#ask(Buffer.concat(whole));
      return;
    }
    for (const one of whole) await this.#askOrBreak(one, this.#break);
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void) {
    // Later, as on a socket: postgres.js loses what it writes if the answer comes within its own write.
    queueMicrotask(() => this.#send(chunk).then(() => done(), done));
  }

  override _final(done: () => void) {
    this.push(null);
    done();
  }
}
