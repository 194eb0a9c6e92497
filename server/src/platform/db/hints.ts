import type postgres from 'postgres';
import type { Hints, Pool } from './database.ts';

const channel = 'dokima_work';
/** Shortest time between two hints of a process: each takes a lock that all commits with a hint share. */
const sendEveryMs = 100;
const reconnectMs = 5_000;

/** The property that postgres.js gives its own listener; its types lack it. It is undocumented in 3.4.9. */
type ListenOptions = Pick<postgres.Options<{ bigint: postgres.PostgresType<bigint> }>, 'onclose'> & {
  onnotify: (channel: string, payload: string) => void;
};

/**
 * Hints by LISTEN and NOTIFY. `notify` runs a statement in a separate transaction; `connect` makes a client with one connection.
 * A lost connection is opened again, whereas the listener of postgres.js gives up after one attempt.
 */
export const openHints = (
  processId: string,
  notify: (channel: string, payload: string) => Promise<unknown>,
  connect: (options: ListenOptions) => Pool,
): Hints & { close: () => Promise<void> } => {
  let isClosed = false;
  let hears = false;
  let listener: Pool | undefined;
  let sendTimer: NodeJS.Timeout | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;

  const listen = (heard: () => void): void => {
    if (isClosed) return;
    const retry = () => {
      if (listener !== client) return;
      hears = false;
      listener = undefined;
      void client.end({ timeout: 0 });
      reconnectTimer = setTimeout(listen, reconnectMs, heard).unref();
    };
    const client = connect({
      onnotify: (_, sender) => {
        if (sender !== processId) heard();
      },
      onclose: retry,
    });
    listener = client;
    client.unsafe(`listen ${channel}`).then(() => {
      hears = true;
      // Hints before this one were lost.
      heard();
    }, retry);
  };

  return {
    send: () => {
      sendTimer ??= setTimeout(() => {
        sendTimer = undefined;
        // An unavailable database needs no hint.
        if (!isClosed) notify(channel, processId).catch(() => {});
      }, sendEveryMs).unref();
    },
    hear: (heard: () => void) => listen(heard),
    areHeard: () => hears,
    close: async () => {
      isClosed = true;
      clearTimeout(sendTimer);
      clearTimeout(reconnectTimer);
      const client = listener;
      listener = undefined;
      await client?.end({ timeout: 1 });
    },
  };
};
