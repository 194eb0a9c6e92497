#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { readResults } from './read-results.ts';
import { targetOf } from './target.ts';
import { markRun, upload } from './upload.ts';

/** The program `dokima-upload`: uploads results that tests wrote to a file while they were offline. */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { project: { type: 'string' }, mark: { type: 'string' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  const target = targetOf(process.env, values.project);
  if (!file || !target)
    throw new Error(
      'Usage: dokima-upload FILE [--project ID] [--mark MARK]. DOKIMA_URL and DOKIMA_API_KEY name the service.',
    );
  const { session, results } = readResults(file);
  for (const { group, runId, numRecords, url } of await upload(target, session, results)) {
    if (values.mark) await markRun(target.client, runId, values.mark);
    console.log(`${group}: run ${runId}, ${numRecords} records, ${url}`);
  }
};

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 4;
});
