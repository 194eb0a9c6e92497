import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Pages that a bare HTTP server of Node sends from memory: what a client and HTTP alone make of a list. Page `i` is `GET /i`. */
export const servePages = async (
  pages: Uint8Array[],
): Promise<{ port: number; close: () => Promise<unknown> }> => {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: pages });
  const [port] = (await once(worker, 'message')) as [number];
  return { port, close: () => worker.terminate() };
};

if (!isMainThread) {
  const pages = (workerData as Uint8Array[]).map((page) => Buffer.from(page));
  const server = createServer((request, response) => {
    const page = pages[Number(request.url!.slice(1))]!;
    response.setHeader('content-type', 'application/json').setHeader('content-length', page.length);
    response.end(page);
  });
  server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port));
}
