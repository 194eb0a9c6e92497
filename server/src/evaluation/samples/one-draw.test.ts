import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** What a draw could be made of: a hash, or a random number. */
const sources =
  /\bmd5\b|\bsha\d+\(|createHash|createHmac|\bhash\('|subtle\.digest|hashtext|setseed|tablesample|\brandom\(\)|Math\.random|randomInt/i;

/** These files hash or draw for a purpose that is not a sample. */
const others: Record<string, string[]> = {
  'names a content, to find it again or to compare it': [
    'cli/src/archive.ts',
    'cli/src/export/every-eval-ever.ts',
    'cli/src/export/publish.ts',
    'cli/src/commands/eval.ts',
    'cli/src/lift/arms.ts',
    'cli/src/lift/trials.ts',
    'cli/src/lift/workspace.ts',
    'cli/src/import/content.ts',
    'cli/src/import/formats/atif.ts',
    'cli/src/import/write-traces.ts',
    'cli/src/import/write.ts',
    'cli/src/unfinished-run.ts',
    'client/src/evaluate/answers.ts',
    'client/src/attachments.ts',
    'server/migrations/0001_schema.sql',
    'server/src/archive/demo/agent-traces.ts',
    'server/src/archive/import-project.ts',
    'server/src/archive/parts.ts',
    'server/src/engine/models/media.ts',
    'server/src/engine/models/provider-health.ts',
    'server/src/engine/sandbox/kept-image.ts',
    'server/src/engine/statistics/near-duplicates.ts',
    'server/src/evaluation/attachments/receive.ts',
    'server/src/evaluation/records/index-texts.ts',
    'server/src/evaluation/testsets/snapshot-queries.ts',
    'server/src/platform/http/audit.ts',
    'server/src/platform/http/preconditions.ts',
    'server/src/platform/db/migrate.ts',
    'server/src/platform/db/prepared-directory.ts',
    'server/src/platform/http/idempotency.ts',
    'server/src/scoring/judges/judge-prompt.ts',
    'server/src/scoring/judges/jury.ts',
    'server/src/traces/read/scored-spans.ts',
    'server/src/traces/read/walk.ts',
    'server/src/traces/store/find-sources.ts',
    'server/src/traces/store/mask-trace.ts',
    'server/src/traces/store/pack.ts',
    'server/src/traces/store/span-row.ts',
  ],
  'signs a text, or compares a secret': [
    'server/src/accounts/authenticate.ts',
    'server/src/accounts/keys/api-key.ts',
    'server/src/accounts/scim/authenticate.ts',
    'server/src/accounts/sign-ins/sign-in.ts',
    'server/src/accounts/sso/flow-cookie.ts',
    'server/src/engine/masking/masker.ts',
    'server/src/evaluation/attachments/links.ts',
    'server/src/evaluation/masking/masking.ts',
    'server/src/platform/http/pagination.ts',
    'server/src/platform/secret.ts',
    'server/src/evaluation/metrics/config-hash.ts',
    'client/src/passport/passport.ts',
    'client/src/decision-file/check.ts',
    'client/src/decision-file/file.ts',
    'server/src/agents/decision-file/queries.ts',
    'server/src/agents/decision-file/rows.ts',
    'server/src/agents/decision-file/write-file.ts',
    'server/src/signals/addresses/links.ts',
    'server/src/insights/decisions/register.ts',
    'server/src/insights/looks/open-ledger.ts',
    'server/src/insights/reports/routes.ts',
    'server/src/signals/alerts/sign.ts',
  ],
  'chains the entries of the audit log': [
    'server/src/accounts/audit/chain.ts',
    'server/src/accounts/audit/queries.ts',
  ],
  'spreads retries over time': [
    'client/src/http.ts',
    'server/src/engine/models/provider-health.ts',
    'server/src/platform/jobs/retry.ts',
    'server/src/scoring/executions/executor.ts',
    'server/src/scoring/executions/simulation/converse.ts',
    'server/src/services.ts',
    'server/src/signals/alerts/deliver.ts',
    'server/src/signals/schedules/start-due.ts',
  ],
  'makes the seed of a sample if no one gave one': [
    'server/src/insights/preferences/routes.ts',
    'server/src/reviews/samples/fill-queue.ts',
  ],
  'resamples numbers, with a seeded generator': [
    'server/src/engine/statistics/cluster-texts.ts',
    'server/src/engine/statistics/random.ts',
    'server/src/engine/statistics/sign-flip.ts',
    'server/src/engine/statistics/slice-losses.ts',
  ],
  'puts users into groups, to measure the spread between them': ['server/migrations/0001_schema.sql'],
  'numbers a lock': ['server/src/evaluation/attachments/queries.ts'],
  'answers in place of a model': ['server/src/engine/models/embed.ts', 'server/src/engine/models/fake.ts'],
};

const isComment = (line: string) => /^\s*(\/\/|\*|\/\*|--)/.test(line);
/** A lock has a number, made from its name. */
const isLock = (line: string) => /pg_advisory_xact_lock\(hashtext/.test(line);

it('hashes and random numbers outside of this room make no sample', () => {
  const files = globSync(
    ['server/src/**/*.ts', 'server/migrations/*.sql', 'cli/src/**/*.ts', 'client/src/**/*.ts'],
    { cwd: root },
  ).filter((file) => !/\.test\.ts$|^server\/src\/evaluation\/samples\/|generated\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  const hashing = files.filter((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split('\n')
      .some((line) => sources.test(line) && !line.startsWith('import ') && !isComment(line) && !isLock(line)),
  );
  // A file that is new here draws by `draw` or `drawSql`, or is listed above with its reason.
  expect(hashing.sort()).toEqual([...new Set(Object.values(others).flat())].sort());
});
