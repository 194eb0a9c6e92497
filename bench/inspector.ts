import { setTimeout as delay } from 'node:timers/promises';

export type Memory = {
  heapUsed: number;
  external: number;
  arrayBuffers: number;
  rss: number;
  /** Open handles and requests of the event loop. */
  handles: number;
};

type Result = { result?: { value?: unknown } };

/** Speaks the inspector's protocol with a process that was started with --inspect on a port of loopback. */
export const openInspector = async (port: number) => {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await listed.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  let id = 0;
  const waiting = new Map<number, (result: Result) => void>();
  let chunks: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    if (message.method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(message.params.chunk);
    waiting.get(message.id)?.(message.result ?? message.error);
    waiting.delete(message.id);
  });
  const send = (method: string, params = {}) => {
    const { promise, resolve } = Promise.withResolvers<Result>();
    waiting.set(++id, resolve);
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
  const evaluate = async (expression: string) =>
    (await send('Runtime.evaluate', { expression, returnByValue: true })).result?.value;

  return {
    pid: (await evaluate('process.pid')) as number,
    /** Reads the memory that is in use after two collections: the first one leaves what finalizers free. */
    readMemory: async (): Promise<Memory> => {
      await send('HeapProfiler.collectGarbage');
      await delay(200);
      await send('HeapProfiler.collectGarbage');
      const read = '({ ...process.memoryUsage(), handles: process.getActiveResourcesInfo().length })';
      return (await evaluate(read)) as Memory;
    },
    snapshot: async (): Promise<string> => {
      chunks = [];
      await send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
      return chunks.join('');
    },
    close: () => socket.close(),
  };
};
