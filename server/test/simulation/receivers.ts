import type { GuardedFetch } from '../../src/engine/models/guarded-fetch.ts';
import type { OpenTransport } from '../../src/signals/alerts/send.ts';
import type { Simulation } from './scheduler.ts';

/** A request or mail that a receiver got, and the status that it answered, if it did. */
export type Request = { at: number; body: string; answered: number | undefined };

/** Time until the library for mails gives up a server that is silent, in ms. */
const mailTimeoutMs = 15_000;

const dropped = (code: string) => Object.assign(new Error(code), { code });

/** Whether the other side is down for long in this schedule, so that jobs reach their last attempt. Returns the end of that. */
export const drawOutage = ({ chance, faults, now, note }: Simulation): number => {
  if (faults().receiver === 0 || !chance.is(0.6)) return 0;
  const ms = 1_000 * 10 ** chance.between(1, 5.6);
  note(`the other side is down for ${ms.toFixed()} ms`);
  return now() + ms;
};

/** Returns the function that draws how the other side answers: with an error while it is down, else well or in one of these wrong ways. */
export const openTrouble = <Kind extends string>(simulation: Simulation, kinds: readonly Kind[]) => {
  const { chance, faults, noteFault, now } = simulation;
  const downUntil = drawOutage(simulation);
  return (): Kind | 'error' | 'well' => {
    if (now() < downUntil) return 'error';
    if (!chance.is(faults().receiver * 5)) return 'well';
    noteFault();
    return chance.one(kinds);
  };
};

/** Receivers of webhooks and mails that answer late, twice, wrongly or never. */
export const openReceivers = (simulation: Simulation) => {
  const { chance, faults, later, note, noteFault, now } = simulation;
  const requests = new Map<string, Request[]>();
  const downUntil = drawOutage(simulation);

  const receive = (id: string, body: string, answered: number | undefined) => {
    const got = requests.get(id) ?? [];
    got.push({ at: now(), body, answered });
    requests.set(id, got);
    note(`the receiver got ${id.slice(-4)}, and answers ${answered}`);
  };
  const drawAnswer = () => {
    if (now() < downUntil) return chance.one(['error', 'unreachable'] as const);
    if (!chance.is(faults().receiver * 5)) return 'well';
    noteFault();
    return chance.one(['late', 'lost', 'error', 'unreachable', 'silent'] as const);
  };

  /** Returns the status that the receiver answers. */
  const send = (id: string, body: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const how = drawAnswer();
      const status = how === 'error' ? 500 : 200;
      later(chance.between(1, 300), 'request', () => {
        if (how === 'unreachable') return reject(dropped('ECONNREFUSED'));
        receive(id, body, how === 'silent' ? undefined : status);
        if (how === 'silent') return;
        if (how === 'lost') return reject(dropped('ECONNRESET'));
        later(how === 'late' ? chance.between(5_000, 40_000) : 50, 'response', () => resolve(status));
      });
    });

  const fetch = (async (_url, init) => {
    const { headers, body, signal } = init as { headers: object; body: string; signal: AbortSignal };
    const id = (headers as Record<string, string>)['webhook-id']!;
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    return new Response('', { status: await Promise.race([send(id, body), aborted]) });
  }) as GuardedFetch['fetch'];

  const openTransport: OpenTransport = async () => ({
    sendMail: async ({ messageId, subject, text }) => {
      const timeout = new Promise<never>((_, reject) =>
        later(mailTimeoutMs, 'timeout', () => reject(dropped('ETIMEDOUT'))),
      );
      const id = messageId.slice(1, messageId.indexOf('@'));
      const status = await Promise.race([send(id, `${subject}\n${text}`), timeout]);
      if (status !== 200) throw Object.assign(new Error('try later'), { responseCode: 451 });
    },
    close: () => {},
  });
  return { requests, guarded: { fetch, close: () => {} }, openTransport };
};
