import type { App } from './http.ts';

/**
 * Takes no new requests and answers those under way. Who is not done after `longestMs` is cut off: one client that sends a byte
 * now and then would else keep the process until its supervisor kills it, and the database with it.
 */
export const closeApp = async (app: App, longestMs: number): Promise<void> => {
  const timer = setTimeout(() => {
    app.log.warn(`requests under way for ${longestMs / 1000} s more are cut off`);
    app.server.closeAllConnections();
  }, longestMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
};
