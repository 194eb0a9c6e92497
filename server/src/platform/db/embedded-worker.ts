import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/**
 * PGlite in a separate thread. It speaks PostgreSQL's wire protocol in bytes over the thread's port. `null` from the parent asks it to
 * close; it answers `null` when it has closed.
 */
const port = parentPort!;
const { directory, program } = workerData as { directory: string; program: WebAssembly.Module };

/** PGlite without its parsers of arrays: postgres.js reads the answers, and looking the types up is a fifth of PGlite's start. */
class Engine extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

const database = new Engine({
  dataDir: directory,
  pgliteWasmModule: program,
  extensions: { pg_trgm },
  // The 128 MB of PostgreSQL's default are filled with zeros at the start, and stay in the process's memory. The system caches the files too.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
});
await database.waitReady;

/** 'X': the client ends its session. The database stays, to be closed in its own way. */
const terminate = 0x58;
let started = false;
let pending: Buffer = Buffer.alloc(0);

/** Length of the whole messages at the start of `bytes`. The first one, the start-up message, has no type byte. */
const wholeMessages = (bytes: Buffer): number => {
  let end = 0;
  for (;;) {
    const header = started ? 1 : 0;
    if (bytes.length < end + header + 4) return end;
    const length = header + bytes.readInt32BE(end + header);
    if (bytes.length < end + length) return end;
    end += length;
    started = true;
  }
};

const joined = (parts: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> => {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
};

const answer = async (chunk: Uint8Array<ArrayBuffer> | null): Promise<void> => {
  if (chunk === null) {
    await database.close();
    port.postMessage(null);
    port.close();
    return;
  }
  pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : Buffer.from(chunk.buffer);
  const end = wholeMessages(pending);
  if (end === 0) return;
  const messages = pending.subarray(0, end);
  pending = pending.subarray(end);
  if (messages[0] === terminate) {
    // The next client begins with a start-up message of its own.
    started = false;
    return;
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // Not execProtocolRaw: that parses every reply as well, and keeps what it parsed for as long as the process lives.
  await database.execProtocolRawStream(messages, {
    // A copy: it is a view into the WebAssembly memory.
    onRawData: (bytes) => parts.push(new Uint8Array(bytes)),
  });
  const reply = joined(parts);
  if (reply.length > 0) port.postMessage(reply, [reply.buffer]);
};

let turn = Promise.resolve();
port.on('message', (chunk: Uint8Array<ArrayBuffer> | null) => {
  turn = turn.then(() => answer(chunk));
});
port.postMessage('ready');
