import { afterAll } from 'vitest';
import { type Organization, startApp, type TestApp } from './harness.ts';

/** Starts a service for all tests of a file, as startApp does, with an organization in it. The service ends after the last test. */
export const openApp = async (
  ...given: Parameters<typeof startApp>
): Promise<{ app: TestApp; own: Organization }> => {
  const app = await startApp(...given);
  afterAll(() => app.close());
  return { app, own: await app.organization() };
};
