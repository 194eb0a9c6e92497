import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/**
 * PGlite in a thread of its own, speaking PostgreSQL's wire protocol over the thread's port: bytes in, bytes out.
 * `null` from the parent asks it to close; `null` back says that it has.
 */
const port = parentPort!;
const { directory, program } = workerData as { directory: string; program: WebAssembly.Module };
const database = await PGlite.create({ dataDir: directory, pgliteWasmModule: program });

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

const answer = async (chunk: Uint8Array | null): Promise<void> => {
  if (chunk === null) {
    await database.close();
    port.postMessage(null);
    port.close();
    return;
  }
  pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : Buffer.from(chunk);
  const end = wholeMessages(pending);
  if (end === 0) return;
  const messages = pending.subarray(0, end);
  pending = pending.subarray(end);
  if (messages[0] === terminate) return;
  const reply = await database.execProtocolRaw(messages);
  // A copy of its own: the reply may be a view into the WebAssembly memory.
  if (reply.length > 0) port.postMessage(reply.slice());
};

let turn = Promise.resolve();
port.on('message', (chunk: Uint8Array | null) => {
  turn = turn.then(() => answer(chunk));
});
port.postMessage('ready');
