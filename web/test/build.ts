import chromium from '@sparticuz/chromium';
import { buildWeb } from '../../server/build.ts';

/**
 * Once before all tests in a browser: builds the pages and unpacks the browser. Files that unpacked it at the same time would
 * write what the others are about to run.
 */
export default async (): Promise<void> => {
  process.env.TMPDIR = process.env.DOKIMA_TESTS_DIR;
  await Promise.all([chromium.executablePath(), buildWeb()]);
};
