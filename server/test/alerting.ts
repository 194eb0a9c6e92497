import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ok } from './fixtures.ts';
import type { Client } from './harness.ts';

/** Creates a webhook for all events, unless `fields` says otherwise. */
export const createAlert = (
  api: Client,
  projectId: string,
  url: string,
  fields: Record<string, unknown> = {},
) =>
  ok(
    api('POST', `/projects/${projectId}/alerts`, {
      name: 'Alert',
      kind: 'webhook',
      url,
      events: ['run.completed', 'gate.failed', 'budget.reached', 'drift.found'],
      ...fields,
    }),
    201,
  );

/** A mail server on loopback that keeps what it takes (RFC 5321, without extensions). */
export const openMailServer = async (answerToMail = '250 ok') => {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let [buffer, isData] = ['', false];
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 test');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      buffer += chunk;
      for (;;) {
        const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = buffer.slice(0, end);
        buffer = buffer.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          received.push(part);
          say(answerToMail);
        } else if (part === 'DATA') {
          isData = true;
          say('354 go on');
        } else say(part === 'QUIT' ? '221 bye' : '250 ok');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
