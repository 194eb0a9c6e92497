import chromium from '@sparticuz/chromium';
import { pino } from 'pino';
import { buildWeb } from '../../server/src/web/build.ts';

/**
 * Once before all tests in a browser: builds the pages, when their sources have changed, and unpacks the browser. Files that
 * unpacked it at the same time would write what the others are about to run.
 */
export default async (): Promise<void> => {
  process.env.TMPDIR = process.env.DOKIMA_TESTS_DIR;
  await chromium.executablePath();
  await buildWeb(pino({ level: 'silent' }));
};
